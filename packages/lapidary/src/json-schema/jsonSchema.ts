/** JSON Schema (draft 2020-12) as far as the toolkit reads it: its keywords. */

/** A schema object. Boolean schemas are written as `{}` (anything) and `{ not: {} }` (nothing). */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | JsonSchema
  readonly patternProperties?: Readonly<Record<string, JsonSchema | boolean>>
  readonly unevaluatedProperties?: boolean | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly items?: boolean | JsonSchema
  readonly prefixItems?: readonly JsonSchema[]
  readonly minItems?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, JsonSchema>>
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly [keyword: string]: unknown
}

/** Whether a value is an object, as JSON has them: no array, and not null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of a record sorted by name. The order of code units is the same in every locale. */
export const sortMembers = <Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))

/** A text that two values share if they are the same JSON, in any order of their members; undefined for a value that JSON does not have. */
export const toCanonicalJson = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, part: unknown) => (isJsonObject(part) ? sortMembers(part) : part))

/** Whether two values are the same JSON, in any order of their members. */
export const isSameJson = (one: unknown, other: unknown): boolean => toCanonicalJson(one) === toCanonicalJson(other)

/** The schema that allows any value: `true`. */
export const anySchema: JsonSchema = {}

/** The schema that allows no value: `false`. */
export const neverSchema: JsonSchema = { not: anySchema }

/**
 * Generated values contain optional members only after this many references at most: schemas that refer to one another would fill pages.
 */
export const maxFullReferences = 3

/** The types that a schema names; none where it allows any. */
export const getTypes = ({ type = [] }: JsonSchema): readonly string[] => (typeof type === 'string' ? [type] : type)

/** The value of a keyword such as `minimum` or `maxLength`; `otherwise` where it is not a number, as in older drafts. */
export const getBound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

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

/** A schema with the names that it requires in one order. */
const sortRequired = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [
      keyword,
      keyword === 'required' && Array.isArray(value) ? value.toSorted() : mapKeyword(keyword, value, sortRequired),
    ]),
  )

/** Whether two schemas are the same JSON, in any order of their keywords, their members and the names that they require. */
export const isSameSchema = (one: JsonSchema, other: JsonSchema): boolean => isSameJson(sortRequired(one), sortRequired(other))
