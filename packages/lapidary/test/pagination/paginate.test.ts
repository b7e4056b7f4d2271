/** `paginate(call)`: an iteration over the items of all pages. */
import { endpoint, int, ok, optional, text, type WithHeaders, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import {
  type CursorInput,
  cursorPagination,
  type NextPageHeaders,
  type PageCall,
  pagePagination,
  paginate,
  type RangeInput,
  rangePagination,
} from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Letter = z.object({ letter: z.string() })
const letters = [...'abcdefg'].map((letter) => ({ letter }))
const letterRanges = rangePagination(
  Letter,
  { letter: { codec: text, get: ({ letter }) => letter } },
  { key: ({ letter }) => letter, default: 'letter' },
)

/** Calls in this process, with what they were asked; `change` may take headers away or put others in their place. */
function calling(change: (headers: NextPageHeaders) => NextPageHeaders = (headers) => headers) {
  const ranges: (string | undefined)[] = []
  const call = async (input: RangeInput): Promise<WithHeaders<readonly { letter: string }[], NextPageHeaders>> => {
    expect(input.headers.Range).toBe(undefined)
    ranges.push(input.query.range)
    const { body, headers } = await letterRanges.page(input, letters)
    return withHeaders(body, change(headers))
  }
  return { ranges, call }
}

async function spell(call: PageCall<{ letter: string }>, range?: string): Promise<string> {
  let word = ''
  for await (const { letter } of paginate(call, range === undefined ? {} : { range })) word += letter
  return word
}

test('every item comes once, in order, by the Link of each page', async () => {
  const { ranges, call } = calling()
  expect(await spell(call, 'letter; order asc; limit 3')).toBe('abcdefg')
  expect(ranges[0]).toBe('letter; order asc; limit 3')
  expect(ranges.slice(1)).toEqual([1, 2].map(() => expect.stringMatching(/^letter; after [A-Za-z0-9_-]+; offset 0; limit 3; order asc$/)))
})

test('without a range the server chooses the first page', async () => {
  const { ranges, call } = calling()
  expect(await spell(call)).toBe('gfedcba')
  expect(ranges).toEqual([undefined])
})

test('without a Link, Next-Range is followed', async () => {
  const { ranges, call } = calling(({ 'Next-Range': next }) => ({ 'Next-Range': next }))
  expect(await spell(call, 'letter; order asc; limit 3')).toBe('abcdefg')
  expect(ranges.at(-1)).toBe('letter f; offset 0; limit 3; order asc')
})

describe('a Link in another form', () => {
  const target = '/letters?range=letter+f;+order+asc'
  test.each([
    ['among others', `</letters>; rel="first", <${target}>; rel="next"`],
    ['with several relations', `<${target}>; title="a, <b>; c"; rel="last next"`],
    ['without quotes', `<${target}>;rel=next`],
    ['in another case', `<${target}>; REL="Next"`],
    ['with spaces around the equals sign', `<${target}> ; rel = "next"`],
    ['behind an empty parameter', `<${target}>;; rel=next;`],
    ['behind a link whose title only looks like a relation', `</x?range=letter+e>; title="; rel=next"; rel="prev", <${target}>; rel=next`],
    ['behind a link to the next of something else', `</x?range=letter+e>; rel=next; anchor="/x", <${target}>; rel=next`],
    ['behind a link whose first relation counts', `</x?range=letter+e>; rel=prev; rel=next, <${target}>; rel=next`],
    ['with a fragment', `<http://example.org${target}#top>; rel="next"`],
  ])('%s is followed', async (_what, Link) => {
    const { ranges, call } = calling((headers) => (headers.Link === undefined ? {} : { Link }))
    expect(await spell(call, 'letter; order asc; limit 2')).toBe('abg')
    expect(ranges[1]).toBe('letter f; order asc')
  })

  test.each([
    ['to something else', `<${target}>; rel="prev"`],
    ['that only looks like one', `<${target}>; rel="next-archive"; title="rel=next"`],
    ['without a range', '</letters?page=2>; rel="next"'],
  ])('%s is not: Next-Range is', async (_what, Link) => {
    const { call } = calling((headers) => (headers.Link === undefined ? {} : { ...headers, Link }))
    expect(await spell(call, 'letter; order asc; limit 3')).toBe('abcdefg')
  })
})

test.each(['</letters?page=2>; rel="next"', '</letters>; rel=next', '</letters?range>; rel=next', '<#?range=letter+f>; rel=next'])(
  'a next page without a range is an error, not the end: %s',
  async (Link) => {
    const { ranges, call } = calling((headers) => (headers.Link === undefined ? {} : { Link }))
    await expect(spell(call, 'letter; order asc; limit 2')).rejects.toThrow(/^The Link of the next page has no parameter "range"/)
    expect(ranges).toHaveLength(1)
  },
)

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['is the same page', { letter: 'letter' }, 1],
  ['leads back to the first page', { letter: 'letter b', 'letter b': 'letter' }, 4],
  ['leads back to a later page', { letter: 'letter b', 'letter b': 'letter c', 'letter c': 'letter d', 'letter d': 'letter c' }, 6],
])('a next page that %s is an error, not an endless iteration', async (_what, pages, calls) => {
  const { ranges, call } = calling(() => ({ 'Next-Range': pages[String(ranges.at(-1))] ?? '' }))
  await expect(spell(call, 'letter')).rejects.toThrow(/^The pages after ".*" lead back to ".*", so the iteration would never end\./)
  expect(ranges.length).toBeLessThanOrEqual(calls)
})

