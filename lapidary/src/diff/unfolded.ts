/** The schema that stands behind references, with what stands beside them. */
import { isJsonObject, type JsonSchema, resolvePointer } from '../describe/jsonSchema.ts'
import { ignoredKeywords } from './canonical.ts'

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
