/** JSON Schemas in one canonical form, and JSON values by their canonical text: what is equal has the same. */
import type { JsonSchema } from 'lapidary'
import { annotationKeywords, getKeywordKind, isJsonObject, mapKeyword, sortMembers, toCanonicalJson } from 'lapidary/internal'
import { spendSteps } from './subschema/budget.ts'
import { isOlder, isReadDialect, renameKeywords } from './subschema/olderDialects.ts'

/** Keywords that do not change which values a schema allows: descriptions and names. */
export const ignoredKeywords: ReadonlySet<string> = new Set([...annotationKeywords, '$anchor', '$id', '$schema', 'example'])

const referenceKeywords: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef'])

/** The references within a schema. */
export const listReferences = (part: unknown): readonly string[] =>
  typeof part !== 'object' || part === null
    ? []
    : Object.entries(part).flatMap(([keyword, value]) =>
        referenceKeywords.has(keyword) && typeof value === 'string' ? [value] : listReferences(value),
      )

/** Whether a keyword that is usually ignored changes the meaning of a document: of its dialect, or of one of its references. */
type IsNeeded = (keyword: string, schema: JsonSchema) => boolean

function createNeed(root: JsonSchema): IsNeeded {
  const references = listReferences(root)
  const hasDistant = references.some((reference) => !reference.startsWith('#'))
  const fragments = new Set(references.map((reference) => reference.slice(reference.indexOf('#') + 1)))
  return (keyword, schema) => {
    if (keyword === '$schema') return !isReadDialect(schema)
    // The references of a part with an address start there.
    if (keyword === '$id') return hasDistant || (schema !== root && listReferences(schema).length > 0)
    return keyword === '$anchor' && fragments.has(String(schema['$anchor']))
  }
}

/** The canonical form of a part of a document. @param isNeeded whether an ignored keyword stays */
export function toCanonicalPart(schema: JsonSchema, isNeeded: IsNeeded): JsonSchema {
  const toCanonicalKeyword = (keyword: string, value: unknown): unknown => {
    if (keyword === 'required' && Array.isArray(value)) return value.toSorted()
    // RegExp writes a slash in this way.
    if (keyword === 'pattern' && typeof value === 'string')
      return value.replaceAll(/\\(.)/gs, (pair, escaped) => (escaped === '/' ? '/' : pair))
    const mapped = mapKeyword(keyword, value, (part) => toCanonicalPart(part, isNeeded))
    const kind = getKeywordKind(keyword)
    return (kind === 'members' || kind === 'definitions') && isJsonObject(mapped) ? sortMembers(mapped) : mapped
  }
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => value !== undefined && (!ignoredKeywords.has(keyword) || isNeeded(keyword, schema)),
  )
  // An empty list of required members restricts nothing.
  const restricting = kept.filter(([keyword, value]) => keyword !== 'required' || !Array.isArray(value) || value.length > 0)
  return sortMembers(Object.fromEntries(restricting.map(([keyword, value]) => [keyword, toCanonicalKeyword(keyword, value)])))
}

/**
 * A document in the keywords of draft 2020-12 without ignored keywords, its keywords and members sorted. Its references lead where they led:
 * the addresses and anchors that they need stay, and so does the name of a dialect that is not read.
 */
export function toCanonicalSchema(schema: JsonSchema): JsonSchema {
  const today = isOlder(schema) ? renameKeywords(schema) : schema
  return toCanonicalPart(today, createNeed(today))
}

/** Whether two JSON values are equal. The order of members does not matter. */
export const isEqualJson = (one: unknown, other: unknown): boolean => one === other || toCanonicalText(one) === toCanonicalText(other)

/** Texts that were written before: schemas are compared again and again. */
const canonicalTexts = new WeakMap<object, string>()

function writeCanonicalText(value: unknown): string {
  const text = toCanonicalJson(value) ?? 'undefined'
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
