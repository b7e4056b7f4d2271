/** JSON Schemas in one canonical form, and JSON values by their canonical text: what is equal has the same. */
import type { JsonSchema } from 'lapidary'
import { annotationKeywords, definitionKeywords, isJsonObject, mapKeyword, schemaMapKeywords } from 'lapidary/internal'
import { spendSteps } from './subschema/budget.ts'

/** Keywords that do not change which values a schema allows: descriptions and names. */
export const ignoredKeywords: ReadonlySet<string> = new Set([...annotationKeywords, '$anchor', '$id', '$schema', 'example'])

/** The members of a record sorted by name. The order of code units is the same in every locale. */
export const sortMembers = <Value>(record: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))

function toCanonicalKeyword(keyword: string, value: unknown): unknown {
  if (keyword === 'required' && Array.isArray(value)) return value.toSorted()
  const mapped = mapKeyword(keyword, value, toCanonicalSchema)
  return (schemaMapKeywords.has(keyword) || definitionKeywords.has(keyword)) && isJsonObject(mapped) ? sortMembers(mapped) : mapped
}

/** The schema without ignored keywords, its keywords and members sorted. Its references lead where they led. */
export function toCanonicalSchema(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(([keyword, value]) => !ignoredKeywords.has(keyword) && value !== undefined)
  // An empty list of required members restricts nothing.
  const restricting = kept.filter(([keyword, value]) => keyword !== 'required' || !Array.isArray(value) || value.length > 0)
  return sortMembers(Object.fromEntries(restricting.map(([keyword, value]) => [keyword, toCanonicalKeyword(keyword, value)])))
}

/** Whether two JSON values are equal. The order of members does not matter. */
export const isEqualJson = (one: unknown, other: unknown): boolean => one === other || toCanonicalText(one) === toCanonicalText(other)

/** Texts that were written before: schemas are compared again and again. */
const canonicalTexts = new WeakMap<object, string>()

function writeCanonicalText(value: unknown): string {
  const text = JSON.stringify(value, (_, part: unknown) => (isJsonObject(part) ? sortMembers(part) : part)) ?? 'undefined'
  // A long text costs as much as many short ones.
  spendSteps(1 + text.length / 256)
  return text
}

/** A JSON value as text. Equal values have the same text. */
export function toCanonicalText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return writeCanonicalText(value)
  const text = canonicalTexts.get(value) ?? writeCanonicalText(value)
  canonicalTexts.set(value, text)
  return text
}

const memberTexts = new WeakMap<readonly unknown[], ReadonlySet<string>>()

/** Whether a value equals one of these. */
export function isOneOf(values: readonly unknown[], value: unknown): boolean {
  const known = memberTexts.get(values) ?? new Set(values.map(toCanonicalText))
  memberTexts.set(values, known)
  return known.has(toCanonicalText(value))
}
