/** JSON Schema (draft 2020-12) as far as the toolkit reads it: its keywords. */

/** A schema object. Boolean schemas stand as `{}` (anything) and `{ not: {} }` (nothing). */
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

/** Whether two values are written as the same JSON. The order of members counts. */
export const isSameJson = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The schema that allows any value: `true`. */
export const anySchema: JsonSchema = {}

/** The schema that allows no value: `false`. */
export const neverSchema: JsonSchema = { not: anySchema }

/**
 * Generated values contain optional members only behind this many references at most: schemas that refer to one another would fill pages.
 */
export const maxFullReferences = 3

/** The types that a schema names; none where it allows any. */
export const getTypes = ({ type = [] }: JsonSchema): readonly string[] => (typeof type === 'string' ? [type] : type)

/** The value of a keyword such as `minimum` or `maxLength`; `otherwise` where it is not a number, as in older drafts. */
export const getBound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)
