/** Lists that end with their places (tuples), said so that readers who know no `prefixItems` are not misled. */
import type { SchemaObject } from './document.ts'

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
