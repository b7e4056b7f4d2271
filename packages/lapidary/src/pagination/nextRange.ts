/** Where the next page begins, as a range without a token: exactly behind the last item of this page, even among equal values. */
import type { SortOrder } from './range.ts'
import type { RequestedRange } from './rangeRequest.ts'
import { type FieldValue, fitLimit, type PageSource } from './source.ts'
import type { PlainPosition, TokenPosition } from './token.ts'

/** Reads one field of an item. */
interface ItemReader<Item> {
  readonly getValue: (item: Item) => FieldValue
  readonly getKey: (item: Item) => string | number
  /** Whether a range can name a value. */
  readonly isNameable: (value: FieldValue) => value is string | number
  /** The largest bytes of items that are read at once, of a source that has their sizes. */
  readonly maxBytes: number
}

/** How many items are read at once to count them. */
const countBatchSize = 1_000

/**
 * Finds the plain position of a token in the order that its page did not have: counts back to the nearest value that a range can name, with
 * the item of the token. Clients that follow `Link` never need it, only those that reverse the order at a token among equal values. It
 * costs as much as an offset of that size.
 */
async function recountPosition<Item, Field extends string>(
  { value, key }: TokenPosition,
  field: Field,
  order: SortOrder,
  source: PageSource<Item, Field>,
  { getValue, getKey, isNameable, maxBytes }: ItemReader<Item>,
): Promise<PlainPosition> {
  const reverse = order === 'asc' ? 'desc' : 'asc'
  let offset = 1
  for (let after = { value, key }; ; ) {
    const query = { field, order: reverse, after, offset: 0, limit: countBatchSize } as const
    const limit = await fitLimit(source, query, maxBytes)
    const items = await source.page({ ...query, limit })
    for (const item of items) {
      const previous = getValue(item)
      if (previous !== value && isNameable(previous)) return { value: previous, offset }
      offset += 1
    }
    const last = items[items.length - 1]
    if (last === undefined || items.length < limit) return { value: undefined, offset }
    after = { value: getValue(last), key: getKey(last) }
  }
}

/** Finds the plain position at which the requested page begins. */
async function getPageStart<Item, Field extends string>(
  { range: { field, value, offset, order }, position }: RequestedRange,
  source: PageSource<Item, Field>,
  reader: ItemReader<Item>,
): Promise<PlainPosition> {
  if (position === undefined) return { value, offset }
  // parseRange() has found the field among those of the source.
  const plain = position.order === order ? position.plain : await recountPosition(position, field as Field, order, source, reader)
  return { value: plain.value, offset: plain.offset + offset }
}

/**
 * Computes where the next page begins. After a page that ends among equal values it names the value before them, and counts those that were
 * sent. If no value that a range can name ends within the page, it continues the count of the page itself.
 *
 * @param next the item behind the page
 */
export async function computeNextRange<Item, Field extends string>(
  requested: RequestedRange,
  items: readonly Item[],
  next: Item,
  source: PageSource<Item, Field>,
  reader: ItemReader<Item>,
): Promise<PlainPosition> {
  const { getValue, isNameable } = reader
  const index = items.findLastIndex((item, at) => {
    const value = getValue(item)
    return value !== getValue(items[at + 1] ?? next) && isNameable(value)
  })
  const value = index < 0 ? null : getValue(items[index] as Item)
  if (value !== null) return { value, offset: items.length - 1 - index }
  const start = await getPageStart(requested, source, reader)
  return { value: start.value, offset: start.offset + items.length }
}
