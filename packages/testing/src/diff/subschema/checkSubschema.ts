/** Whether every value of one JSON Schema is a value of another; and if not, a value that is not. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { compilePattern, isJsonObject, neverSchema, type SchemaNode } from 'lapidary/internal'
import { createArbitrary } from '../../generate/values.ts'
import { limitSteps, spendSteps } from './budget.ts'
import { isSubschema } from './isSubschema.ts'
import { unfold } from './unfold.ts'
import { getInstanceValidity, type InstanceIssue, validateInstance } from './validateInstance.ts'
import { isWrittenValue } from './writtenValues.ts'

/** The result of a comparison. */
export type SubschemaResult =
  | { readonly is: 'yes' }
  | {
      readonly is: 'no'
      /** A value of the first schema that is none of the second. */
      readonly instance: unknown
      /** Where in the value, and why. */
      readonly flaw: InstanceIssue
    }
  | { readonly is: 'unknown' }

/** How many values are tried. */
const maxTries = 3_000
/** The most steps of trying them. */
const maxSearchSteps = 200_000

/**
 * Compares two schemas: yes where a proof is found, no with the plainest counterexample that is found, else unknown. Where a schema does
 * not mention further members, a writer leaves them out and a reader drops them.
 */
export function checkSubschema(one: SchemaNode, other: SchemaNode): SubschemaResult {
  if (isSubschema(one, other)) return { is: 'yes' }
  return limitSteps(maxSearchSteps, () => findCounterexample(one, other), { is: 'unknown' })
}

/** The plainest value of the first schema that is none of the second, of those that are tried. */
function findCounterexample(one: SchemaNode, other: SchemaNode): SubschemaResult {
  let best: { readonly instance: unknown; readonly flaw: InstanceIssue; readonly weight: number } | undefined
  for (const instance of limitCandidates(one, other)) {
    if (best !== undefined && weighInstance(instance) >= best.weight) continue
    if (getInstanceValidity(other, instance) !== 'no' || getInstanceValidity(one, instance) !== 'yes') continue
    if (!isWrittenValue(one, instance)) continue
    const flaw = validateInstance(other, instance)
    if (typeof flaw === 'object') best = { instance, flaw, weight: weighInstance(instance) }
  }
  return best === undefined ? { is: 'unknown' } : { is: 'no', instance: best.instance, flaw: best.flaw }
}

/** There may be very many constructed candidates. */
function* limitCandidates(one: SchemaNode, other: SchemaNode): Generator<unknown> {
  let left = maxTries
  for (const candidate of createCandidates(one, other)) {
    if (left === 0) break
    left -= 1
    yield candidate
  }
  yield* sampleSchema(unfold(one))
}

