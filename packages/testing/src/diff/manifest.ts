/** `manifest(api)`: an API on the wire, as plain data to store and compare; and the check of a manifest from elsewhere. */
import {
  type AnyEndpoint,
  type AnyReply,
  type Api,
  type AuthScheme,
  type Content,
  type JsonSchema,
  type MediaTypeDefinition,
  operations,
} from 'lapidary'
import {
  type AnyParameter,
  definitionKeywords,
  formatPath,
  getDeprecationHeaders,
  getJsonSchema,
  isJsonObject,
  parseByteSize,
  resolvePointer,
  schemaArrayKeywords,
  schemaKeywords,
  schemaMapKeywords,
  splitHeaderList,
} from 'lapidary/internal'
import { testingErrors } from '../testingMessages.ts'
import { sortMembers, toCanonicalSchema } from './canonical.ts'

/** A capture, a query parameter or a header. */
export interface ParameterManifest {
  /** The name of its codec: `integer`, `list of text`. */
  readonly codec: string
  readonly required: boolean
  /** Whether the name may occur more than once. */
  readonly repeats: boolean
  readonly schema: JsonSchema
}

/** One encoding of a body. */
export interface MediaTypeManifest {
  /** The media types that name the encoding. */
  readonly types: readonly string[]
  /** How the toolkit reads it: as a whole, item by item, or not at all. */
  readonly read: 'whole' | 'items' | 'never'
}

/** A body. */
export interface ContentManifest {
  /** The default first. */
  readonly media: readonly MediaTypeManifest[]
  /** The schema of the value, of a stream that of one item; null: any value of the media types. */
  readonly schema: JsonSchema | null
  /** Whether it is read item by item. */
  readonly streams: boolean
}

/** A declared response. */
export interface ReplyManifest {
  readonly status: number
  /** null: it has no body. */
  readonly body: ContentManifest | null
  readonly headers: Readonly<Record<string, ParameterManifest>>
}

/** The credentials of a request. */
export interface AuthManifest {
  readonly name: string
  /** The OpenAPI security scheme: where a request has the credentials. */
  readonly kind: Readonly<Record<string, unknown>>
  readonly challenge: string
}

/** One endpoint. */
export interface EndpointManifest {
  readonly method: string
  /** The path with its captures: `/users/:id`. */
  readonly path: string
  readonly captures: Readonly<Record<string, ParameterManifest>>
  readonly query: Readonly<Record<string, ParameterManifest>>
  readonly headers: Readonly<Record<string, ParameterManifest>>
  /** null: it needs no credentials. */
  readonly auth: AuthManifest | null
  readonly body: ContentManifest | null
  /** The responses of success, sorted by status. */
  readonly responses: readonly ReplyManifest[]
  /** The largest body in bytes; null: the server decides. */
  readonly maxBodySize: number | null
  /** Sorted by status. */
  readonly errors: readonly ReplyManifest[]
  readonly etag: true | 'optional' | 'required' | null
  /** The headers of every response that say that it is deprecated, with their values; null: it is not deprecated. */
  readonly deprecated: Readonly<Record<string, string>> | null
  /** The other headers of every response, with their values. */
  readonly always: Readonly<Record<string, string>>
  /** The fields that it has ranges by; null: it has none. */
  readonly ranges: readonly string[] | null
}

/**
 * An API on the wire. Its members are in the order of this declaration. Those of records and of JSON Schemas are sorted, except captures, which are in
 * the order of the path. Summaries, descriptions and examples are left out: they change nothing for a program.
 */
export interface ApiManifest {
  /** The version of this format. */
  readonly manifest: 1
  readonly endpoints: Readonly<Record<string, EndpointManifest>>
  /** The prefixes of the mounts, by name. */
  readonly mounts: Readonly<Record<string, string>>
}

const toParameterManifest = ({ name, required, repeats, jsonSchema }: AnyParameter): ParameterManifest => ({
  codec: name,
  required,
  repeats,
  schema: toCanonicalSchema(jsonSchema),
})

const mapValues = <From, To>(record: Readonly<Record<string, From>>, change: (value: From) => To): Readonly<Record<string, To>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

