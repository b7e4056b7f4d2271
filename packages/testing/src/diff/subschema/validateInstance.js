/** Holds a value against a JSON Schema, and admits it where there is no telling. */
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
import { ignoredKeywords, isEqualJson, isOneOf, toCanonicalText } from '../canonical.js'
import { getOwn } from '../change.js'
import { spendSteps } from './budget.js'
import { unfoldSchema } from './compareContext.js'
import { hasFormat } from './formats.js'

/** What is looked into. Where a schema says more, nobody can tell. */
const supportedKeywords = new Set([
  ...ignoredKeywords,
  ...['$defs', '$ref', 'additionalProperties', 'allOf', 'anyOf', 'const', 'definitions', 'enum', 'exclusiveMaximum', 'exclusiveMinimum'],
  ...['format', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength', 'minProperties', 'minimum'],
  ...['multipleOf', 'not', 'oneOf', 'pattern', 'prefixItems', 'properties', 'propertyNames', 'required', 'type', 'uniqueItems'],
])
/** The keywords of a schema that nobody here understands. */
export const listUnknownKeywords = (schema) => Object.keys(schema).filter((keyword) => !supportedKeywords.has(keyword))
/** So many parts within parts are looked into, of one value. */
const maxPartDepth = 64
const formatBoundCount = (count, one) => `${count} ${one}${count === 1 ? '' : 's'}`
const boundWords = [
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
function isInformativeBound(schema, keyword) {
  const bound = schema[keyword]
  if (keyword === 'pattern') return bound !== undefined && schema.format === undefined
  return bound !== undefined && Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER
}
/** What a schema asks for, its bounds included. */
export function describeExpected(schema, root) {
  const here = resolveSchema(schema, root)
  const told = here.const === undefined && here.enum === undefined
  const words = told ? boundWords.flatMap(([keyword, word]) => (isInformativeBound(here, keyword) ? [word(here[keyword])] : [])) : []
  const what = describeSchema(here, root)
  return [(here.anyOf ?? here.oneOf) && what === 'an object' ? 'an object in one of the declared forms' : what, ...words].join(', ')
}
/** The first flaw; else whether anything is unknown. */
function combineAll(all) {
  let unknown
  for (const one of all) {
    if (typeof one === 'object') return one
    unknown ??= one
  }
  return unknown
}
/** One of them is enough. */
function combineAnyOf(all, flaw) {
  if (all.includes(undefined)) return undefined
  return all.includes('unknown') ? 'unknown' : flaw
}
/** Exactly one of them has to hold. */
function combineOneOf(all, flaw) {
  const [fitting, unsure] = [undefined, 'unknown'].map((verdict) => all.filter((one) => one === verdict).length)
  if ((fitting ?? 0) > 1) return flaw
  if ((unsure ?? 0) > 0) return 'unknown'
  return fitting === 1 ? undefined : flaw
}
/** Of what no number in base two is exactly, such as a tenth, libraries differ in what its multiples are. */
function isMultiple(value, step) {
  const quotient = value / step
  if (Number.isInteger(quotient))
    return Number.isInteger(step) || Number.isInteger(step * 2 ** 20) || quotient === 0 || quotient === 1 || 'unknown'
  return Math.abs(quotient - Math.round(quotient)) < 1e-6 ? 'unknown' : false
}
/** Whether the text is a pattern that this engine reads. */
function isReadablePattern(pattern) {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}
function isBeyondBounds(schema, value) {
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
function* checkKeywords(here, value, root, pointer, depth) {
  const wrong = {
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
  const below = (part) => validateInstance(part, value, root, pointer, depth + 1)
  if (here.anyOf !== undefined) yield combineAnyOf(here.anyOf.map(below), wrong)
  if (here.oneOf !== undefined) yield combineOneOf(here.oneOf.map(below), wrong)
  for (const part of here.allOf ?? []) yield below(part)
  if (typeof here['not'] === 'object') {
    const excluded = below(here['not'])
    if (excluded === undefined || excluded === 'unknown') yield excluded ?? wrong
  }
  if (Array.isArray(value)) yield* checkItems(here, value, root, pointer)
  else if (isJsonObject(value)) yield* checkMembers(here, value, root, pointer)
}
function* checkItems(here, value, root, pointer) {
  for (const [index, one] of value.entries()) {
    const item = here.prefixItems?.[index] ?? here.items
    const at = `${pointer}/${index}`
    if (item === false) yield { pointer: at, kind: 'further', expected: 'no such item' }
    else if (typeof item === 'object') yield validateInstance(item, one, root, at)
  }
}
function* checkMembers(here, value, root, pointer) {
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
export function validateInstance(schema, value, root = schema, pointer = '', depth = 0) {
  spendSteps()
  // A schema that is a part of itself says nothing more of the value.
  return depth > maxPartDepth ? 'unknown' : combineAll(checkKeywords(unfoldSchema(schema, root), value, root, pointer, depth))
}
