/** How many values there are within a generated one. A schema may come from anywhere, and nested arrays multiply their items. */
import type { JsonSchema } from 'lapidary'
import { getBound, type SchemaNode } from 'lapidary/internal'
import { unfold } from '../diff/subschema/unfold.ts'

/** An array that has to have more values within it is not generated. */
const maxLeastValues = 25_000
/** The most values within one that nothing forces to have more. */
const usualMaxValues = 5_000

/** By schema. One that contains itself counts as one value within itself. */
const counts = new WeakMap<object, number>()

/** How many values the items of an array are, if it has as few as it may have, but one. */
function countItems(node: SchemaNode): number {
  const { prefixItems, items } = node.parts
  const { minItems, contains, minContains } = node.schema
  const declared = prefixItems.reduce((sum, place) => sum + countLeastValues(place), 0)
  const others = items === undefined ? 0 : Math.max(1, getBound(minItems, 0) - prefixItems.length) * countLeastValues(items)
  return declared + others + (contains === undefined ? 0 : getBound(minContains, 1) * countLeastValues(node.parse(contains as JsonSchema)))
}

/** How many values there are within one that has all declared members, and as few items as it may have, but one. */
function countLeastValues(part: SchemaNode): number {
  const node = unfold(part)
  const known = counts.get(node.schema)
  if (known !== undefined) return known
  counts.set(node.schema, 1)
  const { properties, rest, allOf, branches = [] } = node.parts
  const members = [...properties.values(), ...(rest === undefined ? [] : [rest])]
  const own = [...members, ...allOf].reduce((sum, one) => sum + countLeastValues(one), 1)
  const count = Math.max(own + countItems(node), ...branches.map(countLeastValues))
  // A part that is too large is none of a value.
  const found = count > maxLeastValues ? 1 : count
  counts.set(node.schema, found)
  return found
}

/** Whether so many items of a schema are too many values. */
export const isTooLarge = (items: SchemaNode, count: number): boolean => count * countLeastValues(items) > maxLeastValues

/** How many times more values than necessary a value of a schema may have within it. */
export const getGrowth = (node: SchemaNode): number => usualMaxValues / countLeastValues(node)
