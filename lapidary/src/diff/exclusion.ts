/** Proves that no value is one of two JSON Schemas at once. What cannot be proven may still be so. */
import { type JsonSchema, membersOf, typesOf } from '../describe/jsonSchema.ts'
import { held } from './held.ts'
import { itemAt, mostItems } from './proofOfLists.ts'
import { leastMembers } from './proofOfObjects.ts'
import { isNoNumberInBoth } from './proofOfScalars.ts'
import { unfolded } from './unfolded.ts'
import { isNothing, type Way, without } from './way.ts'
import { spend } from './work.ts'

type Roots = Way['roots']

/** A schema, and where its references start. */
type Side = readonly [schema: JsonSchema, root: JsonSchema]

/** Deeper than this nothing is proven: what contains itself has no end. */
const deepest = 12

const everyType = ['null', 'boolean', 'string', 'number', 'array', 'object'] as const

/** All values of a schema, where these are few. */
export function valuesIn(schema: JsonSchema): readonly unknown[] | undefined {
  if (schema.const !== undefined) return [schema.const]
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return [true, false]
  return schema.type === 'null' ? [null] : undefined
}

/** Whether one of few values of the one is a value of the other, as far as can be told. */
const isNone = (values: readonly unknown[], [a, aRoot]: Side, [b, bRoot]: Side): boolean =>
  values.every((value) => typeof held(b, value, bRoot) === 'object' || typeof held(a, value, aRoot) === 'object')

/** The parts of which a value has to be one, and those that all hold. */
function parts(schema: JsonSchema): { readonly either: readonly (readonly JsonSchema[])[]; readonly all: readonly JsonSchema[] } {
  const either = [schema.anyOf, schema.oneOf].filter((branches) => branches !== undefined)
  const own = without(schema, 'anyOf', 'oneOf', 'allOf')
  return { either, all: schema.allOf === undefined && either.length === 0 ? [] : [own, ...(schema.allOf ?? [])] }
}

const typesIn = (schema: JsonSchema): readonly string[] => {
  const types = typesOf(schema)
  return types.length === 0 ? everyType : types.map((type) => (type === 'integer' ? 'number' : type))
}

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

const areApart = (one: JsonSchema, other: JsonSchema, least: string, most: string): boolean =>
  number(one[least], 0) > number(other[most], Number.POSITIVE_INFINITY) ||
  number(other[least], 0) > number(one[most], Number.POSITIVE_INFINITY)

function isNoList(one: Side, other: Side, depth: number): boolean {
  const [a, b] = [one[0], other[0]]
  const least = Math.max(a.minItems ?? 0, b.minItems ?? 0)
  if (least > Math.min(mostItems(a), mostItems(b))) return true
  const places = Math.min(least, Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0) + 1)
  return Array.from({ length: places }).some((_, index) => exclude([itemAt(a, index), one[1]], [itemAt(b, index), other[1]], depth + 1))
}

/** What stands under a name, where something does. */
function memberOf(schema: JsonSchema, name: string): JsonSchema {
  const { properties, rest } = membersOf(schema)
  if (Object.hasOwn(properties, name)) return properties[name] ?? {}
  if (schema['patternProperties'] !== undefined) return {}
  return typeof rest === 'object' ? rest : rest === false ? { not: {} } : {}
}

function isNoObject(one: Side, other: Side, depth: number): boolean {
  const [a, b] = [one[0], other[0]]
  const least = Math.max(leastMembers(a), leastMembers(b))
  if (least > Math.min(number(a['maxProperties'], Number.POSITIVE_INFINITY), number(b['maxProperties'], Number.POSITIVE_INFINITY)))
    return true
  const needed = [...new Set([...(a.required ?? []), ...(b.required ?? [])])]
  return needed.some((name) => exclude([memberOf(a, name), one[1]], [memberOf(b, name), other[1]], depth + 1))
}

function isNoneOf(type: string, one: Side, other: Side, depth: number): boolean {
  if (type === 'number') return isNoNumberInBoth(one[0], other[0])
  if (type === 'string') return areApart(one[0], other[0], 'minLength', 'maxLength')
  if (type === 'array') return isNoList(one, other, depth)
  return type === 'object' && isNoObject(one, other, depth)
}

function exclude(one: Side, other: Side, depth: number): boolean {
  spend()
  const [x, y]: readonly Side[] = [one, other].map(([schema, root]): Side => [unfolded(schema, root), root])
  if (depth > deepest || x === undefined || y === undefined || x[0].$ref !== undefined || y[0].$ref !== undefined) return false
  if (isNothing(x[0]) || isNothing(y[0])) return true
  for (const [a, b] of [
    [x, y],
    [y, x],
  ] as const) {
    const values = valuesIn(a[0])
    if (values !== undefined && isNone(values, a, b)) return true
    const { either, all } = parts(a[0])
    if (all.some((part) => exclude([part, a[1]], b, depth + 1))) return true
    if (either.some((branches) => branches.every((branch) => exclude([branch, a[1]], b, depth + 1)))) return true
  }
  const shared = typesIn(x[0]).filter((type) => typesIn(y[0]).includes(type))
  return shared.every((type) => isNoneOf(type, x, y, depth))
}

/** Whether the two are proven to have no value in common. */
export const areExclusive = (one: JsonSchema, other: JsonSchema, [root, otherRoot]: Roots): boolean =>
  exclude([one, root], [other, otherRoot], 0)
