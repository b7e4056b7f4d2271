/** Finds values that `JSON.stringify` writes just as the writer of their schema would: the engine does it faster than any program can. */
import { type JsonSchema, membersOf, resolved, typesOf } from '../describe/jsonSchema.ts'

/** Whether a value has what its schema declares, in that order, and nothing else. */
type IsExact = (value: unknown) => boolean

const text: IsExact = (value) => typeof value === 'string'
const integer: IsExact = (value) => Number.isSafeInteger(value)

const scalars: Readonly<Record<string, IsExact>> = {
  string: text,
  integer,
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

/** A place of a list, or a member of an object. */
interface Part {
  readonly isExact: IsExact
  /** Most values are of two types, and are looked at where they stand: a call that may lead anywhere takes an engine longer than the look. */
  readonly kind: 'text' | 'integer' | 'other'
}

const partOf = (isExact: IsExact): Part => ({ isExact, kind: isExact === text ? 'text' : isExact === integer ? 'integer' : 'other' })

function holds({ kind, isExact }: Part, value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  return kind === 'integer' ? Number.isSafeInteger(value) : isExact(value)
}

/** One of another prototype may have a `toJSON`, and any may have one of its own. */
const isPlainArray = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype && !('toJSON' in value)

function arrayOf(isItem: IsExact): IsExact {
  const item = partOf(isItem)
  return (value) => {
    if (!isPlainArray(value)) return false
    for (let index = 0; index < value.length; index += 1) if (!holds(item, value[index])) return false
    return true
  }
}

/** A list whose places are declared one by one. */
function tupleOf(arePlaces: readonly IsExact[]): IsExact {
  const places = arePlaces.map(partOf)
  return (value) => isPlainArray(value) && value.length === places.length && places.every((place, index) => holds(place, value[index]))
}

interface Member extends Part {
  readonly name: string
  readonly needed: boolean
}

/** The place of the member of this name, from `next` on, when those between may be left out; otherwise past the end. */
function placeOf(name: string, members: readonly Member[], next: number): number {
  const place = members.findIndex((member, index) => index >= next && (member.needed || member.name === name))
  return members[place]?.name === name ? place : members.length
}

function objectOf(members: readonly Member[]): IsExact {
  const least = members.findLastIndex(({ needed }) => needed)
  return (value) => {
    // Of another prototype it may have a `toJSON`, or members that are not its own.
    if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return false
    let next = 0
    for (const name in value) {
      if (members[next]?.name !== name) next = placeOf(name, members, next)
      const member = members[next]
      if (member === undefined || !holds(member, (value as Readonly<Record<string, unknown>>)[name])) return false
      next += 1
    }
    return next > least
  }
}

/** One of several scalars, whichever. */
function oneOf(choices: readonly (IsExact | undefined)[]): IsExact | undefined {
  const known = choices.filter((choice) => choice !== undefined)
  // Which of several objects is meant, their schema's own writer says.
  if (known.length < choices.length || known.some((choice) => !Object.values(scalars).includes(choice))) return undefined
  return (value) => known.some((choice) => choice(value))
}

/** The same for a schema; undefined where its writer does more than declare members and types. */
function exact(schema: JsonSchema, root: JsonSchema, within: readonly JsonSchema[]): IsExact | undefined {
  const here = resolved(schema, root)
  const { allOf, anyOf, oneOf: choices = anyOf, prefixItems, items } = here
  // One that contains itself may be as deep as it likes.
  if (allOf !== undefined || within.includes(here)) return undefined
  const inner = (part: JsonSchema): IsExact | undefined => exact(part, root, [...within, here])
  if (choices !== undefined) return oneOf(choices.map(inner))
  const values: readonly unknown[] | undefined = here.enum ?? (here.const === undefined ? undefined : [here.const])
  if (values !== undefined) {
    const known = new Set(values)
    return values.some((value) => typeof value === 'object') ? undefined : (value) => known.has(value)
  }
  const [type = '', ...others] = typesOf(here)
  if (others.length > 0) return oneOf([type, ...others].map((one) => scalars[one]))
  if (type === 'array' && prefixItems !== undefined) {
    const places = prefixItems.map(inner)
    return places.every((place) => place !== undefined) ? tupleOf(places) : undefined
  }
  if (type === 'array' && typeof items === 'object') {
    const item = inner(items)
    return item === undefined ? undefined : arrayOf(item)
  }
  if (type !== 'object') return scalars[type]
  const { properties, required, rest } = membersOf(here)
  if (rest === true || typeof rest === 'object') return undefined
  const members: Member[] = []
  for (const [name, member] of Object.entries(properties)) {
    const isExact = inner(member)
    if (isExact === undefined) return undefined
    members.push({ ...partOf(isExact), name, needed: required.includes(name) })
  }
  return objectOf(members)
}

/** What a list's writer makes, sooner where that can be. @param write what writes any value of the schema */
export function listsAtOnce<Value, Text>(schema: JsonSchema, write: (value: Value) => Text): (value: Value) => Text | string {
  const isExact = resolved(schema, schema).type === 'array' ? exact(schema, schema, []) : undefined
  return isExact === undefined ? write : (value) => (isExact(value) ? JSON.stringify(value) : write(value))
}
