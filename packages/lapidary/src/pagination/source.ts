/** Where pages come from: an array, or a query that a database answers by an index. */
import type { Awaitable } from '../http/promises.ts'
import type { SortOrder, ValueCodec } from './range.ts'

/** The value of a field in an item. The values of one field are all texts or all numbers; some may be missing. */
export type FieldValue = string | number | null

/**
 * Where null stands among the values of a field. `lowest`: before all values in ascending order, after them in descending order. `highest`:
 * the other way round. Either order is exactly the reverse of the other.
 */
export type NullOrder = 'lowest' | 'highest'

/** A field with ranges: how its values are written in a header, and how to get them from an item. */
export interface FieldDefinition<Item> {
  readonly codec: ValueCodec
  readonly get: (item: Item) => FieldValue
  /** @default `lowest` */
  readonly nulls?: NullOrder
}

/**
 * A query for one page: at most `limit` items, after skipping `offset` items from the position `after`. Equal values are ordered by the
 * key, in the same direction.
 */
export interface PageQuery<Field extends string = string> {
  readonly field: Field
  readonly order: SortOrder
  /**
   * Where the page begins: strictly after `value` in this order or, with `key`, strictly after the position (`value`, `key`), even if no
   * item is there. Absent: at the first item.
   */
  readonly after?: { readonly value: FieldValue; readonly key?: string | number }
  readonly offset: number
  readonly limit: number
}

/** A collection that can be read page by page, in the order of a field and from any position. */
export interface KeysetSource<Item, Field extends string = string> {
  readonly page: (query: PageQuery<Field>) => Awaitable<readonly Item[]>
  /**
   * Returns the size of each item of a page in bytes, without reading the items: for items of any size. A page then ends at its limit or
   * before `maxBytes`, whichever comes first. Without it, the largest page has to fit into memory.
   */
  readonly sizes?: (query: PageQuery<Field>) => Awaitable<readonly number[]>
}

/** The same, of a collection that also knows how many items it has. */
export interface PageSource<Item, Field extends string = string> extends KeysetSource<Item, Field> {
  /** Returns how many items there are. */
  readonly count: () => Awaitable<number>
}

/** A collection in an order of its own, which can be read by numbered pages. */
export interface OffsetSource<Item> {
  /** Returns how many items there are. */
  readonly count: () => Awaitable<number>
  /** Returns at most `limit` items, after skipping `offset` items. */
  readonly page: (query: { readonly offset: number; readonly limit: number }) => Awaitable<readonly Item[]>
}

/** Reduces the limit of a query to the items that have at most `maxBytes` together, at least one. */
export async function fitLimit<Item, Field extends string>(
  { sizes }: KeysetSource<Item, Field>,
  query: PageQuery<Field>,
  maxBytes: number,
): Promise<number> {
  if (sizes === undefined || query.limit <= 1) return query.limit
  let total = 0
  const index = (await sizes(query)).findIndex((size) => {
    total += size
    return total > maxBytes
  })
  return index < 0 ? query.limit : Math.max(1, index)
}

/** The items of a page, and the item after them, if there is one. */
interface ReadPage<Item> {
  readonly items: readonly Item[]
  readonly next: Item | undefined
}

/** Reads the items that a query asks for, or those of them that have at most `maxBytes` together. */
export async function readPage<Item, Field extends string>(
  source: KeysetSource<Item, Field>,
  query: PageQuery<Field>,
  maxBytes: number,
): Promise<ReadPage<Item>> {
  if (query.limit === 0) return { items: [], next: undefined }
  const limit = await fitLimit(source, query, maxBytes)
  // One item more than is sent tells whether there is a next page.
  const rows = await source.page({ ...query, limit: limit + 1 })
  return { items: rows.slice(0, limit), next: rows[limit] }
}

/** Ranks UTF-16 code units by the code points that they begin: surrogates begin the highest. */
const rankCodeUnit = (unit: number): number => (unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800)

/** Compares texts by code point, as databases with a binary collation do. The operator `<` compares UTF-16 code units. */
function compareTexts(one: string, other: string): number {
  const length = Math.min(one.length, other.length)
  let index = 0
  while (index < length && one.charCodeAt(index) === other.charCodeAt(index)) index += 1
  return index === length ? one.length - other.length : rankCodeUnit(one.charCodeAt(index)) - rankCodeUnit(other.charCodeAt(index))
}

function compareFieldValues(one: FieldValue, other: FieldValue, nulls: NullOrder = 'lowest'): number {
  if (one === null || other === null) return (Number(other === null) - Number(one === null)) * (nulls === 'lowest' ? 1 : -1)
  return typeof one === 'number' && typeof other === 'number' ? one - other : compareTexts(String(one), String(other))
}

/** Makes a source of an array, which is sorted for each page. */
export function createArraySource<Item, Field extends string>(
  items: readonly Item[],
  fields: { readonly [Name in Field]: FieldDefinition<Item> },
  getKey: (item: Item) => string | number,
): PageSource<Item, Field> {
  return {
    count: () => items.length,
    page: ({ field, order, after, offset, limit }) => {
      const { get, nulls } = fields[field]
      const sign = order === 'asc' ? 1 : -1
      const isBehind = (item: Item): boolean => {
        if (after === undefined) return true
        const difference = compareFieldValues(get(item), after.value, nulls)
        return sign * (difference || (after.key === undefined ? 0 : compareFieldValues(getKey(item), after.key))) > 0
      }
      return items
        .filter(isBehind)
        .sort((one, other) => sign * (compareFieldValues(get(one), get(other), nulls) || compareFieldValues(getKey(one), getKey(other))))
        .slice(offset, offset + limit)
    },
  }
}
