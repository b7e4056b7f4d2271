/** A JSON Schema as machines need it: without words for people, its keywords and members in the order of the alphabet. */
import {
  definitionKeywords,
  isJsonObject,
  schemaArrayKeywords,
  schemaKeywords,
  schemaMapKeywords,
  annotationKeywords as words,
} from 'lapidary/internal'
import { spendSteps } from './subschema/budget.js'
/** What says nothing about which values a schema allows: words for people, and names. */
export const ignoredKeywords = new Set([...words, '$anchor', '$id', '$schema', 'example'])
/** The members of a record in the order of their names; not that of any language, so that it is the same everywhere. */
export const sortMembers = (record) => Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
const mapSorted = (record, change) => sortMembers(Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)])))
const toCanonicalPart = (value) => (isJsonObject(value) ? toCanonicalSchema(value) : value)
function toCanonicalKeyword(keyword, value) {
  if ((schemaMapKeywords.has(keyword) || definitionKeywords.has(keyword)) && isJsonObject(value)) return mapSorted(value, toCanonicalPart)
  if (schemaArrayKeywords.has(keyword) && Array.isArray(value)) return value.map(toCanonicalPart)
  if (schemaKeywords.has(keyword)) return toCanonicalPart(value)
  return keyword === 'required' && Array.isArray(value) ? value.toSorted() : value
}
/** The same schema in its canonical form; its references lead where they led. */
export function toCanonicalSchema(schema) {
  const kept = Object.entries(schema).filter(([keyword, value]) => !ignoredKeywords.has(keyword) && value !== undefined)
  // A list of required members that is empty says nothing.
  const telling = kept.filter(([keyword, value]) => keyword !== 'required' || !Array.isArray(value) || value.length > 0)
  return sortMembers(Object.fromEntries(telling.map(([keyword, value]) => [keyword, toCanonicalKeyword(keyword, value)])))
}
/** Whether two JSON values are the same, whatever the order of their members. */
export const isEqualJson = (one, other) => one === other || toCanonicalText(one) === toCanonicalText(other)
/** What was spelled before: schemas are compared again and again. */
const canonicalTexts = new WeakMap()
function writeCanonicalText(value) {
  const text = JSON.stringify(value, (_, part) => (isJsonObject(part) ? sortMembers(part) : part)) ?? 'undefined'
  // Long texts cost as much as many short ones.
  spendSteps(1 + text.length / 256)
  return text
}
/** A JSON value as text: that of equal values is equal. */
export function toCanonicalText(value) {
  if (typeof value !== 'object' || value === null) return writeCanonicalText(value)
  const text = canonicalTexts.get(value) ?? writeCanonicalText(value)
  canonicalTexts.set(value, text)
  return text
}
const memberTexts = new WeakMap()
/** Whether a value is one of these. */
export function isOneOf(values, value) {
  const known = memberTexts.get(values) ?? new Set(values.map(toCanonicalText))
  memberTexts.set(values, known)
  return known.has(toCanonicalText(value))
}
