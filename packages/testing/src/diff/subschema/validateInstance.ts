/**
 * Validates a value against a JSON Schema with three results: valid, invalid, and unknown, where the schema says what the toolkit does not
 * read.
 */
import type { JsonSchema } from 'lapidary'
import {
  compilePattern,
  describeSchema,
  encodePointerStep,
  hasType,
  isJsonObject,
  isOutOfBounds,
  neverSchema,
  type SchemaNode,
} from 'lapidary/internal'
import { ignoredKeywords, isEqualJson, isOneOf, toCanonicalText } from '../canonical.ts'
import { spendSteps } from './budget.ts'
import { hasFormat } from './formats.ts'
import { isUnresolved, unfold } from './unfold.ts'

/** Why a value is invalid. */
export interface InstanceIssue {
  /** JSON Pointer into the value. */
  readonly pointer: string
  /** `missing`: a required member is absent. `further`: a member that may not be there. `value`: it is there, and wrong. */
  readonly kind: 'missing' | 'further' | 'value'
  /** What is expected there: `an integer, at most 9`. */
  readonly expected: string
}

/** Undefined: the value is valid. */
export type Validity = InstanceIssue | 'unknown' | undefined

/** The keywords that are read. What a schema with others allows is unknown. */
const supportedKeywords: ReadonlySet<string> = new Set([
  ...ignoredKeywords,
  ...['$defs', '$ref', 'additionalProperties', 'allOf', 'anyOf', 'const', 'contains', 'definitions', 'dependentRequired'],
  ...['dependentSchemas', 'else', 'enum', 'exclusiveMaximum', 'exclusiveMinimum', 'format', 'if', 'items', 'maxContains', 'maxItems'],
  ...['maxLength', 'maxProperties', 'maximum', 'minContains', 'minItems', 'minLength', 'minProperties', 'minimum', 'multipleOf', 'not'],
  ...['oneOf', 'pattern', 'patternProperties', 'prefixItems', 'properties', 'propertyNames', 'required', 'then', 'type', 'uniqueItems'],
])

/** Whether all keywords of a schema are read. */
const isReadWhole = (schema: JsonSchema): boolean => Object.keys(schema).every((keyword) => supportedKeywords.has(keyword))

/** Parts within parts that are about one value are read down to this depth. */
const maxPartDepth = 64

