/** The schema that stands behind references, with what stands beside them. */
import { isObject, type JsonSchema, target } from '../describe/jsonSchema.ts'
import { annotations } from './canonical.ts'

/** More references in a row lead nowhere. */
const mostHops = 32

/** What restricts nothing where it stands. */
const saysNothing = (keyword: string): boolean => annotations.has(keyword) || keyword === '$defs' || keyword === 'definitions'

/** What was unfolded before: a schema that is met again is the same one, by which a circle is seen. */
const known = new WeakMap<JsonSchema, WeakMap<JsonSchema, JsonSchema>>()

function found(schema: JsonSchema, root: JsonSchema): JsonSchema {
  let here = schema
  for (let hops = 0; here.$ref !== undefined && hops < mostHops; hops += 1) {
    const beside = Object.entries(here).filter(([keyword]) => keyword !== '$ref' && !saysNothing(keyword))
    if (beside.length > 0) return { allOf: [Object.fromEntries(beside), { $ref: here.$ref }] }
    const next = /^#(\/|$)/.test(here.$ref) ? target(here.$ref, root) : undefined
    // One that leads elsewhere, or nowhere, stays what it is: there is no telling what it allows.
    if (!isObject(next)) return here
    here = next
  }
  return here
}

/** The schema behind a local `$ref`, and behind that one's. Of one with further keywords beside it, both together (2020-12, §8.2.3.1). */
export function unfolded(schema: JsonSchema, root: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema
  const ofRoot = known.get(root) ?? new WeakMap<JsonSchema, JsonSchema>()
  known.set(root, ofRoot)
  const seen = ofRoot.get(schema) ?? found(schema, root)
  ofRoot.set(schema, seen)
  return seen
}
