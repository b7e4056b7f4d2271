/** The option `etag`: entity tags and conditional requests of the endpoints of one path (RFC 9110 §8.8.3, §13). */
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { type EndpointParts, findHeaderName } from './endpointParts.ts'
import { isStreamOnly } from './media/mediaType.ts'
import { optional } from './optional.ts'
import { type AnyParameter, type Codec, codec, type Parameter, returnText } from './parameters/parameter.ts'
import { type AnyReply, type Reply, reply, type WithHeaders } from './reply.ts'

/**
 * `true` on a GET: responses have an `ETag`. `'optional'` or `'required'` on a change at the same path: a request can, or must, name the
 * ETag that it changes.
 */
export type Etag = true | 'optional' | 'required'

/**
 * Checks `If-Match` and `If-None-Match` against the current value: the value that a GET of the path would return, without headers, or
 * undefined if the resource does not exist. Call it in the transaction that writes, so that no other change can happen in between.
 *
 * @throws HttpError 412 where the value does not meet them.
 */
export type Precondition = (current: unknown) => void

/** The `precondition` of a handler; undefined where the request has no condition. */
export type PreconditionOf<Tag> = Tag extends 'required' ? Precondition : Tag extends 'optional' ? Precondition | undefined : undefined

/** The request headers that `etag` adds. */
export type ConditionsOf<Tag> = Tag extends Etag
  ? { readonly 'If-Match': Tag extends 'required' ? string : string | undefined; readonly 'If-None-Match': string | undefined }
  : unknown

/** The response header that `etag` adds. */
export interface EtagHeader {
  readonly ETag: string
}

/** A reply whose responses have an ETag; a client gets it with the headers. Of several replies, the first has it. */
export type TaggedReply<R> = R extends readonly [infer First, ...infer Others]
  ? readonly [TaggedReply<First>, ...Others]
  : R extends Reply<infer Input, infer Output, infer Status>
    ? Reply<
        Input,
        Output extends WithHeaders<infer Body, infer Headers> ? WithHeaders<Body, Headers & EtagHeader> : WithHeaders<Output, EtagHeader>,
        Status
      >
    : R

/** The errors that `etag` adds. */
export type EtagErrorsOf<Tag> = Tag extends true
  ? Reply<WithHeaders<undefined, EtagHeader>, WithHeaders<undefined, EtagHeader>, 304> | Reply<void, void, 412>
  : Tag extends 'required'
    ? Reply<void, void, 412> | Reply<void, void, 428>
    : Tag extends 'optional'
      ? Reply<void, void, 412>
      : never

/** A tag to show, in the form of generated tags. */
const exampleEtag = '"33a64df551425fcc55e4d42a148795d9"'

const createEntityTagCodec = (description: string, example = exampleEtag): Codec<string> =>
  codec({ name: 'entity tag', parse: returnText, print: returnText, schema: { type: 'string' }, example, description })

const etagHeader = /* @__PURE__ */ createEntityTagCodec(documentationTexts.etagText())

/** The entity tags of all fields of a header, as one text. The comparison ignores malformed ones. */
const entityTagList = (description: string, example: string, required: boolean): Parameter<string | undefined> => ({
  ...optional(createEntityTagCodec(description, example)),
  name: 'entity tags',
  required,
  read: ({ values }) => (values.length === 0 ? undefined : values.join(', ')),
})

const createConditionHeaders = (etag: Etag): Readonly<Record<string, AnyParameter>> => ({
  // Any resource meets these examples, so a reader can send them unchanged.
  'If-Match': entityTagList(documentationTexts.ifMatchText(), '*', etag === 'required'),
  'If-None-Match': entityTagList(documentationTexts.ifNoneMatchText(), exampleEtag, false),
})

/** Headers that an endpoint with `etag` cannot declare itself, in lower case. */
const etagHeaderNames: ReadonlySet<string> = new Set(['etag', 'if-match', 'if-none-match'])

const getEtagErrors = (etag: Etag): readonly AnyReply[] => [
  ...(etag === true ? [reply(304, undefined, { headers: { ETag: etagHeader }, description: documentationTexts.notModifiedText() })] : []),
  reply(412, undefined, { description: documentationTexts.preconditionFailedText() }),
  ...(etag === 'required' ? [reply(428, undefined, { description: documentationTexts.preconditionRequiredText() })] : []),
]

/** @throws TypeError for an endpoint that cannot have this `etag`. */
function checkEtag({ route, method, headers, response, responses, errors, responseHeaders }: EndpointParts, etag: Etag): void {
  const declared = [headers, responseHeaders, ...[...responses, ...errors].map((reply) => reply.headers)]
  const name = findHeaderName(declared, etagHeaderNames)
  if (name !== undefined) throw new TypeError(developerErrors.reservedHeader(route, name))
  if ((method === 'GET') !== (etag === true)) throw new TypeError(developerErrors.invalidEtagOption(route))
  if (etag !== true) return
  const { status, content } = response
  const hasRepresentation = status === 200 && content?.media.some(isStreamOnly) === false
  if (!hasRepresentation) throw new TypeError(developerErrors.etagNotSupported(route))
}

/**
 * Returns the parts of an endpoint with the headers and errors of its `etag`. A declared error takes precedence.
 *
 * @throws TypeError for an endpoint that cannot have this `etag`.
 */
export function addEtag(parts: EndpointParts, etag: Etag | undefined): EndpointParts {
  if (etag === undefined) return parts
  checkEtag(parts, etag)
  const { headers, response, responses, errors } = parts
  const own = getEtagErrors(etag).filter(({ status }) => errors.every((error) => error.status !== status))
  const tagged = { ...parts, headers: { ...headers, ...createConditionHeaders(etag) }, errors: [...errors, ...own] }
  if (etag !== true) return tagged
  const usual = Object.freeze({ ...response, headers: Object.freeze({ ...response.headers, ETag: etagHeader }) })
  return { ...tagged, response: usual, responses: [usual, ...responses.slice(1)] }
}

/** The reply without its ETag, as a handler returns it. */
export function removeEtag(response: AnyReply): AnyReply {
  const { ETag: _, ...headers } = response.headers
  return { ...response, headers }
}
