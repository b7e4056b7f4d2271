/** The option `etag`: entity tags and conditional requests of the endpoints of one path (RFC 9110 §8.8.3, §13). */
import type { Method } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { returnText } from './parameters/codecOptions.ts'
import { optional } from './parameters/optional.ts'
import { type AnyParameter, type Codec, codec, type Parameter } from './parameters/parameter.ts'
import { type AnyReply, type Reply, reply, type WithHeaders } from './reply.ts'

/**
 * `true` on a GET: responses have an `ETag`. `'optional'` or `'required'` on a change at the same path: a request can, or must, name the
 * ETag that it changes.
 */
export type Etag = true | 'optional' | 'required'

/**
 * Checks `If-Match` and `If-None-Match` against the current value: the one that a GET of the path would return, without headers; undefined
 * where the resource does not exist. Call it in the transaction that writes, so that no other change comes between.
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
export const etagHeaderNames: readonly string[] = Object.freeze(['etag', 'if-match', 'if-none-match'])

const getEtagErrors = (etag: Etag): readonly AnyReply[] => [
  ...(etag === true ? [reply(304, undefined, { headers: { ETag: etagHeader }, description: documentationTexts.notModifiedText() })] : []),
  reply(412, undefined, { description: documentationTexts.preconditionFailedText() }),
  ...(etag === 'required' ? [reply(428, undefined, { description: documentationTexts.preconditionRequiredText() })] : []),
]

/** @throws TypeError for an endpoint that cannot have this `etag`. */
export function checkEtag(line: string, method: Method, etag: Etag, { status, content }: AnyReply): void {
  if ((method === 'GET') !== (etag === true)) throw new TypeError(developerErrors.invalidEtagOption(line))
  if (etag !== true) return
  const hasRepresentation =
    status === 200 && content?.media.every(({ reader, streamReader }) => reader !== undefined || streamReader === undefined)
  if (hasRepresentation !== true) throw new TypeError(developerErrors.etagNotSupported(line))
}

/** The parts of an endpoint that `etag` changes. */
interface EtagParts {
  readonly headers: object
  readonly response: AnyReply
  readonly errors: readonly AnyReply[]
}

/** The same parts with the headers and errors of `etag`. A declared error takes precedence. */
export function addEtag(etag: Etag, { headers, response, errors }: EtagParts): EtagParts {
  const own = getEtagErrors(etag).filter(({ status }) => errors.every((error) => error.status !== status))
  const parts = { headers: { ...headers, ...createConditionHeaders(etag) }, response, errors: [...errors, ...own] }
  if (etag !== true) return parts
  return {
    ...parts,
    response: Object.freeze({ ...response, headers: Object.freeze({ ...response.headers, ETag: etagHeader }) }),
  }
}

/** The reply without its ETag, as a handler returns it. */
export function removeEtag(response: AnyReply): AnyReply {
  const { ETag: _, ...headers } = response.headers
  return { ...response, headers }
}