/** Short values tell more; of equally long ones, those of letters and digits. */
const weighInstance = (value: unknown): number => {
  const text = JSON.stringify(value) ?? ''
  return text.length + (/^[\w\s"{}[\]:,.@-]*$/.test(text) ? 0 : 20)
}

/** Deeper parts have only random candidates. */
const maxCandidateDepth = 5
/** Longer texts and arrays are not constructed. */
const maxCandidateLength = 2_000

const getJsonLength = (value: unknown): number => (JSON.stringify(value) ?? '').length

/** Samples that were drawn before: each branch of a union is compared with each branch of another. */
const sampleCache = new WeakMap<SchemaNode, readonly unknown[]>()

/** Random values of a schema, always the same ones; the plainest first. */
export function sampleSchema(node: SchemaNode): readonly unknown[] {
  const found = sampleCache.get(node) ?? drawSamples(node)
  sampleCache.set(node, found)
  return found
}

function drawSamples({ raw, root }: SchemaNode): readonly unknown[] {
  spendSteps(100)
  const values = createArbitrary(raw, undefined, 'odd', root)
  const found = values === undefined ? [] : fc.sample(values, { numRuns: 40, seed: 1 })
  spendSteps(found.reduce<number>((sum, value) => sum + getJsonLength(value), 0) / 20)
  return found.sort((one, other) => getJsonLength(one) - getJsonLength(other))
}

const getNumberKeywords = (keywords: readonly string[], ...schemas: readonly JsonSchema[]): readonly number[] =>
  schemas.flatMap((schema) => keywords.map((keyword) => schema[keyword]).filter((bound) => typeof bound === 'number'))

function createNumberCandidates(a: JsonSchema, b: JsonSchema): readonly unknown[] {
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

/** The lengths at the bounds of two schemas. */
const listLengths = (keywords: readonly string[], a: SchemaNode, b: SchemaNode): readonly number[] =>
  getNumberKeywords(keywords, a.raw, b.raw)
    .flatMap((bound) => [bound, bound - 1, bound + 1])
    .filter((length) => length >= 0 && length <= maxCandidateLength)

const createTextCandidates = (a: SchemaNode, b: SchemaNode): readonly unknown[] => [
  '',
  'text',
  'a',
  ...listLengths(['minLength', 'maxLength'], a, b).map((length) => 'x'.repeat(length)),
]

function* createArrayCandidates(a: SchemaNode, b: SchemaNode, base: readonly unknown[], depth: number): Generator<unknown> {
  const getItem = (node: SchemaNode, index: number): SchemaNode => {
    const item = node.item(index)
    return item === undefined || item.raw === neverSchema ? node.parse(true) : item
  }
  const places = Math.max(a.parts.prefixItems.length, b.parts.prefixItems.length)
  // Lengths come first: the items of any type have more candidates than are tried.
  const [item, counterpart] = [getItem(a, places), getItem(b, places)]
  const items = sampleSchema(item)
  const plainest = findPlainest(item, counterpart, depth + 1)
  for (const length of listLengths(['minItems', 'maxItems'], a, b)) {
    yield Array.from({ length }, () => plainest)
    yield Array.from({ length }, (_, index) => base[index] ?? items[index % Math.max(1, items.length)] ?? null)
  }
  yield* createContainedArrays(a, b, item, depth)
  for (let index = 0; index <= places; index += 1) {
    for (const item of createCandidates(getItem(a, index), getItem(b, index), depth + 1)) {
      yield [...base.slice(0, index), item, ...base.slice(index + 1)]
      if (index === 0) yield* [[item], [item, item]]
    }
  }
}

/** So many candidates of a part are weighed to find the plainest. */
const maxPlainCandidates = 30

/** The plainest value of a schema among the first candidates; null where none of these fits. */
function findPlainest(node: SchemaNode, other: SchemaNode, depth: number): unknown {
  const values: unknown[] = []
  for (const candidate of createCandidates(node, other, depth)) {
    if (values.length === maxPlainCandidates) break
    values.push(candidate)
  }
  const fitting = values.filter((value) => getInstanceValidity(node, value) === 'yes')
  return fitting.reduce((best, value) => (weighInstance(value) < weighInstance(best) ? value : best), fitting[0] ?? null)
}

/** Arrays of as many items that `contains` counts as its bounds allow, or one more or less. */
function* createContainedArrays(a: SchemaNode, b: SchemaNode, item: SchemaNode, depth: number): Generator<unknown> {
  const contained = a.raw['contains'] ?? b.raw['contains']
  const lengths = listLengths(['minContains', 'maxContains'], a, b)
  if (contained === undefined || lengths.length === 0) return
  const counted = (a.raw['contains'] === undefined ? b : a).parse(contained as JsonSchema | boolean)
  const plainest = findPlainest(item.parse({ allOf: [item.raw, counted.raw] }), counted, depth + 1)
  for (const length of lengths) yield Array.from({ length }, () => plainest)
}

type ObjectValue = Readonly<Record<string, unknown>>

/** Names that rules about names often exclude. */
const oddNames: readonly string[] = ['', 'A', '0', 'x'.repeat(65)]

/** A name for each pattern of further members. */
const listMatchingNames = (node: SchemaNode): readonly string[] =>
  Object.keys(node.schema['patternProperties'] ?? {})
    .filter((pattern) => compilePattern(pattern) !== undefined)
    .flatMap((pattern) =>
      sampleSchema(node.parse({ type: 'string', pattern }))
        .slice(0, 1)
        .map(String),
    )

function* createObjectCandidates(a: SchemaNode, b: SchemaNode, base: ObjectValue, depth: number): Generator<unknown> {
  const getMember = (node: SchemaNode, name: string): SchemaNode => {
    const member = node.member(name)
    return member === undefined || member.raw === neverSchema ? node.parse(true) : member
  }
  const { properties, required, rest } = a.parts
  yield Object.fromEntries(Object.entries(base).filter(([name]) => required.includes(name)))
  for (const name of Object.keys(base).filter((one) => !required.includes(one)))
    yield Object.fromEntries(Object.entries(base).filter(([one]) => one !== name))
  // An object that declares no member is an open record.
  const isOpen = rest === undefined ? a.raw.properties === undefined : rest.raw !== neverSchema
  const others = isOpen
    ? [...b.parts.properties.keys(), ...listMatchingNames(b), ...(b.raw.propertyNames === undefined ? [] : oddNames), 'further']
    : []
  for (const name of [...properties.keys(), ...others])
    for (const value of createCandidates(getMember(a, name), getMember(b, name), depth + 1)) yield { ...base, [name]: value }
}

/** The branches and parts of a schema, each by itself with the keywords beside them. */
function splitBranches(node: SchemaNode): readonly SchemaNode[] {
  const { anyOf = [], oneOf = [], allOf = [], ...own } = node.raw
  const branches = [...anyOf, ...oneOf, ...allOf]
  if (branches.length === 0) return [node]
  return branches.map((branch) => node.parse(Object.keys(own).length === 0 ? branch : { ...own, ...branch }))
}

function* createTypeCandidates(a: SchemaNode, b: SchemaNode, base: unknown, depth: number): Generator<unknown> {
  const { raw, types } = a
  if (raw.const !== undefined || raw.enum !== undefined) return yield* raw.enum ?? [raw.const]
  const may = (...names: readonly string[]): boolean => types.length === 0 || names.some((name) => types.includes(name))
  if (may('null')) yield null
  if (may('boolean')) yield* [true, false]
  if (may('number', 'integer')) yield* createNumberCandidates(raw, b.raw)
  if (may('string')) yield* createTextCandidates(a, b)
  if (may('array')) yield* createArrayCandidates(a, b, Array.isArray(base) ? base : [], depth)
  if (may('object')) yield* createObjectCandidates(a, b, isJsonObject(base) ? base : {}, depth)
}

/** Values that the first schema may allow and the second may not, at the bounds of both and at random. Some fit neither. */
export function* createCandidates(one: SchemaNode, other: SchemaNode, depth = 0): Generator<unknown> {
  const [a, b] = [unfold(one), unfold(other)]
  spendSteps()
  if (depth > maxCandidateDepth) return
  const values = sampleSchema(a)
  const base = values[0]
  for (const part of splitBranches(a)) {
    const here = unfold(part)
    // A part by itself may have values that are closer to it.
    const own = part === a ? base : (sampleSchema(here)[0] ?? base)
    for (const counterpart of splitBranches(b)) yield* createTypeCandidates(here, unfold(counterpart), own, depth)
  }
  yield* values
  // Few values meet a condition by chance.
  if (isJsonObject(b.raw['if'])) yield* sampleSchema(a.parse({ allOf: [a.raw, b.raw['if'] as JsonSchema] }))
}
