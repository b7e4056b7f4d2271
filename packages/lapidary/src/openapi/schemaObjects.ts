/** The Schema Objects of a document, with references to components. */
import { getCompleteSchema, getIncompleteSchema } from '../json-schema/defaults.ts'
import { isJsonObject, type JsonSchema } from '../json-schema/jsonSchema.ts'
import { toUnicodePattern } from '../json-schema/unicodePattern.ts'
import { type DirectedSchemas, type NamedSchema, nameComponents } from './componentNames.ts'
import type { SchemaObject } from './documentTypes.ts'
import { findEqualSchemas, getAnnotations, mapSubschemas } from './schemaEquality.ts'

/**
 * A tuple without `items: false`, which a reader that does not know `prefixItems` takes for "no items". `maxItems` closes the tuple
 * instead, and `items` allows what any position allows: a reader that knows `prefixItems` never applies it.
 */
function closeTuple(schema: SchemaObject): SchemaObject {
  const { items, prefixItems, maxItems = Number.POSITIVE_INFINITY, ...rest } = schema
  if (items !== false) return schema
  const positions = (prefixItems ?? []) as readonly SchemaObject[]
  const [first = {}, ...others] = [...new Map(positions.map((position) => [JSON.stringify(position), position])).values()]
  return {
    ...rest,
    // `prefixItems` must not be empty (JSON Schema §10.3.1.1).
    ...(positions.length > 0 && { prefixItems: positions }),
    items: others.length === 0 ? first : { anyOf: [first, ...others] },
    maxItems: Math.min(Number(maxItems), positions.length),
  }
}

/** A schema whose patterns strict readers can compile. A pattern of names that would become that of another one stays. */
function writePatterns(schema: SchemaObject): SchemaObject {
  const { pattern, patternProperties } = schema
  if (typeof pattern !== 'string' && !isJsonObject(patternProperties)) return schema
  const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : []
  const rename = (name: string): string => {
    const renamed = toUnicodePattern(name)
    return names.includes(renamed) ? name : renamed
  }
  return {
    ...schema,
    ...(typeof pattern === 'string' && { pattern: toUnicodePattern(pattern) }),
    ...(isJsonObject(patternProperties) && {
      patternProperties: Object.fromEntries(Object.entries(patternProperties).map(([name, member]) => [rename(name), member])),
    }),
  }
}

/** The schemas of one document. */
export interface SchemaObjects {
  /** The Schema Object of a schema: a reference where the schema is a component. */
  readonly of: (schema: JsonSchema) => SchemaObject
  /** All components that the document refers to, directly or through other components. */
  readonly components: () => Record<string, SchemaObject>
}

/**
 * @param named schemas that are components, with their names.
 * @param used all schemas of the document, in order.
 */
export function createSchemaObjects(named: readonly NamedSchema[], used: readonly DirectedSchemas[]): SchemaObjects {
  const [requests, responses] = [used.flatMap((one) => one.requests), used.flatMap((one) => one.responses)]
  const equality = findEqualSchemas([
    ...named.flatMap(([, schema]) => [schema, getCompleteSchema(schema)]),
    ...used.flatMap((one) => [...one.requests, ...one.responses]),
    // What a schema of responses is made of tells whether requests have it as well.
    ...responses.map(getIncompleteSchema).filter((source) => source !== undefined),
  ])
  const { getName, getNearName, definitions } = nameComponents(named, equality, { requests, responses })
  const { getTarget, resolve } = equality
  const referredTo = new Set<string>()

  const reference = (name: string): SchemaObject => {
    referredTo.add(name)
    return { $ref: `#/components/schemas/${name}` }
  }

  function define(schema: JsonSchema): SchemaObject {
    const schemaObject = writePatterns(closeTuple(mapSubschemas(schema, of)))
    const target = getTarget(schema)
    if (target === undefined) return schemaObject
    if (getName(target) !== undefined) return { ...schemaObject, ...of(target) }
    // A schema without a name stands beside the other keywords, in `allOf`.
    const { $ref: _, allOf = [], ...rest } = schemaObject
    return { ...rest, allOf: [of(target), ...(allOf as SchemaObject[])] }
  }

  function of(schema: JsonSchema): SchemaObject {
    const resolved = resolve(schema)
    const name = getName(resolved)
    if (name !== undefined) return reference(name)
    const near = getNearName(resolved)
    return near === undefined ? define(resolved) : { ...reference(near), ...getAnnotations(resolved) }
  }

  function components(): Record<string, SchemaObject> {
    const defined = new Map<string, SchemaObject>()
    // A definition can refer to further components, which are added to the end of the set.
    for (const name of referredTo) defined.set(name, define(definitions.get(name) ?? {}))
    return Object.fromEntries(
      [...definitions.keys()].flatMap((name) => (defined.has(name) ? [[name, defined.get(name) as SchemaObject]] : [])),
    )
  }

  return { of, components }
}
