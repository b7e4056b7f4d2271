import { descend, isAnySchema, isNeverSchema, neverSchema } from './compareContext.js'
/** The schema of the item in this place. */
export const getItemAt = ({ prefixItems = [], items }, index) => {
  const item = prefixItems[index] ?? items
  return typeof item === 'object' ? item : item === false ? neverSchema : {}
}
/** The most items that a list may have. */
export function getMaxItems(schema) {
  const { prefixItems = [], items, maxItems = Number.POSITIVE_INFINITY } = schema
  return items === false || isNeverSchema(getItemAt(schema, prefixItems.length)) ? Math.min(prefixItems.length, maxItems) : maxItems
}
/** Lists: as many as allowed, and each item within that which stands in its place. */
export function isArraySubschema(a, b, way) {
  const [longest, down] = [getMaxItems(a), descend(way)]
  if ((b.minItems ?? 0) > (a.minItems ?? 0) || getMaxItems(b) < longest) return false
  if (b['uniqueItems'] === true && a['uniqueItems'] !== true && longest > 1) return false
  // Behind the last of the places that either names, all items are alike.
  const places = Math.max(a.prefixItems?.length ?? 0, b.prefixItems?.length ?? 0)
  for (let index = 0; index <= places && index < longest; index += 1) {
    const [one, other] = [getItemAt(a, index), getItemAt(b, index)]
    if (!isAnySchema(other) && !way.isProven(one, other, down)) return false
  }
  return true
}
