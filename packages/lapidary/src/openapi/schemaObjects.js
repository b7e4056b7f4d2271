/** The schemas of a document, with references to components in place of those that have names. */
import { nameComponents } from './componentNames.js'
import { findEqualSchemas, getAnnotations, mapSubschemas } from './schemaEquality.js'
// Lists that end with their places (tuples), said so that readers who know no `prefixItems` are not misled.
/**
 * The same schema without `items: false`, which those readers take for "no item at all". The length ends the list as well, so that `items` may have
 * what stands in any place: it is never asked where `prefixItems` is known, and right for each item where it is not.
 */
export function closeTuple(schema) {
  const { items, prefixItems, maxItems = Number.POSITIVE_INFINITY, ...rest } = schema
  if (items !== false) return schema
  const places = prefixItems ?? []
  const [first = {}, ...others] = [...new Map(places.map((place) => [JSON.stringify(place), place])).values()]
  return {
    ...rest,
    // A list of no schemas is none (JSON Schema §10.3.1.1).
    ...(places.length > 0 && { prefixItems: places }),
    items: others.length === 0 ? first : { anyOf: [first, ...others] },
    maxItems: Math.min(Number(maxItems), places.length),
  }
}
/** The schemas of a document in which those of `used` stand, in their order; those of `given` have names. */
export function createSchemaObjects(given, used) {
  const same = findEqualSchemas([...given.map(([, schema]) => schema), ...used])
  const { nameOf, nearNameOf, definitions } = nameComponents(given, same)
  const referredTo = new Set()
  const reference = (name) => {
    referredTo.add(name)
    return { $ref: `#/components/schemas/${name}` }
  }
  function defined(schema) {
    const said = closeTuple(mapSubschemas(schema, of))
    const target = same.referred(schema)
    if (target === undefined) return said
    if (nameOf(target) !== undefined) return { ...said, ...of(target) }
    // What has no name to refer to stands beside the other keywords as a part of its own.
    const { $ref: _, allOf = [], ...rest } = said
    return { ...rest, allOf: [of(target), ...allOf] }
  }
  function of(schema) {
    const here = same.behind(schema)
    const name = nameOf(here)
    if (name !== undefined) return reference(name)
    const near = nearNameOf(here)
    return near === undefined ? defined(here) : { ...reference(near), ...getAnnotations(here) }
  }
  function components() {
    const made = {}
    // To write one may refer to others: those are behind it in the set, and written in their turn.
    for (const name of referredTo) made[name] = defined(definitions.get(name) ?? {})
    return Object.fromEntries([...definitions.keys()].flatMap((name) => (made[name] === undefined ? [] : [[name, made[name]]])))
  }
  return { of, components }
}
