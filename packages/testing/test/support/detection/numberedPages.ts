/** Faults of pages by cursors and by numbers. */
import { endpoint, int, optional, text } from 'lapidary'
import { link } from 'lapidary/links'
import {
  type CursorInput,
  cursorPagination,
  type KeysetSource,
  type OffsetSource,
  type PageInput,
  type PageQuery,
  pagePagination,
} from 'lapidary/pagination'
import { type HttpHandler, type HttpResponse, serve } from 'lapidary/server'
import { changing, type Planted, Stone, without } from './planted.ts'

const stones = ['Agate', 'Beryl', 'Citrine', 'Diamond', 'Emerald', 'Fluorite', 'Garnet', 'Hematite', 'Jade'].map(
  (name, index): Stone => ({ name, hardness: 7 - (index % 2) }),
)
const fields = {
  name: { codec: text, get: ({ name }: Stone) => name },
  hardness: { codec: int, get: ({ hardness }: Stone) => hardness },
}
type Field = keyof typeof fields
const options = { key: ({ name }: Stone) => name, default: 'name' } as const

/** A query as an application writes it. */
const readStones = ({ field, order, after, offset, limit }: PageQuery<Field>): readonly Stone[] => {
  const sign = order === 'asc' ? 1 : -1
  const compare = (one: Stone, value: string | number | null, key: string | number): number => {
    const own = fields[field].get(one)
    if (own !== value) return sign * (own < (value ?? '') ? -1 : 1)
    return one.name === key ? 0 : sign * (one.name < key ? -1 : 1)
  }
  return stones
    .filter((stone) => after === undefined || compare(stone, after.value, after.key ?? '') > 0)
    .sort((one, other) => compare(one, fields[field].get(other), other.name))
    .slice(offset, offset + limit)
}
const source: KeysetSource<Stone, Field> = { page: readStones }

const changeBody = (response: HttpResponse, change: (body: Record<string, unknown>) => object): HttpResponse =>
  response.status === 200 && typeof response.body === 'string'
    ? { ...without('content-length', response), body: JSON.stringify(change(JSON.parse(response.body))) }
    : response

const cursors = cursorPagination(Stone, fields, options)
const cursorApi = { it: endpoint('GET /it', { ...cursors.declaration }) }
const cursorServer = (from: KeysetSource<Stone, Field>): HttpHandler => serve(cursorApi, { it: (input) => cursors.page(input, from) })
const rightCursors = cursorServer(source)
const withCursor = (change: (input: CursorInput<Field>) => CursorInput<Field>): HttpHandler =>
  serve(cursorApi, { it: (input) => cursors.page(change(input), source) })

const byCursor: Planted = {
  words: ['cursorPagination'],
  api: cursorApi,
  at: 'it',
  right: [rightCursors, cursorServer({ page: (query) => Promise.resolve(readStones(query)), sizes: ({ limit }) => Array(limit).fill(1) })],
  faults: [
    [
      'each page but the first skips an item',
      cursorServer({ page: (query) => readStones({ ...query, offset: query.after === undefined ? 0 : 1 }) }),
      'pagination',
      /^by name, following Link, 2 items a page: expected 9 items, as on larger pages, got [0-8]$/,
    ],
    [
      'each page but the first begins with the last item of the page before it',
      cursorServer({
        page: (query) => {
          const last = stones.filter(({ name }) => name === query.after?.key)
          return [...last, ...readStones({ ...query, limit: query.limit - last.length })]
        },
      }),
      'pagination',
      'items are on two pages',
    ],
    [
      'equal values are lost, because the key is not compared',
      cursorServer({
        page: (query) =>
          readStones(query).filter((stone) => query.after === undefined || fields[query.field].get(stone) !== query.after.value),
      }),
      'pagination',
      /^by hardness, following Link, 2 items a page: expected 9 items/,
    ],
    [
      'the order is always ascending',
      cursorServer({ page: (query) => readStones({ ...query, order: 'asc' }) }),
      'pagination',
      'is not the reverse of',
    ],
    [
      'the limit is ignored',
      withCursor(({ query }) => ({ query: { ...query, limit: undefined } })),
      'pagination',
      'page 1: expected at most 2 items, got 9',
    ],
    [
      'no link to the next page',
      changing(rightCursors, (response) => without('link', response)),
      'pagination',
      'expected 9 items, as on larger pages, got 2',
    ],
    [
      'the first page in place of an error',
      serve(cursorApi, {
        it: (input) => cursors.page(input, source).catch(() => cursors.page({ query: { ...input.query, cursor: undefined } }, source)),
      }),
      'pagination',
      'a cursor of the sort name, with the sort -name: expected 400, got 200',
    ],
  ],
}