test('an iteration that ends early requests no further page', async () => {
  const { ranges, call } = calling()
  for await (const { letter } of paginate(call, { range: 'letter; order asc; limit 2' })) if (letter === 'c') break
  expect(ranges).toHaveLength(2)
})

test('a signal stops the iteration before the next page, and is passed to each call', async () => {
  const { ranges, call } = calling()
  const stop = new AbortController()
  const signals: unknown[] = []
  const walk = paginate(
    (input, { signal }) => {
      signals.push(signal)
      return call(input)
    },
    { range: 'letter; order asc; limit 2', signal: stop.signal },
  )
  expect((await walk.next()).value).toEqual({ letter: 'a' })
  stop.abort(new Error('enough'))
  expect((await walk.next()).value).toEqual({ letter: 'b' })
  await expect(walk.next()).rejects.toThrow('enough')
  expect([ranges.length, signals]).toEqual([1, [stop.signal]])
})

test('the iteration throws what a call throws', async () => {
  await expect(spell(() => Promise.reject(new Error('no such server')))).rejects.toThrow('no such server')
  await expect(spell((input) => letterRanges.page(input, letters), 'size')).rejects.toMatchObject({ status: 416 })
})

describe('by cursors and by numbers', () => {
  const fields = { letter: { codec: text, get: ({ letter }: z.infer<typeof Letter>) => letter } }
  const options = { key: ({ letter }: z.infer<typeof Letter>) => letter, default: 'letter', limit: 2 } as const
  const cursors = cursorPagination(Letter, fields, options)
  const cursorsInBody = cursorPagination(Letter, fields, { ...options, body: { items: 'items', next: 'next' } })
  const renamed = cursorPagination(Letter, fields, { ...options, body: { items: 'data', next: 'nextCursor' } })
  const pages = pagePagination(Letter, { limit: 2 })
  const pagesInBody = pagePagination(Letter, { limit: 2, body: { items: 'results', total: 'count' } })
  const api = {
    cursors: endpoint('GET /cursors', { ...cursors.declaration }),
    cursorsInBody: endpoint('GET /cursors-in-body', { ...cursorsInBody.declaration }),
    renamed: endpoint('GET /renamed', { ...renamed.declaration }),
    pages: endpoint('GET /pages', { ...pages.declaration }),
    pagesInBody: endpoint('GET /pages-in-body', { ...pagesInBody.declaration }),
    ofBook: endpoint('GET /books/:id/letters', { params: { id: int }, ...cursors.declaration }),
  }
  const server = serve(api, {
    cursors: (input) => cursors.page(input, letters),
    cursorsInBody: (input) => cursorsInBody.page(input, letters),
    renamed: (input) => renamed.page(input, letters),
    pages: (input) => pages.page(input, letters),
    pagesInBody: (input) => pagesInBody.page(input, letters),
    ofBook: (input) => cursors.page(input, letters.slice(input.params.id)),
  })
  const targets: string[] = []
  /** `keepLink`: whether the client sees the header, which CORS can hide. */
  const calling = (keepLink = true) => {
    targets.length = 0
    return client(api, 'http://letters.test', {
      fetch: async (request) => {
        const { pathname, search } = new URL(request.url)
        targets.push(pathname + search.replace(/cursor=[\w-]+/, 'cursor'))
        const response = await server.fetch(request)
        if (!keepLink) response.headers.delete('Link')
        return response
      },
    })
  }
  const join = async (walk: AsyncIterable<{ letter: string }>): Promise<string> => {
    let word = ''
    for await (const { letter } of walk) word += letter
    return word
  }

  const call = calling()
  test.each([
    ['cursors', () => paginate(call.cursors)],
    ['cursors in the body', () => paginate(call.cursorsInBody)],
    ['cursors in the body, under other names', () => paginate(call.renamed)],
    ['numbers', () => paginate(call.pages)],
    ['numbers, with the total in the body', () => paginate(call.pagesInBody)],
  ])('%s: each item comes once, by Link', async (_what, walk) => {
    targets.length = 0
    expect(await join(walk())).toBe('abcdefg')
    expect(targets).toHaveLength(4)
  })

  test('the other pages get the input of the first one', async () => {
    expect(await join(paginate(calling().cursors, { input: { query: { limit: 4, sort: '-letter' } } }))).toBe('gfedcba')
    expect(targets).toEqual(['/cursors?limit=4&sort=-letter', '/cursors?cursor&limit=4&sort=-letter'])
    expect(await join(paginate(calling().pages, { input: { query: { page: 2, limit: 3 } } }))).toBe('defg')
    expect(targets).toEqual(['/pages?page=2&limit=3', '/pages?page=3&limit=3'])
    expect(await join(paginate(calling().ofBook, { input: { params: { id: 4 } } }))).toBe('efg')
    expect(targets).toEqual(['/books/4/letters', '/books/4/letters?cursor'])
  })

  test('without a Link, the cursor of the body is followed: next, or another one by the option', async () => {
    expect(await join(paginate(calling(false).cursorsInBody))).toBe('abcdefg')
    const next = ({ body: { nextCursor: cursor } }: { body: { nextCursor?: string } }) =>
      cursor === undefined ? undefined : { query: { cursor } }
    expect(await join(paginate(calling(false).renamed, { next }))).toBe('abcdefg')
    expect(targets).toEqual(['/renamed', '/renamed?cursor', '/renamed?cursor', '/renamed?cursor'])
  })

  test('calls in the same process', async () => {
    expect(await join(paginate((input: CursorInput<'letter'>) => cursorsInBody.page(input, letters), { input: { query: {} } }))).toBe(
      'abcdefg',
    )
  })

  test.each<[string, unknown]>([
    ['a URL', 'http://letters.test/letters?cursor=2'],
    ['a path', '/letters?cursor=2'],
    ['a query', '?cursor=2'],
    ['a cursor', '2'],
  ])('next of a body is %s', async (_what, next) => {
    const inputs: unknown[] = []
    const call = (input: { query?: { cursor?: string } }) => {
      inputs.push(input.query?.cursor)
      return { results: [{ letter: `${inputs.length}` }], next: inputs.length === 1 ? next : null }
    }
    expect(await join(paginate(call, { input: {} }))).toBe('12')
    expect(inputs).toEqual([undefined, '2'])
  })

  test('next of a body that is a URL without a cursor is an error, not the end', async () => {
    const call = (_: object) => ({ results: [{ letter: 'a' }], next: 'http://letters.test/letters/nextPage' })
    await expect(join(paginate(call))).rejects.toThrow(
      /^The Link of the next page has no parameter "cursor" or "range" or "page": <http:\/\/letters.test\/letters\/nextPage>\. .* write the option next\.$/,
    )
  })

  test.each(['/+8B', 'ab/c1==', '?x', 'a?b=c'])('next of a body is the cursor %s, which looks like a part of a URL', async (cursor) => {
    const call = (input: { query?: { cursor?: string } }) =>
      input.query?.cursor === cursor ? { items: [{ letter: 'b' }] } : { items: [{ letter: 'a' }], next: cursor }
    expect(await join(paginate(call, { input: {} }))).toBe('ab')
  })

  test.each<[string, unknown]>([
    ['a number', 2],
    ['a boolean', true],
    ['an object', { page: 2 }],
  ])('next of a body that is %s is an error, not the end', async (what, next) => {
    const call = (_: object) => ({ items: [{ letter: 'a' }], next })
    await expect(join(paginate(call))).rejects.toThrow(
      `The member "next" of the body is ${what}, and it is not clear which parameter requests this page. The pages after it would be lost. Write the option next.`,
    )
  })

  test.each<[string, (index: number) => object]>([
    ['times of one second', (index) => ({ query: { after: new Date(1_000 + index) } })],
    ['big integers', (index) => ({ query: { after: BigInt(index) } })],
    ['sets', (index) => ({ query: { after: new Set([index]) } })],
    ['objects', (index) => ({ body: { page: { index } } })],
    ['one value in several members', (index) => ({ query: { [`after${index}`]: 1 } })],
    ['one value in several parts', (index) => ({ [['query', 'headers', 'params', 'cookies'][index] ?? 'body']: { after: 1 } })],
  ])('pages that differ by %s are no circle', async (_what, select) => {
    let count = 0
    const call = (_: object) => ({ items: [{ letter: `${++count}` }] })
    const next = () => (count < 5 ? select(count - 1) : undefined)
    expect(await join(paginate(call, { input: {}, next }))).toBe('12345')
  })

  test.each([
    ['no array', {}, 0],
    ['two arrays', { letters: [], others: [] }, 2],
  ])('a body with %s is an error, if the option items does not say which', async (_what, body, count) => {
    await expect(join(paginate((_: object) => body as { letters: { letter: string }[] }))).rejects.toThrow(
      new TypeError(
        `paginate(): the body of a page has ${count} arrays, so that it is not clear which has the items. Write the option items: (page) => page.body.items.`,
      ),
    )
  })

  test('pages that lead in a circle are an error', async () => {
    const call = (input: { query?: { cursor?: string } }) => ({ items: [{ letter: 'a' }], next: input.query?.cursor === 'b' ? 'c' : 'b' })
    await expect(join(paginate(call))).rejects.toThrow(/^The pages after ".*" lead back to ".*"/)
  })

  test('the options are functions', async () => {
    await expect(join(paginate(calling().cursors, { next: 7 as never }))).rejects.toThrow(
      /^paginate\(\): next is a number, expected a function/,
    )
  })
})

