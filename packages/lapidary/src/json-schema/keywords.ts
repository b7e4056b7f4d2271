/** The keywords of JSON Schema (draft 2020-12): which have schemas within, and which describe without restricting. */
import { isJsonObject, type JsonSchema } from './jsonSchema.ts'

/** Keywords whose value is a schema, or `true` or `false`. */
export const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
/** Keywords whose value is an array of schemas. */
export const schemaArrayKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Keywords whose value is an object of schemas by name. */
export const schemaMapKeywords: ReadonlySet<string> = new Set(['dependentSchemas', 'patternProperties', 'properties'])
/** Keywords whose value is an object of schemas that references point at. */
export const definitionKeywords: ReadonlySet<string> = new Set(['$defs', 'definitions'])

/** Keywords that describe values without restricting them. */
export const annotationKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])

/** The value of a keyword with each schema directly within it replaced; `true` and `false` in place of a schema stay. */
export function mapKeyword(keyword: string, value: unknown, change: (schema: JsonSchema) => unknown): unknown {
  const changePart = (part: unknown): unknown => (isJsonObject(part) ? change(part as JsonSchema) : part)
  if (schemaKeywords.has(keyword)) return changePart(value)
  if (schemaArrayKeywords.has(keyword) && Array.isArray(value)) return value.map(changePart)
  if (!(schemaMapKeywords.has(keyword) || definitionKeywords.has(keyword)) || !isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changePart(part)]))
}
