/** Where pages come from: an array, or a query that a database answers by its index. */
import type { Awaitable } from '../http/promises.ts'
import type { SortOrder, ValueCodec } from './range.ts'

/** What an item holds in a field. Values of one field are all texts or all numbers; some may be missing. */
export type FieldValue = string | number | null

/**
 * Where null stands among the values of a field: before every value in ascending order and behind every one in descending order (`lowest`),
 * or the other way round (`highest`). Either way one order is exactly the reverse of the other.
 */
export type NullOrder = 'lowest' | 'highest'

/** A field on which ranges are defined: how its values stand in a header, and where they are in an item. */
export interface FieldDefinition<Item> {
  readonly codec: ValueCodec
  readonly get: (item: Item) => FieldValue
  /** Default: `lowest`. */
  readonly nulls?: NullOrder
}

/** One page to read: skip `offset` of the items behind `after`, then give at most `limit`. Equal values are ordered by the key, in the same direction. */
export interface PageQuery<Field extends string = string> {
  readonly field: Field
  readonly order: SortOrder
  /**
   * Where the page begins: strictly after `value` in the chosen order or, with `key`, strictly after the one position (`value`, `key`),
   * whether an item is there or not. Absent: at the first item.
   */
  readonly after?: { readonly value: FieldValue; readonly key?: string | number }
  readonly offset: number
  readonly limit: number
}

/** A collection that can be read page by page. */
export interface PageSource<Item, Field extends string = string> {
  /** How many items there are in all. */
  readonly count: () => Awaitable<number>
  readonly page: (query: PageQuery<Field>) => Awaitable<readonly Item[]>
}

/** UTF-16 units in the order of the code points that they begin: surrogates stand for the highest of them. */
const rankCodeUnit = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** By code point, as databases with a binary collation order text; JavaScript's `<` orders by UTF-16 unit. */
function compareTexts(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length)
  let index = 0
  while (index < shorter && one.charCodeAt(index) === other.charCodeAt(index)) index += 1
  return index === shorter ? one.length - other.length : rankCodeUnit(one.charCodeAt(index)) - rankCodeUnit(other.charCodeAt(index))
}

function compareFieldValues(one: FieldValue, other: FieldValue, nulls: NullOrder = 'lowest'): number {
  if (one === null || other === null) return (Number(other === null) - Number(one === null)) * (nulls === 'lowest' ? 1 : -1)
  return typeof one === 'number' && typeof other === 'number' ? one - other : compareTexts(String(one), String(other))
}

/** A small collection in memory as a source. */
export function createArraySource<Item, Field extends string>(
  items: readonly Item[],
  fields: { readonly [Name in Field]: FieldDefinition<Item> },
  keyOf: (item: Item) => string | number,
): PageSource<Item, Field> {
  return {
    count: () => items.length,
    page: ({ field, order, after, offset, limit }) => {
      const { get: of, nulls } = fields[field]
      const sign = order === 'asc' ? 1 : -1
      const isBeyond = (item: Item): boolean => {
        if (after === undefined) return true
        const difference = compareFieldValues(of(item), after.value, nulls)
        return sign * (difference || (after.key === undefined ? 0 : compareFieldValues(keyOf(item), after.key))) > 0
      }
      return items
        .filter(isBeyond)
        .sort((one, other) => sign * (compareFieldValues(of(one), of(other), nulls) || compareFieldValues(keyOf(one), keyOf(other))))
        .slice(offset, offset + limit)
    },
  }
}
