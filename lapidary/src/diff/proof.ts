/** Proves that every value of one JSON Schema is a value of another. What cannot be proven may still be so. */
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'
import { areExclusive, valuesIn } from './exclusion.ts'
import { held, unknownIn } from './held.ts'
import { merged } from './merged.ts'
import { areListsWithin } from './proofOfLists.ts'
import { areObjectsWithin } from './proofOfObjects.ts'
import { areNumbersWithin, areTextsWithin } from './proofOfScalars.ts'
import { unfolded } from './unfolded.ts'
import { isAlike, isAnything, isNothing, type Way } from './way.ts'
import { bounded, spend } from './work.ts'
import { branchesOf, opened } from './writing.ts'

const everyType = ['null', 'boolean', 'string', 'number', 'array', 'object'] as const

/** More pairs within pairs prove nothing. */
const deepest = 200

const includes = (pairs: Way['pending'], [one, other]: Way['roots']): boolean => pairs.some(([a, b]) => a === one && b === other)

/** Whether the one is proven to be within the other. */
function isProven(one: JsonSchema, other: JsonSchema, way: Way): boolean {
  spend()
  const pair: Way['roots'] = [unfolded(one, way.roots[0]), unfolded(other, way.roots[1])]
  const [a, b] = pair
  if (isAnything(b) || isNothing(a)) return true
  if (includes(way.assumed, pair)) return true
  if (isAlike(a, b, way)) return true
  // References that lead in a circle lead nowhere.
  if (a.$ref !== undefined || b.$ref !== undefined || way.depth > deepest || includes(way.pending, pair)) return false
  return taken(a, b, { ...way, depth: way.depth + 1, pending: [...way.pending, pair] })
}

/** First the one is taken apart, then the other. */
function taken(a: JsonSchema, b: JsonSchema, way: Way): boolean {
  const values = valuesIn(a)
  if (values !== undefined) {
    const possible = values.filter((value) => typeof held(a, value, way.roots[0]) !== 'object')
    if (possible.every((value) => held(b, value, way.roots[1]) === undefined)) return true
  }
  // A value of one of them exactly is a value of one of them.
  const branches = a.anyOf ?? a.oneOf
  if (a.allOf === undefined && branches !== undefined && (a.anyOf === undefined || a.oneOf === undefined))
    return branchesOf(a, branches, way.roots).every((branch) => isProven(branch, b, way))
  if (a.allOf !== undefined || branches !== undefined) return isProvenOfParts(a, b, way)
  return compared(a, b, way)
}

/** Of parts that hold together: as one, or one of them by itself, beside which the others may declare further members. */
function isProvenOfParts({ allOf = [], oneOf, ...own }: JsonSchema, b: JsonSchema, way: Way): boolean {
  const either = oneOf === undefined ? [] : own.anyOf === undefined ? [] : [{ anyOf: oneOf }]
  const rest = oneOf === undefined || own.anyOf !== undefined ? own : { ...own, oneOf }
  const parts = [rest, ...either, ...allOf].map((part) => unfolded(part, way.roots[0]))
  if (parts.some((part) => isAlike(part, b, way))) return true
  const whole = merged(parts, way.roots[0])
  return (whole !== undefined && isProven(whole, b, way)) || parts.some((part) => isProven(opened(part), b, way))
}

/** What has to hold of each value, one after the other. */
function conditionsOf(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf, oneOf, allOf = [], ...own } = schema
  return [own, ...allOf, ...(anyOf === undefined ? [] : [{ anyOf }]), ...(oneOf === undefined ? [] : [{ oneOf }])]
}

/** Whether all of it is within one branch; and of `oneOf`, within no other one. */
function isInOne(a: JsonSchema, { anyOf = [], oneOf }: JsonSchema, way: Way): boolean {
  if (oneOf === undefined) return anyOf.some((branch) => isProven(a, branch, way))
  const { roots } = way
  const isApart = (branch: JsonSchema, other: JsonSchema): boolean =>
    areExclusive(a, other, roots) || areExclusive(branch, other, [roots[1], roots[1]])
  return oneOf.some((branch, index) => isProven(a, branch, way) && oneOf.every((other, place) => place === index || isApart(branch, other)))
}

function compared(a: JsonSchema, b: JsonSchema, way: Way): boolean {
  const conditions = conditionsOf(b).filter((condition) => !isAnything(condition))
  if (b.allOf !== undefined || conditions.length > 1) return conditions.every((condition) => isProven(a, condition, way))
  const here = conditions[0] ?? {}
  const isUnion = here.anyOf !== undefined || here.oneOf !== undefined
  if (isUnion && isInOne(a, here, way)) return true
  const types = typesOf(a)
  if (types.length !== 1) return (types.length === 0 ? everyType : types).every((type) => isProven({ ...a, type }, here, way))
  if (isUnion || here.const !== undefined || here.enum !== undefined) return false
  return ofOneType(types[0] ?? '', a, here, way)
}

/** Keywords that nobody understands are the same in both, or absent from the other. */
const areForeignAlike = (a: JsonSchema, b: JsonSchema, way: Way): boolean =>
  [...unknownIn(b), ...('not' in b ? ['not'] : []), ...unknownIn(a).filter((keyword) => keyword.startsWith('pattern'))].every((keyword) =>
    isAlike(a[keyword], b[keyword], way),
  )

function ofOneType(type: string, a: JsonSchema, b: JsonSchema, way: Way): boolean {
  const allowed = typesOf(b)
  const isAllowed = allowed.length === 0 || allowed.includes(type) || (type === 'integer' && allowed.includes('number'))
  if (!areForeignAlike(a, b, way)) return false
  if (type === 'number' && !isAllowed) return allowed.includes('integer') && Number.isInteger(a['multipleOf']) && areNumbersWithin(a, b)
  if (!isAllowed) return false
  if (type === 'string') return areTextsWithin(a, b)
  if (type === 'integer' || type === 'number') return areNumbersWithin(a, b)
  if (type === 'array') return areListsWithin(a, b, way)
  return type !== 'object' || areObjectsWithin(a, b, way)
}

/** What one proof may cost. */
const steps = 50_000

/** Whether every value of the one schema is proven to be a value of the other, each with its own references. */
export const isWithin = (one: JsonSchema, other: JsonSchema, roots: Way['roots'] = [one, other]): boolean =>
  bounded(steps, () => isProven(one, other, { roots, isProven, assumed: [], pending: [], depth: 0 }), false)
