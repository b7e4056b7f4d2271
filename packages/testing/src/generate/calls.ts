/** Valid calls of an endpoint, generated from its description. */
import * as fc from 'fast-check'
import {
  type AnyEndpoint,
  type AnyParameter,
  type Content,
  type EncodedBody,
  isParseError,
  type MediaTypeDefinition,
  type Schema,
} from 'lapidary'
import {
  collectBytes,
  combineValues,
  fillPath,
  getJsonSchema,
  getRestName,
  isPromise,
  isReadable,
  isReadError,
  joinTexts,
  listBodyExamples,
  parseByteSize,
  percentEncode,
  splitHeaderList,
  toFormValue,
} from 'lapidary/internal'
import { acceptsTexts, generateParameterTexts, type ParameterPlace, type ParameterTexts } from './parameterTexts.ts'
import { createArbitrary } from './values.ts'

/** A media type with any values. */
export type AnyMediaType = MediaTypeDefinition<unknown>

/** A body before it is encoded. */
export interface CallBody {
  /** The value of Content-Type. */
  readonly type: string
  readonly mediaType: AnyMediaType
  readonly value: unknown
}

/** The texts of the captures of a path, by name. */
export type Captures = Readonly<Record<string, string>>

/** Texts of captures that exist, by name. */
export type ExistingCaptures = Readonly<Record<string, readonly string[]>>

const getCapturePlace = ({ segments }: AnyEndpoint, name: string): ParameterPlace => (name === getRestName(segments) ? 'rest' : 'capture')

/** Selects the existing captures that an endpoint has and accepts: a capture of the same name may have another codec elsewhere. */
export const selectCaptures = (endpoint: AnyEndpoint, existing: ExistingCaptures): ExistingCaptures =>
  Object.fromEntries(
    Object.entries<AnyParameter>(endpoint.params).flatMap(([name, codec]) => {
      const texts = Object.hasOwn(existing, name) ? (existing[name] ?? []) : []
      const accepted = texts.filter((text) => acceptsTexts(codec, getCapturePlace(endpoint, name), [text]))
      return accepted.length === 0 ? [] : [[name, accepted] as const]
    }),
  )

/** A call in its parts. Each part can be changed, and is reduced, on its own. */
export interface Call {
  readonly captures: Captures
  /** The texts of each parameter; an empty list leaves the parameter out. */
  readonly query: Readonly<Record<string, ParameterTexts>>
  readonly headers: Readonly<Record<string, ParameterTexts>>
  readonly cookies: Readonly<Record<string, ParameterTexts>>
  readonly body: CallBody | undefined
}

