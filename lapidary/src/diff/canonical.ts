/** A JSON Schema as machines need it: without words for people, its keywords and members in the order of the alphabet. */
import type { JsonSchema } from '../describe/jsonSchema.ts'

/** What says nothing about which values a schema allows. */
export const annotations: ReadonlySet<string> = new Set([
  '$anchor',
  '$comment',
  '$id',
  '$schema',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'readOnly',
  'title',
  'writeOnly',
])

/** Keywords whose values are records of schemas, by names that are no keywords. */
const records: ReadonlySet<string> = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'])
const lists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const single: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The members of a record in the order of their names; not that of any language, so that it is the same everywhere. */
export const sorted = <Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))

const mapped = (record: Readonly<Record<string, unknown>>, change: (value: unknown) => unknown): Readonly<Record<string, unknown>> =>
  sorted(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)])))

const within = (value: unknown): unknown => (isRecord(value) ? canonical(value) : value)

function partOf(keyword: string, value: unknown): unknown {
  if (records.has(keyword) && isRecord(value)) return mapped(value, within)
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
export const isSame = (one: unknown, other: unknown): boolean => spelled(one) === spelled(other)

const spelled = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (isRecord(part) ? sorted(part) : part)) ?? 'undefined'
