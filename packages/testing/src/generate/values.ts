/** Values that a JSON Schema allows, as fast-check generates them: varied, repeatable by a seed, and shrinking towards the plainest. */
import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { createExample } from 'lapidary/docs'
import { annotationKeywords, getBound, getKeywordKind, parseSchema, type SchemaNode, splitTypes } from 'lapidary/internal'
import { mergeSchemas } from '../diff/subschema/mergeSchemas.ts'
import { isNeverSchema, unfold } from '../diff/subschema/unfold.ts'
import { getInstanceValidity } from '../diff/subschema/validateInstance.ts'
import { createArrayArbitrary, createObjectArbitrary, type GenerateContext, type MaybeArbitrary } from './containers.ts'
import { keepFitting } from './sample.ts'
import { createNumberArbitrary, createTextArbitrary, type GenerateStyle } from './scalars.ts'
import { getGrowth } from './valueSize.ts'

/** A schema of larger values is left alone: it may come from anywhere. */
const maxNestedValues = 2_500
const maxSchemaParts = 2_000
const maxTestedParts = 100

/** After more references nothing is generated: a schema that requires itself has no finite value. */
const maxReferences = 12
/** Only this many of the values that a schema lists are chosen from: hundreds of thousands of arguments would overflow the stack. */
const maxChoices = 10_000

/** One of at least one value. */
const chooseFrom = (values: readonly unknown[]): fc.Arbitrary<unknown> => fc.constantFrom(...values.slice(0, maxChoices))

/** Whether nothing says that a value is none of the schema. What the toolkit does not read, the schema's own library judges. */
const mayBeValid = (node: SchemaNode, value: unknown): boolean => getInstanceValidity(node, value) !== 'no'

/** The values that a schema states itself and allows. */
const getStatedValues = (node: SchemaNode): readonly unknown[] =>
  [...(node.schema.examples ?? []), node.schema.default].filter((value) => value !== undefined && mayBeValid(node, value))

function createPartArbitrary(part: SchemaNode, context: GenerateContext): MaybeArbitrary {
  context.budget.left -= 1
  if (context.budget.left < 0 || context.room < 1) return undefined
  const below = part.raw.$ref === undefined ? context : { ...context, references: context.references + 1 }
  if (below.references > maxReferences) return undefined
  const node = unfold(part)
  const stated = getStatedValues(node)
  const any = createFormArbitrary(node, below)
  if (stated.length === 0) return any
  const statedOnes = chooseFrom(stated)
  return any === undefined ? statedOnes : fc.oneof({ arbitrary: any, weight: 4 }, { arbitrary: statedOnes, weight: 1 })
}

/** Keywords that restrict a type: a schema without a type has values of that one, mostly. */
const typeKeywords: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'required', 'patternProperties', 'propertyNames', 'additionalProperties', 'minProperties', 'maxProperties']],
  ['object', ['dependentRequired', 'dependentSchemas', 'unevaluatedProperties']],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems', 'unevaluatedItems']],
  ['string', ['format', 'pattern', 'minLength', 'maxLength']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

const inferType = (schema: JsonSchema): string => typeKeywords.find(([, keywords]) => keywords.some((one) => one in schema))?.[0] ?? 'any'

/** Keywords of which values are made first, and tested then. */
const testedKeywords = [
  'allOf',
  'contains',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'not',
  'oneOf',
  'patternProperties',
  'propertyNames',
]

function createFormArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  const made = createUntestedArbitrary(node, context)
  const { schema } = node
  const isUnion = schema.anyOf !== undefined && Object.keys(omitAnnotations(schema)).length > 1
  if (made === undefined || context.budget.tests === 0 || !(isUnion || testedKeywords.some((keyword) => keyword in schema))) return made
  context.budget.tests -= 1
  const fits = (value: unknown): boolean => mayBeValid(node.parse(schema), value)
  const fitting = keepFitting(made, fits)
  if (fitting !== undefined || context.style === 'odd') return fitting
  // Plain values are much alike.
  const others = createUntestedArbitrary(node, { ...context, style: 'odd' })
  return others && keepFitting(others, fits)
}

const omitAnnotations = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword]) => !(keyword.startsWith('$') || annotationKeywords.has(keyword) || getKeywordKind(keyword) === 'definitions'),
    ),
  )

function createUntestedArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  const { schema, values, types } = node
  const allowed = values?.filter((value) => mayBeValid(node, value))
  if (allowed !== undefined) return allowed.length === 0 ? undefined : chooseFrom(allowed)
  if (schema.allOf !== undefined) return createAllOfArbitrary(node, context)
  const branches = listBranches(node)
  if (branches !== undefined) return createUnionArbitrary(branches, context)
  if (types.length > 1) return createUnionArbitrary(splitTypes(node), context)
  return arbitraryMakers.get(types[0] ?? inferType(schema))?.(node, context)
}

