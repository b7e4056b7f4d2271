/** Checks a manifest that comes from elsewhere, such as a file. */
import type { JsonSchema } from 'lapidary'
import { getKeywordKind, isJsonObject, resolveReference } from 'lapidary/internal'
import { testingErrors } from '../testingMessages.ts'
import type { ApiManifest } from './manifest.ts'
import { setDocument } from './sharedDefinitions.ts'

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
  // Draft 4, which is not read.
  if (keyword.startsWith('exclusive') && typeof value === 'boolean') return true
  if (numericKeywords.has(keyword)) return typeof value === 'number'
  if (textKeywords.has(keyword)) return isString(value)
  if (keyword === 'type') return isString(value) || isStringArray(value)
  if (keyword === 'required') return isStringArray(value)
  const kind = getKeywordKind(keyword)
  if (keyword === 'enum' || kind === 'array') return Array.isArray(value)
  return !(kind === 'members' || kind === 'definitions') || isJsonObject(value)
}

/** A schema and every schema within it. */
function* walkSchemas(schema: unknown, where: string): Generator<readonly [JsonSchema, string]> {
  if (typeof schema === 'boolean') return
  if (!isJsonObject(schema)) return rejectManifest(where, 'a JSON Schema')
  yield [schema as JsonSchema, where]
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${where} ${keyword}`
    if (!hasKeywordType(keyword, value)) rejectManifest(at, 'a value of the type that JSON Schema names')
    // The tuples of older drafts are arrays of items.
    const isTuple = keyword === 'items' && Array.isArray(value)
    const kind = getKeywordKind(keyword)
    if (kind === 'schema' && !isTuple) yield* walkSchemas(value, at)
    else if (kind === 'array' || isTuple) for (const part of value as readonly unknown[]) yield* walkSchemas(part, at)
    else if (kind === 'members' || kind === 'definitions')
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
  const parts = [...anyOf, ...oneOf, ...allOf, not, $ref === undefined ? undefined : resolveReference($ref, schema, root)]
  let count = 1
  for (const part of parts) if (isJsonObject(part)) count += countSchemaParts(part as JsonSchema, root, where, known, [...above, schema])
  if (count > maxPartsPerValue) rejectManifest(where, `at most ${maxPartsPerValue} parts about one value`)
  known.set(schema, count)
  return count
}

/** A document of schemas, and the parts that have been counted in it. */
interface CheckedDocument {
  readonly root: JsonSchema
  readonly known: Map<JsonSchema, number>
}

/** The tables of definitions, by their names. */
type CheckedTables = ReadonlyMap<string, CheckedDocument>

/** @param document the document that its references lead to; undefined: the schema itself */
function checkManifestSchema(schema: unknown, where: string, document?: CheckedDocument): void {
  const { root, known } = document ?? { root: schema as JsonSchema, known: new Map<JsonSchema, number>() }
  for (const [part, at] of walkSchemas(schema, where)) countSchemaParts(part, root, at, known, [])
}

function checkTables(value: unknown): CheckedTables {
  const tables = Object.entries(toManifestRecord(value, 'definitions')).map(([name, table]) => {
    const where = `definitions ${name}`
    const document: CheckedDocument = { root: { $defs: toManifestRecord(table, where) } as JsonSchema, known: new Map() }
    checkManifestSchema(document.root, where, document)
    return [name, document] as const
  })
  return new Map(tables)
}

type LooseManifest = Readonly<Record<string, unknown>>

const toManifestRecord = (value: unknown, where: string): LooseManifest =>
  isJsonObject(value) ? value : rejectManifest(where, 'an object')

function checkParameterManifests(value: unknown, where: string): void {
  for (const [name, parameter] of Object.entries(toManifestRecord(value, where))) {
    const at = `${where} ${name}`
    const { codec, required, repeats, delimiter, schema } = toManifestRecord(parameter, at)
    if (!isString(codec) || typeof required !== 'boolean' || typeof repeats !== 'boolean')
      rejectManifest(at, 'a codec, "required" and "repeats"')
    if (![undefined, ',', '|', ' '].includes(delimiter as undefined)) rejectManifest(at, 'the delimiter ",", "|" or " "')
    checkManifestSchema(toManifestRecord(schema, at), at)
  }
}

function checkContentManifest(value: unknown, where: string, tables: CheckedTables): void {
  if (value === null) return
  const { media, schema, definitions, streams, optional, download } = toManifestRecord(value, where)
  const isMedia = Array.isArray(media) && media.every((medium) => isStringArray(Object(medium).types))
  if (!isMedia || typeof streams !== 'boolean') rejectManifest(where, 'media, each with its types, and "streams"')
  for (const [name, flag] of Object.entries({ optional, download }))
    if (flag !== undefined && flag !== true) rejectManifest(`${where} ${name}`, 'true, or nothing')
  if (schema === null) return
  const document = definitions === undefined ? undefined : tables.get(definitions as string)
  if (definitions !== undefined && document === undefined) rejectManifest(`${where} definitions`, 'the name of a table of "definitions"')
  checkManifestSchema(toManifestRecord(schema, `${where} schema`), `${where} schema`, document)
  if (document !== undefined) setDocument(schema as JsonSchema, document.root)
}

function checkReplyManifest(value: unknown, where: string, tables: CheckedTables): void {
  const { status, range, problem = '', body, headers, cookies = {} } = toManifestRecord(value, where)
  if (typeof status !== 'number') rejectManifest(where, 'a status')
  if (![undefined, '4XX', '5XX', 'default'].includes(range as undefined)) rejectManifest(where, 'the range 4XX, 5XX or default')
  if (!isString(problem)) rejectManifest(`${where} ${String(status)} problem`, 'the type of a problem')
  checkContentManifest(body, `${where} ${String(status)} body`, tables)
  checkParameterManifests(headers, `${where} ${String(status)} headers`)
  const place = `${where} ${String(status)} cookies`
  checkParameterManifests(cookies, place)
  for (const [name, { attributes }] of Object.entries(cookies as Readonly<Record<string, LooseManifest>>))
    if (!isString(attributes)) rejectManifest(`${place} ${name}`, '"attributes"')
}

function checkAuthManifest(value: unknown, where: string): void {
  const isRequirement = ({ kind, challenge, scopes }: Readonly<Record<string, unknown>>): boolean =>
    isJsonObject(kind) && isString(challenge) && isStringArray(scopes)
  const isValid = Array.isArray(value) && value.every((all) => Array.isArray(all) && all.every((one) => isRequirement(Object(one))))
  if (!isValid) rejectManifest(where, 'a list of alternatives, each with the kind, the challenge and the scopes of its schemes')
}

function checkEndpointManifest(value: unknown, where: string, tables: CheckedTables): void {
  const {
    method,
    path,
    captures,
    query,
    headers,
    cookies,
    auth,
    invalidCredentials,
    body,
    maxBodySize,
    timeout,
    responses,
    errors,
    etag,
    idempotent,
    deprecated,
    always,
    ranges,
    pages,
  } = toManifestRecord(value, where)
  if (!isString(method) || !isString(path) || !path.startsWith('/')) rejectManifest(where, 'a method, and a path that begins with "/"')
  for (const [part, parameters] of Object.entries({ captures, query, headers, cookies }))
    checkParameterManifests(parameters, `${where} ${part}`)
  if (auth !== null) checkAuthManifest(auth, `${where} auth`)
  if (![undefined, 'ignore'].includes(invalidCredentials as undefined))
    rejectManifest(`${where} invalidCredentials`, '"ignore", or nothing')
  checkContentManifest(body, `${where} body`, tables)
  if (maxBodySize !== null && typeof maxBodySize !== 'number') rejectManifest(`${where} maxBodySize`, 'a number of bytes, or null')
  if (timeout !== null && typeof timeout !== 'number') rejectManifest(`${where} timeout`, 'a number of milliseconds, or null')
  const [first] = Array.isArray(responses) ? responses : []
  if (first === undefined) rejectManifest(`${where} responses`, 'a list of responses')
  for (const response of responses as readonly unknown[]) checkReplyManifest(response, `${where} response`, tables)
  for (const error of Array.isArray(errors) ? errors : rejectManifest(`${where} errors`, 'a list of responses'))
    checkReplyManifest(error, `${where} error`, tables)
  if (![null, true, 'optional', 'required'].includes(etag as null)) rejectManifest(`${where} etag`, 'true, "optional", "required" or null')
  if (![null, 'optional', 'required'].includes(idempotent as null)) rejectManifest(`${where} idempotent`, '"optional", "required" or null')
  if (deprecated !== null && !Object.values(toManifestRecord(deprecated, `${where} deprecated`)).every(isString))
    rejectManifest(`${where} deprecated`, 'texts, or null')
  if (!Object.values(toManifestRecord(always, `${where} always`)).every(isString)) rejectManifest(`${where} always`, 'texts')
  if (ranges !== null && !isStringArray(ranges)) rejectManifest(`${where} ranges`, 'a list of names, or null')
  if (pages === undefined) return
  const { by, next } = toManifestRecord(pages, `${where} pages`)
  if (!['cursor', 'page'].includes(by as string)) rejectManifest(`${where} pages by`, '"cursor" or "page"')
  if (next !== undefined && !isString(next)) rejectManifest(`${where} pages next`, 'the name of a member')
}

function checkWebhookManifest(value: unknown, where: string, tables: CheckedTables): void {
  const { body, deprecated } = toManifestRecord(value, where)
  checkContentManifest(toManifestRecord(body, `${where} body`), `${where} body`, tables)
  if (typeof deprecated !== 'boolean') rejectManifest(`${where} deprecated`, 'true or false')
}

/**
 * Returns a value that is a manifest.
 *
 * @throws TypeError with the place where it is none, or exceeds a limit
 */
export function checkManifest(value: unknown): ApiManifest {
  checkManifestSize(value)
  const { manifest, endpoints, mounts, webhooks = {}, definitions = {} } = toManifestRecord(value, '')
  if (manifest !== 1 && manifest !== 2) rejectManifest('', '"manifest": 1 or 2')
  const tables = checkTables(definitions)
  const named = Object.entries(toManifestRecord(endpoints, 'endpoints'))
  if (named.length > maxManifestEndpoints) rejectManifest('endpoints', `at most ${maxManifestEndpoints} endpoints`)
  for (const [name, endpoint] of named) checkEndpointManifest(endpoint, name, tables)
  if (!Object.values(toManifestRecord(mounts, 'mounts')).every(isString)) rejectManifest('mounts', 'prefixes')
  const sent = Object.entries(toManifestRecord(webhooks, 'webhooks'))
  if (sent.length > maxManifestEndpoints) rejectManifest('webhooks', `at most ${maxManifestEndpoints} webhooks`)
  for (const [name, webhook] of sent) checkWebhookManifest(webhook, `webhook ${name}`, tables)
  return value as ApiManifest
}
