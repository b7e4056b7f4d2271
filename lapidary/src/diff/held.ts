/** Holds a value against a JSON Schema, and admits it where there is no telling. */
import { isOutOfBounds } from '../describe/bounds.ts'
import { isOfType, noun } from '../describe/conform.ts'
import { isObject, type JsonSchema, membersOf, resolved, typesOf } from '../describe/jsonSchema.ts'
import { pointerStep } from '../describe/refusal.ts'
import { annotations, isSame } from './canonical.ts'
import { hasFormat } from './formats.ts'

/** Why a value is none of a schema. */
export interface Flaw {
  /** JSON Pointer. */
  readonly pointer: string
  /** `missing`: a member that is needed. `further`: one that nobody declared. `value`: it is there, and wrong. */
  readonly kind: 'missing' | 'further' | 'value'
  /** What is asked for there: `an integer of at most 9`. */
  readonly asked: string
}

/** Undefined: it fits. */
export type Held = Flaw | 'unknown' | undefined

/** What is looked into. Where a schema says more, nobody can tell. */
const known: ReadonlySet<string> = new Set([
  ...annotations,
  ...['$defs', '$ref', 'additionalProperties', 'allOf', 'anyOf', 'const', 'definitions', 'enum', 'exclusiveMaximum', 'exclusiveMinimum'],
  ...['format', 'items', 'maxItems', 'maxLength', 'maxProperties', 'maximum', 'minItems', 'minLength', 'minProperties', 'minimum'],
  ...['multipleOf', 'not', 'oneOf', 'pattern', 'prefixItems', 'properties', 'propertyNames', 'required', 'type', 'uniqueItems'],
])

/** The keywords of a schema that nobody here understands. */
export const unknownIn = (schema: JsonSchema): readonly string[] => Object.keys(schema).filter((keyword) => !known.has(keyword))

