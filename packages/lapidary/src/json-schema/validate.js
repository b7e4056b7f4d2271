/** Holds a value against a JSON Schema and says, in the toolkit's own words, where it does not fit. */
import { expectation } from '../messages/problemMessages.js'
import { getMembers, getTypes, resolveSchema } from './jsonSchema.js'
import { encodePointerStep, maxIssues, maxListedErrors, TruncatedParseError } from './parseError.js'

// The bounds that a JSON Schema sets to values of the right type.
const isAboveBound = (bound, value) => typeof bound === 'number' && value > bound
const isBelowBound = (bound, value) => typeof bound === 'number' && value < bound
/** The pattern as a regular expression; undefined where it is none that this engine reads. */
function compilePattern(text) {
  try {
    return typeof text === 'string' ? new RegExp(text, 'u') : undefined
  } catch {
    return undefined
  }
}
/** Whether a value is too long, too short, too large, too small, or no match for the pattern. */
export function isOutOfBounds(schema, value) {
  if (typeof value === 'number') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
    return (
      isBelowBound(minimum, value) ||
      isAboveBound(maximum, value) ||
      exclusiveMinimum === value ||
      isBelowBound(exclusiveMinimum, value) ||
      exclusiveMaximum === value ||
      isAboveBound(exclusiveMaximum, value)
    )
  }
  if (typeof value === 'string') {
    // JSON Schema counts characters, not UTF-16 units.
    const length = [...value].length
    return (
      isBelowBound(schema['minLength'], length) ||
      isAboveBound(schema['maxLength'], length) ||
      compilePattern(schema['pattern'])?.test(value) === false
    )
  }
  return Array.isArray(value) && (isBelowBound(schema.minItems, value.length) || isAboveBound(schema.maxItems, value.length))
}
const typeNouns = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
}
const formatNouns = {
  date: expectation.date(),
  'date-time': 'a date and time such as 2024-02-29T12:00:00Z',
  time: 'a time such as 12:00:00',
  email: 'an email address such as ann@example.org',
  uri: 'a URI such as https://example.org/',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
}
/** What kind of thing a value is, in words: `a string`, `an integer`, `nothing`. */
export function describeValue(value) {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'an integer' : 'a number'
  if (typeof value === 'boolean') return 'a boolean'
  return typeof value === 'string' ? 'a string' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
/** Whether a value is of a type of JSON Schema. */
export function hasType(value, type) {
  if (type === 'integer') return Number.isSafeInteger(value)
  if (type === 'number') return typeof value === 'number' && Number.isFinite(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
/** What a schema asks for, in words. */
export function describeSchema(schema, root) {
  const here = resolveSchema(schema, root)
  if (here.const !== undefined) return JSON.stringify(here.const)
  if (here.enum !== undefined) return expectation.oneOf(here.enum.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))))
  const branches = here.anyOf ?? here.oneOf
  if (branches !== undefined) return [...new Set(branches.map((branch) => describeSchema(branch, root)))].join(' or ')
  if (here.format !== undefined && formatNouns[here.format] !== undefined) return `${formatNouns[here.format]}`
  const types = getTypes(here)
  return types.length === 0 ? 'a value' : types.map((type) => typeNouns[type] ?? type).join(' or ')
}
/** The first place where the value has not the form that the schema asks for; undefined where it has. Formats and bounds are the schema's own business. */
export const firstIssue = (schema, value, root = schema, pointer = '') => findIssue(schema, value, pointer, { root, bounds: false })
/** Whether a value is what the schema asks for, bounds included. */
export const isValid = (schema, value, root) => findIssue(schema, value, '', { root, bounds: true }) === undefined
function findIssue(schema, value, pointer, look) {
  const here = resolveSchema(schema, look.root)
  const wrong = () => ({ pointer, detail: `expected ${describeSchema(here, look.root)}, got ${describeValue(value)}` })
  if (here.const !== undefined && value !== here.const) return wrong()
  if (here.enum !== undefined && !here.enum.includes(value)) return wrong()
  const types = getTypes(here)
  if (types.length > 0 && !types.some((type) => hasType(value, type))) return wrong()
  if (look.bounds && isOutOfBounds(here, value)) return wrong()
  const branches = here.anyOf ?? here.oneOf
  if (branches?.every((branch) => findIssue(branch, value, pointer, look) !== undefined)) return wrong()
  for (const part of here.allOf ?? []) {
    const flaw = findIssue(part, value, pointer, look)
    if (flaw !== undefined) return flaw
  }
  if (Array.isArray(value)) return findItemIssue(here, value, pointer, look)
  return typeof value === 'object' && value !== null ? findMemberIssue(here, value, pointer, look) : undefined
}
function findItemIssue(schema, value, pointer, look) {
  const { prefixItems = [], items, minItems = 0 } = schema
  // A tuple that ends too soon misses the item behind its end.
  const length = Math.max(value.length, Math.min(minItems, prefixItems.length))
  for (let index = 0; index < length; index += 1) {
    const item = prefixItems[index] ?? items
    if (item === false) return { pointer, detail: `expected at most ${prefixItems.length} items, got ${value.length}` }
    const flaw = typeof item === 'object' ? findIssue(item, value[index], `${pointer}/${index}`, look) : undefined
    if (flaw !== undefined) return flaw
  }
  return undefined
}
function findMemberIssue(schema, value, pointer, look) {
  const { properties, rest, required } = getMembers(schema)
  const there = (name) => Object.hasOwn(value, name) && value[name] !== undefined
  const missing = required.find((name) => !there(name))
  if (missing !== undefined) {
    const asked = describeSchema(properties[missing] ?? {}, look.root)
    return { pointer: pointer + encodePointerStep(missing), detail: `expected ${asked}, got nothing` }
  }
  for (const name of Object.keys(value).filter(there)) {
    const member = Object.hasOwn(properties, name) ? properties[name] : rest
    if (member === false) return { pointer: pointer + encodePointerStep(name), detail: 'expected no such member' }
    const flaw = typeof member === 'object' ? findIssue(member, value[name], pointer + encodePointerStep(name), look) : undefined
    if (flaw !== undefined) return flaw
  }
  return undefined
}
/** Whole, and no integer for all that: of these the words say which integers there are. */
const isUnsafeInteger = (value) => Number.isInteger(value) && !Number.isSafeInteger(value)
/** A schema's issues as flaws: in the toolkit's words where the form is wrong, in the schema's own where it is not. */
export function toParseError(issues, schema, value) {
  const first = issues.slice(0, maxListedErrors).map(createIssueTranslator(schema, value))
  return new TruncatedParseError(first, Math.min(issues.length, maxIssues) - first.length)
}
/** Tells of the issues of one value. Several often stand at one place, which may be large: it is looked at once. */
export function createIssueTranslator(root, whole) {
  let looked
  return (issue) => {
    let schema = root
    let value = whole
    let pointer = ''
    for (const part of issue.path ?? []) {
      const key = typeof part === 'object' ? part.key : part
      const here = resolveSchema(schema, root)
      const rest = typeof here.additionalProperties === 'object' ? here.additionalProperties : {}
      const item = here.prefixItems?.[Number(key)] ?? here.items
      schema = Array.isArray(value) ? (typeof item === 'object' ? item : {}) : (here.properties?.[String(key)] ?? rest)
      value = typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
      pointer += encodePointerStep(key)
    }
    if (value === undefined) return { pointer, detail: `expected ${describeSchema(schema, root)}, got nothing` }
    if (looked?.value !== value || looked.schema !== schema) looked = { schema, value, flaw: firstIssue(schema, value, root) }
    if (looked.flaw !== undefined) {
      const { pointer: below, detail } = looked.flaw
      return { pointer: pointer + below, detail: isUnsafeInteger(value) ? `${detail} beyond ±9007199254740991` : detail }
    }
    const format = resolveSchema(schema, root).format
    if (format !== undefined && formatNouns[format] !== undefined) return { pointer, detail: `expected ${formatNouns[format]}` }
    // Some libraries quote the value in their message, "… (was 12)"; what a client sent is never sent back.
    return { pointer, detail: issue.message.replace(/ \(was .*\)$/s, '') }
  }
}
