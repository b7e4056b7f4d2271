/** Arrays and objects that a JSON Schema allows. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { getBound, neverSchema, type SchemaNode } from 'lapidary/internal'
import { toCanonicalText } from '../diff/canonical.ts'
import { isNeverSchema } from '../diff/subschema/unfold.ts'
import { getInstanceValidity } from '../diff/subschema/validateInstance.ts'
import { keepFitting } from './sample.ts'
import type { GenerateStyle } from './scalars.ts'
import { isTooLarge } from './valueSize.ts'

/** Undefined where no finite value exists. */
export type MaybeArbitrary = fc.Arbitrary<unknown> | undefined

/** How a schema was reached. */
export interface GenerateContext {
  /** Creates the arbitrary of a part. */
  readonly create: (node: SchemaNode, context: GenerateContext) => MaybeArbitrary
  /** How many references were followed. */
  readonly references: number
  readonly style: GenerateStyle
  /** The name of the member that the values belong to; undefined for a value that is no part of an object. */
  readonly name?: string
  /** How many values there may be within one. */
  readonly room: number
  /** How many times more values than necessary there may be within one: each array and record takes its share. */
  readonly growth: number
  /** How many parts of schemas may still be read, and how many of them tested by samples. */
  readonly budget: { left: number; tests: number }
}

/** Generated values contain optional members only after this many references at most. */
const maxFullReferences = 3

/** The usual most items of an array without bounds. */
const usualMaxItems = 4
/** The most members of a record besides those that are declared. */
const usualMaxKeys = 3

interface Size {
  readonly minLength: number
  readonly maxLength: number
}

/** Different values, as far as samples show them. */
function listDifferent<Value>(values: fc.Arbitrary<Value>, count: number): readonly Value[] {
  const samples = fc.sample(values, { numRuns: Math.max(50, Math.min(2_000, count * 20)), seed: 1 })
  return [...new Map(samples.map((value) => [toCanonicalText(value), value])).values()]
}

/** Arrays without an item twice; undefined where there are too few items. Where there are few, they are chosen from: chance would not end. */
function createUniqueArrays(items: fc.Arbitrary<unknown>, { minLength, maxLength }: Size): MaybeArbitrary {
  const different = listDifferent(items, minLength)
  if (different.length < minLength) return undefined
  if (different.length > 2 * maxLength) return fc.uniqueArray(items, { minLength, maxLength, selector: toCanonicalText })
  return fc.shuffledSubarray([...different], { minLength, maxLength: Math.min(maxLength, different.length) })
}

/** The arrays of a schema; undefined where none is found. */
export function createArrayArbitrary(node: SchemaNode, around: GenerateContext): MaybeArbitrary {
  const { contains, uniqueItems } = node.schema
  const [minItems, maxItems] = [getBound(node.schema.minItems, 0), getBound(node.schema.maxItems, Number.POSITIVE_INFINITY)]
  if (minItems > maxItems || isTooLarge(node.parts.items ?? node.parse(true), minItems)) return undefined
  const isShort = around.references > maxFullReferences
  const usual = Math.floor(Math.min(usualMaxItems, Math.max(1, minItems) * around.growth))
  const longest = isShort ? minItems : Math.max(minItems, Math.min(maxItems, Math.max(1, usual)))
  const growth = (around.growth * Math.max(1, minItems)) / Math.max(1, longest)
  const context: GenerateContext = { ...around, room: around.room / Math.max(1, minItems), growth }
  const { create } = context
  const declared = node.parts.prefixItems.slice(0, maxItems).map((place) => create(place, context))
  const missing = declared.indexOf(undefined)
  const places = (missing < 0 ? declared : declared.slice(0, missing)).filter((place) => place !== undefined)
  // After a place that no value fits there is nothing.
  const isCut = missing >= 0 || node.schema.items === false
  const rest = isCut ? undefined : create(node.parts.items ?? node.parse(true), context)
  const least = Math.max(0, minItems - places.length)
  const maxLength = Math.max(least, longest - places.length)
  if (rest === undefined && least > 0) return undefined
  // A reader of plain values wants to see items in an array.
  const isChosen = uniqueItems === true && places.length > 0
  const size = { minLength: context.style === 'plain' && !isChosen ? Math.max(least, Math.min(2, maxLength)) : least, maxLength }
  const others =
    rest &&
    (uniqueItems === true
      ? (createUniqueArrays(rest, size) ?? createUniqueArrays(rest, { ...size, minLength: least }))
      : fc.array(rest, size))
  if (others === undefined && least > 0) return undefined
  const found = contains === undefined ? undefined : createContained(node, context)
  const parts = [...(places.length === 0 ? [] : [fc.tuple(...places)]), ...(found === undefined ? [] : [found]), others ?? fc.constant([])]
  const joined =
    parts.length === 1 ? (others ?? fc.constant([])) : fc.tuple(...parts).map((all) => (all as unknown[][]).flat().slice(0, maxItems))
  if (!isChosen) return joined
  return keepFitting(joined, (value) => getInstanceValidity(node, value) !== 'no')
}

