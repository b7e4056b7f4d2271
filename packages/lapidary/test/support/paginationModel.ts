/** The laws of ranges, for any collection: what a walk from page to page must find, beside a plain model of the rules. */
import fc from 'fast-check'
import type { FieldValue, NullOrder, PageHeaders, PageSource, RangePagination, SortOrder } from 'lapidary/pagination'
import { expect } from 'vitest'

type Awaitable<T> = T | Promise<T>

/** What the cases are made from; it stands in the name of each test, and `SEED=…` makes the same cases again. */
export const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31)

/** How many times more walks than usual are made: `WALKS=10 npm test -- kyselySource`. */
export const walkFactor = Number(process.env['WALKS'] ?? 1)

/** A collection that can be read by pages, and changed between them. */
export interface Collection<Item, Field extends string> {
  readonly source: PageSource<Item, Field> | readonly Item[]
  readonly insert: (item: Item) => Awaitable<void>
  /** Takes away the item with this item's key. */
  readonly remove: (item: Item) => Awaitable<void>
  /** Puts this item in the place of the one with its key. */
  readonly update: (item: Item) => Awaitable<void>
}

/** What the laws know of a collection. */
export interface Subject<Item, Field extends string> {
  readonly ranges: RangePagination<Item, unknown, Field>
  readonly fields: { readonly [Name in Field]: { readonly get: (item: Item) => FieldValue; readonly nulls?: NullOrder } }
  readonly key: (item: Item) => string | number
  /** Items with a key of a small range, so that keys come up again, and with few values, so that many are equal. */
  readonly item: fc.Arbitrary<Item>
  /** An item with the key of the first and everything else of the second. */
  readonly moved: (item: Item, to: Item) => Item
  /** Values to start behind: those of items, and some that no item has. No empty text. */
  readonly values: { readonly [Name in Field]: fc.Arbitrary<string | number> }
  readonly filled: (items: readonly Item[]) => Awaitable<Collection<Item, Field>>
}

/** How texts and numbers compare: by code point, which is the order of their UTF-8, and null at its end. */
function compared(one: FieldValue, other: FieldValue, nulls: NullOrder = 'lowest'): number {
  const edge = nulls === 'lowest' ? -1 : 1
  if (one === null || other === null) return one === other ? 0 : one === null ? edge : -edge
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)))
}

/** All items in the order of a field. */
export function inOrder<Item, Field extends string>(
  { fields, key }: Subject<Item, Field>,
  items: readonly Item[],
  field: Field,
  order: SortOrder,
): readonly Item[] {
  const { get, nulls } = fields[field]
  const ascending = items.toSorted((one, other) => compared(get(one), get(other), nulls) || compared(key(one), key(other)))
  return order === 'asc' ? ascending : ascending.toReversed()
}

interface Page<Item> {
  readonly items: readonly Item[]
  readonly headers: PageHeaders
}

async function readPage<Item, Field extends string>(
  { ranges }: Subject<Item, Field>,
  { source }: Collection<Item, Field>,
  range: string,
): Promise<Page<Item>> {
  const { body, headers } = await ranges.page({ headers: { Range: undefined }, query: { range } }, source)
  return { items: body, headers }
}

