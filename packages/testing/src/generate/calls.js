/** Calls of an endpoint, as anybody may make them who has read its description. */
import * as fc from 'fast-check'
import { ParseError, percentEncode } from 'lapidary'
import { collectBytes, encodeUtf8, fillPath, getJsonSchema, splitHeaderList } from 'lapidary/internal'
import { generateParameterTexts } from './parameterTexts.js'
import { createArbitrary } from './values.js'
// The ranges that may be asked for of a collection that has some: a token is for its server to make, and no pattern says all that a range may be.
/** Whether an endpoint has what `ranges` declares: pages by the header, or by its twin in the query. */
export const acceptsRanges = ({ response, headers, query, responseHeaders: always }) =>
  response.status === 206 && 'Range' in headers && 'range' in query && 'Accept-Ranges' in always
/** A range, or none. */
export function generateRanges({ responseHeaders: always }) {
  const fields = splitHeaderList(always['Accept-Ranges'] ?? '')
  const options = fc.record({
    offset: fc.option(fc.nat(50), { nil: undefined }),
    limit: fc.option(fc.nat(20), { nil: undefined }),
    order: fc.option(fc.constantFrom('asc', 'desc'), { nil: undefined }),
  })
  const range = fc.tuple(fc.constantFrom(...fields), options).map(([field, chosen]) => {
    const said = Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [`; ${name} ${value}`]))
    return [field, ...said].join('')
  })
  return fc.oneof({ arbitrary: fc.constant([]), weight: 1 }, { arbitrary: range.map((text) => [text]), weight: 3 })
}
/** The path and query of a call. */
export function buildTarget({ segments }, { captures, query }) {
  const path = fillPath(segments, (name) => captures[name] ?? '')
  const pairs = Object.entries(query).flatMap(([name, texts]) => texts.map((text) => `${percentEncode(name)}=${percentEncode(text)}`))
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}
/** Whether a schema takes a value, as far as it says so at once. */
export const acceptsValue = (schema, value) => {
  const verdict = schema['~standard'].validate(value)
  return verdict instanceof Promise || verdict.issues === undefined
}
/** Whether what a medium writes of a value can be read again. */
export function canRoundTrip(medium, schema, value) {
  try {
    const written = medium.writer(schema)(value)
    // A stream is not read here.
    if (typeof written !== 'string' && !(written instanceof Uint8Array))
      return typeof written === 'object' && written !== null && Symbol.asyncIterator in written
    const bytes = typeof written === 'string' ? encodeUtf8(written) : written
    return !(medium.reader?.(schema)(bytes) instanceof ParseError)
  } catch {
    return false
  }
}
/** What a medium without a schema may carry: whichever of these it does. */
const schemalessValues = [fc.string({ unit: 'grapheme', maxLength: 40 }), fc.uint8Array({ maxLength: 40 }), fc.jsonValue({ maxDepth: 2 })]
/** Bodies that the content allows, in each of its media that a server can read; undefined where none can be made. */
export function generateRequestBodies({ schema, media }, example) {
  const form = schema === undefined ? undefined : getJsonSchema(schema)
  const made =
    schema === undefined || form === undefined ? schemalessValues : [createArbitrary(form, (value) => acceptsValue(schema, value))]
  const all = media
    .filter(({ reader }) => reader !== undefined)
    .flatMap((medium) => {
      const shown = example === undefined ? [] : [fc.constant(example)]
      const sound = [...made, ...shown].flatMap((values) => {
        const isRight = (value) => canRoundTrip(medium, form, value)
        return values === undefined || !fc.sample(values, { numRuns: 20, seed: 1 }).some(isRight) ? [] : [values.filter(isRight)]
      })
      return sound.length === 0 ? [] : medium.types.map((type) => fc.oneof(...sound).map((value) => ({ type, medium, value })))
    })
  return all.length === 0 ? undefined : fc.oneof(...all)
}
/** What cannot be called, and why: no value was found for one of its parts. */
export class CallNotGeneratedError extends Error {
  name = 'CallNotGeneratedError'
}
function requireValues(route, part, values) {
  if (values === undefined) throw new CallNotGeneratedError(`${route}: no value was found for ${part}. Give an example of one.`)
  return values
}
const generateRecord = (members) => fc.record(members, { noNullPrototype: true })
/** A range stands in the header or in the query; in both it is refused. */
const withRange = (call, range, isHeader) => ({
  ...call,
  query: { ...call.query, range: isHeader ? [] : range },
  headers: { ...call.headers, Range: isHeader ? range : [] },
})
/**
 * Calls that the description allows.
 *
 * @throws NoCall where no value can be made for a part that is needed
 */
export function generateCalls(endpoint) {
  const { route, params, query, headers, body, examples } = endpoint
  const captures = Object.entries(params).map(([name, codec]) => {
    const texts = requireValues(route, `the capture :${name}`, generateParameterTexts(codec, 'capture'))
    return [name, texts.map(([text = '']) => text)]
  })
  const under = (place, declared) =>
    Object.fromEntries(
      Object.entries(declared).map(([name, parameter]) => {
        const what = place === 'query' ? `the query parameter ${name}` : `the header ${name}`
        return [name, requireValues(route, what, generateParameterTexts(parameter, place))]
      }),
    )
  const calls = fc.record({
    captures: generateRecord(Object.fromEntries(captures)),
    query: generateRecord(under('query', query)),
    headers: generateRecord(under('header', headers)),
    body: body === undefined ? fc.constant(undefined) : requireValues(route, 'the body', generateRequestBodies(body, examples.body)),
  })
  return acceptsRanges(endpoint)
    ? fc.tuple(calls, generateRanges(endpoint), fc.boolean()).map(([call, range, isHeader]) => withRange(call, range, isHeader))
    : calls
}
/** Writes a body as a client does, the pieces of a stream together. */
export async function encodeBody({ body }, { type, medium, value }) {
  const schema = body?.schema === undefined ? undefined : getJsonSchema(body.schema)
  const made = medium.writer(schema)(value)
  const bytes = typeof made === 'string' ? encodeUtf8(made) : made instanceof Uint8Array ? made : await collectBytes(made)
  return { type: [['Content-Type', type]], bytes }
}
