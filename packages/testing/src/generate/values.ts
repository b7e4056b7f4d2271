/** Values that a JSON Schema allows, as fast-check generates them: varied, repeatable by a seed, and shrinking towards the plainest. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { isValid, maxFullReferences, parseSchema, type SchemaNode, splitTypes } from 'lapidary/internal'
import { createNumberArbitrary, createTextArbitrary, type GenerateStyle } from './scalars.ts'

/** How a schema was reached. */
interface GenerateContext {
  /** How many references were followed. */
  readonly references: number
  readonly style: GenerateStyle
  /** How many values there may be within one. */
  readonly room: number
  /** How many parts of schemas may still be read. */
  readonly budget: { left: number }
}

/** A schema of larger values is left alone: it may come from anywhere. */
const maxNestedValues = 2_500
const maxSchemaParts = 2_000

/** Undefined where no finite value exists. */
type MaybeArbitrary = fc.Arbitrary<unknown> | undefined

/** Behind more references nothing is generated: a schema that requires itself has no finite value. */
const maxReferences = 12
/** The usual most items of an array without bounds. */
const usualMaxItems = 4

/** Only this many of the values that a schema lists are chosen from: hundreds of thousands of arguments would overflow the stack. */
const maxChoices = 10_000

/** One of at least one value. */
const chooseFrom = (values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values.slice(0, maxChoices))

/** The values that a schema states itself and allows. */
const getStatedValues = (node: SchemaNode): readonly unknown[] =>
  [...(node.schema.examples ?? []), node.schema.default].filter((value) => value !== undefined && isValid(node, value))

function createPartArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  context.budget.left -= 1
  if (context.budget.left < 0 || context.room < 1) return undefined
  const below = node.raw === node.schema ? context : { ...context, references: context.references + 1 }
  if (below.references > maxReferences) return undefined
  const stated = getStatedValues(node)
  const any = createFormArbitrary(node, below)
  if (stated.length === 0) return any
  const statedOnes = chooseFrom(stated)
  return any === undefined ? statedOnes : fc.oneof({ arbitrary: any, weight: 4 }, { arbitrary: statedOnes, weight: 1 })
}

function createFormArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  const { schema, parts, values, types } = node
  if (schema.allOf !== undefined) return createAllOfArbitrary(node, context)
  if (parts.branches !== undefined) return createUnionArbitrary(parts.branches, context)
  if (values !== undefined) return values.length === 0 ? undefined : chooseFrom(values)
  if (types.length > 1) return createUnionArbitrary(splitTypes(node), context)
  const type = types[0] ?? (schema.properties === undefined ? 'any' : 'object')
  return arbitraryMakers.get(type)?.(node, context)
}

type ArbitraryMaker = (node: SchemaNode, context: GenerateContext) => MaybeArbitrary

const arbitraryMakers: ReadonlyMap<string, ArbitraryMaker> = new Map<string, ArbitraryMaker>([
  [
    'string',
    ({ schema }, { style }) => (Number(schema['minLength'] ?? 0) > maxNestedValues ? undefined : createTextArbitrary(schema, style)),
  ],
  ['integer', ({ schema }, { style }) => createNumberArbitrary(schema, style)],
  ['number', ({ schema }, { style }) => createNumberArbitrary(schema, style)],
  ['boolean', () => fc.boolean()],
  ['null', () => fc.constant(null)],
  ['array', createArrayArbitrary],
  ['object', createObjectArbitrary],
  ['any', ({ schema }) => (schema['not'] === undefined ? fc.jsonValue({ maxDepth: 2 }) : undefined)],
])

function createUnionArbitrary(branches: readonly SchemaNode[], context: GenerateContext): MaybeArbitrary {
  const possible = branches.map((branch) => createPartArbitrary(branch, context)).filter((one) => one !== undefined)
  return possible.length === 0 ? undefined : fc.oneof(...possible)
}