const inBody = cursorPagination(Stone, fields, { ...options, body: { items: 'data', next: 'nextCursor' } })
const inBodyApi = { it: endpoint('GET /it', { ...inBody.declaration }) }
const rightInBody = serve(inBodyApi, { it: (input) => inBody.page(input, source) })
const byCursorInBody: Planted = {
  words: ['cursorPagination'],
  api: inBodyApi,
  at: 'it',
  right: [rightInBody],
  faults: [
    [
      'no cursor in the body',
      changing(rightInBody, (response) => changeBody(response, ({ data }) => ({ data }))),
      'pagination',
      /^page 1 has the cursor none in the member "nextCursor", and [\w-]+ in the link to the next page$/,
    ],
    [
      'a cursor in the body of the last page',
      changing(rightInBody, (response) => changeBody(response, (body) => ({ nextCursor: 'more', ...body }))),
      'pagination',
      'page 1 has the cursor more in the member "nextCursor", and none in the link to the next page',
    ],
    [
      'items under another name',
      changing(rightInBody, (response) => changeBody(response, ({ data }) => ({ items: data }))),
      'body',
      '/data',
    ],
  ],
}

const numbers = pagePagination(Stone)
const numberApi = {
  it: endpoint('GET /it', { ...numbers.declaration, query: { ...numbers.declaration.query, hardness: optional(int) } }),
}
const numberServer = (from: Partial<OffsetSource<Stone>> = {}, change: (input: PageInput) => PageInput = (input) => input): HttpHandler =>
  serve(numberApi, {
    it: (input) =>
      numbers.page(
        change(input),
        {
          count: () => stones.length,
          page: ({ offset, limit }) => stones.slice(offset, offset + limit),
          ...from,
        },
        { link: (query) => link(numberApi.it, { query: { ...input.query, ...query } }) },
      ),
  })
const rightNumbers = numberServer()
const byNumber: Planted = {
  words: ['pagePagination'],
  api: numberApi,
  at: 'it',
  right: [rightNumbers],
  faults: [
    ['another total', numberServer({ count: () => 10 }), 'pagination', 'the total is 10, the pages have 9 items'],
    [
      'another order for each page',
      numberServer({ page: ({ offset, limit }) => (offset % 4 === 2 ? stones.toReversed() : stones).slice(offset, offset + limit) }),
      'pagination',
      /^2 items a page: (?:item 3 is another one than on larger pages|\d items are on two pages)/,
    ],
    [
      'numbers from 0',
      numberServer({ page: ({ offset, limit }) => stones.slice(offset + limit, offset + 2 * limit) }),
      'pagination',
      'expected 0 items, as on larger pages',
    ],
    [
      'the last page again, after the last one',
      numberServer({}, ({ query }) => ({
        query: { ...query, page: Math.min(query.page ?? 1, Math.ceil(stones.length / (query.limit ?? 100))) },
      })),
      'pagination',
      'the page after the last one: expected no items',
    ],
    [
      'no link to the next page',
      changing(rightNumbers, (response) => ({
        ...response,
        headers: response.headers.map((text) => text.replace('rel="next"', 'rel="up"')),
      })),
      'pagination',
      'of 9 in all: expected the link "next" to lead to page 2, got none',
    ],
    [
      'no link to the last page',
      changing(rightNumbers, (response) => ({
        ...response,
        headers: response.headers.map((text) => text.replace(/page=\d+([^>]*>; rel="last")/, 'page=1$1')),
      })),
      'pagination',
      'expected the link "last" to lead to page',
    ],
  ],
}

const totals = pagePagination(Stone, { body: { items: 'items', total: 'total' } })
const totalApi = { it: endpoint('GET /it', { ...totals.declaration }) }
const rightTotals = serve(totalApi, { it: (input) => totals.page(input, stones) })
const byNumberInBody: Planted = {
  words: ['pagePagination'],
  api: totalApi,
  at: 'it',
  right: [rightTotals],
  faults: [
    [
      'the number of items of the page as the total',
      changing(rightTotals, (response) => changeBody(response, ({ items }) => ({ items, total: (items as unknown[]).length }))),
      'pagination',
      'expected the link "next" to lead to page none, got 2',
    ],
    ['no total', changing(rightTotals, (response) => changeBody(response, ({ items }) => ({ items }))), 'body', '/total'],
  ],
}

export const numberedPages: readonly Planted[] = [byCursor, byCursorInBody, byNumber, byNumberInBody]
