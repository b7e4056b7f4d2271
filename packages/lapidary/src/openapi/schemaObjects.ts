/** The schemas of a document, with references to components in place of those that have names. */

import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import { type NamedSchema, nameComponents } from './componentNames.ts'
import type { SchemaObject } from './document.ts'
import { findEqualSchemas, getAnnotations, mapSubschemas } from './schemaEquality.ts'

// Lists that end with their places (tuples), said so that readers who know no `prefixItems` are not misled.

/**
 * The same schema without `items: false`, which those readers take for "no item at all". The length ends the list as well, so that `items` may have
 * what stands in any place: it is never asked where `prefixItems` is known, and right for each item where it is not.
 */
export function closeTuple(schema: SchemaObject): SchemaObject {
  const { items, prefixItems, maxItems = Number.POSITIVE_INFINITY, ...rest } = schema
  if (items !== false) return schema
  const places = (prefixItems ?? []) as readonly SchemaObject[]
  const [first = {}, ...others] = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
  return {
    ...rest,
    // A list of no schemas is none (JSON Schema §10.3.1.1).
    ...(places.length > 0 && { prefixItems: places }),
    items: others.length === 0 ? first : { anyOf: [first, ...others] },
    maxItems: Math.min(Number(maxItems), places.length),
  }
}

/** The schemas of one document. */
export interface SchemaObjects {
  /** How a schema stands in the document: as a reference where it is a component, else with references where its parts are. */
  readonly of: (schema: JsonSchema) => SchemaObject
  /** Every component that was referred to until now, the components that those refer to included. */
  readonly components: () => Record<string, SchemaObject>
}

/** The schemas of a document in which those of `used` stand, in their order; those of `given` have names. */
export function createSchemaObjects(given: readonly NamedSchema[], used: readonly JsonSchema[]): SchemaObjects {
  const equality = findEqualSchemas([...given.map(([, schema]) => schema), ...used])
  const { getName, getNearName, definitions } = nameComponents(given, equality)
  const { getTarget, resolve } = equality
  const referredTo = new Set<string>()

  const reference = (name: string): SchemaObject => {
    referredTo.add(name)
    return { $ref: `#/components/schemas/${name}` }
  }

  function defined(schema: JsonSchema): SchemaObject {
    const said = closeTuple(mapSubschemas(schema, of))
    const target = getTarget(schema)
    if (target === undefined) return said
    if (getName(target) !== undefined) return { ...said, ...of(target) }
    // What has no name to refer to stands beside the other keywords as a part of its own.
    const { $ref: _, allOf = [], ...rest } = said
    return { ...rest, allOf: [of(target), ...(allOf as SchemaObject[])] }
  }

  function of(schema: JsonSchema): SchemaObject {
    const here = resolve(schema)
    const name = getName(here)
    if (name !== undefined) return reference(name)
    const near = getNearName(here)
    return near === undefined ? defined(here) : { ...reference(near), ...getAnnotations(here) }
  }

  function components(): Record<string, SchemaObject> {
    const made: Record<string, SchemaObject> = {}
    // To write one may refer to others: those are behind it in the set, and written in their turn.
    for (const name of referredTo) made[name] = defined(definitions.get(name) ?? {})
    return Object.fromEntries([...definitions.keys()].flatMap((name) => (made[name] === undefined ? [] : [[name, made[name]]])))
  }

  return { of, components }
}
