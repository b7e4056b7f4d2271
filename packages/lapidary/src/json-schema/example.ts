/** Creates a value that a JSON Schema allows, for documentation. */
import { getFormatExample, listFormatExamples } from './formatExamples.ts'
import { findFirstIssue } from './invalidPlaces.ts'
import { getBound, getTypes, isJsonObject, type JsonSchema, maxFullReferences } from './jsonSchema.ts'
import { createPatternExamples } from './patternExample.ts'
import { compilePattern } from './patterns.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'

/** How a schema was reached. */
interface ExampleContext {
  /** The schemas that this one is a part of: a schema that contains itself ends here. */
  readonly above: readonly JsonSchema[]
  /** How many references were followed. */
  readonly references: number
  /** How many values and characters the whole example may still have. */
  readonly budget: { left: number }
}

/** A larger example helps no reader, and a schema can ask for a thousand million items. */
const maxExampleSize = 100_000

/** Deeper values are left out: the parts of `allOf` can make new parts without end. */
const maxExampleDepth = 100

const createContext = (): ExampleContext => ({ above: [], references: 0, budget: { left: maxExampleSize } })

/**
 * Creates a value that a schema allows: its own example or default, else a value of its first branch, else the plainest value of its type.
 * The value matches formats, bounds and patterns as far as possible. It may not match `uniqueItems` and `minProperties`. A schema with one
 * of these two needs its own example.
 *
 * @returns undefined where no finite value exists, or none of at most 100,000 values and characters
 * @example
 * ```ts
 * import { createExample } from 'lapidary/docs'
 *
 * createExample({ type: 'object', properties: { age: { type: 'integer' } } }) // { age: 42 }
 * ```
 */
export const createExample = (schema: JsonSchema): unknown => createExampleValue(parseSchema(schema), createContext())

/** The same for each branch of a union that has no example of its own. */
export function createBranchExamples(schema: JsonSchema): readonly unknown[] {
  const node = parseSchema(schema)
  const branches = getStatedValues(node).some((value) => value !== undefined) ? undefined : node.parts.branches
  return (branches ?? [node]).map((branch) => createExampleValue(branch, createContext())).filter((value) => value !== undefined)
}

/** The values that a schema states itself. A keyword beside a reference takes precedence over one behind it. */
const getStatedValues = ({ raw, schema }: SchemaNode): readonly unknown[] => [
  ...(raw.examples ?? []),
  raw.default,
  ...(schema.examples ?? []),
  schema.default,
  schema.const,
  schema.enum?.[0],
]

function createExampleValue(node: SchemaNode, context: ExampleContext): unknown {
  const { raw, schema, types, parts } = node
  // A default may have the type that a handler reads, not the type in the JSON text.
  const stated = getStatedValues(node).find((value) => value !== undefined && findFirstIssue(node, value) === undefined)
  if (stated !== undefined) return stated
  const { above, budget } = context
  budget.left -= 1 + getBound(schema['minLength'], 0)
  if (budget.left < 0 || above.length >= maxExampleDepth || above.includes(schema)) return undefined
  const below = { above: [...above, schema], references: context.references + (raw === schema ? 0 : 1), budget }
  if (schema.allOf !== undefined) return createAllOfExample(node, below)
  if (parts.branches !== undefined) return createFirstExample(parts.branches, below)
  const type = types[0] ?? (schema.properties === undefined ? 'any' : 'object')
  return exampleMakers.get(type)?.(node, below)
}

type ExampleMaker = (node: SchemaNode, context: ExampleContext) => unknown

const exampleMakers: ReadonlyMap<string, ExampleMaker> = new Map<string, ExampleMaker>([
  ['string', ({ schema }) => createExampleText(schema)],
  ['integer', ({ schema }) => createExampleNumber(schema)],
  ['number', ({ schema }) => createExampleNumber(schema)],
  ['boolean', () => true],
  ['null', () => null],
  ['array', createExampleArray],
  ['object', createExampleObject],
  ['any', ({ schema }) => (schema['not'] === undefined ? createExampleText(schema) : undefined)],
])

function createFirstExample(branches: readonly SchemaNode[], context: ExampleContext): unknown {
  for (const branch of branches) {
    const value = createExampleValue(branch, context)
    if (value !== undefined) return value
  }
  return undefined
}

/** An object with the members of all parts, or one value within the bounds of all parts. */
function createAllOfExample(node: SchemaNode, context: ExampleContext): unknown {
  const { allOf: _, ...own } = node.schema
  const parts = own.properties === undefined ? node.parts.allOf : [node.parse(own), ...node.parts.allOf]
  const values = parts.map((part) => createExampleValue(part, context))
  if (values.includes(undefined)) return undefined
  if (values.every(isJsonObject)) return Object.assign({}, ...values)
  const all = parts.map(({ schema }) => schema)
  const patterns = [own, ...node.parts.allOf.map(({ schema }) => schema)].flatMap(({ pattern }) =>
    typeof pattern === 'string' ? [pattern] : [],
  )
  if (patterns.length > 1) return createExampleText(Object.assign({}, own, ...all), [...new Set(patterns)])
  return createExampleValue(node.parse(Object.assign({}, own, ...node.parts.allOf.map(({ schema }) => schema))), context)
}

