/** The keywords of JSON Schema (draft 2020-12): which have schemas within, and which describe without restricting. */
import { isJsonObject, type JsonSchema } from './jsonSchema.ts'

/**
 * The schemas of a keyword: one `schema`, or `true` or `false`; an `array` of schemas; `members`, an object of schemas by name;
 * `definitions`, an object of schemas that references point at.
 */
export type KeywordKind = 'schema' | 'array' | 'members' | 'definitions'

const keywordKinds: ReadonlyMap<string, KeywordKind> = /* @__PURE__ */ new Map([
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['contentSchema', 'schema'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['items', 'schema'],
  ['not', 'schema'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['allOf', 'array'],
  ['anyOf', 'array'],
  ['oneOf', 'array'],
  ['prefixItems', 'array'],
  ['dependentSchemas', 'members'],
  ['patternProperties', 'members'],
  ['properties', 'members'],
  ['$defs', 'definitions'],
  ['definitions', 'definitions'],
])

/** Which schemas a keyword has; undefined for one without schemas. */
export const getKeywordKind = (keyword: string): KeywordKind | undefined => keywordKinds.get(keyword)

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
  const kind = getKeywordKind(keyword)
  if (kind === 'schema') return changePart(value)
  if (kind === 'array' && Array.isArray(value)) return value.map(changePart)
  if (!(kind === 'members' || kind === 'definitions') || !isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changePart(part)]))
}