/** Builds the path and the query of a call. */
export function buildTarget({ segments, query: parameters }: AnyEndpoint, { captures, query }: Pick<Call, 'captures' | 'query'>): string {
  const path = fillPath(segments, (name) => captures[name] ?? '')
  const pairs = Object.entries(query).flatMap(([name, texts]) =>
    joinTexts(texts, parameters[name]?.delimiter).map((text) => `${percentEncode(name)}=${percentEncode(text)}`),
  )
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** Whether a schema accepts a value. A schema that answers with a promise counts as accepting. */
export const acceptsValue = (schema: Schema, value: unknown): boolean => {
  const result = schema['~standard'].validate(value)
  return isPromise(result) || result.issues === undefined
}

/** Whether a media type can read again what it writes of a value. A stream is only tested for being one. */
export function canRoundTrip(mediaType: AnyMediaType, jsonSchema: Parameters<AnyMediaType['writer']>[0], value: unknown): boolean {
  try {
    const encoded: EncodedBody = mediaType.writer(jsonSchema)(value)
    if (encoded instanceof Blob) return true
    if (typeof encoded !== 'string' && !(encoded instanceof Uint8Array))
      return typeof encoded === 'object' && encoded !== null && Symbol.asyncIterator in encoded
    const bytes = typeof encoded === 'string' ? new TextEncoder().encode(encoded) : encoded
    return !isParseError(mediaType.reader?.(jsonSchema)(bytes))
  } catch {
    return false
  }
}

/** Candidates for the body of a media type without a schema. */
const schemalessValues: readonly fc.Arbitrary<unknown>[] = [
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.uint8Array({ maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
]

/** The values of a stream, of which the schema describes one. */
const listItems = (items: fc.Arbitrary<unknown> | undefined): fc.Arbitrary<unknown> | undefined =>
  items && fc.array(items, { maxLength: 4 })

/** Generates bodies in each media type that a server can read; `undefined` if no value was found. */
function generateRequestBodies(
  { schema, media }: Content<unknown, unknown>,
  examples: readonly unknown[],
): fc.Arbitrary<CallBody> | undefined {
  const jsonSchema = schema === undefined ? undefined : getJsonSchema(schema)
  const generated =
    schema === undefined || jsonSchema === undefined
      ? schemalessValues
      : [createArbitrary(jsonSchema, (value) => acceptsValue(schema, value))]
  const bodies = media.filter(isReadable).flatMap((mediaType) => {
    const { streamReader, parts } = mediaType
    const values = generated.map((one) => {
      if (parts !== undefined) return one?.map((value) => toFormValue(parts, value))
      return streamReader === undefined || schema === undefined ? one : listItems(one)
    })
    const candidates = examples.length === 0 ? values : [...values, fc.constantFrom(...examples)]
    const isValid = (value: unknown): boolean => canRoundTrip(mediaType, jsonSchema, value)
    const valid = candidates.flatMap((values) =>
      values === undefined || !fc.sample(values, { numRuns: 20, seed: 1 }).some(isValid) ? [] : [values.filter(isValid)],
    )
    if (valid.length === 0) return []
    return mediaType.types.map((type) => fc.oneof(...valid).map((value): CallBody => ({ type, mediaType, value })))
  })
  return bodies.length === 0 ? undefined : fc.oneof(...bodies)
}

/** Whether an endpoint declares range pagination, by the header Range and by the query. */
const acceptsRanges = ({ response, headers, query, responseHeaders }: AnyEndpoint): boolean =>
  response.status === 206 && 'Range' in headers && 'range' in query && 'Accept-Ranges' in responseHeaders

/** Generates ranges of a collection, or none. Tokens are left out, because only the server can create them. */
function generateRanges({ responseHeaders }: AnyEndpoint): fc.Arbitrary<ParameterTexts> {
  const fields = splitHeaderList(responseHeaders['Accept-Ranges'] ?? '')
  const options = fc.record({
    offset: fc.option(fc.nat(50), { nil: undefined }),
    limit: fc.option(fc.nat(20), { nil: undefined }),
    order: fc.option(fc.constantFrom('asc', 'desc'), { nil: undefined }),
  })
  const ranges = fc.tuple(fc.constantFrom(...fields), options).map(([field, chosen]): ParameterTexts => {
    const parts = Object.entries(chosen).flatMap(([name, value]) => (value === undefined ? [] : [`; ${name} ${value}`]))
    return [[field, ...parts].join('')]
  })
  return fc.oneof({ arbitrary: fc.constant<ParameterTexts>([]), weight: 1 }, { arbitrary: ranges, weight: 3 })
}

/** Whether an endpoint declares pagination by cursors. */
const acceptsCursors = ({ pagination, query }: AnyEndpoint): boolean => pagination?.kind === 'cursor' && Object.hasOwn(query, 'cursor')

/** Leaves out the cursor, because only the server can create one. */
const withoutCursor = (call: Call): Call => ({ ...call, query: { ...call.query, cursor: [] } })

/** Puts a range into the header or into the query: the server refuses both at once. */
const withRange = (call: Call, range: ParameterTexts, isHeader: boolean): Call => ({
  ...call,
  query: { ...call.query, range: isHeader ? [] : range },
  headers: { ...call.headers, Range: isHeader ? range : [] },
})

/** Thrown when no value is found for a part of a call. */
export class CallNotGeneratedError extends Error {
  override readonly name = 'CallNotGeneratedError'
}

function requireValues<Value>(route: string, part: string, values: fc.Arbitrary<Value> | undefined): fc.Arbitrary<Value> {
  if (values === undefined)
    throw new CallNotGeneratedError(`${route}: no value was found for ${part}. Add an example of one to the description.`)
  return values
}

const generateRecord = <Value>(members: Readonly<Record<string, fc.Arbitrary<Value>>>): fc.Arbitrary<Readonly<Record<string, Value>>> =>
  fc.record(members, { noNullPrototype: true }) as fc.Arbitrary<Readonly<Record<string, Value>>>

const bodySamples = 200

/** The bodies that are not larger than the endpoint accepts; undefined where there seem to be none. */
function limitBodies(endpoint: AnyEndpoint, bodies: fc.Arbitrary<CallBody> | undefined): fc.Arbitrary<CallBody> | undefined {
  const maxBodySize = parseByteSize(endpoint.maxBodySize)
  if (bodies === undefined || maxBodySize === undefined) return bodies
  const isAccepted = (body: CallBody): boolean => {
    const encoded = writeBody(endpoint, body)
    // A stream has no size before it is read.
    if (encoded instanceof Blob) return encoded.size <= maxBodySize
    return !(typeof encoded === 'string' || encoded instanceof Uint8Array) || Buffer.byteLength(encoded) <= maxBodySize
  }
  return fc.sample(bodies, { seed: 1, numRuns: bodySamples }).some(isAccepted) ? bodies.filter(isAccepted) : undefined
}

/** Leaves the calls whose parameters the schemas of several parameters accept; undefined where none is found. */
function limitToGroups(
  { params, query, headers, cookies, parameterGroups }: AnyEndpoint,
  calls: fc.Arbitrary<Call>,
): fc.Arbitrary<Call> | undefined {
  const isAccepted = (
    place: 'path' | 'query' | 'header' | 'cookie',
    part: 'params' | 'query' | 'headers' | 'cookies',
    texts: Readonly<Record<string, ParameterTexts>>,
  ): boolean => {
    const parameters = Object.entries<AnyParameter>({ params, query, headers, cookies }[part])
    const read = ([name, parameter]: readonly [string, AnyParameter]): unknown =>
      parameter.read({ values: texts[name] ?? [], isPresent: (texts[name] ?? []).length > 0 })
    const values = Object.fromEntries(parameters.map((entry) => [entry[0], read(entry)]))
    return !isReadError(combineValues(place, parameterGroups[part], values))
  }
  if (Object.values(parameterGroups).every((groups) => groups.length === 0)) return calls
  const isAcceptedCall = (call: Call): boolean =>
    isAccepted('path', 'params', Object.fromEntries(Object.entries(call.captures).map(([name, text]) => [name, [text]]))) &&
    isAccepted('query', 'query', call.query) &&
    isAccepted('header', 'headers', call.headers) &&
    isAccepted('cookie', 'cookies', call.cookies)
  return fc.sample(calls, { seed: 1, numRuns: 200 }).some(isAcceptedCall) ? calls.filter(isAcceptedCall) : undefined
}

/** Leaves out an optional body now and then. */
const optionalIf = (isOptional: true | undefined, bodies: fc.Arbitrary<CallBody>): fc.Arbitrary<CallBody | undefined> =>
  isOptional ? fc.option(bodies, { nil: undefined }) : bodies

/**
 * Generates valid calls of an endpoint.
 *
 * @param existing texts for captures, in place of generated ones
 * @throws CallNotGeneratedError if no value is found for a required part
 */
export function generateCalls(endpoint: AnyEndpoint, existing: ExistingCaptures = {}): fc.Arbitrary<Call> {
  const { route, params, query, headers, cookies, body } = endpoint
  const selected = selectCaptures(endpoint, existing)
  const captures = Object.entries(params).map(([name, codec]) => {
    const given = selected[name]
    if (given !== undefined) return [name, fc.constantFrom(...given)] as const
    const texts = requireValues(route, `the capture :${name}`, generateParameterTexts(codec, getCapturePlace(endpoint, name)))
    return [name, texts.map(([text = '']) => text)] as const
  })
  const generateParameters = (
    place: 'query' | 'header' | 'cookie',
    title: string,
    declared: AnyEndpoint['query'],
  ): Record<string, fc.Arbitrary<ParameterTexts>> =>
    Object.fromEntries(
      Object.entries(declared).map(
        ([name, parameter]) => [name, requireValues(route, `the ${title} ${name}`, generateParameterTexts(parameter, place))] as const,
      ),
    )
  const calls: fc.Arbitrary<Call> = requireValues(
    route,
    'the parameters together',
    limitToGroups(
      endpoint,
      fc.record({
        captures: generateRecord(Object.fromEntries(captures)),
        query: generateRecord(generateParameters('query', 'query parameter', query)),
        headers: generateRecord(generateParameters('header', 'header', headers)),
        cookies: generateRecord(generateParameters('cookie', 'cookie', cookies)),
        body:
          body === undefined
            ? fc.constant(undefined)
            : optionalIf(
                body.isOptional,
                requireValues(
                  route,
                  'the body',
                  limitBodies(
                    endpoint,
                    generateRequestBodies(
                      body,
                      listBodyExamples(endpoint).map(({ value }) => value),
                    ),
                  ),
                ),
              ),
      }),
    ),
  )
  if (acceptsCursors(endpoint)) return calls.map(withoutCursor)
  if (!acceptsRanges(endpoint)) return calls
  return fc.tuple(calls, generateRanges(endpoint), fc.boolean()).map(([call, range, isHeader]) => withRange(call, range, isHeader))
}

/** Writes a body as a client does. */
function writeBody({ body }: AnyEndpoint, { mediaType, value }: CallBody): EncodedBody {
  const jsonSchema = body?.schema === undefined ? undefined : getJsonSchema(body.schema)
  return mediaType.writer(jsonSchema)(value)
}

/** Encodes a body as a client does; the chunks of a stream are joined. */
export async function encodeBody(
  endpoint: AnyEndpoint,
  callBody: CallBody,
): Promise<{ readonly type: string; readonly bytes: Uint8Array }> {
  const { type } = callBody
  const encoded = writeBody(endpoint, callBody)
  if (typeof encoded === 'string') return { type, bytes: new TextEncoder().encode(encoded) }
  if (encoded instanceof Blob) return { type: encoded.type || type, bytes: new Uint8Array(await encoded.arrayBuffer()) }
  return { type, bytes: encoded instanceof Uint8Array ? encoded : await collectBytes(encoded) }
}