const counted = (count: unknown, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

const bounds: readonly (readonly [keyword: string, words: (bound: unknown) => string])[] = [
  ['minimum', (bound) => `at least ${bound}`],
  ['maximum', (bound) => `at most ${bound}`],
  ['exclusiveMinimum', (bound) => `more than ${bound}`],
  ['exclusiveMaximum', (bound) => `less than ${bound}`],
  ['multipleOf', (bound) => `a multiple of ${bound}`],
  ['minLength', (bound) => `of at least ${counted(bound, 'character')}`],
  ['maxLength', (bound) => `of at most ${counted(bound, 'character')}`],
  ['pattern', (bound) => `like ${bound}`],
  ['format', (bound) => `of the format ${bound}`],
  ['minItems', (bound) => `of at least ${counted(bound, 'item')}`],
  ['maxItems', (bound) => `of at most ${counted(bound, 'item')}`],
  ['minProperties', (bound) => `of at least ${counted(bound, 'member')}`],
  ['maxProperties', (bound) => `of at most ${counted(bound, 'member')}`],
  ['uniqueItems', () => 'no item twice'],
]

/** Whether people learn something from a bound: not where it is that of any whole number, or a pattern that spells a format out. */
function saysMuch(schema: JsonSchema, keyword: string): boolean {
  const bound = schema[keyword]
  if (keyword === 'pattern') return bound !== undefined && schema.format === undefined
  return bound !== undefined && Math.abs(Number(bound)) !== Number.MAX_SAFE_INTEGER
}

/** What a schema asks for, its bounds included. */
export function askedBy(schema: JsonSchema, root: JsonSchema): string {
  const here = resolved(schema, root)
  const told = here.const === undefined && here.enum === undefined
  const words = told ? bounds.flatMap(([keyword, word]) => (saysMuch(here, keyword) ? [word(here[keyword])] : [])) : []
  const what = noun(here, root)
  return [(here.anyOf ?? here.oneOf) && what === 'an object' ? 'an object in one of the declared forms' : what, ...words].join(', ')
}

/** The first flaw; else whether anything is unknown. */
function together(all: Iterable<Held>): Held {
  let unknown: Held
  for (const one of all) {
    if (typeof one === 'object') return one
    unknown ??= one
  }
  return unknown
}

/** As `oneOf` is read by the toolkit: one of them is enough. */
function either(all: readonly Held[], flaw: Flaw): Held {
  if (all.includes(undefined)) return undefined
  return all.includes('unknown') ? 'unknown' : flaw
}

const isMultiple = (value: number, step: number): boolean => Math.abs(value / step - Math.round(value / step)) < 1e-9

function isBeyond(schema: JsonSchema, value: unknown): boolean | 'unknown' {
  if (isOutOfBounds(schema, value)) return true
  const { format, multipleOf, uniqueItems, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  if (typeof value === 'string' && format !== undefined) {
    const has = hasFormat(format, value)
    return has === undefined ? 'unknown' : !has
  }
  if (typeof value === 'number') return typeof multipleOf === 'number' && !isMultiple(value, multipleOf)
  if (Array.isArray(value))
    return uniqueItems === true && value.some((item, index) => value.slice(0, index).some((other) => isSame(item, other)))
  if (!isObject(value)) return false
  const count = Object.keys(value).length
  return count < Number(minProperties) || count > Number(maxProperties)
}

function* checks(here: JsonSchema, value: unknown, root: JsonSchema, pointer: string): Generator<Held> {
  const wrong: Flaw = { pointer, kind: 'value', asked: askedBy(here, root) }
  const types = typesOf(here)
  if (here.const !== undefined && !isSame(here.const, value)) yield wrong
  if (here.enum !== undefined && !here.enum.some((one) => isSame(one, value))) yield wrong
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) yield wrong
  const beyond = isBeyond(here, value)
  if (beyond === true) yield wrong
  if (beyond === 'unknown' || unknownIn(here).length > 0 || here.$ref !== undefined) yield 'unknown'
  for (const branches of [here.anyOf, here.oneOf]) {
    if (branches !== undefined)
      yield either(
        branches.map((branch) => held(branch, value, root, pointer)),
        wrong,
      )
  }
  for (const part of here.allOf ?? []) yield held(part, value, root, pointer)
  if (typeof here['not'] === 'object') {
    const excluded = held(here['not'] as JsonSchema, value, root, pointer)
    if (excluded === undefined || excluded === 'unknown') yield excluded ?? wrong
  }
  if (Array.isArray(value)) yield* items(here, value, root, pointer)
  else if (isObject(value)) yield* members(here, value, root, pointer)
}

function* items(here: JsonSchema, value: readonly unknown[], root: JsonSchema, pointer: string): Generator<Held> {
  for (const [index, one] of value.entries()) {
    const item = here.prefixItems?.[index] ?? here.items
    const at = `${pointer}/${index}`
    if (item === false) yield { pointer: at, kind: 'further', asked: 'no such item' }
    else if (typeof item === 'object') yield held(item, one, root, at)
  }
}

function* members(here: JsonSchema, value: Readonly<Record<string, unknown>>, root: JsonSchema, pointer: string): Generator<Held> {
  const { properties, required, rest } = membersOf(here)
  for (const name of required)
    if (!Object.hasOwn(value, name))
      yield { pointer: pointer + pointerStep(name), kind: 'missing', asked: askedBy(properties[name] ?? {}, root) }
  for (const [name, one] of Object.entries(value)) {
    const at = pointer + pointerStep(name)
    const member = Object.hasOwn(properties, name) ? properties[name] : rest
    if (member === false) yield { pointer: at, kind: 'further', asked: 'no such member' }
    else if (typeof member === 'object') yield held(member, one, root, at)
    if (here.propertyNames !== undefined) yield held(here.propertyNames, name, root, at)
  }
}

/** Whether a value is one of a schema: undefined where it is, the first flaw where it is not, `unknown` where the schema says what nobody here knows. */
export function held(schema: JsonSchema, value: unknown, root: JsonSchema = schema, pointer = ''): Held {
  return together(checks(resolved(schema, root), value, root, pointer))
}