/** The range of the next page, as `Link` says it. */
export function linkedRange({ Link = '' }: Pick<PageHeaders, 'Link'>): string {
  const [, query = ''] = /^<\?([!#-;=?-Z_a-z~]+)>; rel="next"$/.exec(Link) ?? []
  return new URLSearchParams(query).get('range') ?? `no range in ${Link}`
}

const tokenIn = (range: string): string => / ([^ ]+);/.exec(range.slice(range.indexOf('after')))?.[1] ?? `no token in ${range}`

const orders = fc.constantFrom<SortOrder>('asc', 'desc')

/** Items with keys of their own, where a walk begins, and how large its pages are. */
function walks<Item, Field extends string>({ item, key, fields }: Subject<Item, Field>, size: number) {
  return fc.record({
    items: fc.uniqueArray(item, { maxLength: size, selector: key }),
    field: fc.constantFrom(...(Object.keys(fields) as Field[])),
    order: orders,
    limit: fc.integer({ min: 1, max: 7 }),
    offset: fc.integer({ min: 0, max: 5 }),
  })
}

/** Walks a collection that does not change, from `range` on, each step by one of the two headers, and checks every page on the way. */
async function walkedStill<Item, Field extends string>(
  subject: Subject<Item, Field>,
  collection: Collection<Item, Field>,
  range: string,
  expected: readonly Item[],
  byLink: (step: number) => boolean,
  total: number,
): Promise<readonly (readonly [link: string, sent: number])[]> {
  const links: (readonly [link: string, sent: number])[] = []
  let sent = 0
  for (let next: string | undefined = range, step = 0; next !== undefined; step += 1) {
    const { items, headers }: Page<Item> = await readPage(subject, collection, next)
    expect({ range: next, items }).toEqual({ range: next, items: expected.slice(sent, sent + items.length) })
    sent += items.length
    const more = sent < expected.length
    expect([headers['Total-Count'], headers['Next-Range'] !== undefined, headers.Link !== undefined]).toEqual([total, more, more])
    if (more) expect(items.length).toBeGreaterThan(0)
    if (more) links.push([linkedRange(headers), sent])
    next = !more ? undefined : byLink(step) ? linkedRange(headers) : headers['Next-Range']
  }
  expect(sent).toBe(expected.length)
  return links
}

/**
 * On a still collection a walk visits each item behind its start exactly once, in order, whichever of `Next-Range` and `Link` is followed at each step;
 * and from each token the walk back visits what lies before it.
 */
export const stillLaw = <Item, Field extends string>(subject: Subject<Item, Field>, size = 30): fc.IAsyncPropertyWithHooks<[unknown]> => {
  const steps = fc.record({ byLink: fc.infiniteStream(fc.boolean()), turn: fc.nat(), skip: fc.nat({ max: 3 }) })
  const cases = walks(subject, size).chain((walk) =>
    fc.record({ walk: fc.constant(walk), value: fc.option(subject.values[walk.field], { nil: undefined }), steps }),
  )
  return fc.asyncProperty(cases, async ({ walk: { items, field, order, limit, offset }, value, steps: { byLink, turn, skip } }) => {
    const collection = await subject.filled(items)
    const flip = (): boolean => byLink.next().value
    const sorted = inOrder(subject, items, field, order)
    const { get, nulls } = subject.fields[field]
    const sign = order === 'asc' ? 1 : -1
    const start = value === undefined ? 0 : sorted.filter((item) => sign * compared(get(item), value, nulls) <= 0).length
    const options = `; order ${order}; offset ${offset}; limit ${limit}`
    const range = `${field}${value === undefined ? '' : ` ${encodeURIComponent(value)}`}${options}`
    const links = await walkedStill(subject, collection, range, sorted.slice(start + offset), flip, items.length)
    if (links.length === 0) return
    const [link, sent] = links[turn % links.length] ?? ['', 0]
    // The item that the token stands for is the last one of its page.
    const here = start + offset + sent - 1
    const back = order === 'asc' ? 'desc' : 'asc'
    const turned = `${field}; after ${tokenIn(link)}; order ${back}; offset ${skip}; limit ${limit}`
    await walkedStill(subject, collection, turned, sorted.slice(0, here).toReversed().slice(skip), flip, items.length)
  })
}

/** How a walk gets from page to page. */
export interface Walker<Item, Field extends string> {
  /** Whether the first page can skip items. */
  readonly hasOffset: boolean
  readonly start: (field: Field, order: SortOrder, offset: number, limit: number) => string
  readonly read: (
    collection: Collection<Item, Field>,
    page: string,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>
}

/** By ranges, each step by `Link`. */
const byRange = <Item, Field extends string>(subject: Subject<Item, Field>): Walker<Item, Field> => ({
  hasOffset: true,
  start: (field, order, offset, limit) => `${field}; order ${order}; offset ${offset}; limit ${limit}`,
  read: async (collection, range) => {
    const { items, headers } = await readPage(subject, collection, range)
    return { items, next: headers.Link === undefined ? undefined : linkedRange(headers) }
  },
})

/**
 * While items come, go and move between the pages, following `Link` visits each item that does not change exactly once, in order; the items on which
 * the pages ended come and go as well.
 */
export const changingLaw = <Item, Field extends string>(
  subject: Subject<Item, Field>,
  size = 30,
  { hasOffset, start, read }: Walker<Item, Field> = byRange(subject),
): fc.IAsyncPropertyWithHooks<[unknown]> => {
  const change = fc.record({ what: fc.constantFrom('insert', 'remove', 'update', 'removeLast' as const), item: subject.item, at: fc.nat() })
  const cases = fc.record({ walk: walks(subject, size), changes: fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 12 }) })
  return fc.asyncProperty(cases, async ({ walk: { items, field, order, limit, ...walk }, changes }) => {
    const offset = hasOffset ? walk.offset : 0
    const { key, moved } = subject
    const collection = await subject.filled(items)
    const present = new Map(items.map((item) => [key(item), item]))
    const touched = new Set<string | number>()
    const visited: (string | number)[] = []
    let next: string | undefined = start(field, order, offset, limit)
    for (let step = 0; next !== undefined; step += 1) {
      const page = await read(collection, next)
      visited.push(...page.items.map(key))
      if (visited.length > 1_000) throw new Error('The walk does not end.')
      for (const { what, item, at } of changes[step] ?? []) {
        const last = page.items.at(-1)
        const chosen = what === 'removeLast' ? last : what === 'insert' ? item : [...present.values()][at % (present.size || 1)]
        if (chosen === undefined) continue
        const id = key(chosen)
        const isThere = present.has(id)
        touched.add(id)
        if (what === 'insert' && !isThere) {
          await collection.insert(item)
          present.set(id, item)
        } else if (what === 'update' && isThere) {
          const now = moved(chosen, item)
          await collection.update(now)
          present.set(id, now)
        } else if (isThere) {
          await collection.remove(chosen)
          present.delete(id)
        }
      }
      next = page.next
    }
    const untouched = inOrder(subject, items, field, order)
      .slice(offset)
      .map(key)
      .filter((id) => !touched.has(id))
    expect(visited.filter((id) => !touched.has(id))).toEqual(untouched)
  })
}