/** Objects with the members of all parts, or values within the bounds of all parts. */
function createAllOfArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  const { allOf: _, ...own } = node.schema
  const parts = own.properties === undefined ? node.parts.allOf : [node.parse(own), ...node.parts.allOf]
  if (!parts.every(({ types }) => types.includes('object')))
    return createPartArbitrary(node.parse(Object.assign({}, own, ...node.parts.allOf.map(({ schema }) => schema))), context)
  const arbitraries = parts.map((part) => createPartArbitrary(part, context))
  return arbitraries.every((one) => one !== undefined)
    ? fc.tuple(...arbitraries).map((values) => Object.assign({}, ...(values as object[])))
    : undefined
}

function createArrayArbitrary(node: SchemaNode, around: GenerateContext): MaybeArbitrary {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = node.schema
  const context: GenerateContext = { ...around, room: around.room / Math.max(1, minItems) }
  const places = node.parts.prefixItems.map((place) => createPartArbitrary(place, context))
  const rest = items === false ? undefined : createPartArbitrary(node.parts.items ?? node.parse(true), context)
  const isShort = context.references > maxFullReferences
  const least = Math.max(0, minItems - places.length)
  const longest = isShort ? minItems : Math.max(minItems, Math.min(maxItems, usualMaxItems))
  if (!places.every((place) => place !== undefined)) return minItems === 0 ? fc.constant([]) : undefined
  const maxLength = Math.max(least, longest - places.length)
  // A reader of plain values wants to see items in an array.
  const size = { minLength: context.style === 'plain' ? Math.max(least, Math.min(2, maxLength)) : least, maxLength }
  const others =
    rest === undefined
      ? least > 0
        ? undefined
        : fc.constant([])
      : node.schema['uniqueItems'] === true
        ? fc.uniqueArray(rest, { ...size, selector: (item) => JSON.stringify(item) })
        : fc.array(rest, size)
  if (others === undefined || places.length === 0) return others
  return fc.tuple(fc.tuple(...places), others).map(([first, more]) => [...first, ...more])
}

function createObjectArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  const { properties, required, propertyNames } = node.parts
  const any = node.parse(true)
  const members: Record<string, fc.Arbitrary<unknown>> = Object.create(null)
  for (const name of new Set([...properties.keys(), ...required])) {
    const isRequired = required.includes(name)
    if (!isRequired && context.references > maxFullReferences) continue
    const values = createPartArbitrary(node.member(name) ?? any, context)
    if (values !== undefined) members[name] = values
    else if (isRequired) return undefined
  }
  const declared = fc.record(members, { requiredKeys: required.filter((name) => name in members), noNullPrototype: true })
  const { rest } = node.parts
  if (rest === undefined || typeof node.schema.additionalProperties !== 'object' || context.references > maxFullReferences) return declared
  const [names, values] = [createPartArbitrary(propertyNames ?? any, context), createPartArbitrary(rest, context)]
  const named = propertyNames === undefined ? fc.string({ maxLength: 8 }) : names?.filter((name) => typeof name === 'string')
  if (named === undefined || values === undefined) return declared
  const further = fc.dictionary(named as fc.Arbitrary<string>, values, { maxKeys: 3, noNullPrototype: true })
  return fc.tuple(further, declared).map(([more, own]) => ({ ...more, ...own }))
}

/**
 * Creates the arbitrary of the values that a schema allows, bounds and formats included, its examples among them.
 *
 * @param isRight what the values have to be besides
 * @param style `odd` values are unusual ones, to find faults; `plain` ones are for people to read
 * @param root the document that references start from
 * @returns undefined where no finite value exists, or none can be found
 */
export function createArbitrary(
  schema: JsonSchema,
  isRight: (value: unknown) => boolean = () => true,
  style: GenerateStyle = 'odd',
  root: JsonSchema = schema,
): fc.Arbitrary<unknown> | undefined {
  const node = parseSchema(schema, root)
  const values = createPartArbitrary(node, { references: 0, style, room: maxNestedValues, budget: { left: maxSchemaParts } })
  if (values === undefined) return undefined
  const isSound = (value: unknown): boolean => isValid(node, value) && isRight(value)
  // A filter that no value passes would never end.
  const sound = fc.sample(values, { numRuns: 100, seed: 1 }).filter(isSound)
  if (sound.length === 0) return undefined
  return sound.length < 10 ? fc.constantFrom(...sound) : values.filter(isSound)
}
