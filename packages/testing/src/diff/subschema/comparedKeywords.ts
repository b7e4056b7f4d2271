/** The keywords that a proof compares one by one. All others have to be the same in both schemas, or absent from the second. */
import type { JsonSchema } from 'lapidary'
import { ignoredKeywords, isEqualJson } from '../canonical.ts'

const comparedKeywords: ReadonlySet<string> = new Set([
  ...ignoredKeywords,
  ...['$defs', '$ref', 'additionalProperties', 'allOf', 'anyOf', 'const', 'definitions', 'enum', 'exclusiveMaximum', 'exclusiveMinimum'],
  ...['format', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength', 'minProperties', 'minimum'],
  ...['multipleOf', 'not', 'oneOf', 'pattern', 'prefixItems', 'properties', 'propertyNames', 'required', 'type', 'uniqueItems'],
])

/** The keywords of a schema that a proof does not compare. */
export const listUncomparedKeywords = (schema: JsonSchema): readonly string[] =>
  Object.keys(schema).filter((keyword) => !comparedKeywords.has(keyword))

/** The keywords by which a value is validated. What a schema with others allows is unknown. */
export const validatedKeywords: ReadonlySet<string> = new Set([
  ...comparedKeywords,
  ...['contains', 'dependentRequired', 'dependentSchemas', 'else', 'if', 'maxContains', 'minContains', 'patternProperties', 'then'],
])

/** Keywords that are read together: one of them alone has another meaning. */
const keywordGroups: readonly (readonly string[])[] = [
  ['contains', 'minContains', 'maxContains'],
  ['if', 'then', 'else'],
  ['items', 'prefixItems'],
]

/** The keywords that are read together with one, and that one itself. */
export const getKeywordGroup = (keyword: string): readonly string[] => keywordGroups.find((group) => group.includes(keyword)) ?? [keyword]

/** Whether two schemas have keywords of one group that are not the same: they cannot be read as one schema. */
export const haveGroupConflict = (one: JsonSchema, other: JsonSchema): boolean =>
  keywordGroups.some(
    (group) =>
      [one, other].every((schema) => group.some((keyword) => schema[keyword] !== undefined)) &&
      !group.every((keyword) => isEqualJson(one[keyword], other[keyword])),
  )

/** Keywords whose meaning depends on all others that are about the same value, those of other parts included. */
export const unevaluatedKeywords: readonly string[] = ['unevaluatedItems', 'unevaluatedProperties']
