/** Where pages come from: an array, or a query that a database answers by its index. */
import type { Order } from './range.ts'

/** One page to read: skip `offset` of the items strictly after the anchor, then give at most `limit`. Equal values are ordered by the key. */
export interface PageQuery<Field extends string = string> {
  readonly field: Field
  readonly order: Order
  /** Absent: from the first item on. */
  readonly after?: { readonly value: string | number }
  readonly offset: number
  readonly limit: number
}

type Awaitable<T> = T | Promise<T>

/** A collection that can be read page by page. */
export interface Source<Item, Field extends string = string> {
  /** How many items there are in all. */
  readonly count: () => Awaitable<number>
  readonly page: (query: PageQuery<Field>) => Awaitable<readonly Item[]>
}

/** By code point, as databases with a binary collation order text; JavaScript's `<` orders by UTF-16 unit. */
function compared(one: string | number, other: string | number): number {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  const left = Array.from(String(one))
  const right = Array.from(String(other))
  for (let index = 0; index < Math.min(left.length, right.length); index += 1) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/** A small collection in memory as a source. */
export function arraySource<Item>(
  items: readonly Item[],
  read: (item: Item, field: string) => string | number,
  keyOf: (item: Item) => string | number,
): Source<Item> {
  return {
    count: () => items.length,
    page: ({ field, order, after, offset, limit }) => {
      const sign = order === 'asc' ? 1 : -1
      return items
        .filter((item) => after === undefined || sign * compared(read(item, field), after.value) > 0)
        .sort((one, other) => sign * (compared(read(one, field), read(other, field)) || compared(keyOf(one), keyOf(other))))
        .slice(offset, offset + limit)
    },
  }
}