/** The alternatives of a schema, each with the keywords beside them; undefined where it has none. */
function listBranches(node: SchemaNode): readonly SchemaNode[] | undefined {
  const { anyOf, oneOf, if: condition, then: matching = {}, else: otherwise = {}, ...own } = node.schema
  const isBare = Object.keys(omitAnnotations(own)).length === 0
  const withOwn = (...parts: readonly unknown[]): SchemaNode =>
    parts.length === 1 && isBare ? node.parse(parts[0] as JsonSchema) : node.parse({ allOf: [own, ...(parts as JsonSchema[])] })
  const branches = anyOf ?? oneOf
  if (branches !== undefined)
    return branches.map((branch) => (anyOf !== undefined && oneOf !== undefined ? withOwn(branch, { oneOf }) : withOwn(branch)))
  if (condition === undefined) return undefined
  return [withOwn(condition, matching), withOwn(otherwise)]
}

type ArbitraryMaker = (node: SchemaNode, context: GenerateContext) => MaybeArbitrary

const arbitraryMakers: ReadonlyMap<string, ArbitraryMaker> = new Map<string, ArbitraryMaker>([
  [
    'string',
    ({ schema }, { style, name }) =>
      getBound(schema['minLength'], 0) > maxNestedValues ? undefined : createTextArbitrary(schema, style, name),
  ],
  ['integer', ({ schema }, { style }) => createNumberArbitrary(schema, style)],
  ['number', ({ schema }, { style }) => createNumberArbitrary(schema, style)],
  ['boolean', () => fc.boolean()],
  ['null', () => fc.constant(null)],
  ['array', createArrayArbitrary],
  ['object', createObjectArbitrary],
  ['any', (node) => (isNeverSchema(node.schema) ? undefined : fc.jsonValue({ maxDepth: 2 }))],
])

function createUnionArbitrary(branches: readonly SchemaNode[], context: GenerateContext): MaybeArbitrary {
  const possible = branches.map((branch) => createPartArbitrary(branch, context)).filter((one) => one !== undefined)
  return possible.length === 0 ? undefined : fc.oneof(...possible)
}

/** Whether several parts of an object say something of one member, so that each restricts the value of the others. */
function haveSharedMembers(parts: readonly SchemaNode[]): boolean {
  const names = parts.flatMap(({ schema: { properties = {}, required = [] } }) => [...new Set([...Object.keys(properties), ...required])])
  return new Set(names).size < names.length
}

/** Values of the parts as one schema, or of the part that is most likely to have values of all. */
function createAllOfArbitrary(node: SchemaNode, context: GenerateContext): MaybeArbitrary {
  const { allOf = [], ...own } = node.schema
  const parts = [...(Object.keys(omitAnnotations(own)).length === 0 ? [] : [node.parse(own)]), ...allOf.map((part) => node.parse(part))]
  // A schema that is a part of itself has parts without end.
  const below = { ...context, references: context.references + 0.5 }
  const areObjects = parts.every(({ types, schema }) => types.includes('object') && schema.allOf === undefined)
  const merged = areObjects && !haveSharedMembers(parts) ? undefined : mergeSchemas(parts)
  if (areObjects && merged === undefined) {
    const objects = parts.map((part) => createPartArbitrary(part, below))
    if (!objects.every((one) => one !== undefined)) return undefined
    return fc.tuple(...objects).map((values) => Object.assign({}, ...(values as object[])))
  }
  return createPartArbitrary(node.parse(merged ?? Object.assign({}, own, ...node.parts.allOf.map(({ schema }) => schema))), below)
}

/** The example that documents show, where nothing else is found: a text of a format such as `jwt`, or of a pattern with a lookahead. */
function createExampleArbitrary(schema: JsonSchema, fits: (value: unknown) => boolean): MaybeArbitrary {
  const example = createExample(schema)
  return example === undefined || !fits(example) ? undefined : fc.constant(example)
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
  const values = createPartArbitrary(node, {
    create: createPartArbitrary,
    references: 0,
    style,
    room: maxNestedValues,
    growth: getGrowth(node),
    budget: { left: maxSchemaParts, tests: maxTestedParts },
  })
  const fits = (value: unknown): boolean => mayBeValid(node, value) && isRight(value)
  return (values && keepFitting(values, fits)) ?? (root === schema ? createExampleArbitrary(schema, fits) : undefined)
}
