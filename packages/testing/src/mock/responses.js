/** What an endpoint answers where nobody says otherwise: its example, or values that its reply allows. */
import * as fc from 'fast-check'
import { getErrorClass, htmlTemplate, notImplemented, ParseError, withHeaders } from 'lapidary'
import { getJsonSchema as formOf, getEssence, getJsonSchema, getTypes, isJsonObject, mockDetail, removeEtag } from 'lapidary/internal'
import { acceptsValue, canRoundTrip } from '../generate/calls.js'
import { generateParameterTexts } from '../generate/parameterTexts.js'
import { sample, sampleOne } from '../generate/sample.js'
import { createArbitrary } from '../generate/values.js'

const plainTextValues = createArbitrary({ type: 'string' }, undefined, 'plain') ?? fc.constant('text')
/** What stands in media without a schema: the first of these that all of them write. */
const schemalessBodies = [
  fc.dictionary(fc.constantFrom('name', 'note', 'place'), plainTextValues, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  plainTextValues,
  fc.uint8Array({ minLength: 1, maxLength: 40 }),
]
/** Whole, and not in pieces: whatever can be walked would be written somehow. */
const isWrittenWhole = ({ media }, value) =>
  media.every((medium) => {
    try {
      const written = medium.writer(undefined)(value)
      return typeof written === 'string' || written instanceof Uint8Array
    } catch {
      return false
    }
  })
const isWrittenByAll = ({ media }, form, value) => media.every((medium) => canRoundTrip(medium, form, value))
function isStreamContent({ media: [medium] }, form, series) {
  try {
    const written = medium?.writer(form)(series)
    return typeof written === 'object' && Symbol.asyncIterator in written
  } catch {
    return false
  }
}
/** The values that a content may have; undefined where none can be found. */
export function generateResponseBodies(content) {
  const { schema } = content
  if (schema === undefined)
    return schemalessBodies.find((kind) =>
      sample(kind, 1, 5).every((value) => isWrittenWhole(content, value) && isWrittenByAll(content, undefined, value)),
    )
  const form = formOf(schema)
  const isList = getTypes(form).includes('array')
  const one = createArbitrary(form, (value) => acceptsValue(schema, value), 'plain')
  if (one === undefined) return undefined
  // A medium that walks whatever it is given, such as that of `lines`, takes a series of what its schema describes.
  if (!isList && isStreamContent(content, form, sample(one, 1, 2))) return fc.array(one, { minLength: 2, maxLength: 4 })
  return createArbitrary(form, (value) => acceptsValue(schema, value) && isWrittenByAll(content, form, value), 'plain')
}
// Draws: numbers that look like chance, and are the same for the same words every time.
/** FNV-1a, and the last step of MurmurHash3: words that are almost alike give numbers that are not. */
export function drawNumber(...words) {
  const text = words.join('\n')
  let sum = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b)
  sum = Math.imul(sum ^ (sum >>> 13), 0xc2b2ae35)
  return sum ^ (sum >>> 16)
}
/** A number from 0 to less than 1. */
export const drawFraction = (...words) => (drawNumber(...words) >>> 0) / 2 ** 32
const replaceBigInt = (_key, value) => (typeof value === 'bigint' ? String(value) : value)
/** What two requests have in common that are to get the same answer, as a word of a draw. */
export const toKey = (...values) => JSON.stringify(values, replaceBigInt)
/** The same function, which makes its value when it is first asked for it. */
function memoize(make) {
  let made
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
/** An object whose members are those of these names that it has a place for, as far as its schema takes them: `/users/7` has the user 7. */
export function setMembers(value, schema, members) {
  if (schema === undefined || !isJsonObject(value)) return value
  const { properties = {} } = getJsonSchema(schema)
  return Object.entries(members).reduce((here, [name, member]) => {
    const changed = { ...here, [name]: member }
    return Object.hasOwn(properties, name) && acceptsValue(schema, changed) ? changed : here
  }, value)
}
/** The value of a header: its examples where they are any, else whatever its codec reads. */
function createHeaderMaker(parameter) {
  const { examples, repeats, read } = parameter
  const texts = repeats ? examples : examples.slice(0, 1)
  const shown = read({ values: texts, isPresent: texts.length > 0 })
  if (!(shown instanceof ParseError)) return () => shown
  const values = memoize(() => generateParameterTexts(parameter, 'header'))
  return (drawn) => {
    const found = values()
    return found === undefined ? undefined : read({ values: sampleOne(found, drawn), isPresent: true })
  }
}
/** The values of the headers that a reply declares. */
export function createHeadersMaker({ headers }) {
  const makings = Object.entries(headers).map(([name, parameter]) => [name, createHeaderMaker(parameter)])
  return (drawn) => Object.fromEntries(makings.map(([name, make]) => [name, make(drawNumber(drawn, name))]))
}
/** The body of a reply. @throws HttpError 501 where none can be made. */
function createBodyMaker(route, { content }) {
  if (content === undefined) return () => undefined
  const values = memoize(() => generateResponseBodies(content))
  return (drawn, params) => {
    const found = values()
    if (found === undefined) throw notImplemented({ detail: mockDetail.noExample(route) })
    return setMembers(sampleOne(found, drawn), content.schema, params)
  }
}
/** Whatever a reply allows, without an example. @throws HttpError 501 where nothing can be made. */
export function createReplyMaker(route, reply) {
  const [body, headers] = [createBodyMaker(route, reply), createHeadersMaker(reply)]
  return Object.keys(reply.headers).length === 0 ? body : (drawn, params) => withHeaders(body(drawn, params), headers(drawn))
}
/** The reply of an endpoint as its handler answers it: without the tag, which is not its business. */
export const getHandlerReply = ({ etag, response }) => (etag === true ? removeEtag(response) : response)
/** The example of what a handler answers; undefined where there is none. */
export function getResponseExample({ etag, examples, response }) {
  const { response: shown } = examples
  // With its tag alone, what was given stands beside no header.
  return etag === true && Object.keys(response.headers).length === 1 && isJsonObject(shown) ? shown['body'] : shown
}
/** What the handler of an endpoint answers. */
export function createSuccessMaker(endpoint) {
  const example = getResponseExample(endpoint)
  return example === undefined ? createReplyMaker(endpoint.route, getHandlerReply(endpoint)) : () => example
}
// Errors in the form that an endpoint declares for them.
/** The header lines of an error: those that its reply declares, printed. */
function writeErrorHeaders(values, error) {
  const lines = Object.entries(error.headers).map(([name, { write }]) => [name, write(values[name]).join(',')])
  return Object.fromEntries(lines.filter(([, text]) => text !== ''))
}
/** The headers of an error, and those of its reply that it has not itself, in whatever case. */
function mergeErrorHeaders(own = {}, shown) {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  return { ...own, ...Object.fromEntries(Object.entries(shown).filter(([name]) => !names.has(name.toLowerCase()))) }
}
/** An error of this status as the endpoint declares it, body and headers included; undeclared, it is problem details with these words. */
export function createDeclaredError({ route, errors }, status, options) {
  const reply = errors.find((error) => error.status === status)
  if (reply === undefined) return new (getErrorClass(status))(options)
  const drawn = drawNumber(route, status)
  const headers = mergeErrorHeaders(options.headers, writeErrorHeaders(createHeadersMaker(reply)(drawn), reply))
  if (reply.content === undefined) return new (getErrorClass(status))({ ...options, headers })
  const body = createReplyMaker(route, { ...reply, headers: {} })(drawn, {})
  return new (getErrorClass(status))({ ...options, headers, body })
}
/** The same medium, which writes one sentence, whatever it is given. */
function writePlaceholder(medium, route) {
  const sentence = mockDetail.page(route)
  const isPage = getEssence(medium.types[0]) === 'text/html'
  const text = isPage ? htmlTemplate`<!doctype html>\n<title>${route}</title>\n<p>${sentence}</p>\n`.html : sentence
  return { ...medium, writer: () => () => text }
}
/**
 * The same endpoint, which answers with a sentence where no value can be made for its media: they have no schema, no example, and nothing that reads
 * them would miss anything.
 */
export function withPlaceholderPage(endpoint) {
  const { response, route } = endpoint
  const { content } = response
  if (content === undefined || content.schema !== undefined || getResponseExample(endpoint) !== undefined) return endpoint
  if (content.media.some(({ reader, streamReader }) => reader !== undefined || streamReader !== undefined)) return endpoint
  if (generateResponseBodies(content) !== undefined) return endpoint
  const media = content.media.map((medium) => writePlaceholder(medium, route))
  return { ...endpoint, response: { ...response, content: { schema: undefined, media } } }
}
