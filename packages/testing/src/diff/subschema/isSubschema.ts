/** Proves that every value of one JSON Schema is a value of another. What cannot be proven may still be so. */
import type { JsonSchema } from 'lapidary'
import { getBound, neverSchema, type SchemaNode } from 'lapidary/internal'
import { limitSteps, spendSteps } from './budget.ts'
import { getKeywordGroup, listUncomparedKeywords, unevaluatedKeywords } from './comparedKeywords.ts'
import { areDisjoint, getMaxItems, getMinMembers, isEmptySchema, listFewValues, valueTypes } from './disjoint.ts'
import { mergeSchemas } from './mergeSchemas.ts'
import { isNumberSubschema, isStringSubschema } from './scalars.ts'
import { isAnySchema, isEqualPart, isEqualSchema, isNeverSchema, isUnresolved, type NodePair, omitKeywords, unfold } from './unfold.ts'
import { expandBranches } from './unions.ts'
import { getInstanceValidity } from './validateInstance.ts'

/** How a pair of schemas was reached. */
interface CompareContext {
  /** Pairs that enclose this one by a member or an item. They may be assumed to hold, since every value is finite. */
  readonly assumed: readonly NodePair[]
  /** Pairs that are about the same value. */
  readonly pending: readonly NodePair[]
  /** How many pairs enclose this one in all. */
  readonly depth: number
}

/** Deeper pairs prove nothing. */
const maxProofDepth = 200

const includesPair = (pairs: readonly NodePair[], one: SchemaNode, other: SchemaNode): boolean =>
  pairs.some(([a, b]) => a === one && b === other)

/** The context of a member or an item. */
const descend = (context: CompareContext): CompareContext => ({
  ...context,
  assumed: [...context.assumed, ...context.pending],
  pending: [],
})

function isProven(one: SchemaNode, other: SchemaNode, context: CompareContext): boolean {
  spendSteps()
  const [a, b] = [unfold(one), unfold(other)]
  if (isAnySchema(b.raw) || isNeverSchema(a.raw)) return true
  if (includesPair(context.assumed, a, b)) return true
  if (isEqualSchema(a, b)) return true
  if (isUnresolved(a) || isUnresolved(b) || context.depth > maxProofDepth || includesPair(context.pending, a, b)) return false
  // What these mean depends on all parts at once, so that no part can be compared by itself.
  if (unevaluatedKeywords.some((keyword) => keyword in b.raw)) return false
  const below = { ...context, depth: context.depth + 1, pending: [...context.pending, [a, b]] as const }
  return isProvenByParts(dropUnevaluated(a), b, below) || isEmptySchema(a)
}

/** A schema of at least the same values, which says nothing of what its other keywords leave over. */
function dropUnevaluated(node: SchemaNode): SchemaNode {
  if (!unevaluatedKeywords.some((keyword) => keyword in node.raw)) return node
  const { unevaluatedProperties: rest = false } = node.raw
  const further = rest === false || node.raw.additionalProperties !== undefined ? {} : { additionalProperties: true }
  return node.parse({ ...omitKeywords(node.raw, ...unevaluatedKeywords), ...further })
}

/** The first schema is taken apart before the second. */
function isProvenByParts(a: SchemaNode, b: SchemaNode, context: CompareContext): boolean {
  const values = listFewValues(a.raw)
  if (values !== undefined) {
    const possible = values.filter((value) => getInstanceValidity(a, value) !== 'no')
    if (possible.every((value) => getInstanceValidity(b, value) === 'yes')) return true
  }
  const { allOf, anyOf, oneOf } = a.raw
  const branches = anyOf ?? oneOf
  // A value of exactly one branch is a value of one branch.
  if (allOf === undefined && branches !== undefined) return expandBranches(a, branches).every((branch) => isProven(branch, b, context))
  if (allOf !== undefined || branches !== undefined) return isProvenByAllOf(a, b, context)
  return isProvenByConditions(a, b, context)
}

/** The same schema, beside which other parts may declare further members. */
const openSchema = (schema: JsonSchema): JsonSchema =>
  schema.additionalProperties === undefined ? { ...schema, additionalProperties: true } : schema

