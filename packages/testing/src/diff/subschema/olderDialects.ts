/** Schemas of the drafts 6 and 7, in the keywords of draft 2020-12. */
import type { JsonSchema } from 'lapidary'
import { annotationKeywords, getKeywordKind, isJsonObject, mapKeyword } from 'lapidary/internal'
import { spendSteps } from './budget.ts'

const olderDialect = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/

/** Whether a document names one of these drafts. */
export const isOlder = ({ $schema }: JsonSchema): boolean => typeof $schema === 'string' && olderDialect.test($schema)

/** Whether a document names no dialect, or the one that is read. */
export const isReadDialect = ({ $schema = '' }: JsonSchema): boolean =>
  typeof $schema === 'string' && /^(?:https?:\/\/json-schema\.org\/draft\/2020-12\/schema)?#?$/.test($schema)

/** Keywords that these drafts do not have: there, they restrict nothing. */
const newerKeywords: ReadonlySet<string> = new Set([
  ...['$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', 'dependentRequired', 'dependentSchemas', 'maxContains', 'minContains'],
  ...['prefixItems', 'unevaluatedItems', 'unevaluatedProperties'],
])

function renameKeyword([keyword, value]: readonly [string, unknown], { items }: JsonSchema): Readonly<Record<string, unknown>> {
  if (newerKeywords.has(keyword)) return {}
  if (keyword === '$schema') return {}
  if (keyword === '$id' && typeof value === 'string' && value.startsWith('#')) return { $anchor: value.slice(1) }
  if (keyword === 'items' && Array.isArray(value)) return value.length === 0 ? {} : { prefixItems: value.map(renamePart) }
  if (keyword === 'additionalItems') return Array.isArray(items) ? { items: renamePart(value) } : {}
  if (keyword === 'dependencies' && isJsonObject(value)) {
    const needed = Object.entries(value)
    return {
      dependentRequired: Object.fromEntries(needed.filter(([, need]) => Array.isArray(need))),
      dependentSchemas: Object.fromEntries(
        needed.filter(([, need]) => !Array.isArray(need)).map(([name, need]) => [name, renamePart(need)]),
      ),
    }
  }
  return { [keyword]: mapKeyword(keyword, value, renameKeywords) }
}

const renamePart = (part: unknown): unknown => (isJsonObject(part) ? renameKeywords(part as JsonSchema) : part)

const renamed = new WeakMap<JsonSchema, JsonSchema>()

/** The same schema in the keywords of draft 2020-12: always the same one, so that the parts of a document stay its parts. */
export function renameKeywords(schema: JsonSchema): JsonSchema {
  const known = renamed.get(schema)
  if (known !== undefined) return known
  spendSteps()
  // Keywords beside a reference count for nothing.
  const counts = (keyword: string): boolean =>
    schema.$ref === undefined || keyword === '$ref' || getKeywordKind(keyword) === 'definitions' || annotationKeywords.has(keyword)
  const entries = Object.entries(schema).filter(([keyword]) => counts(keyword))
  const result: JsonSchema = Object.assign({}, ...entries.map((entry) => renameKeyword(entry, schema)))
  renamed.set(schema, result)
  return result
}
