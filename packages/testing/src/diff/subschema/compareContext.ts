/** How two JSON Schemas are held against each other: what is known on the way, and the smallest words about one of them. */

import type { JsonSchema } from 'lapidary'
import { isJsonObject, resolvePointer } from 'lapidary/internal'
import { ignoredKeywords, isEqualJson, toCanonicalText } from '../canonical.ts'

type SchemaPair = readonly [JsonSchema, JsonSchema]

/** How a pair of schemas was reached. */
export interface CompareContext {
  readonly roots: SchemaPair
  /** Whether the one is proven to be within the other. It stands here, so that no file that it is made of needs to import it. */
  readonly isProven: (one: JsonSchema, other: JsonSchema, way: CompareContext) => boolean
  /** Pairs that enclose this one, by a member or an item: that they hold may be assumed, since any value comes to an end. */
  readonly assumed: readonly SchemaPair[]
  /** Pairs that are about the same value. */
  readonly pending: readonly SchemaPair[]
  /** How many pairs enclose this one, whatever about. */
  readonly depth: number
}

/** Whether two parts of the schemas are the same, and so are those that they refer to. */
export const isEqualSchema = (one: unknown, other: unknown, { roots }: Pick<CompareContext, 'roots'>): boolean =>
  isEqualJson(one, other) && (!toCanonicalText(one).includes('"$ref"') || isEqualJson(...roots))

/** One step down, to a member or an item. */
export const descend = (way: CompareContext): CompareContext => ({ ...way, assumed: [...way.assumed, ...way.pending], pending: [] })

/** What allows nothing. */
export const neverSchema: JsonSchema = Object.freeze({ not: Object.freeze({}) })

const isInertKeyword = (keyword: string): boolean => ignoredKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions'

/** Whether a schema allows any value. */
export const isAnySchema = (schema: JsonSchema): boolean => Object.keys(schema).every(isInertKeyword)

/** Whether a schema plainly allows none. */
export const isNeverSchema = (schema: JsonSchema): boolean =>
  schema.enum?.length === 0 || (typeof schema['not'] === 'object' && isAnySchema(schema['not'] as JsonSchema))

/** What is left of a schema without some of its keywords. */
export const omitKeywords = (schema: JsonSchema, ...keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))

// The schema that stands behind references, with what stands beside them.

/** More references in a row lead nowhere. */
const maxUnfoldHops = 32

/** What restricts nothing where it stands. */
const isIgnoredKeyword = (keyword: string): boolean => ignoredKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions'

/** What was unfolded before: a schema that is met again is the same one, by which a circle is seen. */
const unfoldCache = new WeakMap<JsonSchema, WeakMap<JsonSchema, JsonSchema>>()

function followReferences(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let here = schema
  for (let hops = 0; here.$ref !== undefined && hops < maxUnfoldHops; hops += 1) {
    const beside = Object.entries(here).filter(([keyword]) => keyword !== '$ref' && !isIgnoredKeyword(keyword))
    if (beside.length > 0) return { allOf: [Object.fromEntries(beside), { $ref: here.$ref }] }
    const next = /^#(\/|$)/.test(here.$ref) ? resolvePointer(here.$ref, root) : undefined
    // One that leads elsewhere, or nowhere, stays what it is: there is no telling what it allows.
    if (!isJsonObject(next)) return here
    here = next
  }
  return here
}

/** The schema behind a local `$ref`, and behind that one's. Of one with further keywords beside it, both together (2020-12, §8.2.3.1). */
export function unfoldSchema(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  const ofRoot = unfoldCache.get(root) ?? new WeakMap<JsonSchema, JsonSchema>()
  unfoldCache.set(root, ofRoot)
  const seen = ofRoot.get(schema) ?? followReferences(schema, root)
  ofRoot.set(schema, seen)
  return seen
}