/** Proves it of the parts merged into one schema, or of one part by itself. */
function isProvenByAllOf(a: SchemaNode, b: SchemaNode, context: CompareContext): boolean {
  const { allOf = [], ...own } = a.raw
  const parts = [own, ...allOf].map((part) => unfold(a.parse(part)))
  if (parts.some((part) => isEqualSchema(part, b))) return true
  const merged = mergeSchemas(parts)
  if (merged !== undefined && isProven(a.parse(merged), b, context)) return true
  return parts.some((part) => isProven(part.parse(openSchema(part.raw)), b, context))
}

/** The conditions that all hold of each value. */
function listConditions({ anyOf, oneOf, allOf = [], ...own }: JsonSchema): readonly JsonSchema[] {
  return [own, ...allOf, ...(anyOf === undefined ? [] : [{ anyOf }]), ...(oneOf === undefined ? [] : [{ oneOf }])]
}

/** Whether all values are within one branch; of `oneOf`, also within no other branch. */
function isInOneBranch(a: SchemaNode, b: SchemaNode, context: CompareContext): boolean {
  const { anyOf = [], oneOf } = b.raw
  if (oneOf === undefined) return anyOf.some((branch) => isProven(a, b.parse(branch), context))
  const branches = oneOf.map((branch) => b.parse(branch))
  const isApart = (branch: SchemaNode, other: SchemaNode): boolean => areDisjoint(a, other) || areDisjoint(branch, other)
  return branches.some(
    (branch, index) => isProven(a, branch, context) && branches.every((other, place) => place === index || isApart(branch, other)),
  )
}

function isProvenByConditions(a: SchemaNode, b: SchemaNode, context: CompareContext): boolean {
  const conditions = listConditions(b.raw).filter((condition) => !isAnySchema(condition))
  if (b.raw.allOf !== undefined || conditions.length > 1) return conditions.every((condition) => isProven(a, b.parse(condition), context))
  const only = b.parse(conditions[0] ?? true)
  const isUnion = only.raw.anyOf !== undefined || only.raw.oneOf !== undefined
  if (isUnion && isInOneBranch(a, only, context)) return true
  if (a.types.length !== 1) {
    const types = a.types.length === 0 ? valueTypes : a.types
    return types.every((type) => isProven(a.parse({ ...a.raw, type }), only, context))
  }
  if (isUnion || only.values !== undefined) return false
  return isProvenOfType(a.types[0] ?? '', a, only, context)
}

/** Keywords that are not compared have to be the same in both, with those that are read together with them, or absent from the second. */
function haveEqualUncomparedKeywords(a: SchemaNode, b: SchemaNode): boolean {
  return listUncomparedKeywords(b.raw)
    .flatMap(getKeywordGroup)
    .filter((keyword) => !countKeywords.includes(keyword))
    .every((keyword) => isEqualPart(a.raw[keyword], b.raw[keyword], [a.root, b.root]))
}

const countKeywords: readonly string[] = ['minContains', 'maxContains']

/** Whether as many items are counted by `contains` as may be. What is counted has been compared. */
function isContainedCountProven({ raw: a }: SchemaNode, { raw: b }: SchemaNode): boolean {
  if (b['contains'] === undefined) return true
  const isLeastAllowed = getBound(b['minContains'], 1) <= getBound(a['minContains'], 1)
  return isLeastAllowed && getBound(b['maxContains'], Number.POSITIVE_INFINITY) >= getBound(a['maxContains'], Number.POSITIVE_INFINITY)
}

/** Whether no value is what `not` excludes. */
function isExclusionProven(a: SchemaNode, b: SchemaNode): boolean {
  const { not } = b.raw
  return not === undefined || isEqualPart(a.raw['not'], not, [a.root, b.root]) || areDisjoint(a, b.parse(not as JsonSchema))
}

function isProvenOfType(type: string, a: SchemaNode, b: SchemaNode, context: CompareContext): boolean {
  const isAllowed = b.types.length === 0 || b.types.includes(type) || (type === 'integer' && b.types.includes('number'))
  if (!haveEqualUncomparedKeywords(a, b) || !isContainedCountProven(a, b) || !isExclusionProven(a, b)) return false
  if (type === 'number' && !isAllowed)
    return b.types.includes('integer') && Number.isInteger(a.raw['multipleOf']) && isNumberSubschema(a.raw, b.raw)
  if (!isAllowed) return false
  if (type === 'string') return isStringSubschema(a.raw, b.raw)
  if (type === 'integer' || type === 'number') return isNumberSubschema(a.raw, b.raw)
  if (type === 'array') return isArraySubschema(a, b, context)
  return type !== 'object' || isObjectSubschema(a, b, context)
}

