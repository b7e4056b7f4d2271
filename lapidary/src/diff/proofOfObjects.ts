/** Proves that objects of one schema are objects of another. */
import { type JsonSchema, type Members, membersOf } from '../describe/jsonSchema.ts'
import { isSame } from './canonical.ts'
import { held } from './held.ts'
import { below, isAnything, isNothing, nothing, type Way } from './way.ts'

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

function areNamed(a: JsonSchema, b: JsonSchema, names: readonly string[], way: Way): boolean {
  const { propertyNames } = b
  if (propertyNames === undefined || isSame(propertyNames, a.propertyNames)) return true
  const isOpen = !isNothing(restOf(membersOf(a).rest, nothing))
  if (isOpen && !way.isProven({ type: 'string', ...a.propertyNames }, propertyNames, way)) return false
  return names.every((name) => held(propertyNames, name, way.roots[1]) === undefined)
}

function areAsMany(a: JsonSchema, b: JsonSchema, { properties, required, rest }: Members): boolean {
  const isOpen = !isNothing(restOf(rest, nothing))
  const fewest = Math.max(Number(a['minProperties'] ?? 0), required.length)
  const most = Math.min(Number(a['maxProperties'] ?? Number.POSITIVE_INFINITY), isOpen ? Infinity : Object.keys(properties).length)
  return Number(b['minProperties'] ?? 0) <= fewest && Number(b['maxProperties'] ?? Number.POSITIVE_INFINITY) >= most
}

/**
 * Objects: what the other needs is there, and each member within its own. Where a schema does not speak of further members, whoever writes leaves
 * them out, and whoever reads drops them.
 */
export function areObjectsWithin(a: JsonSchema, b: JsonSchema, way: Way): boolean {
  const [from, to, down] = [membersOf(a), membersOf(b), below(way)]
  if (!to.required.every((name) => from.required.includes(name))) return false
  const names = [...new Set([...Object.keys(from.properties), ...from.required, ...Object.keys(to.properties)])]
  const members = names.every((name) => {
    const [one, other] = [written(from, name), read(to, name)]
    return isAnything(other) || way.isProven(one, other, down)
  })
  return (
    members &&
    way.isProven(restOf(from.rest, nothing), restOf(to.rest, {}), down) &&
    areNamed(a, b, Object.keys(from.properties), down) &&
    areAsMany(a, b, from)
  )
}
