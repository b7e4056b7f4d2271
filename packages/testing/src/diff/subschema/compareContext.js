/** How two JSON Schemas are held against each other: what is known on the way, and the smallest words about one of them. */
import { isJsonObject, resolvePointer } from 'lapidary/internal'
import { ignoredKeywords, isEqualJson, toCanonicalText } from '../canonical.js'
/** Whether two parts of the schemas are the same, and so are those that they refer to. */
export const isEqualSchema = (one, other, { roots }) =>
  isEqualJson(one, other) && (!toCanonicalText(one).includes('"$ref"') || isEqualJson(...roots))
/** One step down, to a member or an item. */
export const descend = (way) => ({ ...way, assumed: [...way.assumed, ...way.pending], pending: [] })
/** What allows nothing. */
export const neverSchema = Object.freeze({ not: Object.freeze({}) })
const isInertKeyword = (keyword) => ignoredKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions'
/** Whether a schema allows any value. */
export const isAnySchema = (schema) => Object.keys(schema).every(isInertKeyword)
/** Whether a schema plainly allows none. */
export const isNeverSchema = (schema) => schema.enum?.length === 0 || (typeof schema['not'] === 'object' && isAnySchema(schema['not']))
/** What is left of a schema without some of its keywords. */
export const omitKeywords = (schema, ...keywords) =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
// The schema that stands behind references, with what stands beside them.
/** More references in a row lead nowhere. */
const maxUnfoldHops = 32
/** What restricts nothing where it stands. */
const isIgnoredKeyword = (keyword) => ignoredKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions'
/** What was unfolded before: a schema that is met again is the same one, by which a circle is seen. */
const unfoldCache = new WeakMap()
function followReferences(schema, root) {
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
export function unfoldSchema(schema, root) {
  if (schema.$ref === undefined) return schema
  const ofRoot = unfoldCache.get(root) ?? new WeakMap()
  unfoldCache.set(root, ofRoot)
  const seen = ofRoot.get(schema) ?? followReferences(schema, root)
  ofRoot.set(schema, seen)
  return seen
}
