/** The option `idempotent`: a client can send a request again, and its effect is that of one request (draft-ietf-httpapi-idempotency-key-header). */
import { escapeQuoted } from '../http/headerFields.ts'
import { parseError } from '../json-schema/parseError.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import * as expectation from '../messages/expectations.ts'
import { listAuthSchemes } from './auth/alternatives.ts'
import type { HeaderReader } from './auth/authScheme.ts'
import { type EndpointParts, findHeaderName } from './endpointParts.ts'
import { type Content, isStreamOnly } from './media/mediaType.ts'
import { optional } from './optional.ts'
import { type AnyParameter, codec } from './parameters/parameter.ts'

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
  print: (key) => `"${escapeQuoted(key)}"`,
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
  media.some((mediaType) => isStreamOnly(mediaType) || mediaType.parts !== undefined)

/** @throws TypeError for a body that is read, or sent, as a stream. */
export function checkIdempotentBodies({ route, body, responses, errors }: EndpointParts): void {
  if ([body, ...[...responses, ...errors].map(({ content }) => content)].some((content) => content !== undefined && isStreamed(content)))
    throw new TypeError(developerErrors.idempotentStream(route))
}

/**
 * Returns the parts of an endpoint with `Idempotency-Key` among the headers of its requests.
 *
 * @throws TypeError for an endpoint that cannot be `idempotent`.
 */
export function addIdempotencyKey(parts: EndpointParts, idempotent: Idempotent | undefined): EndpointParts {
  if (idempotent === undefined) return parts
  const { route, method, headers } = parts
  const parameter: AnyParameter | undefined = keyParameters[idempotent]
  if (parameter === undefined || (method !== 'POST' && method !== 'PATCH')) throw new TypeError(developerErrors.invalidIdempotent(route))
  checkIdempotentBodies(parts)
  const declared = findHeaderName([headers], new Set([idempotencyKeyHeader.toLowerCase()]))
  if (declared !== undefined) throw new TypeError(developerErrors.reservedHeader(route, declared))
  return { ...parts, headers: { ...headers, [idempotencyKeyHeader]: parameter } }
}

/** Returns the function that reads the id of a signed request; undefined for an endpoint whose auth schemes have none. */
export const getRequestIdReader = ({ auth }: Pick<EndpointParts, 'auth'>): ((header: HeaderReader) => string | undefined) | undefined =>
  listAuthSchemes(auth).find(({ requestId }) => requestId !== undefined)?.requestId

/** @throws TypeError for an endpoint whose auth scheme signs the body, and that does not keep what it signs, or its response. */
export function checkSignedRequest(parts: EndpointParts, rawBody: unknown, idempotent: Idempotent | undefined): void {
  if (getRequestIdReader(parts) === undefined) return
  const { route, responses, errors } = parts
  if (rawBody !== true) throw new TypeError(developerErrors.signedBodyNotKept(route))
  if (idempotent !== undefined) throw new TypeError(developerErrors.signedIdempotent(route))
  if ([...responses, ...errors].some(({ content }) => content !== undefined && isStreamed(content)))
    throw new TypeError(developerErrors.signedStream(route))
}