function createExampleArray(node: SchemaNode, context: ExampleContext): unknown {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = node.schema
  const places = node.parts.prefixItems.length || 1
  const length = context.references > maxFullReferences ? minItems : Math.min(Math.max(minItems, places), maxItems)
  const values: unknown[] = []
  while (values.length < length) {
    const value = createExampleValue(node.item(values.length) ?? node.parse(true), context)
    if (value === undefined) break
    values.push(value)
  }
  return values.length < minItems ? undefined : values
}

function createExampleObject(node: SchemaNode, context: ExampleContext): unknown {
  const { properties = {}, additionalProperties } = node.schema
  const { required, propertyNames } = node.parts
  const any = node.parse(true)
  const members: [string, unknown][] = []
  for (const name of new Set([...Object.keys(properties), ...required])) {
    const isRequired = required.includes(name)
    if (!isRequired && context.references > maxFullReferences) continue
    const value = createExampleValue(node.member(name) ?? any, context)
    if (value !== undefined) members.push([name, value])
    else if (isRequired) return undefined
  }
  if (typeof additionalProperties === 'object' && node.schema.properties === undefined && members.length === 0) {
    const name = createExampleValue(propertyNames ?? any, context)
    const value = createExampleValue(node.parse(additionalProperties), context)
    if (typeof name === 'string' && value !== undefined) members.push([name, value])
  }
  // fromEntries defines members, so that `__proto__` is a name like any other.
  return Object.fromEntries(members)
}

const usualExampleNumber = 42

/** The number nearest to the usual one within the inclusive bounds `low` and `high` and the exclusive bounds `above` and `below`. */
function pickBetween(low: number, high: number, above: number, below: number): number {
  const near = Math.min(Math.max(usualExampleNumber, low), high)
  if (near > above && near < below) return near
  // One step inside, or halfway where there is no room for a step.
  const inside = near <= above ? Math.min(above + 1, high) : Math.max(below - 1, low)
  return inside > above && inside < below ? inside : (Math.max(low, above) + Math.min(high, below)) / 2
}

/** 42 where the schema allows it, else an allowed number near it: `minimum`, `maximum`, both exclusive bounds and `multipleOf`. */
function createExampleNumber(schema: JsonSchema): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  const low = getBound(minimum, Number.NEGATIVE_INFINITY)
  const high = getBound(maximum, Number.POSITIVE_INFINITY)
  const above = getBound(exclusiveMinimum, Number.NEGATIVE_INFINITY)
  const below = getBound(exclusiveMaximum, Number.POSITIVE_INFINITY)
  const step = getBound(multipleOf, getTypes(schema).includes('integer') ? 1 : 0)
  if (step === 0) return pickBetween(low, high, above, below)
  // Counted in steps, every bound is a whole number that is allowed itself.
  const first = Math.max(Math.ceil(low / step), Math.floor(above / step) + 1)
  const last = Math.min(Math.floor(high / step), Math.ceil(below / step) - 1)
  return Math.min(Math.max(Math.floor(usualExampleNumber / step), first), last) * step
}

const exampleWord = 'text'

/** The texts that are tried on a pattern: short ones, then one of each format, then some that are made for it. */
const patternCandidates: readonly string[] = ['a', 'A', '1', ...listFormatExamples()]

/** A repetition within a repetition: `(a+b?)*`. On a text that does not match, JavaScript may try every way to divide it. */
const nestedRepetition = /[*+}][^()]*\)(?:[*+]|\{)/

/** No longer text is tried on a pattern with a repetition within a repetition: each further character can double the time. */
const maxNestedLength = 20

/**
 * A text of the schema's format; without one, `text`, repeated or cut to the length that the schema asks for. Where that text does not match
 * the patterns, it is the first candidate that does, if any.
 */
function createExampleText(
  schema: JsonSchema,
  patterns: readonly string[] = typeof schema['pattern'] === 'string' ? [schema['pattern']] : [],
): string {
  const { format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const [least, most] = [Number(minLength), Number(maxLength)]
  const plain = getFormatExample(format) ?? exampleWord.padEnd(least, exampleWord).slice(0, most)
  const forms = patterns.map(compilePattern)
  const isRight = (text: string): boolean =>
    forms.every((form) => form?.test(text) !== false) && text.length >= least && text.length <= most
  const isNested = patterns.some((pattern) => nestedRepetition.test(pattern))
  const tried = [plain, ...(patterns.length === 0 ? [] : [plain.toUpperCase(), ...patternCandidates])]
  const usual = tried.find((text) => !(isNested && text.length > maxNestedLength) && isRight(text))
  if (usual !== undefined) return usual
  const made = patterns.map(createPatternExamples)
  // What begins with one text, contains another and ends with a third has all of them, in this or another order.
  const orders = [made, made.toReversed(), ...made.map((_, index) => [...made.slice(index), ...made.slice(0, index)])]
  const joined = orders.flatMap((order) =>
    (order[0] ?? []).map((_, index) => order.map((texts) => texts[index % texts.length] ?? '').join('')),
  )
  const padded = [...made.flat(), ...joined].flatMap((text) => [text, text.padEnd(least, exampleWord), text.padStart(least, exampleWord)])
  return padded.find(isRight) ?? plain
}
