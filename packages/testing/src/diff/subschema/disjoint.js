/** Proves that no value is one of two JSON Schemas at once. What cannot be proven may still be so. */
import { getMembers, getTypes } from 'lapidary/internal'
import { getItemAt, getMaxItems } from './arrays.js'
import { spendSteps } from './budget.js'
import { isNeverSchema, omitKeywords, unfoldSchema } from './compareContext.js'
import { getMinMembers } from './objects.js'
import { areNumbersDisjoint } from './scalars.js'
import { validateInstance } from './validateInstance.js'

/** Deeper than this nothing is proven: what contains itself has no end. */
const maxDisjointDepth = 12
const valueTypes = ['null', 'boolean', 'string', 'number', 'array', 'object']
/** All values of a schema, where these are few. */
export function listFewValues(schema) {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  return schema.type === 'null' ? [null] : undefined
}
/** Whether one of few values of the one is a value of the other, as far as can be told. */
const haveNoSharedValue = (values, [a, aRoot], [b, bRoot]) =>
  values.every((value) => typeof validateInstance(b, value, bRoot) === 'object' || typeof validateInstance(a, value, aRoot) === 'object')
/** The parts of which a value has to be one, and those that all hold. */
function splitParts(schema) {
  const either = [schema.anyOf, schema.oneOf].filter((branches) => branches !== undefined)
  const own = omitKeywords(schema, 'anyOf', 'oneOf', 'allOf')
  return { either, all: schema.allOf === undefined && either.length === 0 ? [] : [own, ...(schema.allOf ?? [])] }
}
const listValueTypes = (schema) => {
  const types = getTypes(schema)
  return types.length === 0 ? valueTypes : types.map((type) => (type === 'integer' ? 'number' : type))
}
const getNumber = (value, otherwise) => (typeof value === 'number' ? value : otherwise)
const areBoundsDisjoint = (one, other, least, most) =>
  getNumber(one[least], 0) > getNumber(other[most], Number.POSITIVE_INFINITY) ||
  getNumber(other[least], 0) > getNumber(one[most], Number.POSITIVE_INFINITY)
function areArraysDisjoint(one, other, depth) {
  const [a, b] = [one[0], other[0]]
  const least = Math.max(a.minItems ?? 0, b.minItems ?? 0)
  if (least > Math.min(getMaxItems(a), getMaxItems(b))) return true
  const places = Math.min(least, Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0) + 1)
  return Array.from({ length: places }).some((_, index) =>
    isDisjoint([getItemAt(a, index), one[1]], [getItemAt(b, index), other[1]], depth + 1),
  )
}
/** What stands under a name, where something does. */
function getMemberSchema(schema, name) {
  const { properties, rest } = getMembers(schema)
  if (Object.hasOwn(properties, name)) return properties[name] ?? {}
  if (schema['patternProperties'] !== undefined) return {}
  return typeof rest === 'object' ? rest : rest === false ? { not: {} } : {}
}
function areObjectsDisjoint(one, other, depth) {
  const [a, b] = [one[0], other[0]]
  const least = Math.max(getMinMembers(a), getMinMembers(b))
  if (least > Math.min(getNumber(a['maxProperties'], Number.POSITIVE_INFINITY), getNumber(b['maxProperties'], Number.POSITIVE_INFINITY)))
    return true
  const needed = [...new Set([...(a.required ?? []), ...(b.required ?? [])])]
  return needed.some((name) => isDisjoint([getMemberSchema(a, name), one[1]], [getMemberSchema(b, name), other[1]], depth + 1))
}
function isTypeDisjoint(type, one, other, depth) {
  if (type === 'number') return areNumbersDisjoint(one[0], other[0])
  if (type === 'string') return areBoundsDisjoint(one[0], other[0], 'minLength', 'maxLength')
  if (type === 'array') return areArraysDisjoint(one, other, depth)
  return type === 'object' && areObjectsDisjoint(one, other, depth)
}
function isDisjoint(one, other, depth) {
  spendSteps()
  const [x, y] = [one, other].map(([schema, root]) => [unfoldSchema(schema, root), root])
  if (depth > maxDisjointDepth || x === undefined || y === undefined || x[0].$ref !== undefined || y[0].$ref !== undefined) return false
  if (isNeverSchema(x[0]) || isNeverSchema(y[0])) return true
  for (const [a, b] of [
    [x, y],
    [y, x],
  ]) {
    const values = listFewValues(a[0])
    if (values !== undefined && haveNoSharedValue(values, a, b)) return true
    const { either, all } = splitParts(a[0])
    if (all.some((part) => isDisjoint([part, a[1]], b, depth + 1))) return true
    if (either.some((branches) => branches.every((branch) => isDisjoint([branch, a[1]], b, depth + 1)))) return true
  }
  const shared = listValueTypes(x[0]).filter((type) => listValueTypes(y[0]).includes(type))
  return shared.every((type) => isTypeDisjoint(type, x, y, depth))
}
/** Whether the two are proven to have no value in common. */
export const areDisjoint = (one, other, [root, otherRoot]) => isDisjoint([one, root], [other, otherRoot], 0)