/** Arrays: the lengths are allowed, and each item is within the one in its place. */
function isArraySubschema(a: SchemaNode, b: SchemaNode, context: CompareContext): boolean {
  const [longest, below] = [getMaxItems(a), descend(context)]
  if ((b.raw.minItems ?? 0) > (a.raw.minItems ?? 0) || getMaxItems(b) < longest) return false
  if (b.raw['uniqueItems'] === true && a.raw['uniqueItems'] !== true && longest > 1) return false
  // After the last place that either declares, all items are alike.
  const places = Math.max(a.parts.prefixItems.length, b.parts.prefixItems.length)
  for (let index = 0; index <= places && index < longest; index += 1) {
    const other = b.item(index)
    if (other === undefined || isAnySchema(other.raw)) continue
    if (!isProven(a.item(index) ?? a.parse(true), other, below)) return false
  }
  return true
}

/** What is written under a name: where it is not declared, what further members are. */
function getWrittenMember(node: SchemaNode, rest: SchemaNode | undefined, name: string): SchemaNode {
  const declared = node.parts.properties.get(name)
  if (declared !== undefined) return declared
  return rest === undefined || rest.raw === neverSchema ? node.parse(node.parts.required.includes(name)) : rest
}

/** Whether members may be written that are not declared: the schema declares none, or has keywords that are not read. */
function hasOpenRest({ raw }: SchemaNode): boolean {
  if (raw['patternProperties'] !== undefined) return true
  if (raw.additionalProperties !== undefined) return false
  return raw.properties === undefined || listUncomparedKeywords(raw).length > 0
}

function areNamesAllowed(a: SchemaNode, b: SchemaNode, rest: SchemaNode, names: readonly string[], context: CompareContext): boolean {
  const allowed = b.parts.propertyNames
  if (allowed === undefined || isEqualPart(b.raw.propertyNames, a.raw.propertyNames, [b.root, a.root])) return true
  if (!isNeverSchema(rest.raw) && !isProven(a.parse({ type: 'string', ...a.raw.propertyNames }), allowed, context)) return false
  return names.every((name) => getInstanceValidity(allowed, name) === 'yes')
}

function isCountAllowed(a: SchemaNode, b: SchemaNode, rest: SchemaNode): boolean {
  const { properties, required } = a.parts
  const declared = isNeverSchema(rest.raw) ? new Set([...properties.keys(), ...required]).size : Number.POSITIVE_INFINITY
  const most = Math.min(Number(a.raw['maxProperties'] ?? Number.POSITIVE_INFINITY), declared)
  return Number(b.raw['minProperties'] ?? 0) <= getMinMembers(a) && Number(b.raw['maxProperties'] ?? Number.POSITIVE_INFINITY) >= most
}

/**
 * Objects: the members that the second requires are there, and each member is within its counterpart. Where a schema does not mention
 * further members, a writer leaves them out and a reader drops them.
 */
function isObjectSubschema(a: SchemaNode, b: SchemaNode, context: CompareContext): boolean {
  const below = descend(context)
  if (!b.parts.required.every((name) => a.parts.required.includes(name))) return false
  // The parts of such a schema take each name for a declared member, which a pattern may allow as well.
  if (a.raw['patternProperties'] !== undefined && a.raw.propertyNames?.enum !== undefined) return false
  const open = hasOpenRest(a) ? a.parse(true) : a.parts.rest
  const rest = open ?? a.parse(false)
  const declared = [...a.parts.properties.keys(), ...a.parts.required]
  const areMembersProven = [...new Set([...declared, ...b.parts.properties.keys()])].every((name) => {
    const other = b.member(name)
    return other === undefined || isAnySchema(other.raw) || isProven(getWrittenMember(a, open, name), other, below)
  })
  return (
    areMembersProven &&
    isProven(rest, b.parts.rest ?? b.parse(true), below) &&
    areNamesAllowed(a, b, rest, declared, below) &&
    isCountAllowed(a, b, rest)
  )
}

/** The most steps of one proof. */
const maxProofSteps = 50_000

/** Whether every value of one schema is proven to be a value of the other. */
export const isSubschema = (one: SchemaNode, other: SchemaNode): boolean =>
  limitSteps(maxProofSteps, () => isProven(one, other, { assumed: [], pending: [], depth: 0 }), false)