const formatBoundCount = (count: unknown, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const boundWords: readonly (readonly [keyword: string, words: (bound: unknown) => string])[] = [
  ['minimum', (bound) => `at least ${bound}`],
  ['maximum', (bound) => `at most ${bound}`],
  ['exclusiveMinimum', (bound) => `more than ${bound}`],
  ['exclusiveMaximum', (bound) => `less than ${bound}`],
  ['multipleOf', (bound) => `a multiple of ${bound}`],
  ['minLength', (bound) => `of at least ${formatBoundCount(bound, 'character')}`],
  ['maxLength', (bound) => `of at most ${formatBoundCount(bound, 'character')}`],
  ['pattern', (bound) => `like ${bound}`],
  ['format', (bound) => `of the format ${bound}`],
  ['minItems', (bound) => `of at least ${formatBoundCount(bound, 'item')}`],
  ['maxItems', (bound) => `of at most ${formatBoundCount(bound, 'item')}`],
  ['minProperties', (bound) => `of at least ${formatBoundCount(bound, 'member')}`],
  ['maxProperties', (bound) => `of at most ${formatBoundCount(bound, 'member')}`],
  ['uniqueItems', () => 'no item twice'],
]

/** Whether a bound informs a reader: not that of any integer, and not a pattern that only spells a format out. */
function isInformativeBound(schema: JsonSchema, keyword: string): boolean {
  const bound = schema[keyword]
  if (keyword === 'pattern') return bound !== undefined && schema.format === undefined
  return bound !== undefined && Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER
}

/** What a schema asks for, its bounds included. */
function describeExpected(node: SchemaNode): string {
  const { schema, values, parts } = node
  const words =
    values === undefined
      ? boundWords.flatMap(([keyword, word]) => (isInformativeBound(schema, keyword) ? [word(schema[keyword])] : []))
      : []
  const what = describeSchema(node)
  return [parts.branches !== undefined && what === 'an object' ? 'an object in one of the declared forms' : what, ...words].join(', ')
}

/** The first issue; else whether anything is unknown. */
function combineAll(all: Iterable<Validity>): Validity {
  let unknown: Validity
  for (const one of all) {
    if (typeof one === 'object') return one
    unknown ??= one
  }
  return unknown
}

/** One of them has to be valid. */
function combineAnyOf(all: readonly Validity[], issue: InstanceIssue): Validity {
  if (all.includes(undefined)) return undefined
  return all.includes('unknown') ? 'unknown' : issue
}

/** Exactly one of them has to be valid. */
function combineOneOf(all: readonly Validity[], issue: InstanceIssue): Validity {
  const [fitting, unsure] = [undefined, 'unknown'].map((verdict) => all.filter((one) => one === verdict).length)
  if ((fitting ?? 0) > 1) return issue
  if ((unsure ?? 0) > 0) return 'unknown'
  return fitting === 1 ? undefined : issue
}

/** Libraries differ in the multiples of a step that no binary number is exactly, such as a tenth. */
function isMultiple(value: number, step: number): boolean | 'unknown' {
  const quotient = value / step
  if (!Number.isFinite(quotient)) return 'unknown'
  if (Number.isInteger(quotient))
    return Number.isInteger(step) || Number.isInteger(step * 2 ** 20) || quotient === 0 || quotient === 1 || 'unknown'
  return Math.abs(quotient - Math.round(quotient)) < 1e-6 ? 'unknown' : false
}

/** Whether this engine reads a pattern. */
const isReadablePattern = (pattern: string): boolean => compilePattern(pattern) !== undefined

function isBeyondBounds(schema: JsonSchema, value: unknown): boolean | 'unknown' {
  if (isOutOfBounds(schema, value)) return true
  const { format, multipleOf, uniqueItems, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  if (typeof value === 'string') {
    const has = format === undefined ? true : hasFormat(format, value)
    if (has === false) return true
    return has === undefined || (typeof schema['pattern'] === 'string' && !isReadablePattern(schema['pattern'])) ? 'unknown' : false
  }
  if (typeof value === 'number') {
    const isRight = typeof multipleOf !== 'number' || isMultiple(value, multipleOf)
    return isRight === 'unknown' ? isRight : !isRight
  }
  if (Array.isArray(value)) return uniqueItems === true && new Set(value.map(toCanonicalText)).size < value.length
  if (!isJsonObject(value)) return false
  const count = Object.keys(value).length
  return count < Number(minProperties) || count > Number(maxProperties)
}

function* checkKeywords(node: SchemaNode, value: unknown, pointer: string, depth: number): Generator<Validity> {
  if (isUnresolved(node)) return yield 'unknown'
  const { raw, types, parts } = node
  const wrong: InstanceIssue = {
    pointer,
    kind: 'value',
    // Written only where it is read: the description of many values is a long text.
    get expected() {
      return describeExpected(node)
    },
  }
  if (raw.const !== undefined && !isEqualJson(raw.const, value)) yield wrong
  if (raw.enum !== undefined && !isOneOf(raw.enum, value)) yield wrong
  // Libraries differ in whole numbers that a binary float does not hold exactly.
  if (types.length > 0 && !types.some((type) => hasType(value, type)))
    yield types.includes('integer') && Number.isInteger(value) ? 'unknown' : wrong
  const beyond = isBeyondBounds(raw, value)
  if (beyond === true) yield wrong
  if (beyond === 'unknown' || !isReadWhole(raw)) yield 'unknown'
  const validatePart = (part: SchemaNode): Validity => validateInstance(part, value, pointer, depth + 1)
  const validateAll = (all: readonly JsonSchema[]): readonly Validity[] => all.map((part) => validatePart(node.parse(part)))
  if (raw.anyOf !== undefined) yield combineAnyOf(validateAll(raw.anyOf), wrong)
  if (raw.oneOf !== undefined) yield combineOneOf(validateAll(raw.oneOf), wrong)
  for (const part of parts.allOf) yield validatePart(part)
  if (typeof raw['not'] === 'object') {
    const excluded = validatePart(node.parse(raw['not'] as JsonSchema))
    if (excluded === undefined || excluded === 'unknown') yield excluded ?? wrong
  }
  yield* checkConditions(raw, value, wrong, (part) => validatePart(node.parse(part)))
  if (Array.isArray(value)) yield* checkItems(node, value, pointer, wrong)
  else if (isJsonObject(value)) yield* checkMembers(node, value, pointer)
}

type PartSchemas = Readonly<Record<string, JsonSchema | boolean>>

/** The parts that count only where another part or a member is there. */
function* checkConditions(
  raw: JsonSchema,
  value: unknown,
  wrong: InstanceIssue,
  validatePart: (part: JsonSchema | boolean) => Validity,
): Generator<Validity> {
  const [condition, matching = true, otherwise = true] = ['if', 'then', 'else'].map((keyword) => raw[keyword] as JsonSchema | undefined)
  if (condition !== undefined) {
    const met = validatePart(condition)
    const [then, or] = [validatePart(matching), validatePart(otherwise)]
    if (met === 'unknown')
      yield typeof then === 'object' && typeof or === 'object' ? wrong : then === undefined && or === undefined ? undefined : met
    else yield met === undefined ? then : or
  }
  if (!isJsonObject(value)) return
  const { dependentRequired = {}, dependentSchemas = {} } = raw as Readonly<Record<string, object>>
  for (const [name, names] of Object.entries(dependentRequired as Readonly<Record<string, readonly string[]>>))
    if (Object.hasOwn(value, name) && !names.every((one) => Object.hasOwn(value, one))) yield wrong
  for (const [name, part] of Object.entries(dependentSchemas as PartSchemas)) if (Object.hasOwn(value, name)) yield validatePart(part)
}

function* checkItems(node: SchemaNode, value: readonly unknown[], pointer: string, wrong: InstanceIssue): Generator<Validity> {
  for (const [index, one] of value.entries()) {
    const item = node.item(index)
    const at = `${pointer}/${index}`
    if (item?.raw === neverSchema) yield { pointer: at, kind: 'further', expected: 'no such item' }
    else if (item !== undefined) yield validateInstance(item, one, at)
  }
  const { contains, minContains = 1, maxContains = Number.POSITIVE_INFINITY } = node.raw
  if (contains === undefined) return
  const found = value.map((one) => validateInstance(node.parse(contains as JsonSchema | boolean), one))
  const [sure, unsure] = [undefined, 'unknown'].map((verdict) => found.filter((one) => one === verdict).length) as [number, number]
  if (sure + unsure < Number(minContains) || sure > Number(maxContains)) yield wrong
  else if (sure < Number(minContains) || sure + unsure > Number(maxContains)) yield 'unknown'
}

/** The schemas of the patterns that a name matches; `unknown` where this engine does not read one. */
export function* listMatchingParts(node: SchemaNode, name: string): Generator<SchemaNode | 'unknown'> {
  for (const [pattern, part] of Object.entries((node.raw['patternProperties'] ?? {}) as PartSchemas))
    if (!isReadablePattern(pattern)) yield 'unknown'
    else if (compilePattern(pattern)?.test(name)) yield node.parse(part)
}

function* checkMembers(node: SchemaNode, value: Readonly<Record<string, unknown>>, pointer: string): Generator<Validity> {
  const { raw, parts } = node
  for (const name of parts.required)
    if (!Object.hasOwn(value, name)) {
      const expected = describeExpected(parts.properties.get(name) ?? node.parse(true))
      yield { pointer: pointer + encodePointerStep(name), kind: 'missing', expected }
    }
  for (const [name, one] of Object.entries(value)) {
    const at = pointer + encodePointerStep(name)
    const matching = [...listMatchingParts(node, name)]
    const declared = raw.properties !== undefined && Object.hasOwn(raw.properties, name) ? parts.properties.get(name) : undefined
    const further = matching.length === 0 ? node.parse(raw.additionalProperties ?? true) : undefined
    for (const member of [declared ?? further, ...matching])
      if (member === 'unknown') yield member
      else if (member?.raw === neverSchema) yield { pointer: at, kind: 'further', expected: 'no such member' }
      else if (member !== undefined) yield validateInstance(member, one, at)
    if (parts.propertyNames !== undefined) yield validateInstance(parts.propertyNames, name, at)
  }
}

/** Whether a value is valid: undefined where it is, the first issue where it is not, `unknown` where the schema does not tell. */
export function validateInstance(node: SchemaNode, value: unknown, pointer = '', depth = 0): Validity {
  spendSteps()
  // A schema that is a part of itself says nothing more of the value.
  return depth > maxPartDepth ? 'unknown' : combineAll(checkKeywords(unfold(node), value, pointer, depth))
}