/** What `payload/pageable` of the http-specs of TypeSpec asks of a client, by the name of each scenario. */
describe('pages of the servers of others', () => {
  const Pet = z.object({ id: z.string(), name: z.string() })
  const pets = ['dog', 'cat', 'bird', 'fish'].map((name, index) => ({ id: `${index + 1}`, name }))
  const [firstPets, lastPets] = [pets.slice(0, 2), pets.slice(2)]
  const shared = { query: { bar: optional(text) }, headers: { foo: optional(text) } }
  const token = optional(text)
  const Pets = z.object({ pets: z.array(Pet) })
  const Linked = Pets.extend({ next: z.url().optional() })
  const Continued = Pets.extend({ nextToken: z.string().optional() })
  const Nested = z.object({
    nestedItems: Pets,
    nestedNext: z.object({ next: z.url().optional(), nextToken: z.string().optional() }).optional(),
  })
  const nextTokenHeader = { headers: { 'next-token': optional(text) } }
  const api = {
    link: endpoint('GET /link', { response: ok(Linked) }),
    linkNextPage: endpoint('GET /link/nextPage', { response: ok(Linked) }),
    nestedLink: endpoint('GET /nested-link', { response: ok(Nested) }),
    nestedLinkNextPage: endpoint('GET /nested-link/nextPage', { response: ok(Nested) }),
    post: endpoint('POST /link/initial-post', { body: z.object({ filter: z.string() }), response: ok(Linked) }),
    postNextPage: endpoint('GET /link/initial-post/nextPage', { query: { token: text }, response: ok(Linked) }),
    queryBody: endpoint('GET /query-body', { ...shared, query: { ...shared.query, token }, response: ok(Continued) }),
    headerBody: endpoint('GET /header-body', { ...shared, headers: { ...shared.headers, token }, response: ok(Continued) }),
    queryHeader: endpoint('GET /query-header', { ...shared, query: { ...shared.query, token }, response: ok(Pets, nextTokenHeader) }),
    headerHeader: endpoint('GET /header-header', { ...shared, headers: { ...shared.headers, token }, response: ok(Pets, nextTokenHeader) }),
    queryNested: endpoint('GET /query-nested', { ...shared, query: { ...shared.query, token }, response: ok(Nested) }),
    headerNested: endpoint('GET /header-nested', { ...shared, headers: { ...shared.headers, token }, response: ok(Nested) }),
    whole: endpoint('GET /without-continuation', { response: ok(Pets) }),
    list: endpoint('GET /list', { query: { pageSize: optional(int) }, response: ok(Pets) }),
  }
  const base = 'http://pets.test'
  const requireShared = ({ query: { bar }, headers: { foo } }: { query: { bar: unknown }; headers: { foo: unknown } }): void =>
    expect([bar, foo]).toEqual(['bar', 'foo'])
  const continued = (page: string | undefined) => (page === 'page2' ? { pets: lastPets } : { pets: firstPets, nextToken: 'page2' })
  const continuedInHeader = (page: string | undefined) =>
    page === 'page2'
      ? withHeaders({ pets: lastPets }, { 'next-token': undefined })
      : withHeaders({ pets: firstPets }, { 'next-token': 'page2' })
  const nested = (page: string | undefined) =>
    page === 'page2' ? { nestedItems: { pets: lastPets } } : { nestedItems: { pets: firstPets }, nestedNext: { nextToken: 'page2' } }
  const server = serve(api, {
    link: () => ({ pets: firstPets, next: `${base}/link/nextPage` }),
    linkNextPage: () => ({ pets: lastPets }),
    nestedLink: () => ({ nestedItems: { pets: firstPets }, nestedNext: { next: `${base}/nested-link/nextPage` } }),
    nestedLinkNextPage: () => ({ nestedItems: { pets: lastPets } }),
    post: () => ({ pets: firstPets, next: `${base}/link/initial-post/nextPage?token=abc` }),
    postNextPage: ({ query }) => {
      expect(query.token).toBe('abc')
      return { pets: lastPets }
    },
    queryBody: (input) => {
      requireShared(input)
      return continued(input.query.token)
    },
    headerBody: (input) => {
      requireShared(input)
      return continued(input.headers.token)
    },
    queryHeader: (input) => {
      requireShared(input)
      return continuedInHeader(input.query.token)
    },
    headerHeader: (input) => {
      requireShared(input)
      return continuedInHeader(input.headers.token)
    },
    queryNested: (input) => {
      requireShared(input)
      return nested(input.query.token)
    },
    headerNested: (input) => {
      requireShared(input)
      return nested(input.headers.token)
    },
    whole: () => ({ pets }),
    list: ({ query: { pageSize } }) => ({ pets: pets.slice(0, pageSize) }),
  })
  const call = client(api, base, { fetch: server.fetch })
  const input = { query: { bar: 'bar' }, headers: { foo: 'foo' } }
  const inQuery = (next: string | undefined) => (next === undefined ? undefined : { query: { token: next } })
  const inHeader = (next: string | undefined) => (next === undefined ? undefined : { headers: { token: next } })

  test.each<[string, () => AsyncIterable<z.infer<typeof Pet>>]>([
    [
      'link, link-string',
      () =>
        paginate((page: { next?: string | undefined }) => (page.next === undefined ? call.link() : call.linkNextPage()), {
          next: ({ next }) => (next === undefined ? undefined : { next }),
        }),
    ],
    [
      'nested-link',
      () =>
        paginate((page: { next?: string | undefined }) => (page.next === undefined ? call.nestedLink() : call.nestedLinkNextPage()), {
          items: ({ nestedItems }) => nestedItems.pets,
          next: ({ nestedNext: { next } = {} }) => (next === undefined ? undefined : { next }),
        }),
    ],
    [
      'link/initial-post',
      () =>
        paginate(
          (page: { next?: string | undefined }) =>
            page.next === undefined
              ? call.post({ body: { filter: 'foo eq bar' } })
              : call.postNextPage({ query: { token: new URL(page.next).searchParams.get('token') ?? '' } }),
          { next: ({ next }) => (next === undefined ? undefined : { next }) },
        ),
    ],
    ['request-query-response-body', () => paginate(call.queryBody, { input, next: ({ nextToken }) => inQuery(nextToken) })],
    ['request-header-response-body', () => paginate(call.headerBody, { input, next: ({ nextToken }) => inHeader(nextToken) })],
    ['request-query-response-header', () => paginate(call.queryHeader, { input, next: ({ headers }) => inQuery(headers['next-token']) })],
    [
      'request-header-response-header',
      () => paginate(call.headerHeader, { input, next: ({ headers }) => inHeader(headers['next-token']) }),
    ],
    [
      'request-query-nested-response-body',
      () =>
        paginate(call.queryNested, {
          input,
          items: ({ nestedItems }) => nestedItems.pets,
          next: ({ nestedNext }) => inQuery(nestedNext?.nextToken),
        }),
    ],
    [
      'request-header-nested-response-body',
      () =>
        paginate(call.headerNested, {
          input,
          items: ({ nestedItems }) => nestedItems.pets,
          next: ({ nestedNext }) => inHeader(nestedNext?.nextToken),
        }),
    ],
    ['pagesize/without-continuation', () => paginate(call.whole)],
    ['pagesize/list', () => paginate(call.list, { input: { query: { pageSize: 4 } } })],
  ])('%s', async (_scenario, walk) => {
    const names: string[] = []
    for await (const { name } of walk()) names.push(name)
    expect(names).toEqual(['dog', 'cat', 'bird', 'fish'])
  })
})
