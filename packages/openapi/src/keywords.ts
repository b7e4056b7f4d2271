/** The keywords of schemas: what their values can be, and which are not read. */
import type { JsonSchema } from 'lapidary'
import { isJsonObject, isValid, parseSchema } from 'lapidary/internal'
import type { JsonObject } from './document.ts'

/** Keywords for the place and the name of a schema. A converted schema has its own. */
export const placementKeywords: ReadonlySet<string> = new Set([
  ...['$schema', '$id', 'id', '$anchor', '$dynamicAnchor', '$recursiveAnchor', '$comment', '$vocabulary', '$defs', 'definitions'],
  ...['discriminator', 'xml', 'externalDocs'],
])

const unreadKeywords: ReadonlySet<string> = new Set(['$dynamicRef', '$recursiveRef'])

/** Whether a keyword restricts values in a way that only a program finds out. */
export const isUnreadKeyword = (keyword: string): boolean => unreadKeywords.has(keyword)

const types: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])

const isNumber = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value)
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0
const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isTextList = (value: unknown): boolean => Array.isArray(value) && value.every(isText)
const isSchema = (value: unknown): boolean => isJsonObject(value) || typeof value === 'boolean'
const isSchemaList = (value: unknown): boolean => Array.isArray(value) && value.length > 0 && value.every(isSchema)

interface KeywordTest {
  readonly test: (value: unknown) => boolean
  readonly expected: string
}

const listTests = (test: (value: unknown) => boolean, expected: string, names: string): [string, KeywordTest][] =>
  names.split(' ').map((name) => [name, { test, expected }])

const tests: ReadonlyMap<string, KeywordTest> = new Map([
  ...listTests(isNumber, 'a number', 'minimum maximum exclusiveMinimum exclusiveMaximum'),
  ...listTests((value) => isNumber(value) && Number(value) > 0, 'a number above 0', 'multipleOf'),
  ...listTests(isCount, 'a count', 'minLength maxLength minItems maxItems minProperties maxProperties minContains maxContains'),
  ...listTests(isText, 'a text', '$ref pattern format title description contentEncoding contentMediaType'),
  ...listTests(isFlag, 'true or false', 'uniqueItems readOnly writeOnly deprecated'),
  ...listTests(isTextList, 'a list of names', 'required'),
  ...listTests(Array.isArray, 'a list of values', 'enum'),
  ...listTests(Array.isArray, 'a list of values', 'examples'),
  ...listTests(isSchemaList, 'a list of schemas', 'allOf anyOf oneOf prefixItems'),
  ...listTests(
    isSchema,
    'a schema',
    'items additionalProperties not if then else contains propertyNames unevaluatedItems unevaluatedProperties',
  ),
  ...listTests(isJsonObject, 'an object of schemas', 'properties patternProperties dependentSchemas'),
  ...listTests(
    (value) => (Array.isArray(value) ? value.length > 0 && value.every((type) => types.has(type)) : types.has(value)),
    'a type of JSON Schema',
    'type',
  ),
])

/** What is wrong with the value of a keyword, as a sentence; undefined where nothing is. */
export function checkKeyword(keyword: string, value: unknown): string | undefined {
  const known = tests.get(keyword)
  if (known === undefined || known.test(value)) return undefined
  const given = JSON.stringify(value) ?? 'nothing'
  return `"${keyword}" is ${given.length > 60 ? `${given.slice(0, 60)}…` : given}, and no ${known.expected.replace(/^an? /, '')}.`
}

/** Keywords that say which members an object has. */
const memberKeywords = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'allOf',
  'anyOf',
  'oneOf',
  'enum',
  'const',
]

/** An object without a word about its members has any. The toolkit sends only members that a schema declares. */
export const openObject = (schema: JsonSchema): JsonSchema =>
  schema.type === 'object' && memberKeywords.every((keyword) => schema[keyword] === undefined)
    ? { ...schema, additionalProperties: {} }
    : schema

/** A tuple that `maxItems` closes: no item comes after its positions. */
export function closeTuple(schema: JsonSchema): JsonSchema {
  const { prefixItems, maxItems, ...rest } = schema
  return prefixItems !== undefined && maxItems === prefixItems.length ? { ...rest, prefixItems, items: false, maxItems } : schema
}

/** Why the values of an enum say nothing: none of them is of the type. Undefined where one is. */
export function checkEnum({ enum: values, type }: JsonObject): string | undefined {
  const wanted = [type].flat().filter((one): one is string => types.has(one))
  const isWanted = (value: unknown): boolean => wanted.length === 0 || isValid(parseSchema({ type: wanted }), value)
  if (!Array.isArray(values) || values.some(isWanted)) return undefined
  return values.length === 0 ? '"enum" has no values.' : `No value of "enum" is of the type ${wanted.join(' or ')}.`
}
