/** JSON Schemas as the comparison reads them: references together with the keywords beside them, and what a schema plainly allows. */
import type { JsonSchema } from 'lapidary'
import { isCompoundDocument, isJsonObject, neverSchema, parseSchema, type SchemaNode } from 'lapidary/internal'
import { ignoredKeywords, isEqualJson, toCanonicalText } from '../canonical.ts'
import { isOlder, isReadDialect, renameKeywords } from './olderDialects.ts'
import { hasSameDefinitions } from './sameDefinitions.ts'

/** Two schemas that are compared. */
export type NodePair = readonly [SchemaNode, SchemaNode]

/** Whether a keyword restricts no value where it stands. */
const isInertKeyword = (keyword: string): boolean => ignoredKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions'

/** Nodes that were unfolded before. A schema that is met again has the same node, by which a circle is detected. */
const unfolded = new WeakMap<SchemaNode, SchemaNode>()

const toSchemaObject = (part: JsonSchema | boolean): JsonSchema => (part === true ? {} : part === false ? neverSchema : part)
const isBoolean = (part: unknown): boolean => typeof part === 'boolean'

/** The keywords that say nothing without another one. */
const dependentKeywords: readonly (readonly [keyword: string, needs: readonly string[]])[] = [
  ['then', ['if']],
  ['else', ['if']],
  ['if', ['then', 'else', 'unevaluatedProperties', 'unevaluatedItems']],
  ['minContains', ['contains']],
  ['maxContains', ['contains']],
]

/** Whether a consequence of a condition allows any value. */
const isIdleConsequence = (part: unknown): boolean => part === true || (isJsonObject(part) && isAnySchema(part as JsonSchema))

const hasIdleKeyword = (schema: JsonSchema): boolean =>
  dependentKeywords.some(([keyword, needs]) => keyword in schema && !needs.some((need) => need in schema)) ||
  isIdleConsequence(schema['then']) ||
  isIdleConsequence(schema['else'])

/** The same schema with its parts as objects, and without keywords that restrict nothing; the schema itself where it has that form. */
function normalizeKeywords(given: JsonSchema): JsonSchema {
  const isPlain = ![given.allOf, given.anyOf, given.oneOf].some((parts) => parts?.some(isBoolean)) && !isBoolean(given['not'])
  if (isPlain && !hasIdleKeyword(given)) return given
  const result: Record<string, unknown> = { ...given }
  for (const keyword of ['then', 'else']) if (isIdleConsequence(given[keyword])) delete result[keyword]
  for (const [keyword, needs] of dependentKeywords) if (!needs.some((need) => need in result)) delete result[keyword]
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const)
    if (given[keyword] !== undefined) result[keyword] = given[keyword].map(toSchemaObject)
  if (isBoolean(given['not'])) result['not'] = toSchemaObject(given['not'] as boolean)
  return result
}

/** The schema behind local references, together with the keywords beside them (2020-12, §8.2.3.1). Its keywords are in `raw`. */
export function unfold(node: SchemaNode): SchemaNode {
  const known = unfolded.get(node)
  if (known !== undefined) return known
  const today = isOlder(node.root) ? parseSchema(renameKeywords(node.raw), renameKeywords(node.root)) : node
  // A reference to another document, or to nothing, stays unresolved: what it allows is unknown.
  const normal = today.isUnresolved ? today.raw : normalizeKeywords(today.schema)
  const found = normal === today.raw ? today : today.parse(normal)
  unfolded.set(node, found)
  unfolded.set(found, found)
  return found
}

/** Whether an unfolded schema is unknown: a reference that leads to no schema here or in a circle, or one in the words of another dialect. */
export const isUnresolved = ({ raw, root }: SchemaNode): boolean => raw.$ref !== undefined || !isReadDialect(root) || !isReadDialect(raw)

/** Whether a schema allows any value. */
export const isAnySchema = (schema: JsonSchema): boolean => Object.keys(schema).every(isInertKeyword)

/** Whether a schema plainly allows no value. */
export const isNeverSchema = ({ enum: values, not }: JsonSchema): boolean =>
  values?.length === 0 || not === true || (typeof not === 'object' && isAnySchema(not as JsonSchema))

/** A schema without some of its keywords. */
export const omitKeywords = (schema: JsonSchema, ...keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

const refersElsewhere = /"\$(?:ref|dynamicRef|recursiveRef)"/

/** Definitions are compared apart: documents may share their object, whose text is then written once. */
const isEqualRoot = (one: JsonSchema, other: JsonSchema): boolean =>
  one === other || (isEqualJson(one.$defs, other.$defs) && isEqualJson(omitKeywords(one, '$defs'), omitKeywords(other, '$defs')))

/** Whether two parts of two documents are the same, and so is what they refer to. */
export function isEqualPart(one: unknown, other: unknown, [root, otherRoot]: readonly [JsonSchema, JsonSchema]): boolean {
  if (!isEqualJson(one, other)) return false
  const text = toCanonicalText(one)
  // In a document of several documents, equal references may lead to different schemas.
  if (
    text.includes('"$dynamicRef"') ||
    text.includes('"$recursiveRef"') ||
    (refersElsewhere.test(text) && [root, otherRoot].some(isCompoundDocument))
  )
    return one === root && other === otherRoot
  return !refersElsewhere.test(text) || hasSameDefinitions(one, root, otherRoot) || isEqualRoot(root, otherRoot)
}

/** Whether two schemas are the same, and so is what they refer to. */
export const isEqualSchema = (one: SchemaNode, other: SchemaNode): boolean => isEqualPart(one.raw, other.raw, [one.root, other.root])
