/** `cursorPagination`: pages by `?cursor=&limit=&sort=`. */
import { endpoint, errors, int, optional, schemaCodec, text, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { type CursorInput, cursorPagination, type KeysetSource, type PageQuery, rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string(), hardness: z.number().nullable() })
type Stone = z.infer<typeof Stone>
const stones: readonly Stone[] = [
  { name: 'agate', hardness: 7 },
  { name: 'beryl', hardness: 8 },
  { name: 'calcite', hardness: 3 },
  { name: 'diamond', hardness: 10 },
  { name: 'opal', hardness: null },
]
const fields = {
  name: { codec: text, get: (stone: Stone) => stone.name },
  hardness: { codec: int, get: (stone: Stone) => stone.hardness },
}
const key = (stone: Stone): string => stone.name
const pages = cursorPagination(Stone, fields, { key, default: 'name', limit: 2, maxLimit: 4 })
const inBody = cursorPagination(Stone, fields, { key, default: '-hardness', body: { items: 'items', next: 'next' } })
const renamed = cursorPagination(Stone, fields, { key, default: 'name', limit: 3, body: { items: 'data', next: 'next_cursor' } })

const api = {
  stones: endpoint('GET /stones', { ...pages.declaration }),
  inBody: endpoint('GET /in-body', { ...inBody.declaration }),
  renamed: endpoint('GET /renamed', { ...renamed.declaration }),
}
const server = serve(api, {
  stones: (input) => pages.page(input, stones),
  inBody: (input) => inBody.page(input, stones),
  renamed: (input) => renamed.page(input, stones),
})
const get = (target: string): Promise<Response> => Promise.resolve(server.fetch(new Request(`http://stones.test${target}`)))

/** The names of a page, and the target of the next one. */
async function readNames(target: string): Promise<readonly [names: readonly string[], next: string | undefined]> {
  const response = await get(target)
  expect(response.status).toBe(200)
  const [, next] = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('Link') ?? '') ?? []
  return [((await response.json()) as Stone[]).map(({ name }) => name), next]
}

test('a page has the items after its cursor, and a Link to the next page', async () => {
  const [first, next = ''] = await readNames('/stones')
  expect(first).toEqual(['agate', 'beryl'])
  expect(next).toMatch(/^\?cursor=[\w-]+&limit=2&sort=name$/)
  const [second, third = ''] = await readNames(`/stones${next}`)
  expect(second).toEqual(['calcite', 'diamond'])
  expect(await readNames(`/stones${third}`)).toEqual([['opal'], undefined])
})

test.each<[string, readonly string[]]>([
  ['name', ['agate', 'beryl', 'calcite', 'diamond']],
  ['-name', ['opal', 'diamond', 'calcite', 'beryl']],
  ['hardness', ['opal', 'calcite', 'agate', 'beryl']],
  ['-hardness', ['diamond', 'beryl', 'agate', 'calcite']],
])('?sort=%s sorts the items', async (sort, names) => {
  expect((await readNames(`/stones?sort=${sort}&limit=4`))[0]).toEqual(names)
})

test.each([
  ['/stones?limit=0', 'limit'],
  ['/stones?limit=5', 'limit'],
  ['/stones?limit=x', 'limit'],
  ['/stones?sort=size', 'sort'],
  ['/stones?cursor=', 'cursor'],
  ['/stones?cursor=a%20b', 'cursor'],
  ['/stones?cursor=AAAA', 'cursor'],
  ['/stones?cursor=a&cursor=b', 'cursor'],
])('%s is 400', async (target, name) => {
  const response = await get(target)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errors: [{ in: 'query', name }] })
})

describe('a cursor is refused', () => {
  const nextOf = async (target: string): Promise<string> =>
    /cursor=([\w-]+)/.exec((await get(target)).headers.get('Link') ?? '')?.[1] ?? expect.unreachable()
  const refused = {
    in: 'query',
    name: 'cursor',
    detail: expect.stringMatching(/^expected the cursor of a page of these items, sorted by /),
  }

  test.each(['-name', 'hardness', '-hardness'])('with the sort %s, if it is of another one', async (sort) => {
    const cursor = await nextOf('/stones?sort=name')
    const response = await get(`/stones?sort=${sort}&cursor=${cursor}`)
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ errors: [refused] })
  })

  test('without a sort, if it is not of the default one', async () => {
    expect((await get(`/stones?cursor=${await nextOf('/stones?sort=-name')}`)).status).toBe(400)
  })

  test('if one character of it is another one', async () => {
    const cursor = await nextOf('/stones')
    for (let index = 0; index < cursor.length; index += 1) {
      const changed = `${cursor.slice(0, index)}${cursor[index] === 'A' ? 'B' : 'A'}${cursor.slice(index + 1)}`
      expect([changed, (await get(`/stones?cursor=${changed}`)).status]).toEqual([changed, 400])
    }
  })

  test('by a collection with other fields, such as the next version of this one', async () => {
    const other = cursorPagination(Stone, { name: fields.name }, { key, default: 'name' })
    const query = { cursor: await nextOf('/stones'), limit: undefined, sort: undefined }
    await expect(other.page({ query }, stones)).rejects.toMatchObject({ status: 400, errors: [refused] })
  })
})