const getMediaReading = ({ reader, streamReader }: MediaTypeDefinition<unknown>): MediaTypeManifest['read'] => {
  if (streamReader !== undefined) return 'items'
  return reader === undefined ? 'never' : 'whole'
}

function toContentManifest(content: Content<unknown, unknown> | undefined): ContentManifest | null {
  if (content === undefined) return null
  const media = content.media.map((medium) => ({ types: [...medium.types], read: getMediaReading(medium) }))
  return {
    media,
    schema: content.schema === undefined ? null : toCanonicalSchema(getJsonSchema(content.schema)),
    streams: media.some(({ read }) => read === 'items'),
  }
}

const toReplyManifest = ({ status, content, headers }: AnyReply): ReplyManifest => ({
  status,
  body: toContentManifest(content),
  headers: sortMembers(mapValues(headers, toParameterManifest)),
})

/** The manifests of replies, sorted by status. */
const toReplyManifests = (replies: readonly AnyReply[]): readonly ReplyManifest[] =>
  replies.map(toReplyManifest).toSorted((one, other) => one.status - other.status)

const toAuthManifest = (auth: AuthScheme<unknown, unknown> | undefined): AuthManifest | null =>
  auth === undefined ? null : { name: auth.name, kind: sortMembers(auth.openapi), challenge: auth.challenge }

/** The fields of ranges, which `Accept-Ranges` of every response names. */
function listRangeFields({ responseHeaders, query }: AnyEndpoint): readonly string[] | null {
  const fields = Object.entries(responseHeaders).find(([name]) => name.toLowerCase() === 'accept-ranges')?.[1]
  return fields === undefined || query['range']?.name !== 'range' ? null : splitHeaderList(fields)
}

/** The headers of every response but those of a deprecation. */
function omitDeprecation(endpoint: AnyEndpoint): Readonly<Record<string, string>> {
  const deprecation = getDeprecationHeaders(endpoint)
  return Object.fromEntries(Object.entries(endpoint.responseHeaders).filter(([name]) => !(name in deprecation)))
}

const toEndpointManifest = (endpoint: AnyEndpoint): EndpointManifest => ({
  method: endpoint.method,
  path: formatPath(endpoint.segments),
  captures: mapValues(endpoint.params, toParameterManifest),
  query: sortMembers(mapValues(endpoint.query, toParameterManifest)),
  headers: sortMembers(mapValues(endpoint.headers, toParameterManifest)),
  auth: toAuthManifest(endpoint.auth),
  body: toContentManifest(endpoint.body),
  maxBodySize: endpoint.maxBodySize === undefined ? null : (parseByteSize(endpoint.maxBodySize) ?? null),
  responses: toReplyManifests(endpoint.responses),
  errors: toReplyManifests(endpoint.errors),
  etag: endpoint.etag ?? null,
  deprecated: endpoint.deprecated === undefined ? null : sortMembers(getDeprecationHeaders(endpoint)),
  always: sortMembers(omitDeprecation(endpoint)),
  ranges: listRangeFields(endpoint),
})

/**
 * Creates the manifest of an API. It is equal for APIs that are the same on the wire: the order of declaration does not matter.
 *
 * @param api the description
 * @returns plain data, ready for `JSON.stringify`
 * @throws TypeError where a schema cannot give its JSON Schema
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { manifest } from '@lapidary/testing'
 * import { endpoint, ok, text } from 'lapidary'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * await writeFile('api.json', JSON.stringify(manifest(api), null, 2))
 * ```
 */
export function manifest(api: Api): ApiManifest {
  const leaves = operations(api)
  const endpoints = leaves.flatMap(({ name, operation }) =>
    operation['~kind'] === 'endpoint' ? [[name, toEndpointManifest(operation)] as const] : [],
  )
  const mounts = leaves.flatMap(({ name, operation }) => (operation['~kind'] === 'mount' ? [[name, operation.prefix] as const] : []))
  // Through JSON, so that a manifest in memory equals one that was stored.
  return JSON.parse(
    JSON.stringify({ manifest: 1, endpoints: sortMembers(Object.fromEntries(endpoints)), mounts: sortMembers(Object.fromEntries(mounts)) }),
  ) as ApiManifest
}

