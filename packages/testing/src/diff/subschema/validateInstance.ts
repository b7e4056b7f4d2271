/** Holds a value against a JSON Schema, and admits it where there is no telling. */

import type { JsonSchema } from 'lapidary'
import {
  describeSchema,
  encodePointerStep,
  getMembers,
  getTypes,
  hasType,
  isJsonObject,
  isOutOfBounds,
  resolveSchema,
} from 'lapidary/internal'
import { ignoredKeywords, isEqualJson, isOneOf, toCanonicalText } from '../canonical.ts'
import { getOwn } from '../change.ts'
import { spendSteps } from './budget.ts'
import { unfoldSchema } from './compareContext.ts'
import { hasFormat } from './formats.ts'

/** Why a value is none of a schema. */
export interface InstanceIssue {
  /** JSON Pointer. */
  readonly pointer: string
  /** `missing`: a member that is needed. `further`: one that nobody declared. `value`: it is there, and wrong. */
  readonly kind: 'missing' | 'further' | 'value'
  /** What is asked for there: `an integer of at most 9`. */
  readonly expected: string
}

/** Undefined: it fits. */
export type Validity = InstanceIssue | 'unknown' | undefined

/** What is looked into. Where a schema says more, nobody can tell. */
const supportedKeywords: ReadonlySet<string> = new Set([
  ...ignoredKeywords,
  ...['$defs', '$ref', 'additionalProperties', 'allOf', 'anyOf', 'const', 'definitions', 'enum', 'exclusiveMaximum', 'exclusiveMinimum'],
  ...['format', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength', 'minProperties', 'minimum'],
  ...['multipleOf', 'not', 'oneOf', 'pattern', 'prefixItems', 'properties', 'propertyNames', 'required', 'type', 'uniqueItems'],
])

/** The keywords of a schema that nobody here understands. */
export const listUnknownKeywords = (schema: JsonSchema): readonly string[] =>
  Object.keys(schema).filter((keyword) => !supportedKeywords.has(keyword))

/** So many parts within parts are looked into, of one value. */
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

/** Whether people learn something from a bound: not where it is that of any whole number, or a pattern that spells a format out. */
function isInformativeBound(schema: JsonSchema, keyword: string): boolean {
  const bound = schema[keyword]
  if (keyword === 'pattern') return bound !== undefined && schema.format === undefined
  return bound !== undefined && Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER
}

/** What a schema asks for, its bounds included. */
export function describeExpected(schema: JsonSchema, root: JsonSchema): string {
  const here = resolveSchema(schema, root)
  const told = here.const === undefined && here.enum === undefined
  const words = told ? boundWords.flatMap(([keyword, word]) => (isInformativeBound(here, keyword) ? [word(here[keyword])] : [])) : []
  const what = describeSchema(here, root)
  return [(here.anyOf ?? here.oneOf) && what === 'an object' ? 'an object in one of the declared forms' : what, ...words].join(', ')
}

/** The first flaw; else whether anything is unknown. */
function combineAll(all: Iterable<Validity>): Validity {
  let unknown: Validity
  for (const one of all) {
    if (typeof one === 'object') return one
    unknown ??= one
  }
  return unknown
}

/** One of them is enough. */
function combineAnyOf(all: readonly Validity[], flaw: InstanceIssue): Validity {
  if (all.includes(undefined)) return undefined
  return all.includes('unknown') ? 'unknown' : flaw
}

/** Exactly one of them has to hold. */
function combineOneOf(all: readonly Validity[], flaw: InstanceIssue): Validity {
  const [fitting, unsure] = [undefined, 'unknown'].map((verdict) => all.filter((one) => one === verdict).length)
  if ((fitting ?? 0) > 1) return flaw
  if ((unsure ?? 0) > 0) return 'unknown'
  return fitting === 1 ? undefined : flaw
}

/** Of what no number in base two is exactly, such as a tenth, libraries differ in what its multiples are. */
function isMultiple(value: number, step: number): boolean | 'unknown' {
  const quotient = value / step
  if (Number.isInteger(quotient))
    return Number.isInteger(step) || Number.isInteger(step * 2 ** 20) || quotient === 0 || quotient === 1 || 'unknown'
  return Math.abs(quotient - Math.round(quotient)) < 1e-6 ? 'unknown' : false
}

/** Whether the text is a pattern that this engine reads. */
function isReadablePattern(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

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

function* checkKeywords(here: JsonSchema, value: unknown, root: JsonSchema, pointer: string, depth: number): Generator<Validity> {
  const wrong: InstanceIssue = {
    pointer,
    kind: 'value',
    // Written only where it is read: of many names it is a long text.
    get expected() {
      return describeExpected(here, root)
    },
  }
  const types = getTypes(here)
  if (here.const !== undefined && !isEqualJson(here.const, value)) yield wrong
  if (here.enum !== undefined && !isOneOf(here.enum, value)) yield wrong
  if (types.length > 0 && !types.some((type) => hasType(value, type))) yield wrong
  const beyond = isBeyondBounds(here, value)
  if (beyond === true) yield wrong
  if (beyond === 'unknown' || listUnknownKeywords(here).length > 0 || here.$ref !== undefined) yield 'unknown'
  const below = (part: JsonSchema): Validity => validateInstance(part, value, root, pointer, depth + 1)
  if (here.anyOf !== undefined) yield combineAnyOf(here.anyOf.map(below), wrong)
  if (here.oneOf !== undefined) yield combineOneOf(here.oneOf.map(below), wrong)
  for (const part of here.allOf ?? []) yield below(part)
  if (typeof here['not'] === 'object') {
    const excluded = below(here['not'] as JsonSchema)
    if (excluded === undefined || excluded === 'unknown') yield excluded ?? wrong
  }
  if (Array.isArray(value)) yield* checkItems(here, value, root, pointer)
  else if (isJsonObject(value)) yield* checkMembers(here, value, root, pointer)
}

function* checkItems(here: JsonSchema, value: readonly unknown[], root: JsonSchema, pointer: string): Generator<Validity> {
  for (const [index, one] of value.entries()) {
    const item = here.prefixItems?.[index] ?? here.items
    const at = `${pointer}/${index}`
    if (item === false) yield { pointer: at, kind: 'further', expected: 'no such item' }
    else if (typeof item === 'object') yield validateInstance(item, one, root, at)
  }
}

function* checkMembers(here: JsonSchema, value: Readonly<Record<string, unknown>>, root: JsonSchema, pointer: string): Generator<Validity> {
  const { properties, required, rest } = getMembers(here)
  for (const name of required)
    if (!Object.hasOwn(value, name))
      yield {
        pointer: pointer + encodePointerStep(name),
        kind: 'missing',
        expected: describeExpected(getOwn(properties, name) ?? {}, root),
      }
  for (const [name, one] of Object.entries(value)) {
    const at = pointer + encodePointerStep(name)
    const member = Object.hasOwn(properties, name) ? properties[name] : rest
    if (member === false) yield { pointer: at, kind: 'further', expected: 'no such member' }
    else if (typeof member === 'object') yield validateInstance(member, one, root, at)
    if (here.propertyNames !== undefined) yield validateInstance(here.propertyNames, name, root, at)
  }
}

/** Whether a value is one of a schema: undefined where it is, the first flaw where it is not, `unknown` where the schema says what nobody here knows. */
export function validateInstance(schema: JsonSchema, value: unknown, root: JsonSchema = schema, pointer = '', depth = 0): Validity {
  spendSteps()
  // A schema that is a part of itself says nothing more of the value.
  return depth > maxPartDepth ? 'unknown' : combineAll(checkKeywords(unfoldSchema(schema, root), value, root, pointer, depth))
}