test('the body has the items and the cursor of the next page, by any names', async () => {
  const body = (await (await get('/in-body?limit=4')).json()) as { items: unknown[]; next: string }
  expect(body).toEqual({ items: expect.any(Array), next: expect.stringMatching(/^[\w-]+$/) })
  expect(await (await get(`/in-body?limit=4&cursor=${body.next}`)).json()).toEqual({ items: [{ name: 'opal', hardness: null }] })
  const call = client(api, 'http://stones.test', { fetch: server.fetch })
  const first = await call.renamed()
  expect(first.body.data.map(({ name }) => name)).toEqual(['agate', 'beryl', 'calcite'])
  expect(first.headers.Link).toBe(`<?cursor=${first.body.next_cursor}&limit=3&sort=name>; rel="next"`)
  const cursor = first.body.next_cursor ?? expect.unreachable()
  expect(await call.renamed({ query: { cursor } })).toEqual({
    body: { data: stones.slice(3) },
    headers: { Link: undefined },
  })
})

test.each<[string, unknown, string]>([
  ['no object', [], 'expected an object'],
  ['no items', { next: 'a' }, '/items'],
  ['an item of another type', { items: [{ name: 'a', hardness: 'b' }] }, '/items/0/hardness'],
  ['a cursor that is no text', { items: [], next: 7 }, '/next'],
])('the client refuses a body with %s', async (_what, body, part) => {
  const fetch = () => Promise.resolve(Response.json(body))
  await expect(client(api, 'http://stones.test', { fetch }).inBody()).rejects.toThrow(part)
})

test('values that JSON has not are decoded in the items of a body', async () => {
  const day = z.codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString().slice(0, 10) })
  const Find = schemaCodec(z.object({ id: z.string(), day }))
  const finds = cursorPagination(
    Find,
    { id: fields.name && { codec: text, get: (find) => find.id } },
    { key: (find) => find.id, default: 'id', body: { items: 'items', next: 'next' } },
  )
  const findApi = { finds: endpoint('GET /finds', { ...finds.declaration }) }
  const find = { id: 'a', day: new Date('2024-02-29') }
  const findServer = serve(findApi, { finds: (input) => finds.page(input, [find]) })
  expect(await (await findServer.fetch(new Request('http://stones.test/finds'))).json()).toEqual({
    items: [{ id: 'a', day: '2024-02-29' }],
  })
  expect((await client(findApi, 'http://stones.test', { fetch: findServer.fetch }).finds()).body).toEqual({ items: [find] })
})

test('a page that is an instance of a class has its getters', async () => {
  const day = z.codec(z.iso.date(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString().slice(0, 10) })
  const finds = cursorPagination(
    schemaCodec(z.object({ day })),
    { day: { codec: text, get: (find) => find.day.toISOString() } },
    { key: (find) => find.day.toISOString(), default: 'day', body: { items: 'items', next: 'next' } },
  )
  class Page {
    readonly items = [{ day: new Date('2024-02-29') }]
    get next() {
      return 'cursor'
    }
  }
  const { fetch } = serve(
    { finds: endpoint('GET /finds', { ...finds.declaration }) },
    { finds: () => withHeaders(new Page(), { Link: undefined }) },
  )
  expect(await (await fetch(new Request('http://stones.test/finds'))).json()).toEqual({ items: [{ day: '2024-02-29' }], next: 'cursor' })
})

test('further query parameters need a link, so that no page loses them', async () => {
  const filtered = {
    stones: endpoint('GET /stones', { ...pages.declaration, query: { ...pages.declaration.query, harder: optional(int) } }),
  }
  const source = ({ query: { harder = 0 } }: { query: { harder: number | undefined } }) =>
    stones.filter(({ hardness }) => Number(hardness) > harder)
  const bare = serve(filtered, { stones: (input) => pages.page(input, source(input)) }, { onError: () => {} })
  expect((await bare.fetch(new Request('http://stones.test/stones'))).status).toBe(200)
  expect((await bare.fetch(new Request('http://stones.test/stones?harder=6'))).status).toBe(500)
  const query = { cursor: undefined, limit: undefined, sort: undefined, harder: 6 }
  await expect(pages.page({ query }, stones)).rejects.toThrow(
    'page(): the query of the request has harder, which the links to other pages would lose. Write the option link: (query) => link(endpoint, { query: { ...input.query, ...query } }).',
  )
  const linking = serve(filtered, {
    stones: (input) =>
      pages.page(input, source(input), { link: (query) => link(filtered.stones, { query: { ...input.query, ...query } }) }),
  })
  const response = await linking.fetch(new Request('http://stones.test/stones?harder=6'))
  expect(response.headers.get('Link')).toMatch(/^<\/stones\?cursor=[\w-]+&limit=2&sort=name&harder=6>; rel="next"$/)
})

