/** The defaults of members: what a member is that is absent, and the schema of a value in which none with a default is absent. */
import { type JsonSchema, mapKeyword } from './jsonSchema.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'
import { Validator } from './validator.ts'

const getDefault = ({ raw, schema }: SchemaNode): unknown => (raw.default === undefined ? schema.default : raw.default)

/** A schema, the parts of its `allOf` and its alternatives, at any depth. */
function listViews(node: SchemaNode, views: Set<SchemaNode> = new Set()): ReadonlySet<SchemaNode> {
  if (views.has(node)) return views
  views.add(node)
  for (const part of [...node.parts.allOf, ...(node.parts.branches ?? [])]) listViews(part, views)
  return views
}

/** Whether a value has an end, where the defaults of its absent members are in it. @param open the members whose defaults it stands in */
function hasEnd(node: SchemaNode, value: unknown, open: ReadonlySet<SchemaNode>): boolean {
  if (typeof value !== 'object' || value === null) return true
  for (const view of listViews(node)) {
    if (Array.isArray(value)) {
      const isItemEndless = (item: unknown, index: number): boolean => !hasEnd(view.item(index) ?? view.parse(true), item, open)
      if (value.some(isItemEndless)) return false
      continue
    }
    for (const [name, member] of view.parts.properties) {
      const isThere = Object.hasOwn(value, name)
      if (!isThere && open.has(member)) return false
      const part: unknown = isThere ? Reflect.get(value, name) : getDefault(member)
      if (!hasEnd(member, part, isThere ? open : new Set([...open, member]))) return false
    }
  }
  return true
}

/**
 * The default of a member that these schemas are about; undefined where it has none. A default may be a value of the schema's output that
 * the schema does not take, such as a number for a text that becomes one, or may contain itself: then only its absence stands for it.
 */
export function findDefault(nodes: readonly SchemaNode[]): unknown {
  const value = nodes.map(getDefault).find((one) => one !== undefined)
  if (value === undefined) return undefined
  const isFitting = (node: SchemaNode): boolean =>
    new Validator(true).validate(node, value) !== 'no' && hasEnd(node, value, new Set([node]))
  return nodes.every(isFitting) ? value : undefined
}

/** Keywords whose schemas are conditions of a value, and do not describe what is in it. */
const conditionalKeywords: ReadonlySet<string> = new Set([
  ...['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'dependentSchemas', 'dependencies'],
])

/** The schemas of written values, by the schemas of the values that are given. */
const completeSchemas = new WeakMap<JsonSchema, JsonSchema>()

/** The parts that a complete schema is made of. */
const sources = new WeakMap<JsonSchema, JsonSchema>()

/** The schema that this part of a complete schema is made of; undefined for any other schema. */
export const getIncompleteSchema = (schema: JsonSchema): JsonSchema | undefined => sources.get(schema)

/**
 * The schema of values that a server writes: members with defaults are required. It is the same object where no member has one.
 *
 * @param document the whole schema
 */
export function getCompleteSchema(document: JsonSchema): JsonSchema {
  const known = completeSchemas.get(document)
  if (known !== undefined) return known
  let isChanged = false
  function complete(schema: JsonSchema): JsonSchema {
    const { properties = {}, required = [] } = schema
    const filled = Object.entries(properties).flatMap(([name, member]) =>
      !required.includes(name) && findDefault([parseSchema(member, document)]) !== undefined ? [name] : [],
    )
    isChanged ||= filled.length > 0
    const changed: JsonSchema = {
      ...Object.fromEntries(
        Object.entries(schema).map(([keyword, value]) => [
          keyword,
          conditionalKeywords.has(keyword) ? value : mapKeyword(keyword, value, complete),
        ]),
      ),
      ...(filled.length > 0 && { required: [...required, ...filled] }),
    }
    sources.set(changed, schema)
    return changed
  }
  const changed = complete(document)
  const result = isChanged ? changed : document
  completeSchemas.set(document, result)
  return result
}
