/** Proves that no value fits two JSON Schemas at once. What cannot be proven may still be so. */
import type { JsonSchema } from 'lapidary'
import { getBound, type SchemaNode } from 'lapidary/internal'
import { toCanonicalText } from '../canonical.ts'
import { spendSteps } from './budget.ts'
import { areNumbersDisjoint } from './scalars.ts'
import { isNeverSchema, isUnresolved, omitKeywords, unfold } from './unfold.ts'
import { getInstanceValidity } from './validateInstance.ts'

/** Deeper parts prove nothing: a schema that contains itself has no end. */
const maxDisjointDepth = 12

/** The types of JSON values. */
export const valueTypes = ['null', 'boolean', 'string', 'number', 'array', 'object'] as const

/** All values of a schema, where it lists them or its type has few. */
export function listFewValues(schema: JsonSchema): readonly unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  return schema.type === 'null' ? [null] : undefined
}

/** The most items that an array may have. */
export function getMaxItems(node: SchemaNode): number {
  const { maxItems = Number.POSITIVE_INFINITY } = node.raw
  const { length } = node.parts.prefixItems
  const further = node.item(length)
  return further !== undefined && isNeverSchema(further.raw) ? Math.min(length, maxItems) : maxItems
}

/** The fewest members that an object may have. */
export const getMinMembers = ({ raw, parts }: SchemaNode): number =>
  Math.max(getBound(raw['minProperties'], 0), new Set(parts.required).size)

/** Whether none of a few values fits the other schema, as far as it is known. */
const haveNoSharedValue = (values: readonly unknown[], a: SchemaNode, b: SchemaNode): boolean =>
  values.every((value) => getInstanceValidity(b, value) === 'no' || getInstanceValidity(a, value) === 'no')

/** The unions whose branches a value has to fit one of, and the parts that it has to fit all of. */
function splitParts({ raw }: SchemaNode): {
  readonly unions: readonly (readonly JsonSchema[])[]
  readonly parts: readonly JsonSchema[]
} {
  const unions = [raw.anyOf, raw.oneOf].filter((branches) => branches !== undefined)
  const own = omitKeywords(raw, 'anyOf', 'oneOf', 'allOf')
  return { unions, parts: raw.allOf === undefined && unions.length === 0 ? [] : [own, ...(raw.allOf ?? [])] }
}

const listValueTypes = ({ types }: SchemaNode): readonly string[] =>
  types.length === 0 ? valueTypes : types.map((type) => (type === 'integer' ? 'number' : type))

const areLengthsDisjoint = (...schemas: readonly JsonSchema[]): boolean =>
  Math.max(...schemas.map((schema) => getBound(schema['minLength'], 0))) >
  Math.min(...schemas.map((schema) => getBound(schema['maxLength'], Number.POSITIVE_INFINITY)))

/** How many different values a schema has, where it lists them or is a short range of integers. */
function countValues(node: SchemaNode | undefined): number {
  if (node === undefined) return Number.POSITIVE_INFINITY
  const { raw, types } = unfold(node)
  if (isUnresolved(unfold(node))) return Number.POSITIVE_INFINITY
  if (isNeverSchema(raw)) return 0
  const few = listFewValues(raw)
  if (few !== undefined) return new Set(few.map(toCanonicalText)).size
  if (types.length !== 1 || types[0] !== 'integer') return Number.POSITIVE_INFINITY
  return Math.max(
    0,
    Math.floor(getBound(raw.maximum, Number.POSITIVE_INFINITY)) - Math.ceil(getBound(raw.minimum, Number.NEGATIVE_INFINITY)) + 1,
  )
}

/** Whether an array has to repeat an item, which it may not. */
const hasTooFewItems = (a: SchemaNode, minLength: number): boolean =>
  a.raw['uniqueItems'] === true && a.parts.prefixItems.length === 0 && minLength > countValues(a.parts.items)

