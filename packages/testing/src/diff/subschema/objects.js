/** Proves that objects of one schema are objects of another. */
import { getMembers } from 'lapidary/internal'
import { descend, isAnySchema, isEqualSchema, isNeverSchema, neverSchema } from './compareContext.js'
import { listUnknownKeywords, validateInstance } from './validateInstance.js'

/** What is written under a name: of one that is not declared, what further members are. */
const getWrittenMember = ({ properties, rest, required }, name) => {
  if (Object.hasOwn(properties, name)) return properties[name] ?? {}
  if (typeof rest === 'object') return rest
  return rest === true || required.includes(name) ? {} : neverSchema
}
/** What is read under a name: of one that is not declared, anything is dropped. */
const getReadMember = ({ properties, rest }, name) => {
  if (Object.hasOwn(properties, name)) return properties[name] ?? {}
  return typeof rest === 'object' ? rest : rest === false ? neverSchema : {}
}
const getRestSchema = (rest, otherwise) => {
  if (typeof rest === 'object') return rest
  return rest === undefined ? otherwise : rest ? {} : neverSchema
}
/** The fewest members that an object may have. */
export const getMinMembers = ({ minProperties, required = [] }) =>
  Math.max(typeof minProperties === 'number' ? minProperties : 0, new Set(required).size)
/** Whether members may be written that no name stands for: where a schema says nothing of members, or something that nobody here understands. */
function hasOpenRest(schema) {
  const { additionalProperties, properties } = schema
  if (schema['patternProperties'] !== undefined) return true
  if (additionalProperties !== undefined) return false
  return properties === undefined || listUnknownKeywords(schema).length > 0
}
/** The members that are written. */
const getWrittenMembers = (schema) => {
  const members = getMembers(schema)
  return hasOpenRest(schema) ? { ...members, rest: true } : members
}
function areNamesAllowed(a, b, names, way) {
  const { propertyNames } = b
  if (propertyNames === undefined || isEqualSchema(propertyNames, a.propertyNames, way)) return true
  const { rest } = getWrittenMembers(a)
  const isOpen = !isNeverSchema(getRestSchema(rest, neverSchema))
  if (isOpen && !way.isProven({ type: 'string', ...a.propertyNames }, propertyNames, way)) return false
  return names.every((name) => validateInstance(propertyNames, name, way.roots[1]) === undefined)
}
function isCountAllowed(a, b, { properties, required, rest }) {
  const isOpen = !isNeverSchema(getRestSchema(rest, neverSchema))
  const names = new Set([...Object.keys(properties), ...required])
  const most = Math.min(Number(a['maxProperties'] ?? Number.POSITIVE_INFINITY), isOpen ? Number.POSITIVE_INFINITY : names.size)
  return Number(b['minProperties'] ?? 0) <= getMinMembers(a) && Number(b['maxProperties'] ?? Number.POSITIVE_INFINITY) >= most
}
/**
 * Objects: what the other needs is there, and each member within its own. Where a schema does not speak of further members, whoever writes leaves
 * them out, and whoever reads drops them.
 */
export function isObjectSubschema(a, b, way) {
  const [from, to, down] = [getWrittenMembers(a), getMembers(b), descend(way)]
  if (!to.required.every((name) => from.required.includes(name))) return false
  const names = [...new Set([...Object.keys(from.properties), ...from.required, ...Object.keys(to.properties)])]
  const members = names.every((name) => {
    const [one, other] = [getWrittenMember(from, name), getReadMember(to, name)]
    return isAnySchema(other) || way.isProven(one, other, down)
  })
  return (
    members &&
    way.isProven(getRestSchema(from.rest, neverSchema), getRestSchema(to.rest, {}), down) &&
    areNamesAllowed(a, b, [...Object.keys(from.properties), ...from.required], down) &&
    isCountAllowed(a, b, from)
  )
}