/** Limits that no API reaches, and beyond which a comparison takes too long: levels of nesting, values, endpoints. */
const maxManifestDepth = 200
const maxManifestValues = 2_000_000
const maxManifestEndpoints = 5_000
/** The most parts of a schema that are about one value, parts behind references included. */
const maxPartsPerValue = 5_000

const rejectManifest = (where: string, expected: string): never => {
  throw new TypeError(testingErrors.invalidManifest(where, expected))
}

/** A loop, not a recursion: values that are nested too deep would overflow the stack. */
function checkManifestSize(whole: unknown): void {
  const rest: (readonly [value: unknown, depth: number])[] = [[whole, 0]]
  for (let count = 0; ; count += 1) {
    const next = rest.pop()
    if (next === undefined) return
    const [value, depth] = next
    if (depth > maxManifestDepth) rejectManifest('', `at most ${maxManifestDepth} levels`)
    if (count > maxManifestValues) rejectManifest('', `at most ${maxManifestValues} values`)
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) rest.push([member, depth + 1])
  }
}

const numericKeywords = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties'.split(
    ' ',
  ),
)
const textKeywords = new Set(['$ref', 'pattern', 'format'])
const isString = (value: unknown): value is string => typeof value === 'string'
const isStringArray = (value: unknown): boolean => Array.isArray(value) && value.every(isString)

const hasKeywordType = (keyword: string, value: unknown): boolean => {
  if (numericKeywords.has(keyword)) return typeof value === 'number'
  if (textKeywords.has(keyword)) return isString(value)
  if (keyword === 'type') return isString(value) || isStringArray(value)
  if (keyword === 'required') return isStringArray(value)
  if (keyword === 'enum' || schemaArrayKeywords.has(keyword)) return Array.isArray(value)
  return !(schemaMapKeywords.has(keyword) || definitionKeywords.has(keyword)) || isJsonObject(value)
}