/** The most members that an object may have. */
function getMaxMembers({ raw, parts }: SchemaNode): number {
  const most = getBound(raw['maxProperties'], Number.POSITIVE_INFINITY)
  const isClosed = raw.additionalProperties === false && raw['patternProperties'] === undefined
  const names = raw.propertyNames?.enum?.length ?? Number.POSITIVE_INFINITY
  return Math.min(most, names, isClosed ? parts.properties.size : Number.POSITIVE_INFINITY)
}

function areArraysDisjoint(a: SchemaNode, b: SchemaNode, depth: number): boolean {
  const minLength = Math.max(a.raw.minItems ?? 0, b.raw.minItems ?? 0)
  if (minLength > Math.min(getMaxItems(a), getMaxItems(b)) || hasTooFewItems(a, minLength) || hasTooFewItems(b, minLength)) return true
  const places = Math.min(minLength, Math.max(a.parts.prefixItems.length, b.parts.prefixItems.length) + 1)
  return Array.from({ length: places }).some((_, index) => {
    const [one, other] = [a.item(index), b.item(index)]
    return isDisjoint(one ?? a.parse(true), other ?? b.parse(true), depth + 1)
  })
}

/** The schema of a member, where it is present. */
function getMemberSchema(node: SchemaNode, name: string): SchemaNode {
  // The names that `propertyNames` lists are no declared members where a pattern may allow them as well.
  const hasPatterns = node.raw['patternProperties'] !== undefined
  if (hasPatterns && !Object.hasOwn(node.raw.properties ?? {}, name)) return node.parse(true)
  return node.parts.properties.get(name) ?? node.parts.rest ?? node.parse(true)
}

function areObjectsDisjoint(a: SchemaNode, b: SchemaNode, depth: number): boolean {
  if (Math.max(getMinMembers(a), getMinMembers(b)) > Math.min(getMaxMembers(a), getMaxMembers(b))) return true
  const required = [...new Set([...a.parts.required, ...b.parts.required])]
  return required.some((name) => isDisjoint(getMemberSchema(a, name), getMemberSchema(b, name), depth + 1))
}

function isTypeDisjoint(type: string, a: SchemaNode, b: SchemaNode, depth: number): boolean {
  if (type === 'number') return areNumbersDisjoint(a.raw, b.raw)
  if (type === 'string') return areLengthsDisjoint(a.raw, b.raw)
  if (type === 'array') return areArraysDisjoint(a, b, depth)
  return type === 'object' && areObjectsDisjoint(a, b, depth)
}

function isDisjoint(one: SchemaNode, other: SchemaNode, depth: number): boolean {
  spendSteps()
  const [x, y] = [unfold(one), unfold(other)]
  if (depth > maxDisjointDepth || isUnresolved(x) || isUnresolved(y)) return false
  if (isNeverSchema(x.raw) || isNeverSchema(y.raw)) return true
  for (const [a, b] of [
    [x, y],
    [y, x],
  ] as const) {
    const values = listFewValues(a.raw)
    if (values !== undefined && haveNoSharedValue(values, a, b)) return true
    const { unions, parts } = splitParts(a)
    const nodes = parts.map((part) => a.parse(part))
    if (nodes.some((part, index) => [b, ...nodes.slice(index + 1)].some((another) => isDisjoint(part, another, depth + 1)))) return true
    if (unions.some((branches) => branches.every((branch) => isDisjoint(a.parse(branch), b, depth + 1)))) return true
  }
  const shared = listValueTypes(x).filter((type) => listValueTypes(y).includes(type))
  return shared.every((type) => isTypeDisjoint(type, x, y, depth))
}

/** Whether two schemas are proven to have no value in common. */
export const areDisjoint = (one: SchemaNode, other: SchemaNode): boolean => isDisjoint(one, other, 0)

/** Whether a schema is proven to have no value. */
export const isEmptySchema = (node: SchemaNode): boolean => isDisjoint(node, node.parse(true), 0)
