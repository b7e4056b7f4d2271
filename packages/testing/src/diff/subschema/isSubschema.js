/** Proves that every value of one JSON Schema is a value of another. What cannot be proven may still be so. */
import { getTypes } from 'lapidary/internal'
import { isArraySubschema } from './arrays.js'
import { limitSteps, spendSteps } from './budget.js'
import { isAnySchema, isEqualSchema, isNeverSchema, unfoldSchema } from './compareContext.js'
import { areDisjoint, listFewValues } from './disjoint.js'
import { mergeSchemas } from './mergeSchemas.js'
import { isObjectSubschema } from './objects.js'
import { isNumberSubschema, isStringSubschema } from './scalars.js'
import { expandBranches, openSchema } from './unions.js'
import { listUnknownKeywords, validateInstance } from './validateInstance.js'

const comparedTypes = ['null', 'boolean', 'string', 'number', 'array', 'object']
/** More pairs within pairs prove nothing. */
const maxProofDepth = 200
const includesPair = (pairs, [one, other]) => pairs.some(([a, b]) => a === one && b === other)
/** Whether the one is proven to be within the other. */
function isProven(one, other, way) {
  spendSteps()
  const pair = [unfoldSchema(one, way.roots[0]), unfoldSchema(other, way.roots[1])]
  const [a, b] = pair
  if (isAnySchema(b) || isNeverSchema(a)) return true
  if (includesPair(way.assumed, pair)) return true
  if (isEqualSchema(a, b, way)) return true
  // References that lead in a circle lead nowhere.
  if (a.$ref !== undefined || b.$ref !== undefined || way.depth > maxProofDepth || includesPair(way.pending, pair)) return false
  return isProvenByParts(a, b, { ...way, depth: way.depth + 1, pending: [...way.pending, pair] })
}
/** First the one is taken apart, then the other. */
function isProvenByParts(a, b, way) {
  const values = listFewValues(a)
  if (values !== undefined) {
    const possible = values.filter((value) => typeof validateInstance(a, value, way.roots[0]) !== 'object')
    if (possible.every((value) => validateInstance(b, value, way.roots[1]) === undefined)) return true
  }
  // A value of one of them exactly is a value of one of them.
  const branches = a.anyOf ?? a.oneOf
  if (a.allOf === undefined && branches !== undefined && (a.anyOf === undefined || a.oneOf === undefined))
    return expandBranches(a, branches, way.roots).every((branch) => isProven(branch, b, way))
  if (a.allOf !== undefined || branches !== undefined) return isProvenByAllOf(a, b, way)
  return isProvenByConditions(a, b, way)
}
/** Of parts that hold together: as one, or one of them by itself, beside which the others may declare further members. */
function isProvenByAllOf({ allOf = [], oneOf, ...own }, b, way) {
  const either = oneOf === undefined ? [] : own.anyOf === undefined ? [] : [{ anyOf: oneOf }]
  const rest = oneOf === undefined || own.anyOf !== undefined ? own : { ...own, oneOf }
  const parts = [rest, ...either, ...allOf].map((part) => unfoldSchema(part, way.roots[0]))
  if (parts.some((part) => isEqualSchema(part, b, way))) return true
  const whole = mergeSchemas(parts, way.roots[0])
  return (whole !== undefined && isProven(whole, b, way)) || parts.some((part) => isProven(openSchema(part), b, way))
}
/** What has to hold of each value, one after the other. */
function listConditions(schema) {
  const { anyOf, oneOf, allOf = [], ...own } = schema
  return [own, ...allOf, ...(anyOf === undefined ? [] : [{ anyOf }]), ...(oneOf === undefined ? [] : [{ oneOf }])]
}
/** Whether all of it is within one branch; and of `oneOf`, within no other one. */
function isInOneBranch(a, { anyOf = [], oneOf }, way) {
  if (oneOf === undefined) return anyOf.some((branch) => isProven(a, branch, way))
  const { roots } = way
  const isApart = (branch, other) => areDisjoint(a, other, roots) || areDisjoint(branch, other, [roots[1], roots[1]])
  return oneOf.some((branch, index) => isProven(a, branch, way) && oneOf.every((other, place) => place === index || isApart(branch, other)))
}
function isProvenByConditions(a, b, way) {
  const conditions = listConditions(b).filter((condition) => !isAnySchema(condition))
  if (b.allOf !== undefined || conditions.length > 1) return conditions.every((condition) => isProven(a, condition, way))
  const here = conditions[0] ?? {}
  const isUnion = here.anyOf !== undefined || here.oneOf !== undefined
  if (isUnion && isInOneBranch(a, here, way)) return true
  const types = getTypes(a)
  if (types.length !== 1) return (types.length === 0 ? comparedTypes : types).every((type) => isProven({ ...a, type }, here, way))
  if (isUnion || here.const !== undefined || here.enum !== undefined) return false
  return isProvenOfType(types[0] ?? '', a, here, way)
}
/** Keywords that nobody understands are the same in both, or absent from the other. */
const haveEqualUnknownKeywords = (a, b, way) =>
  [
    ...listUnknownKeywords(b),
    ...('not' in b ? ['not'] : []),
    ...listUnknownKeywords(a).filter((keyword) => keyword.startsWith('pattern')),
  ].every((keyword) => isEqualSchema(a[keyword], b[keyword], way))
function isProvenOfType(type, a, b, way) {
  const allowed = getTypes(b)
  const isAllowed = allowed.length === 0 || allowed.includes(type) || (type === 'integer' && allowed.includes('number'))
  if (!haveEqualUnknownKeywords(a, b, way)) return false
  if (type === 'number' && !isAllowed) return allowed.includes('integer') && Number.isInteger(a['multipleOf']) && isNumberSubschema(a, b)
  if (!isAllowed) return false
  if (type === 'string') return isStringSubschema(a, b)
  if (type === 'integer' || type === 'number') return isNumberSubschema(a, b)
  if (type === 'array') return isArraySubschema(a, b, way)
  return type !== 'object' || isObjectSubschema(a, b, way)
}
/** What one proof may cost. */
const maxProofSteps = 50_000
/** Whether every value of the one schema is proven to be a value of the other, each with its own references. */
export const isSubschema = (one, other, roots = [one, other]) =>
  limitSteps(maxProofSteps, () => isProven(one, other, { roots, isProven, assumed: [], pending: [], depth: 0 }), false)
