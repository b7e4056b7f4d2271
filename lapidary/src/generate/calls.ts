/** Calls of an endpoint, as anybody may make them who has read its description. */
import * as fc from 'fast-check'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import type { Content, MediumDefinition, Written } from '../describe/medium.ts'
import { percentEncoded } from '../describe/percent.ts'
import { Refusal } from '../describe/refusal.ts'
import { filled } from '../describe/route.ts'
import { jsonSchemaOf, type Schema } from '../describe/schema.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import { type Texts, textsFor } from './parameters.ts'
import { isRanged, rangesOf } from './ranges.ts'
import { valuesOf } from './values.ts'

type AnyMedium = MediumDefinition<unknown>

/** A body before it is written. */
export interface CallBody {
  /** The media type that names it. */
  readonly type: string
  readonly medium: AnyMedium
  readonly value: unknown
}

/** A call in its parts: each of them can be changed, and shrinks, by itself. */
export interface Call {
  readonly captures: Readonly<Record<string, string>>
  /** The texts under each name; none: it is left out. */
  readonly query: Readonly<Record<string, Texts>>
  readonly headers: Readonly<Record<string, Texts>>
  readonly body: CallBody | undefined
}

/** The path and query of a call. */
export function targetOf({ segments }: AnyEndpoint, { captures, query }: Pick<Call, 'captures' | 'query'>): string {
  const path = filled(segments, (name) => captures[name] ?? '')
  const pairs = Object.entries(query).flatMap(([name, texts]) => texts.map((text) => `${percentEncoded(name)}=${percentEncoded(text)}`))
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** Whether a schema takes a value, as far as it says so at once. */
export const takes = (schema: Schema, value: unknown): boolean => {
  const verdict = schema['~standard'].validate(value)
  return verdict instanceof Promise || verdict.issues === undefined
}

/** Whether what a medium writes of a value can be read again. */
export function isCarried(medium: AnyMedium, schema: Parameters<AnyMedium['writer']>[0], value: unknown): boolean {
  try {
    const written: Written = medium.writer(schema)(value)
    // A stream is not read here.
    if (typeof written !== 'string' && !(written instanceof Uint8Array))
      return typeof written === 'object' && written !== null && Symbol.asyncIterator in written
    const bytes = typeof written === 'string' ? utf8Encoded(written) : written
    return !(medium.reader?.(schema)(bytes) instanceof Refusal)
  } catch {
    return false
  }
}

/** What a medium without a schema may carry: whichever of these it does. */
const kinds: readonly fc.Arbitrary<unknown>[] = [
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
]

/** Bodies that the content allows, in each of its media that a server can read; undefined where none can be made. */
export function bodiesOf({ schema, media }: Content<unknown, unknown>, example: unknown): fc.Arbitrary<CallBody> | undefined {
  const form = schema === undefined ? undefined : jsonSchemaOf(schema)
  const made = schema === undefined || form === undefined ? kinds : [valuesOf(form, (value) => takes(schema, value))]
  const all = media
    .filter(({ reader }) => reader !== undefined)
    .flatMap((medium) => {
      const shown = example === undefined ? [] : [fc.constant(example)]
      const sound = [...made, ...shown].flatMap((values) => {
        const isRight = (value: unknown): boolean => isCarried(medium, form, value)
        return values === undefined || !fc.sample(values, { numRuns: 20, seed: 1 }).some(isRight) ? [] : [values.filter(isRight)]
      })
      return sound.length === 0 ? [] : medium.types.map((type) => fc.oneof(...sound).map((value): CallBody => ({ type, medium, value })))
    })
  return all.length === 0 ? undefined : fc.oneof(...all)
}

/** What cannot be called, and why: no value was found for one of its parts. */
export class NoCall extends Error {
  override readonly name = 'NoCall'
}

function found<Value>(route: string, part: string, values: fc.Arbitrary<Value> | undefined): fc.Arbitrary<Value> {
  if (values === undefined) throw new NoCall(`${route}: no value was found for ${part}. Give an example of one.`)
  return values
}

const record = <Value>(members: Readonly<Record<string, fc.Arbitrary<Value>>>): fc.Arbitrary<Readonly<Record<string, Value>>> =>
  fc.record(members, { noNullPrototype: true }) as fc.Arbitrary<Readonly<Record<string, Value>>>

/** A range stands in the header or in the query; in both it is refused. */
const ranged = (call: Call, range: Texts, isHeader: boolean): Call => ({
  ...call,
  query: { ...call.query, range: isHeader ? [] : range },
  headers: { ...call.headers, Range: isHeader ? range : [] },
})

/**
 * Calls that the description allows.
 *
 * @throws NoCall where no value can be made for a part that is needed
 */
export function callsOf(endpoint: AnyEndpoint): fc.Arbitrary<Call> {
  const { route, params, query, headers, body, examples } = endpoint
  const captures = Object.entries(params).map(([name, codec]) => {
    const texts = found(route, `the capture :${name}`, textsFor(codec, 'capture'))
    return [name, texts.map(([text = '']) => text)] as const
  })
  const under = (place: 'query' | 'header', declared: AnyEndpoint['query']): Record<string, fc.Arbitrary<Texts>> =>
    Object.fromEntries(
      Object.entries(declared).map(([name, parameter]) => {
        const what = place === 'query' ? `the query parameter ${name}` : `the header ${name}`
        return [name, found(route, what, textsFor(parameter, place))] as const
      }),
    )
  const calls: fc.Arbitrary<Call> = fc.record({
    captures: record(Object.fromEntries(captures)),
    query: record(under('query', query)),
    headers: record(under('header', headers)),
    body: body === undefined ? fc.constant(undefined) : found(route, 'the body', bodiesOf(body, examples.body)),
  })
  return isRanged(endpoint)
    ? fc.tuple(calls, rangesOf(endpoint), fc.boolean()).map(([call, range, isHeader]) => ranged(call, range, isHeader))
    : calls
}
