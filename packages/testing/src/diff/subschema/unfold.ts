/** JSON Schemas as the comparison reads them: references together with the keywords beside them, and what a schema plainly allows. */
import type { JsonSchema } from 'lapidary'
import { isJsonObject, maxReferenceHops, resolvePointer, type SchemaNode } from 'lapidary/internal'
import { ignoredKeywords, isEqualJson, toCanonicalText } from '../canonical.ts'

/** Two schemas that are compared. */
export type NodePair = readonly [SchemaNode, SchemaNode]

/** Whether a keyword restricts no value where it stands. */
const isInertKeyword = (keyword: string): boolean => ignoredKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions'

/** Nodes that were unfolded before. A schema that is met again has the same node, by which a circle is detected. */
const unfolded = new WeakMap<SchemaNode, SchemaNode>()

function followReferences({ raw, root }: SchemaNode): JsonSchema {
  let here = raw
  for (let hops = 0; here.$ref !== undefined && hops < maxReferenceHops; hops += 1) {
    const beside = Object.entries(here).filter(([keyword]) => keyword !== '$ref' && !isInertKeyword(keyword))
    if (beside.length > 0) return { allOf: [Object.fromEntries(beside), { $ref: here.$ref }] }
    const next = /^#(\/|$)/.test(here.$ref) ? resolvePointer(here.$ref, root) : undefined
    // A reference to another document, or to nothing, stays unresolved: what it allows is unknown.
    if (!isJsonObject(next)) return here
    here = next
  }
  return here
}

/** The schema behind local references, together with the keywords beside them (2020-12, §8.2.3.1). Its keywords are in `raw`. */
export function unfold(node: SchemaNode): SchemaNode {
  if (node.raw.$ref === undefined) return node
  const found = unfolded.get(node) ?? node.parse(followReferences(node))
  unfolded.set(node, found)
  return found
}

/** Whether an unfolded schema is a reference that leads to no schema here, or in a circle. */
export const isUnresolved = ({ raw }: SchemaNode): boolean => raw.$ref !== undefined

/** Whether a schema allows any value. */
export const isAnySchema = (schema: JsonSchema): boolean => Object.keys(schema).every(isInertKeyword)

/** Whether a schema plainly allows no value. */
export const isNeverSchema = ({ enum: values, not }: JsonSchema): boolean =>
  values?.length === 0 || (typeof not === 'object' && isAnySchema(not as JsonSchema))

/** A schema without some of its keywords. */
export const omitKeywords = (schema: JsonSchema, ...keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

/** Whether two parts of two documents are the same, and so is what they refer to. */
export const isEqualPart = (one: unknown, other: unknown, [root, otherRoot]: readonly [JsonSchema, JsonSchema]): boolean =>
  isEqualJson(one, other) && (!toCanonicalText(one).includes('"$ref"') || isEqualJson(root, otherRoot))

/** Whether two schemas are the same, and so is what they refer to. */
export const isEqualSchema = (one: SchemaNode, other: SchemaNode): boolean => isEqualPart(one.raw, other.raw, [one.root, other.root])
