/** Holds a value against a JSON Schema, and admits it where there is no telling. */
import { isOutOfBounds } from '../describe/bounds.ts'
import { isOfType, noun } from '../describe/conform.ts'
import { isObject, type JsonSchema, membersOf, resolved, typesOf } from '../describe/jsonSchema.ts'
import { pointerStep } from '../describe/refusal.ts'
import { annotations, isOneOf, isSame, spelled } from './canonical.ts'
import { own } from './change.ts'
import { hasFormat } from './formats.ts'
import { unfolded } from './unfolded.ts'
import { spend } from './work.ts'

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

/** So many parts within parts are looked into, of one value. */
const deepest = 64

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

/** One of them is enough. */
function either(all: readonly Held[], flaw: Flaw): Held {
  if (all.includes(undefined)) return undefined
  return all.includes('unknown') ? 'unknown' : flaw
}

/** Exactly one of them has to hold. */
function exactlyOne(all: readonly Held[], flaw: Flaw): Held {
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
function isReadable(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

function isBeyond(schema: JsonSchema, value: unknown): boolean | 'unknown' {
  if (isOutOfBounds(schema, value)) return true
  const { format, multipleOf, uniqueItems, minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema
  if (typeof value === 'string') {
    const has = format === undefined ? true : hasFormat(format, value)
    if (has === false) return true
    return has === undefined || (typeof schema['pattern'] === 'string' && !isReadable(schema['pattern'])) ? 'unknown' : false
  }
  if (typeof value === 'number') {
    const isRight = typeof multipleOf !== 'number' || isMultiple(value, multipleOf)
    return isRight === 'unknown' ? isRight : !isRight
  }
  if (Array.isArray(value)) return uniqueItems === true && new Set(value.map(spelled)).size < value.length
  if (!isObject(value)) return false
  const count = Object.keys(value).length
  return count < Number(minProperties) || count > Number(maxProperties)
}

function* checks(here: JsonSchema, value: unknown, root: JsonSchema, pointer: string, depth: number): Generator<Held> {
  const wrong: Flaw = {
    pointer,
    kind: 'value',
    // Written only where it is read: of many names it is a long text.
    get asked() {
      return askedBy(here, root)
    },
  }
  const types = typesOf(here)
  if (here.const !== undefined && !isSame(here.const, value)) yield wrong
  if (here.enum !== undefined && !isOneOf(here.enum, value)) yield wrong
  if (types.length > 0 && !types.some((type) => isOfType(value, type))) yield wrong
  const beyond = isBeyond(here, value)
  if (beyond === true) yield wrong
  if (beyond === 'unknown' || unknownIn(here).length > 0 || here.$ref !== undefined) yield 'unknown'
  const below = (part: JsonSchema): Held => held(part, value, root, pointer, depth + 1)
  if (here.anyOf !== undefined) yield either(here.anyOf.map(below), wrong)
  if (here.oneOf !== undefined) yield exactlyOne(here.oneOf.map(below), wrong)
  for (const part of here.allOf ?? []) yield below(part)
  if (typeof here['not'] === 'object') {
    const excluded = below(here['not'] as JsonSchema)
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
      yield { pointer: pointer + pointerStep(name), kind: 'missing', asked: askedBy(own(properties, name) ?? {}, root) }
  for (const [name, one] of Object.entries(value)) {
    const at = pointer + pointerStep(name)
    const member = Object.hasOwn(properties, name) ? properties[name] : rest
    if (member === false) yield { pointer: at, kind: 'further', asked: 'no such member' }
    else if (typeof member === 'object') yield held(member, one, root, at)
    if (here.propertyNames !== undefined) yield held(here.propertyNames, name, root, at)
  }
}

/** Whether a value is one of a schema: undefined where it is, the first flaw where it is not, `unknown` where the schema says what nobody here knows. */
export function held(schema: JsonSchema, value: unknown, root: JsonSchema = schema, pointer = '', depth = 0): Held {
  spend()
  // A schema that is a part of itself says nothing more of the value.
  return depth > deepest ? 'unknown' : together(checks(unfolded(schema, root), value, root, pointer, depth))
}
