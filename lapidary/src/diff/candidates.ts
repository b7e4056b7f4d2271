/** Values of one JSON Schema that may be none of another: those at its bounds and beyond the other's, and some at random. */
import * as fc from 'fast-check'
import { isObject, type JsonSchema, membersOf, typesOf } from '../describe/jsonSchema.ts'
import { valuesOf } from '../generate/values.ts'
import { own } from './change.ts'
import { unfolded } from './unfolded.ts'
import type { Way } from './way.ts'
import { spend } from './work.ts'

type Roots = Way['roots']

/** Deeper than this only what comes at random is tried. */
const deepest = 5
/** Longer texts and lists are not written out. */
const longest = 2_000

const lengthOf = (value: unknown): number => (JSON.stringify(value) ?? '').length

/** What was made before: the parts of a union are held against each of another's. */
const known = new WeakMap<JsonSchema, WeakMap<JsonSchema, readonly unknown[]>>()

/** Values as they come, always the same ones; the plainest first. */
export function sampled(schema: JsonSchema, root: JsonSchema): readonly unknown[] {
  const ofRoot = known.get(root) ?? new WeakMap<JsonSchema, readonly unknown[]>()
  known.set(root, ofRoot)
  const found = ofRoot.get(schema) ?? made(schema, root)
  ofRoot.set(schema, found)
  return found
}

function made(schema: JsonSchema, root: JsonSchema): readonly unknown[] {
  spend(100)
  const values = valuesOf(schema, undefined, 'odd', root)
  const found = values === undefined ? [] : fc.sample(values, { numRuns: 40, seed: 1 })
  spend(found.reduce<number>((sum, value) => sum + lengthOf(value), 0) / 20)
  return found.sort((one, other) => lengthOf(one) - lengthOf(other))
}

const numbersIn = (keywords: readonly string[], ...schemas: readonly JsonSchema[]): readonly number[] =>
  schemas.flatMap((schema) => keywords.map((keyword) => schema[keyword]).filter((bound) => typeof bound === 'number'))

function numbers(a: JsonSchema, b: JsonSchema): readonly unknown[] {
  const bounds = numbersIn(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], a, b)
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

function texts(a: JsonSchema, b: JsonSchema): readonly unknown[] {
  const lengths = numbersIn(['minLength', 'maxLength'], a, b).flatMap((bound) => [bound, bound - 1, bound + 1])
  return ['', 'text', 'a', ...lengths.filter((length) => length >= 0 && length <= longest).map((length) => 'x'.repeat(length))]
}

function* lists(a: JsonSchema, b: JsonSchema, base: readonly unknown[], roots: Roots, depth: number): Generator<unknown> {
  const itemIn = ({ prefixItems = [], items }: JsonSchema, index: number): JsonSchema => {
    const item = prefixItems[index] ?? items
    return typeof item === 'object' ? item : {}
  }
  const places = Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0)
  for (let index = 0; index <= places; index += 1) {
    for (const item of candidates(itemIn(a, index), itemIn(b, index), roots, depth + 1)) {
      yield [...base.slice(0, index), item, ...base.slice(index + 1)]
      if (index === 0) yield* [[item], [item, item]]
    }
  }
  const items = sampled(itemIn(a, places), roots[0])
  const lengths = numbersIn(['minItems', 'maxItems'], a, b).flatMap((bound) => [bound, bound - 1, bound + 1])
  for (const length of lengths.filter((one) => one >= 0 && one <= longest))
    yield Array.from({ length }, (_, index) => base[index] ?? items[index % Math.max(1, items.length)] ?? null)
}

type Members = Readonly<Record<string, unknown>>

function* objects(a: JsonSchema, b: JsonSchema, base: Members, roots: Roots, depth: number): Generator<unknown> {
  const [from, to] = [membersOf(a), membersOf(b)]
  const below = (name: string): JsonSchema => own(from.properties, name) ?? (typeof from.rest === 'object' ? from.rest : {})
  const read = (name: string): JsonSchema => own(to.properties, name) ?? (typeof to.rest === 'object' ? to.rest : {})
  const declared = Object.keys(from.properties)
  yield Object.fromEntries(Object.entries(base).filter(([name]) => from.required.includes(name)))
  for (const name of Object.keys(base).filter((one) => !from.required.includes(one)))
    yield Object.fromEntries(Object.entries(base).filter(([one]) => one !== name))
  const isOpen = from.rest === true || typeof from.rest === 'object'
  for (const name of [...declared, ...(isOpen ? [...Object.keys(to.properties), 'further'] : [])])
    for (const value of candidates(below(name), read(name), roots, depth + 1)) yield { ...base, [name]: value }
}

/** Parts that hold together are tried each by itself, on top of what all of them allow. */
const partsOf = (schema: JsonSchema): readonly JsonSchema[] => {
  const { anyOf, oneOf, allOf, ...own } = schema
  const branches = [...(anyOf ?? []), ...(oneOf ?? []), ...(allOf ?? [])]
  return branches.length === 0 ? [schema] : Object.keys(own).length === 0 ? branches : branches.map((branch) => ({ ...own, ...branch }))
}

function* ofOne(a: JsonSchema, b: JsonSchema, base: unknown, roots: Roots, depth: number): Generator<unknown> {
  if (a.const !== undefined || a.enum !== undefined) return yield* a.enum ?? [a.const]
  const types = typesOf(a)
  const may = (...names: readonly string[]): boolean => types.length === 0 || names.some((name) => types.includes(name))
  if (may('null')) yield null
  if (may('boolean')) yield* [true, false]
  if (may('number', 'integer')) yield* numbers(a, b)
  if (may('string')) yield* texts(a, b)
  if (may('array')) yield* lists(a, b, Array.isArray(base) ? base : [], roots, depth)
  if (may('object')) {
    yield* objects(a, b, isObject(base) ? base : {}, roots, depth)
  }
}

/** Values that the first schema may allow and the second may not; some are of neither. */
export function* candidates(one: JsonSchema, other: JsonSchema, roots: Roots, depth = 0): Generator<unknown> {
  const [a, b] = [unfolded(one, roots[0]), unfolded(other, roots[1])]
  spend()
  if (depth > deepest) return
  const values = sampled(a, roots[0])
  const base = values[0]
  for (const part of partsOf(a)) {
    const here = unfolded(part, roots[0])
    // Of a part by itself there may be values that stand closer to it.
    const own = part === a ? base : (sampled(here, roots[0])[0] ?? base)
    for (const counterpart of partsOf(b)) yield* ofOne(here, unfolded(counterpart, roots[1]), own, roots, depth)
  }
  yield* values
}