/** A schema and every schema within it. */
function* walkSchemas(schema: unknown, where: string): Generator<readonly [JsonSchema, string]> {
  if (typeof schema === 'boolean') return
  if (!isJsonObject(schema)) return rejectManifest(where, 'a JSON Schema')
  yield [schema as JsonSchema, where]
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${where} ${keyword}`
    if (!hasKeywordType(keyword, value)) rejectManifest(at, 'a value of the type that JSON Schema names')
    if (schemaKeywords.has(keyword)) yield* walkSchemas(value, at)
    else if (schemaArrayKeywords.has(keyword)) for (const part of value as readonly unknown[]) yield* walkSchemas(part, at)
    else if (schemaMapKeywords.has(keyword) || definitionKeywords.has(keyword))
      for (const [name, part] of Object.entries(value as object)) yield* walkSchemas(part, `${at} ${name}`)
  }
}

/** The number of parts of a schema that are about the same value. */
function countSchemaParts(
  schema: JsonSchema,
  root: JsonSchema,
  where: string,
  known: Map<JsonSchema, number>,
  above: readonly JsonSchema[],
): number {
  const found = known.get(schema)
  if (found !== undefined) return found
  if (above.includes(schema) || above.length > maxManifestDepth)
    return rejectManifest(where, `references that end after at most ${maxManifestDepth} steps`)
  const { anyOf = [], oneOf = [], allOf = [], $ref, not } = schema
  const parts = [...anyOf, ...oneOf, ...allOf, not, $ref === undefined ? undefined : resolvePointer($ref, root)]
  let count = 1
  for (const part of parts) if (isJsonObject(part)) count += countSchemaParts(part as JsonSchema, root, where, known, [...above, schema])
  if (count > maxPartsPerValue) rejectManifest(where, `at most ${maxPartsPerValue} parts about one value`)
  known.set(schema, count)
  return count
}

function checkManifestSchema(schema: unknown, where: string): void {
  const known = new Map<JsonSchema, number>()
  for (const [part, at] of walkSchemas(schema, where)) countSchemaParts(part, schema as JsonSchema, at, known, [])
}

type LooseManifest = Readonly<Record<string, unknown>>

const toManifestRecord = (value: unknown, where: string): LooseManifest =>
  isJsonObject(value) ? value : rejectManifest(where, 'an object')

function checkParameterManifests(value: unknown, where: string): void {
  for (const [name, parameter] of Object.entries(toManifestRecord(value, where))) {
    const at = `${where} ${name}`
    const { codec, required, repeats, schema } = toManifestRecord(parameter, at)
    if (!isString(codec) || typeof required !== 'boolean' || typeof repeats !== 'boolean')
      rejectManifest(at, 'a codec, "required" and "repeats"')
    checkManifestSchema(toManifestRecord(schema, at), at)
  }
}

function checkContentManifest(value: unknown, where: string): void {
  if (value === null) return
  const { media, schema, streams } = toManifestRecord(value, where)
  const isMedia = Array.isArray(media) && media.every((medium) => isStringArray(Object(medium).types))
  if (!isMedia || typeof streams !== 'boolean') rejectManifest(where, 'media, each with its types, and "streams"')
  if (schema !== null) checkManifestSchema(toManifestRecord(schema, `${where} schema`), `${where} schema`)
}

function checkReplyManifest(value: unknown, where: string): void {
  const { status, body, headers } = toManifestRecord(value, where)
  if (typeof status !== 'number') rejectManifest(where, 'a status')
  checkContentManifest(body, `${where} ${String(status)} body`)
  checkParameterManifests(headers, `${where} ${String(status)} headers`)
}

function checkEndpointManifest(value: unknown, where: string): void {
  const { method, path, captures, query, headers, auth, body, maxBodySize, responses, errors, etag, deprecated, always, ranges } =
    toManifestRecord(value, where)
  if (!isString(method) || !isString(path) || !path.startsWith('/')) rejectManifest(where, 'a method, and a path that begins with "/"')
  for (const [part, parameters] of Object.entries({ captures, query, headers })) checkParameterManifests(parameters, `${where} ${part}`)
  if (auth !== null && !isJsonObject(toManifestRecord(auth, `${where} auth`)['kind'])) rejectManifest(`${where} auth`, 'a kind')
  checkContentManifest(body, `${where} body`)
  if (maxBodySize !== null && typeof maxBodySize !== 'number') rejectManifest(`${where} maxBodySize`, 'a number of bytes, or null')
  const [first] = Array.isArray(responses) ? responses : []
  if (first === undefined) rejectManifest(`${where} responses`, 'a list of responses')
  for (const response of responses as readonly unknown[]) checkReplyManifest(response, `${where} response`)
  for (const error of Array.isArray(errors) ? errors : rejectManifest(`${where} errors`, 'a list of responses'))
    checkReplyManifest(error, `${where} error`)
  if (![null, true, 'optional', 'required'].includes(etag as null)) rejectManifest(`${where} etag`, 'true, "optional", "required" or null')
  if (deprecated !== null && !Object.values(toManifestRecord(deprecated, `${where} deprecated`)).every(isString))
    rejectManifest(`${where} deprecated`, 'texts, or null')
  if (!Object.values(toManifestRecord(always, `${where} always`)).every(isString)) rejectManifest(`${where} always`, 'texts')
  if (ranges !== null && !isStringArray(ranges)) rejectManifest(`${where} ranges`, 'a list of names, or null')
}

/**
 * Returns a value that is a manifest.
 *
 * @throws TypeError with the place where it is none, or exceeds a limit
 */
export function checkManifest(value: unknown): ApiManifest {
  checkManifestSize(value)
  const { manifest, endpoints, mounts } = toManifestRecord(value, '')
  if (manifest !== 1) rejectManifest('', '"manifest": 1')
  const named = Object.entries(toManifestRecord(endpoints, 'endpoints'))
  if (named.length > maxManifestEndpoints) rejectManifest('endpoints', `at most ${maxManifestEndpoints} endpoints`)
  for (const [name, endpoint] of named) checkEndpointManifest(endpoint, name)
  if (!Object.values(toManifestRecord(mounts, 'mounts')).every(isString)) rejectManifest('mounts', 'prefixes')
  return value as ApiManifest
}
