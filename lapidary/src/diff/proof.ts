/** Proves that every value of one JSON Schema is a value of another. What cannot be proven may still be so. */
import { type JsonSchema, resolved, typesOf } from '../describe/jsonSchema.ts'
import { isSame } from './canonical.ts'
import { held, unknownIn } from './held.ts'
import { merged } from './merged.ts'
import { areListsWithin } from './proofOfLists.ts'
import { areObjectsWithin } from './proofOfObjects.ts'
import { areNumbersWithin, areTextsWithin } from './proofOfScalars.ts'
import { isAnything, isNothing, type Way, without } from './way.ts'

const everyType = ['null', 'boolean', 'string', 'number', 'array', 'object'] as const

/** All values of a schema, where these are few. */
function valuesIn(schema: JsonSchema): readonly unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  return schema.type === 'null' ? [null] : undefined
}

const includes = (pairs: Way['pending'], [one, other]: Way['roots']): boolean => pairs.some(([a, b]) => a === one && b === other)

const hasReference = (schema: JsonSchema): boolean => JSON.stringify(schema).includes('"$ref"')

/** Whether the one is proven to be within the other. */
function isProven(one: JsonSchema, other: JsonSchema, way: Way): boolean {
  const pair: Way['roots'] = [resolved(one, way.roots[0]), resolved(other, way.roots[1])]
  const [a, b] = pair
  if (isAnything(b) || isNothing(a)) return true
  if (includes(way.assumed, pair)) return true
  if (isSame(a, b) && (!hasReference(a) || isSame(...way.roots))) return true
  way.budget.left -= 1
  // References that lead in a circle lead nowhere.
  if (a.$ref !== undefined || b.$ref !== undefined || way.budget.left < 0 || includes(way.pending, pair)) return false
  return taken(a, b, { ...way, pending: [...way.pending, pair] })
}

/** First the one is taken apart, then the other. */
function taken(a: JsonSchema, b: JsonSchema, way: Way): boolean {
  const values = valuesIn(a)
  if (values !== undefined) {
    const possible = values.filter((value) => typeof held(a, value, way.roots[0]) !== 'object')
    if (possible.every((value) => held(b, value, way.roots[1]) === undefined)) return true
  }
  const branches = a.anyOf ?? a.oneOf
  if (branches !== undefined) {
    const rest = without(a, 'anyOf', 'oneOf')
    return branches.every((branch) => isProven(isAnything(rest) ? branch : { allOf: [rest, branch] }, b, way))
  }
  if (a.allOf !== undefined) {
    const parts = [without(a, 'allOf'), ...a.allOf]
    const whole = merged(parts, way.roots[0])
    return (whole !== undefined && isProven(whole, b, way)) || parts.some((part) => isProven(part, b, way))
  }
  return compared(a, b, way)
}

function compared(a: JsonSchema, b: JsonSchema, way: Way): boolean {
  if (b.allOf !== undefined) return [without(b, 'allOf'), ...b.allOf].every((part) => isProven(a, part, way))
  const branches = b.anyOf ?? b.oneOf
  if (branches?.some((branch) => isProven(a, branch, way))) return isProven(a, without(b, 'anyOf', 'oneOf'), way)
  const types = typesOf(a)
  if (types.length !== 1) return (types.length === 0 ? everyType : types).every((type) => isProven({ ...a, type }, b, way))
  if (branches !== undefined || b.const !== undefined || b.enum !== undefined) return false
  return ofOneType(types[0] ?? '', a, b, way)
}

/** Keywords that nobody understands are the same in both, or absent from the other. */
const areForeignAlike = (a: JsonSchema, b: JsonSchema): boolean =>
  [...unknownIn(b), ...('not' in b ? ['not'] : []), ...unknownIn(a).filter((keyword) => keyword.startsWith('pattern'))].every((keyword) =>
    isSame(a[keyword], b[keyword]),
  )

function ofOneType(type: string, a: JsonSchema, b: JsonSchema, way: Way): boolean {
  const allowed = typesOf(b)
  const isAllowed = allowed.length === 0 || allowed.includes(type) || (type === 'integer' && allowed.includes('number'))
  if (!areForeignAlike(a, b)) return false
  if (type === 'number' && !isAllowed) return allowed.includes('integer') && Number.isInteger(a['multipleOf']) && areNumbersWithin(a, b)
  if (!isAllowed) return false
  if (type === 'string') return areTextsWithin(a, b)
  if (type === 'integer' || type === 'number') return areNumbersWithin(a, b)
  if (type === 'array') return areListsWithin(a, b, way)
  return type !== 'object' || areObjectsWithin(a, b, way)
}

/** Whether every value of the one schema is proven to be a value of the other, each with its own references. */
export const isWithin = (one: JsonSchema, other: JsonSchema, roots: Way['roots'] = [one, other]): boolean =>
  isProven(one, other, { roots, isProven, assumed: [], pending: [], budget: { left: 5_000 } })
