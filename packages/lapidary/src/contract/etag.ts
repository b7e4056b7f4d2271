/** `etag`: what endpoints of one path say of entity tags, so that copies are kept and no update is lost (RFC 9110 §8.8.3, §13). */

import type { Method } from '../http/route.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { optional } from './parameters/optional.ts'
import { type AnyParameter, codec, described, type Parameter } from './parameters/parameter.ts'
import { type AnyReply, type Reply, reply, type WithHeaders } from './reply.ts'

/**
 * `true`, of a GET: its answers carry the tag of what they hold. `'optional'` and `'required'`, of a change at the same path: it is made on the
 * condition that this is still there, where the request has that condition, or of every request.
 */
export type Etag = true | 'optional' | 'required'

/**
 * Compares what a request names in `If-Match` and `If-None-Match` with what is there now: the value that a GET of the same path would answer with,
 * without headers; undefined where there is nothing. Call it where nobody can write in between, as in the transaction that writes.
 *
 * @throws PreconditionFailed where this is not what the request takes it for.
 */
export type Precondition = (current: unknown) => void

/** What a handler gets as `precondition`; undefined where a request has no condition. */
export type PreconditionOf<Tag> = Tag extends 'required' ? Precondition : Tag extends 'optional' ? Precondition | undefined : undefined

/** The request headers that come with the word. */
export type ConditionsOf<Tag> = Tag extends Etag
  ? { readonly 'If-Match': Tag extends 'required' ? string : string | undefined; readonly 'If-None-Match': string | undefined }
  : unknown

/** The response header that comes with the word. */
export interface EtagHeader {
  readonly ETag: string
}

/** A reply whose answers carry a tag: a client gets it with them. */
export type TaggedReply<R> =
  R extends Reply<infer Input, infer Output, infer Status>
    ? Reply<
        Input,
        Output extends WithHeaders<infer Body, infer Headers> ? WithHeaders<Body, Headers & EtagHeader> : WithHeaders<Output, EtagHeader>,
        Status
      >
    : R

/** The errors that come with the word. */
export type RaisedOf<Tag> = Tag extends true
  ? Reply<WithHeaders<undefined, EtagHeader>, WithHeaders<undefined, EtagHeader>, 304> | Reply<void, void, 412>
  : Tag extends 'required'
    ? Reply<void, void, 412> | Reply<void, void, 428>
    : Tag extends 'optional'
      ? Reply<void, void, 412>
      : never

/** A tag to show. It has the form of the toolkit's own. */
const exampleEtag = '"33a64df551425fcc55e4d42a148795d9"'

const returnText = (tag: string): string => tag
const entityTagCodec = codec({ name: 'entity tag', parse: returnText, print: returnText, schema: { type: 'string' }, example: exampleEtag })

const etagHeader = described(entityTagCodec, documentationTexts.etagText())

/** Tags in a header, in however many lines, as one text. Which of them is none is for the comparison to say: nothing is like it. */
const entityTagList = (description: string, shown: string, required: boolean): Parameter<string | undefined> => ({
  ...optional(described(entityTagCodec, description, shown)),
  name: 'entity tags',
  required,
  read: ({ values: texts }) => (texts.length === 0 ? undefined : texts.join(', ')),
})

const createConditionHeaders = (etag: Etag): Readonly<Record<string, AnyParameter>> => ({
  // What is shown can be asked as it is: these hold, whatever is there.
  'If-Match': entityTagList(documentationTexts.ifMatchText(), '*', etag === 'required'),
  'If-None-Match': entityTagList(documentationTexts.ifNoneMatchText(), exampleEtag, false),
})

/** The headers that a description which has the word leaves to it, in lower case. */
export const etagHeaderNames: readonly string[] = Object.freeze(['etag', 'if-match', 'if-none-match'])

const getEtagErrors = (etag: Etag): readonly AnyReply[] => [
  ...(etag === true ? [reply(304, undefined, { headers: { ETag: etagHeader }, description: documentationTexts.notModifiedText() })] : []),
  reply(412, undefined, { description: documentationTexts.preconditionFailedText() }),
  ...(etag === 'required' ? [reply(428, undefined, { description: documentationTexts.preconditionRequiredText() })] : []),
]

/** @throws TypeError where an endpoint cannot have the word. */
export function checkEtag(line: string, method: Method, etag: Etag, { status, content }: AnyReply): void {
  if ((method === 'GET') !== (etag === true)) throw new TypeError(developerErrors.invalidEtagOption(line))
  if (etag !== true) return
  const isWhole = status === 200 && content?.media.every(({ reader, streamReader }) => reader !== undefined || streamReader === undefined)
  if (isWhole !== true) throw new TypeError(developerErrors.etagNotSupported(line))
}

/** The parts of an endpoint that the word adds to. */
interface EtagParts {
  readonly headers: object
  readonly response: AnyReply
  readonly errors: readonly AnyReply[]
  readonly examples: { readonly body?: unknown; readonly response?: unknown }
}

/** The same parts, with what the word adds to them. An error of the author's own stays his. */
export function addEtag(etag: Etag, { headers, response, errors, examples }: EtagParts): EtagParts {
  const own = getEtagErrors(etag).filter(({ status }) => errors.every((error) => error.status !== status))
  const parts = { headers: { ...headers, ...createConditionHeaders(etag) }, response, errors: [...errors, ...own], examples }
  if (etag !== true) return parts
  // With its tag, a body is one of several parts of the answer.
  const isBare = examples.response !== undefined && Object.keys(response.headers).length === 0
  return {
    ...parts,
    response: Object.freeze({ ...response, headers: Object.freeze({ ...response.headers, ETag: etagHeader }) }),
    examples: isBare ? { ...examples, response: { body: examples.response, headers: {} } } : examples,
  }
}

/** A reply without its tag, as handlers answer. */
export function removeEtag(response: Reply<unknown, unknown>): Reply<unknown, unknown> {
  const { ETag: _, ...headers } = response.headers
  return { ...response, headers }
}