/** The items that `contains` asks for. */
function createContained(node: SchemaNode, context: GenerateContext): fc.Arbitrary<unknown[]> | undefined {
  const count = getBound(node.schema['minContains'], 1)
  if (count === 0) return undefined
  const contained = node.parse(node.schema['contains'] as JsonSchema | boolean)
  const items = node.parts.items === undefined ? contained : node.parse({ allOf: [contained.raw, node.parts.items.raw] })
  const values = context.create(items, { ...context, room: context.room / Math.max(1, count) })
  return values && fc.array(values, { minLength: count, maxLength: count })
}

type ObjectArbitrary = fc.Arbitrary<Readonly<Record<string, unknown>>>

/** The schema of a member: what is declared for its name, and what the patterns say that it matches. */
function getMember(node: SchemaNode, name: string): SchemaNode {
  const [one = node.parse(true), ...others] = node.members(name)
  return others.length === 0 ? one : node.parse({ allOf: [one, ...others].map(({ raw }) => raw) })
}

/** The names of further members; undefined where there may be none. */
function createFurtherNames(node: SchemaNode, context: GenerateContext): fc.Arbitrary<string> | undefined {
  const { propertyNames, rest } = node.parts
  const isOpen = rest === undefined || !isNeverSchema(rest.raw)
  const patterns = isOpen ? [] : Object.keys((node.schema['patternProperties'] ?? {}) as object)
  const matching = patterns
    .map((pattern) => context.create(node.parse({ type: 'string', pattern }), context))
    .filter((one) => one !== undefined)
  const own = propertyNames && context.create(node.parse({ allOf: [{ type: 'string' }, propertyNames.raw] }), context)
  const names = isOpen
    ? propertyNames === undefined
      ? fc.string({ maxLength: 8 })
      : own
    : matching.length === 0
      ? undefined
      : fc.oneof(...matching)
  return names?.filter((name) => typeof name === 'string') as fc.Arbitrary<string> | undefined
}

/** Further members, as many as are asked for; undefined where no such ones are found. */
function createFurtherMembers(node: SchemaNode, count: number, context: GenerateContext): ObjectArbitrary | undefined {
  const names = createFurtherNames(node, context)
  const different = names === undefined ? [] : listDifferent(names, count).filter((name) => !node.parts.properties.has(name))
  const members: [string, fc.Arbitrary<unknown>][] = []
  for (const name of different) {
    const isNamed = node.parts.propertyNames === undefined || getInstanceValidity(node.parts.propertyNames, name) !== 'no'
    const values = isNamed ? context.create(getMember(node, name), context) : undefined
    if (values !== undefined) members.push([name, values])
    if (members.length === count) return fc.record(Object.fromEntries(members), { noNullPrototype: true }) as ObjectArbitrary
  }
  return undefined
}

/** The objects of a schema; undefined where none is found. */
export function createObjectArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  const { properties, required, propertyNames, rest } = node.parts
  const [least, most] = [getBound(node.schema['minProperties'], 0), getBound(node.schema['maxProperties'], Number.POSITIVE_INFINITY)]
  if (least > most || new Set(required).size > most) return undefined
  const members: Record<string, fc.Arbitrary<unknown>> = Object.create(null)
  const isNamed = (name: string): boolean => propertyNames === undefined || getInstanceValidity(propertyNames, name) !== 'no'
  for (const name of new Set([...required, ...properties.keys()])) {
    const isRequired = required.includes(name)
    const isLeft = !isRequired && Object.keys(members).length >= most
    if (isLeft || (!isRequired && context.references > maxFullReferences && least === 0)) continue
    const values = isNamed(name) ? context.create(getMember(node, name), { ...context, name }) : undefined
    if (values !== undefined) members[name] = values
    else if (isRequired) return undefined
  }
  // The order in which the schema declares them is the order in which they are shown.
  const ordered = Object.fromEntries(
    [...new Set([...properties.keys(), ...required])].flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
  )
  const names = Object.keys(ordered)
  const requiredKeys = least > required.length ? names : required.filter((name) => name in members)
  const declared = fc.record(ordered, { requiredKeys, noNullPrototype: true }) as ObjectArbitrary
  if (names.length < least) {
    const further = createFurtherMembers(node, least - names.length, context)
    return further && fc.tuple(further, declared).map(([more, own]) => ({ ...more, ...own }))
  }
  const isRecord = typeof node.schema.additionalProperties === 'object' && rest !== undefined && rest.raw !== neverSchema
  if (!isRecord || context.references > maxFullReferences || names.length >= most) return declared
  const maxKeys = Math.max(1, Math.floor(Math.min(usualMaxKeys, most - names.length, context.growth)))
  const [furtherNames, values] = [createFurtherNames(node, context), context.create(rest, { ...context, growth: context.growth / maxKeys })]
  if (furtherNames === undefined || values === undefined) return declared
  const further = fc.dictionary(furtherNames, values, { maxKeys, noNullPrototype: true })
  return fc.tuple(further, declared).map(([more, own]) => ({ ...more, ...own }))
}
