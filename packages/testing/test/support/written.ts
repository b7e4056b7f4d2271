/** The convention of the comparison, in the words of JSON Schema: a program that is made from a schema writes no member that it does not declare. */
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { resolveReference } from '../../../lapidary/src/json-schema/references.ts'

const listParts = ({ anyOf = [], oneOf = [], allOf = [] }: JsonSchema): readonly JsonSchema[] => [...anyOf, ...oneOf, ...allOf]

/** Whether a schema declares members, by itself or by a part that is about the same value. */
function declares(schema: JsonSchema, root: JsonSchema, hops = 0): boolean {
  if (typeof schema !== 'object' || hops > 9) return false
  const target = schema.$ref === undefined ? undefined : resolveReference(schema.$ref, schema, root)
  return (
    schema.properties !== undefined ||
    listParts(schema).some((part) => declares(part, root, hops + 1)) ||
    (target !== undefined && declares(target, root, hops + 1))
  )
}

/** The same schema, without the members that it does not declare. */
export function toWrittenSchema(schema: JsonSchema, root: JsonSchema = schema, isWhole = true): JsonSchema {
  const change = (part: unknown, isWholePart: boolean): unknown =>
    typeof part === 'object' ? toWrittenSchema(part as JsonSchema, root, isWholePart) : part
  const mapped = Object.entries(schema).map(([keyword, value]) => {
    if (['anyOf', 'oneOf', 'allOf'].includes(keyword)) return [keyword, (value as JsonSchema[]).map((part) => change(part, false))]
    if (keyword === 'prefixItems') return [keyword, (value as JsonSchema[]).map((part) => change(part, true))]
    if (keyword === 'items' || keyword === 'additionalProperties') return [keyword, change(value, true)]
    if (keyword === 'properties' || keyword === '$defs')
      return [
        keyword,
        Object.fromEntries(Object.entries(value as object).map(([name, part]) => [name, change(part, keyword === 'properties')])),
      ]
    return [keyword, value]
  })
  // A document elsewhere may be of another dialect.
  const kept = mapped.filter(([keyword, value]) => keyword !== '$ref' || String(value).startsWith('#'))
  const isClosed = isWhole && declares(schema, root) && schema['unevaluatedProperties'] === undefined
  return { ...Object.fromEntries(kept), ...(isClosed ? { unevaluatedProperties: false } : {}) }
}
