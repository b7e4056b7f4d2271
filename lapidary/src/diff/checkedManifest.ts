/** Looks at a manifest before it is compared: it may come from anywhere. */
import * as complaint from '../describe/complaint.ts'
import { isObject, type JsonSchema, target } from '../describe/jsonSchema.ts'
import { definitions, lists, records, single } from '../describe/keywords.ts'
import type { ApiManifest } from './manifest.ts'

/** What no API needs, and what would take too long: values within values, members and items in all, endpoints. */
const deepest = 200
const mostValues = 2_000_000
const mostEndpoints = 5_000
/** Parts of a schema that are about one value, those behind references included. */
const mostParts = 5_000

const refuse = (where: string, expected: string): never => {
  throw new TypeError(complaint.brokenManifest(where, expected))
}

/** One after the other, not one within the other: what is nested too deep would end the stack. */
function checkSize(whole: unknown): void {
  const rest: (readonly [value: unknown, depth: number])[] = [[whole, 0]]
  for (let count = 0; ; count += 1) {
    const next = rest.pop()
    if (next === undefined) return
    const [value, depth] = next
    if (depth > deepest) refuse('', `at most ${deepest} values within each other`)
    if (count > mostValues) refuse('', `at most ${mostValues} values`)
    if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) rest.push([member, depth + 1])
  }
}

const numeric = new Set(
  'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength minItems maxItems minProperties maxProperties'.split(
    ' ',
  ),
)
const textual = new Set(['$ref', 'pattern', 'format'])
const isText = (value: unknown): value is string => typeof value === 'string'
const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText)

const isRight = (keyword: string, value: unknown): boolean => {
  if (numeric.has(keyword)) return typeof value === 'number'
  if (textual.has(keyword)) return isText(value)
  if (keyword === 'type') return isText(value) || isTexts(value)
  if (keyword === 'required') return isTexts(value)
  if (keyword === 'enum' || lists.has(keyword)) return Array.isArray(value)
  return !(records.has(keyword) || definitions.has(keyword)) || isObject(value)
}

/** Every schema of a schema, itself included. */
function* schemasIn(schema: unknown, where: string): Generator<readonly [JsonSchema, string]> {
  if (typeof schema === 'boolean') return
  if (!isObject(schema)) return refuse(where, 'a JSON Schema')
  yield [schema as JsonSchema, where]
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${where} ${keyword}`
    if (!isRight(keyword, value)) refuse(at, 'what JSON Schema has there')
    if (single.has(keyword)) yield* schemasIn(value, at)
    else if (lists.has(keyword)) for (const part of value as readonly unknown[]) yield* schemasIn(part, at)
    else if (records.has(keyword) || definitions.has(keyword))
      for (const [name, part] of Object.entries(value as object)) yield* schemasIn(part, `${at} ${name}`)
  }
}

/** How many parts of a schema are about the same value. */
function partsOf(
  schema: JsonSchema,
  root: JsonSchema,
  where: string,
  known: Map<JsonSchema, number>,
  above: readonly JsonSchema[],
): number {
  const found = known.get(schema)
  if (found !== undefined) return found
  if (above.includes(schema) || above.length > deepest) return refuse(where, 'references that lead to an end')
  const { anyOf = [], oneOf = [], allOf = [], $ref, not } = schema
  const parts = [...anyOf, ...oneOf, ...allOf, not, $ref === undefined ? undefined : target($ref, root)]
  let count = 1
  for (const part of parts) if (isObject(part)) count += partsOf(part as JsonSchema, root, where, known, [...above, schema])
  if (count > mostParts) refuse(where, `at most ${mostParts} parts about one value`)
  known.set(schema, count)
  return count
}

function checkSchema(schema: unknown, where: string): void {
  const known = new Map<JsonSchema, number>()
  for (const [part, at] of schemasIn(schema, where)) partsOf(part, schema as JsonSchema, at, known, [])
}

type Loose = Readonly<Record<string, unknown>>

const recordOf = (value: unknown, where: string): Loose => (isObject(value) ? value : refuse(where, 'an object'))

function checkParameters(value: unknown, where: string): void {
  for (const [name, parameter] of Object.entries(recordOf(value, where))) {
    const at = `${where} ${name}`
    const { codec, required, repeats, schema } = recordOf(parameter, at)
    if (!isText(codec) || typeof required !== 'boolean' || typeof repeats !== 'boolean') refuse(at, 'a codec, "required" and "repeats"')
    checkSchema(recordOf(schema, at), at)
  }
}

function checkContent(value: unknown, where: string): void {
  if (value === null) return
  const { media, schema, streams } = recordOf(value, where)
  const isMedia = Array.isArray(media) && media.every((medium) => isTexts(Object(medium).types))
  if (!isMedia || typeof streams !== 'boolean') refuse(where, 'media, each with its types, and "streams"')
  if (schema !== null) checkSchema(recordOf(schema, `${where} schema`), `${where} schema`)
}

function checkReply(value: unknown, where: string): void {
  const { status, body, headers } = recordOf(value, where)
  if (typeof status !== 'number') refuse(where, 'a status')
  checkContent(body, `${where} ${String(status)} body`)
  checkParameters(headers, `${where} ${String(status)} headers`)
}

function checkEndpoint(value: unknown, where: string): void {
  const { method, path, captures, query, headers, auth, body, response, errors, etag, always, ranges } = recordOf(value, where)
  if (!isText(method) || !isText(path) || !path.startsWith('/')) refuse(where, 'a method, and a path that begins with "/"')
  for (const [part, parameters] of Object.entries({ captures, query, headers })) checkParameters(parameters, `${where} ${part}`)
  if (auth !== null && !isObject(recordOf(auth, `${where} auth`)['kind'])) refuse(`${where} auth`, 'a kind')
  checkContent(body, `${where} body`)
  checkReply(response, `${where} response`)
  for (const error of Array.isArray(errors) ? errors : refuse(`${where} errors`, 'a list of answers')) checkReply(error, `${where} error`)
  if (![null, true, 'optional', 'required'].includes(etag as null)) refuse(`${where} etag`, 'true, "optional", "required" or null')
  if (!Object.values(recordOf(always, `${where} always`)).every(isText)) refuse(`${where} always`, 'texts')
  if (ranges !== null && !isTexts(ranges)) refuse(`${where} ranges`, 'a list of names, or null')
}

/**
 * The manifest, once it is known to be one.
 *
 * @throws TypeError, which says where it is none, or is larger than what is compared
 */
export function checkedManifest(value: unknown): ApiManifest {
  checkSize(value)
  const { manifest, endpoints, mounts } = recordOf(value, '')
  if (manifest !== 1) refuse('', '"manifest": 1')
  const named = Object.entries(recordOf(endpoints, 'endpoints'))
  if (named.length > mostEndpoints) refuse('endpoints', `at most ${mostEndpoints} of them`)
  for (const [name, endpoint] of named) checkEndpoint(endpoint, name)
  if (!Object.values(recordOf(mounts, 'mounts')).every(isText)) refuse('mounts', 'prefixes')
  return value as ApiManifest
}
