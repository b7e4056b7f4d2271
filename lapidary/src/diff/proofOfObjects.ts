/** Proves that objects of one schema are objects of another. */
import { type JsonSchema, type Members, membersOf } from '../describe/jsonSchema.ts'
import { held, unknownIn } from './held.ts'
import { below, isAlike, isAnything, isNothing, nothing, type Way } from './way.ts'

/** What is written under a name: of one that is not declared, what further members are. */
const written = ({ properties, rest, required }: Members, name: string): JsonSchema => {
  if (Object.hasOwn(properties, name)) return properties[name] ?? {}
  if (typeof rest === 'object') return rest
  return rest === true || required.includes(name) ? {} : nothing
}

/** What is read under a name: of one that is not declared, anything is dropped. */
const read = ({ properties, rest }: Members, name: string): JsonSchema => {
  if (Object.hasOwn(properties, name)) return properties[name] ?? {}
  return typeof rest === 'object' ? rest : rest === false ? nothing : {}
}

const restOf = (rest: Members['rest'], otherwise: JsonSchema): JsonSchema => {
  if (typeof rest === 'object') return rest
  return rest === undefined ? otherwise : rest ? {} : nothing
}

/** The fewest members that an object may have. */
export const leastMembers = ({ minProperties, required = [] }: JsonSchema): number =>
  Math.max(typeof minProperties === 'number' ? minProperties : 0, new Set(required).size)

/** Whether members may be written that no name stands for: where a schema says nothing of members, or something that nobody here understands. */
function isRestOpen(schema: JsonSchema): boolean {
  const { additionalProperties, properties } = schema
  if (schema['patternProperties'] !== undefined) return true
  if (additionalProperties !== undefined) return false
  return properties === undefined || unknownIn(schema).length > 0
}

/** The members that are written. */
const writtenMembers = (schema: JsonSchema): Members => {
  const members = membersOf(schema)
  return isRestOpen(schema) ? { ...members, rest: true } : members
}

function areNamed(a: JsonSchema, b: JsonSchema, names: readonly string[], way: Way): boolean {
  const { propertyNames } = b
  if (propertyNames === undefined || isAlike(propertyNames, a.propertyNames, way)) return true
  const { rest } = writtenMembers(a)
  const isOpen = !isNothing(restOf(rest, nothing))
  if (isOpen && !way.isProven({ type: 'string', ...a.propertyNames }, propertyNames, way)) return false
  return names.every((name) => held(propertyNames, name, way.roots[1]) === undefined)
}

function areAsMany(a: JsonSchema, b: JsonSchema, { properties, required, rest }: Members): boolean {
  const isOpen = !isNothing(restOf(rest, nothing))
  const names = new Set([...Object.keys(properties), ...required])
  const most = Math.min(Number(a['maxProperties'] ?? Number.POSITIVE_INFINITY), isOpen ? Number.POSITIVE_INFINITY : names.size)
  return Number(b['minProperties'] ?? 0) <= leastMembers(a) && Number(b['maxProperties'] ?? Number.POSITIVE_INFINITY) >= most
}

/**
 * Objects: what the other needs is there, and each member within its own. Where a schema does not speak of further members, whoever writes leaves
 * them out, and whoever reads drops them.
 */
export function areObjectsWithin(a: JsonSchema, b: JsonSchema, way: Way): boolean {
  const [from, to, down] = [writtenMembers(a), membersOf(b), below(way)]
  if (!to.required.every((name) => from.required.includes(name))) return false
  const names = [...new Set([...Object.keys(from.properties), ...from.required, ...Object.keys(to.properties)])]
  const members = names.every((name) => {
    const [one, other] = [written(from, name), read(to, name)]
    return isAnything(other) || way.isProven(one, other, down)
  })
  return (
    members &&
    way.isProven(restOf(from.rest, nothing), restOf(to.rest, {}), down) &&
    areNamed(a, b, [...Object.keys(from.properties), ...from.required], down) &&
    areAsMany(a, b, from)
  )
}