test('a query of the application gets the position, and one row more than is sent is asked for', async () => {
  const queries: PageQuery[] = []
  const source: KeysetSource<Stone> = {
    page: (query) => {
      queries.push(query)
      return stones.slice(0, query.limit)
    },
  }
  const input: CursorInput<'name' | 'hardness'> = { query: { cursor: undefined, limit: undefined, sort: undefined } }
  const { headers } = await pages.page(input, source)
  const cursor = /cursor=([\w-]+)/.exec(headers.Link ?? '')?.[1]
  await pages.page({ query: { ...input.query, cursor, limit: 4 } }, source)
  expect(queries).toEqual([
    { field: 'name', order: 'asc', offset: 0, limit: 3 },
    { field: 'name', order: 'asc', offset: 0, limit: 5, after: { value: 'beryl', key: 'beryl' } },
  ])
})

test('a page ends before maxBytes, of a source with sizes', async () => {
  const source: KeysetSource<Stone> = {
    page: ({ limit }) => stones.slice(0, limit),
    sizes: ({ limit }) => stones.slice(0, limit).map(() => 40),
  }
  const query = { cursor: undefined, limit: 4, sort: undefined }
  const { body, headers } = await pages.page({ query }, source, { maxBytes: 130 })
  expect([body.length, headers.Link]).toEqual([3, expect.stringContaining('rel="next"')])
})

describe('an item whose position cannot be written', () => {
  const odd = (name: string): Stone => ({ name, hardness: 1 })
  const query = { cursor: undefined, limit: 2, sort: undefined }

  test('does not end a page', async () => {
    const { body, headers } = await pages.page({ query }, ['a', 'b\0', 'c'].map(odd))
    expect([body.map(({ name }) => name), headers.Link]).toEqual([['a'], expect.stringContaining('rel="next"')])
  })

  test('is the last item of the last page', async () => {
    expect((await pages.page({ query }, ['a', 'b\0'].map(odd))).headers.Link).toBe(undefined)
  })

  test('is an error where no other one is before it, so that no items are lost silently', async () => {
    await expect(pages.page({ query: { ...query, limit: 1 } }, ['a\0', 'b'].map(odd))).rejects.toThrow(
      /^cursorPagination\(\): no item of the page has a cursor, because the codec of name or of the key/,
    )
  })
})

test('the descriptions of range and cursor can stand beside each other', () => {
  const ranges = rangePagination(Stone, fields, { key, default: 'name' })
  const both = { ranges: endpoint('GET /ranges', { ...ranges.declaration }), cursors: endpoint('GET /cursors', { ...pages.declaration }) }
  expect([both.ranges.pagination?.kind, both.cursors.pagination?.kind]).toEqual(['range', 'cursor'])
})

test('an endpoint can declare errors beside its pages', async () => {
  const lost = { stones: endpoint('GET /:shelf/stones', { ...pages.declaration, errors: [] }) }
  const none = serve(lost, {
    stones: () => {
      throw errors.notFound()
    },
  })
  expect((await none.fetch(new Request('http://stones.test/7/stones'))).status).toBe(404)
})

describe('mistakes in the options', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a default that is no field',
      () => cursorPagination(Stone, fields, { key, default: 'size' as 'name' }),
      'cursorPagination(): default is "size", expected a field, or one with a minus sign before it. Write one of name, -name, hardness, -hardness.',
    ],
    [
      'a field that no sort can name',
      () => cursorPagination(Stone, { '-x': fields.name }, { key, default: '-x' }),
      'cursorPagination() has the field "-x", which no sort can name. Begin it with a letter, and use letters, digits, - and _.',
    ],
    [
      'a limit of 0',
      () => cursorPagination(Stone, fields, { key, default: 'name', limit: 0 }),
      'cursorPagination(): limit is 0, expected an integer from 1. Write one, or remove the option.',
    ],
    [
      'a maxLimit of 0',
      () => cursorPagination(Stone, fields, { key, default: 'name', maxLimit: 0 }),
      'cursorPagination(): maxLimit is 0, expected an integer from 1. Write one, or remove the option.',
    ],
    [
      'a limit above maxLimit',
      () => cursorPagination(Stone, fields, { key, default: 'name', limit: 5, maxLimit: 4 }),
      'cursorPagination(): limit is 5, more than maxLimit, which is 4. Lower the limit, or raise maxLimit.',
    ],
    [
      'one name for two members',
      () => cursorPagination(Stone, fields, { key, default: 'name', body: { items: 'data', next: 'data' } }),
      'cursorPagination(): body has the name "data" for two members. Give each member a name of its own.',
    ],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(new TypeError(message))
  })

  test('a maxLimit below the usual limit lowers it', () => {
    expect(cursorPagination(Stone, fields, { key, default: 'name', maxLimit: 20 }).declaration.query.limit.jsonSchema).toEqual({
      type: 'integer',
      minimum: 1,
      maximum: 20,
      default: 20,
    })
  })
})
