/** The option `idempotent`: a client can send a request again, and its effect is that of one request (draft-ietf-httpapi-idempotency-key-header). */
import type { Method } from '../http/route.ts'
import { parseError } from '../json-schema/parseError.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import * as expectation from '../messages/expectations.ts'
import type { Content } from './media/mediaType.ts'
import { optional } from './parameters/optional.ts'
import { type AnyParameter, codec, type ParameterRecord } from './parameters/parameter.ts'
import type { AnyReply } from './reply.ts'

/** Whether a request must have an `Idempotency-Key`, or can have one. */
export type Idempotent = 'required' | 'optional'

export const idempotencyKeyHeader = 'Idempotency-Key'

/** The longest field value that a server reads, quotation marks included. */
const maxKeyLength = 255

/** A String of a structured field (RFC 9651 §3.3.3). Other clients send a UUID or a token without quotation marks: it is read, too. */
const keyPattern = /^(?:"((?:[ !#-[\]-~]|\\["\\])+)"|([\w!#$%&'*+./:=^`|~-]+))$/

/** The header of a request to an endpoint with `idempotent`. */
const keyCodec = /* @__PURE__ */ codec<string>({
  name: 'idempotency key',
  parse: (text) => {
    const [, quoted, token] = (text.length <= maxKeyLength && keyPattern.exec(text)) || []
    return quoted?.replace(/\\(.)/g, '$1') ?? token ?? parseError(expectation.idempotencyKey(maxKeyLength))
  },
  print: (key) => `"${key.replace(/["\\]/g, '\\$&')}"`,
  schema: { type: 'string', minLength: 1, maxLength: maxKeyLength, pattern: keyPattern.source },
  example: '8e03978e-40d5-43dd-bc93-6894a57f9324',
  description: documentationTexts.idempotencyKeyText(),
})

const keyParameters: Readonly<Record<Idempotent, AnyParameter>> = /* @__PURE__ */ (() => ({
  required: keyCodec,
  optional: optional(keyCodec),
}))()

/** Whether a body is read while it arrives, as a stream or as a form: then its bytes are not there to be compared. */
const isStreamed = ({ media }: Content<unknown, unknown>): boolean =>
  media.some(({ reader, streamReader, parts }) => (streamReader !== undefined && reader === undefined) || parts !== undefined)

/** The parts of an endpoint that decide whether it can be `idempotent`. */
interface IdempotentParts {
  readonly route: string
  readonly method: Method
  readonly idempotent: Idempotent | undefined
  readonly headers: ParameterRecord
  readonly body: Content<unknown, unknown> | undefined
  readonly responses: readonly AnyReply[]
  readonly errors: readonly AnyReply[]
}

/**
 * Returns the request headers of an endpoint with `Idempotency-Key` among them.
 *
 * @throws TypeError for an endpoint that cannot be `idempotent`.
 */
export function addIdempotencyKey({ route, method, idempotent, headers, body, responses, errors }: IdempotentParts): ParameterRecord {
  const parameter = keyParameters[idempotent as Idempotent]
  if (parameter === undefined || (method !== 'POST' && method !== 'PATCH')) throw new TypeError(developerErrors.invalidIdempotent(route))
  if ([body, ...[...responses, ...errors].map(({ content }) => content)].some((content) => content !== undefined && isStreamed(content)))
    throw new TypeError(developerErrors.idempotentStream(route))
  for (const [name, declared] of Object.entries(headers))
    if (name.toLowerCase() === idempotencyKeyHeader.toLowerCase() && declared !== parameter)
      throw new TypeError(developerErrors.reservedHeader(route, name))
  return Object.freeze({ ...headers, [idempotencyKeyHeader]: parameter })
}
