/** Calls of an endpoint, as anybody may make them who has read its description. */

import * as fc from 'fast-check'
import {
  type AnyEndpoint,
  type Content,
  type EncodedBody,
  isParseError,
  type MediaTypeDefinition,
  percentEncode,
  type Schema,
} from 'lapidary'
import { collectBytes, encodeUtf8, fillPath, getJsonSchema, isPromise, splitHeaderList } from 'lapidary/internal'
import { generateParameterTexts, type ParameterTexts } from './parameterTexts.ts'
import { createArbitrary } from './values.ts'

// The ranges that may be asked for of a collection that has some: a token is for its server to make, and no pattern says all that a range may be.

/** Whether an endpoint has what `ranges` declares: pages by the header, or by its twin in the query. */
export const acceptsRanges = ({ response, headers, query, responseHeaders: always }: AnyEndpoint): boolean =>
  response.status === 206 && 'Range' in headers && 'range' in query && 'Accept-Ranges' in always

/** A range, or none. */
export function generateRanges({ responseHeaders: always }: AnyEndpoint): fc.Arbitrary<ParameterTexts> {
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
  return fc.oneof(
    { arbitrary: fc.constant<ParameterTexts>([]), weight: 1 },
    { arbitrary: range.map((text): ParameterTexts => [text]), weight: 3 },
  )
}

type CallMediaType = MediaTypeDefinition<unknown>

/** A body before it is written. */
export interface CallBody {
  /** The media type that names it. */
  readonly type: string
  readonly medium: CallMediaType
  readonly value: unknown
}

/** A call in its parts: each of them can be changed, and shrinks, by itself. */
export interface Call {
  readonly captures: Readonly<Record<string, string>>
  /** The texts under each name; none: it is left out. */
  readonly query: Readonly<Record<string, ParameterTexts>>
  readonly headers: Readonly<Record<string, ParameterTexts>>
  readonly body: CallBody | undefined
}

/** The path and query of a call. */
export function buildTarget({ segments }: AnyEndpoint, { captures, query }: Pick<Call, 'captures' | 'query'>): string {
  const path = fillPath(segments, (name) => captures[name] ?? '')
  const pairs = Object.entries(query).flatMap(([name, texts]) => texts.map((text) => `${percentEncode(name)}=${percentEncode(text)}`))
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** Whether a schema takes a value, as far as it says so at once. */
export const acceptsValue = (schema: Schema, value: unknown): boolean => {
  const verdict = schema['~standard'].validate(value)
  return isPromise(verdict) || verdict.issues === undefined
}

/** Whether what a medium writes of a value can be read again. */
export function canRoundTrip(medium: CallMediaType, schema: Parameters<CallMediaType['writer']>[0], value: unknown): boolean {
  try {
    const written: EncodedBody = medium.writer(schema)(value)
    // A stream is not read here.
    if (typeof written !== 'string' && !(written instanceof Uint8Array))
      return typeof written === 'object' && written !== null && Symbol.asyncIterator in written
    const bytes = typeof written === 'string' ? encodeUtf8(written) : written
    return !isParseError(medium.reader?.(schema)(bytes))
  } catch {
    return false
  }
}

/** What a medium without a schema may carry: whichever of these it does. */
const schemalessValues: readonly fc.Arbitrary<unknown>[] = [
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
]

/** Bodies that the content allows, in each of its media that a server can read; undefined where none can be made. */
export function generateRequestBodies({ schema, media }: Content<unknown, unknown>, example: unknown): fc.Arbitrary<CallBody> | undefined {
  const form = schema === undefined ? undefined : getJsonSchema(schema)
  const made =
    schema === undefined || form === undefined ? schemalessValues : [createArbitrary(form, (value) => acceptsValue(schema, value))]
  const all = media
    .filter(({ reader }) => reader !== undefined)
    .flatMap((medium) => {
      const shown = example === undefined ? [] : [fc.constant(example)]
      const sound = [...made, ...shown].flatMap((values) => {
        const isRight = (value: unknown): boolean => canRoundTrip(medium, form, value)
        return values === undefined || !fc.sample(values, { numRuns: 20, seed: 1 }).some(isRight) ? [] : [values.filter(isRight)]
      })
      return sound.length === 0 ? [] : medium.types.map((type) => fc.oneof(...sound).map((value): CallBody => ({ type, medium, value })))
    })
  return all.length === 0 ? undefined : fc.oneof(...all)
}

/** What cannot be called, and why: no value was found for one of its parts. */
export class CallNotGeneratedError extends Error {
  override readonly name = 'CallNotGeneratedError'
}

function requireValues<Value>(route: string, part: string, values: fc.Arbitrary<Value> | undefined): fc.Arbitrary<Value> {
  if (values === undefined) throw new CallNotGeneratedError(`${route}: no value was found for ${part}. Give an example of one.`)
  return values
}

const generateRecord = <Value>(members: Readonly<Record<string, fc.Arbitrary<Value>>>): fc.Arbitrary<Readonly<Record<string, Value>>> =>
  fc.record(members, { noNullPrototype: true }) as fc.Arbitrary<Readonly<Record<string, Value>>>

/** A range stands in the header or in the query; in both it is refused. */
const withRange = (call: Call, range: ParameterTexts, isHeader: boolean): Call => ({
  ...call,
  query: { ...call.query, range: isHeader ? [] : range },
  headers: { ...call.headers, Range: isHeader ? range : [] },
})

/**
 * Calls that the description allows.
 *
 * @throws NoCall where no value can be made for a part that is needed
 */
export function generateCalls(endpoint: AnyEndpoint): fc.Arbitrary<Call> {
  const { route, params, query, headers, body, examples } = endpoint
  const captures = Object.entries(params).map(([name, codec]) => {
    const texts = requireValues(route, `the capture :${name}`, generateParameterTexts(codec, 'capture'))
    return [name, texts.map(([text = '']) => text)] as const
  })
  const under = (place: 'query' | 'header', declared: AnyEndpoint['query']): Record<string, fc.Arbitrary<ParameterTexts>> =>
    Object.fromEntries(
      Object.entries(declared).map(([name, parameter]) => {
        const what = place === 'query' ? `the query parameter ${name}` : `the header ${name}`
        return [name, requireValues(route, what, generateParameterTexts(parameter, place))] as const
      }),
    )
  const calls: fc.Arbitrary<Call> = fc.record({
    captures: generateRecord(Object.fromEntries(captures)),
    query: generateRecord(under('query', query)),
    headers: generateRecord(under('header', headers)),
    body: body === undefined ? fc.constant(undefined) : requireValues(route, 'the body', generateRequestBodies(body, examples.body)),
  })
  return acceptsRanges(endpoint)
    ? fc.tuple(calls, generateRanges(endpoint), fc.boolean()).map(([call, range, isHeader]) => withRange(call, range, isHeader))
    : calls
}

// A body as bytes, in the medium of its call.

/** The bytes, and the header line that names their type. */
export interface WireBody {
  readonly type: readonly (readonly [name: string, value: string])[]
  readonly bytes: Uint8Array
}

/** Writes a body as a client does, the pieces of a stream together. */
export async function encodeBody({ body }: AnyEndpoint, { type, medium, value }: CallBody): Promise<WireBody> {
  const schema = body?.schema === undefined ? undefined : getJsonSchema(body.schema)
  const made = medium.writer(schema)(value)
  const bytes = typeof made === 'string' ? encodeUtf8(made) : made instanceof Uint8Array ? made : await collectBytes(made)
  return { type: [['Content-Type', type]], bytes }
}
