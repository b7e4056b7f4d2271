/** Values of one JSON Schema that may be none of another: those at its bounds and beyond the other's, and some at random. */
import * as fc from 'fast-check'
import { getMembers, getTypes, isJsonObject } from 'lapidary/internal'
import { createArbitrary } from '../../generate/values.js'
import { getOwn } from '../change.js'
import { spendSteps } from './budget.js'
import { unfoldSchema } from './compareContext.js'

/** Deeper than this only what comes at random is tried. */
const maxCandidateDepth = 5
/** Longer texts and lists are not written out. */
const maxCandidateLength = 2_000
const getJsonLength = (value) => (JSON.stringify(value) ?? '').length
/** What was made before: the parts of a union are held against each of another's. */
const sampleCache = new WeakMap()
/** Values as they come, always the same ones; the plainest first. */
export function sampleSchema(schema, root) {
  const ofRoot = sampleCache.get(root) ?? new WeakMap()
  sampleCache.set(root, ofRoot)
  const found = ofRoot.get(schema) ?? drawSamples(schema, root)
  ofRoot.set(schema, found)
  return found
}
function drawSamples(schema, root) {
  spendSteps(100)
  const values = createArbitrary(schema, undefined, 'odd', root)
  const found = values === undefined ? [] : fc.sample(values, { numRuns: 40, seed: 1 })
  spendSteps(found.reduce((sum, value) => sum + getJsonLength(value), 0) / 20)
  return found.sort((one, other) => getJsonLength(one) - getJsonLength(other))
}
const getNumberKeywords = (keywords, ...schemas) =>
  schemas.flatMap((schema) => keywords.map((keyword) => schema[keyword]).filter((bound) => typeof bound === 'number'))
function createNumberCandidates(a, b) {
  const bounds = getNumberKeywords(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], a, b)
  return [
    0,
    1,
    -1,
    0.5,
    1.5,
    1e15,
    -1e15,
    1e16,
    -1e16,
    ...bounds.flatMap((bound) => [bound, bound - 1, bound + 1, bound - 0.5, bound + 0.5]),
  ]
}
function createTextCandidates(a, b) {
  const lengths = getNumberKeywords(['minLength', 'maxLength'], a, b).flatMap((bound) => [bound, bound - 1, bound + 1])
  return ['', 'text', 'a', ...lengths.filter((length) => length >= 0 && length <= maxCandidateLength).map((length) => 'x'.repeat(length))]
}
function* createArrayCandidates(a, b, base, roots, depth) {
  const itemIn = ({ prefixItems = [], items }, index) => {
    const item = prefixItems[index] ?? items
    return typeof item === 'object' ? item : {}
  }
  const places = Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0)
  for (let index = 0; index <= places; index += 1) {
    for (const item of createCandidates(itemIn(a, index), itemIn(b, index), roots, depth + 1)) {
      yield [...base.slice(0, index), item, ...base.slice(index + 1)]
      if (index === 0) yield* [[item], [item, item]]
    }
  }
  const items = sampleSchema(itemIn(a, places), roots[0])
  const lengths = getNumberKeywords(['minItems', 'maxItems'], a, b).flatMap((bound) => [bound, bound - 1, bound + 1])
  for (const length of lengths.filter((one) => one >= 0 && one <= maxCandidateLength))
    yield Array.from({ length }, (_, index) => base[index] ?? items[index % Math.max(1, items.length)] ?? null)
}
function* createObjectCandidates(a, b, base, roots, depth) {
  const [from, to] = [getMembers(a), getMembers(b)]
  const below = (name) => getOwn(from.properties, name) ?? (typeof from.rest === 'object' ? from.rest : {})
  const read = (name) => getOwn(to.properties, name) ?? (typeof to.rest === 'object' ? to.rest : {})
  const declared = Object.keys(from.properties)
  yield Object.fromEntries(Object.entries(base).filter(([name]) => from.required.includes(name)))
  for (const name of Object.keys(base).filter((one) => !from.required.includes(one)))
    yield Object.fromEntries(Object.entries(base).filter(([one]) => one !== name))
  const isOpen = from.rest === true || typeof from.rest === 'object'
  for (const name of [...declared, ...(isOpen ? [...Object.keys(to.properties), 'further'] : [])])
    for (const value of createCandidates(below(name), read(name), roots, depth + 1)) yield { ...base, [name]: value }
}
/** Parts that hold together are tried each by itself, on top of what all of them allow. */
const splitBranches = (schema) => {
  const { anyOf, oneOf, allOf, ...own } = schema
  const branches = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])]
  return branches.length === 0 ? [schema] : Object.keys(own).length === 0 ? branches : branches.map((branch) => ({ ...own, ...branch }))
}
function* createTypeCandidates(a, b, base, roots, depth) {
  if (a.const !== undefined || a.enum !== undefined) return yield* a.enum ?? [a.const]
  const types = getTypes(a)
  const may = (...names) => types.length === 0 || names.some((name) => types.includes(name))
  if (may('null')) yield null
  if (may('boolean')) yield* [true, false]
  if (may('number', 'integer')) yield* createNumberCandidates(a, b)
  if (may('string')) yield* createTextCandidates(a, b)
  if (may('array')) yield* createArrayCandidates(a, b, Array.isArray(base) ? base : [], roots, depth)
  if (may('object')) {
    yield* createObjectCandidates(a, b, isJsonObject(base) ? base : {}, roots, depth)
  }
}
/** Values that the first schema may allow and the second may not; some are of neither. */
export function* createCandidates(one, other, roots, depth = 0) {
  const [a, b] = [unfoldSchema(one, roots[0]), unfoldSchema(other, roots[1])]
  spendSteps()
  if (depth > maxCandidateDepth) return
  const values = sampleSchema(a, roots[0])
  const base = values[0]
  for (const part of splitBranches(a)) {
    const here = unfoldSchema(part, roots[0])
    // Of a part by itself there may be values that stand closer to it.
    const own = part === a ? base : (sampleSchema(here, roots[0])[0] ?? base)
    for (const counterpart of splitBranches(b)) yield* createTypeCandidates(here, unfoldSchema(counterpart, roots[1]), own, roots, depth)
  }
  yield* values
}
