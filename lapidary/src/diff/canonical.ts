/** A JSON Schema as machines need it: without words for people, its keywords and members in the order of the alphabet. */
import { isObject, type JsonSchema } from '../describe/jsonSchema.ts'
import { definitions, lists, records, single, annotations as words } from '../describe/keywords.ts'
import { spend } from './work.ts'

/** What says nothing about which values a schema allows: words for people, and names. */
export const annotations: ReadonlySet<string> = new Set([...words, '$anchor', '$id', '$schema', 'example'])

/** The members of a record in the order of their names; not that of any language, so that it is the same everywhere. */
export const sorted = <Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))

const mapped = (record: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): Readonly<Record<string, unknown>> =>
  sorted(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)])))

const within = (value: unknown): unknown => (isObject(value) ? canonical(value) : value)

function partOf(keyword: string, value: unknown): unknown {
  if ((records.has(keyword) || definitions.has(keyword)) && isObject(value)) return mapped(value, within)
  if (lists.has(keyword) && Array.isArray(value)) return value.map(within)
  if (single.has(keyword)) return within(value)
  return keyword === 'required' && Array.isArray(value) ? value.toSorted() : value
}

/** The same schema in its canonical form; its references lead where they led. */
export function canonical(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => !annotations.has(keyword) && value !== undefined)
  // A list of required members that is empty says nothing.
  const telling = kept.filter(([keyword, value]) => keyword !== 'required' || !Array.isArray(value) || value.length > 0)
  return sorted(Object.fromEntries(telling.map(([keyword, value]) => [keyword, partOf(keyword, value)])))
}

/** Whether two JSON values are the same, whatever the order of their members. */
export const isSame = (one: unknown, other: unknown): boolean => one === other || spelled(one) === spelled(other)

/** What was spelled before: schemas are compared again and again. */
const spellings = new WeakMap<object, string>()

function spelling(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (isObject(part) ? sorted(part) : part)) ?? 'undefined'
  // Long texts cost as much as many short ones.
  spend(1 + text.length / 256)
  return text
}

/** A JSON value as text: that of equal values is equal. */
export function spelled(value: unknown): string {
  if (typeof value !== 'object' || value === null) return spelling(value)
  const text = spellings.get(value) ?? spelling(value)
  spellings.set(value, text)
  return text
}

const members = new WeakMap<readonly unknown[], ReadonlySet<string>>()

/** Whether a value is one of these. */
export function isOneOf(values: readonly unknown[], value: unknown): boolean {
  const known = members.get(values) ?? new Set(values.map(spelled))
  members.set(values, known)
  return known.has(spelled(value))
}
