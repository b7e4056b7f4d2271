/** `etag`: what endpoints of one path say of entity tags, so that copies are kept and no update is lost (RFC 9110 §8.8.3, §13). */
import * as complaint from '../messages/developerErrors.js'
import * as documentation from '../messages/documentationTexts.js'
import { optional } from './parameters/optional.js'
import { codec, described } from './parameters/parameter.js'
import { reply } from './reply.js'

/** A tag to show. It has the form of the toolkit's own. */
const exampleEtag = '"33a64df551425fcc55e4d42a148795d9"'
const returnText = (tag) => tag
const entityTagCodec = codec({ name: 'entity tag', parse: returnText, print: returnText, schema: { type: 'string' }, example: exampleEtag })
const etagHeader = described(entityTagCodec, documentation.etagText())
/** Tags in a header, in however many lines, as one text. Which of them is none is for the comparison to say: nothing is like it. */
const entityTagList = (description, shown, required) => ({
  ...optional(described(entityTagCodec, description, shown)),
  name: 'entity tags',
  required,
  read: ({ values: texts }) => (texts.length === 0 ? undefined : texts.join(', ')),
})
const createConditionHeaders = (etag) => ({
  // What is shown can be asked as it is: these hold, whatever is there.
  'If-Match': entityTagList(documentation.ifMatchText(), '*', etag === 'required'),
  'If-None-Match': entityTagList(documentation.ifNoneMatchText(), exampleEtag, false),
})
/** The headers that a description which has the word leaves to it, in lower case. */
export const etagHeaderNames = Object.freeze(['etag', 'if-match', 'if-none-match'])
const getEtagErrors = (etag) => [
  ...(etag === true ? [reply(304, undefined, { headers: { ETag: etagHeader }, description: documentation.notModifiedText() })] : []),
  reply(412, undefined, { description: documentation.preconditionFailedText() }),
  ...(etag === 'required' ? [reply(428, undefined, { description: documentation.preconditionRequiredText() })] : []),
]
/** @throws TypeError where an endpoint cannot have the word. */
export function checkEtag(line, method, etag, { status, content }) {
  if ((method === 'GET') !== (etag === true)) throw new TypeError(complaint.invalidEtagOption(line))
  if (etag !== true) return
  const isWhole = status === 200 && content?.media.every(({ reader, streamReader }) => reader !== undefined || streamReader === undefined)
  if (isWhole !== true) throw new TypeError(complaint.etagNotSupported(line))
}
/** The same parts, with what the word adds to them. An error of the author's own stays his. */
export function addEtag(etag, { headers, response, errors, examples }) {
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
export function removeEtag(response) {
  const { ETag: _, ...headers } = response.headers
  return { ...response, headers }
}
