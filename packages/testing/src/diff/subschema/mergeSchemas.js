/** Several JSON Schemas that hold together, as one. */
import { getTypes } from 'lapidary/internal'
import { isEqualJson, isOneOf } from '../canonical.js'
import { getOwn } from '../change.js'
import { unfoldSchema } from './compareContext.js'

const intersectValues = (one, other) => one.filter((value) => isOneOf(other, value))
const takeLeast = (one, other) => Math.min(one, other)
const takeMost = (one, other) => Math.max(one, other)
const mergeProperties = (one, other) => {
  const shared = Object.keys(one).filter((name) => Object.hasOwn(other, name))
  return { ...one, ...other, ...Object.fromEntries(shared.map((name) => [name, { allOf: [one[name] ?? {}, other[name] ?? {}] }])) }
}
const keywordMerges = {
  properties: mergeProperties,
  required: (one, other) => [...new Set([...one, ...other])],
  enum: intersectValues,
  minimum: takeMost,
  exclusiveMinimum: takeMost,
  minLength: takeMost,
  minItems: takeMost,
  minProperties: takeMost,
  maximum: takeLeast,
  exclusiveMaximum: takeLeast,
  maxLength: takeLeast,
  maxItems: takeLeast,
  maxProperties: takeLeast,
  uniqueItems: () => true,
}
const isClosedObject = ({ additionalProperties }) => additionalProperties !== undefined && additionalProperties !== true
/** Members that one part declares are further ones to the other, which may have a word to say of them. */
const canMergeMembers = (one, other) =>
  [one, other].every((part) => !isClosedObject(part)) ||
  isEqualJson(Object.keys(one.properties ?? {}).sort(), Object.keys(other.properties ?? {}).sort())
function mergeTypes(one, other) {
  const [ours, theirs] = [getTypes(one), getTypes(other)]
  if (ours.length === 0 || theirs.length === 0) return {}
  const has = (types, type) => types.includes(type) || (type === 'integer' && types.includes('number'))
  const shared = [...new Set([...ours, ...theirs])].filter((type) => has(ours, type) && has(theirs, type))
  return shared.length === 0 ? { enum: [] } : { type: shared }
}
function mergePair(one, other) {
  if (!canMergeMembers(one, other)) return undefined
  const result = { ...one, ...other }
  for (const keyword of Object.keys(one).filter((name) => Object.hasOwn(other, name) && name !== 'type')) {
    if (isEqualJson(one[keyword], other[keyword])) continue
    const merge = getOwn(keywordMerges, keyword)
    if (merge === undefined) return undefined
    result[keyword] = merge(one[keyword], other[keyword])
  }
  return { ...result, ...mergeTypes(one, other) }
}
/** More parts within parts are not written down. */
const maxMergeDepth = 12
/** The parts, and the parts of those; undefined where they have no end. */
function flattenAllOf(parts, root, depth = 0) {
  if (depth > maxMergeDepth) return undefined
  const all = []
  for (const part of parts) {
    const { $defs: _, allOf, ...here } = unfoldSchema(part, root)
    const below = allOf === undefined ? [] : flattenAllOf(allOf, root, depth + 1)
    if (below === undefined) return undefined
    all.push(here, ...below)
  }
  return all
}
/** One schema with the values that all of the parts allow; undefined where that cannot be written down. */
export function mergeSchemas(parts, root) {
  let whole = {}
  for (const part of flattenAllOf(parts, root) ?? [undefined])
    whole = whole === undefined || part === undefined ? undefined : mergePair(whole, part)
  return whole
}
