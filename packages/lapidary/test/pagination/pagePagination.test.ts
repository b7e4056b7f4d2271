/** `pagePagination`: pages by `?page=&limit=`. */
import { endpoint, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { type OffsetSource, pagePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Letter = z.object({ letter: z.string() })
type Letter = z.infer<typeof Letter>
const letters = [...'abcdefg'].map((letter) => ({ letter }))
const pages = pagePagination(Letter, { limit: 3, maxLimit: 5 })
const inBody = pagePagination(Letter, { limit: 3, body: { items: 'results', total: 'count' } })
const api = {
  letters: endpoint('GET /letters', { ...pages.declaration }),
  inBody: endpoint('GET /in-body', { ...inBody.declaration }),
}
const server = serve(api, {
  letters: (input) => pages.page(input, letters),
  inBody: (input) => inBody.page(input, letters),
})
const get = (target: string): Promise<Response> => Promise.resolve(server.fetch(new Request(`http://letters.test${target}`)))

const spell = (items: unknown): string => (items as Letter[]).map(({ letter }) => letter).join('')

const linkAs =
  (relation: string) =>
  (page: number, limit = 3): string =>
    `<?page=${page}&limit=${limit}>; rel="${relation}"`
const [first, prev, next, last] = [linkAs('first'), linkAs('prev'), linkAs('next'), linkAs('last')] as const

test.each<[string, string, readonly string[]]>([
  ['', 'abc', [first(1), next(2), last(3)]],
  ['?page=1', 'abc', [first(1), next(2), last(3)]],
  ['?page=2', 'def', [first(1), prev(1), next(3), last(3)]],
  ['?page=3', 'g', [first(1), prev(2), last(3)]],
  ['?page=4', '', [first(1), prev(3), last(3)]],
  ['?page=9', '', [first(1), prev(3), last(3)]],
  ['?page=9007199254740991', '', [first(1), prev(3), last(3)]],
  ['?limit=5&page=2', 'fg', [first(1, 5), prev(1, 5), last(2, 5)]],
])('GET /letters%s has "%s", the total and its links', async (query, word, links) => {
  const response = await get(`/letters${query}`)
  expect(response.status).toBe(200)
  expect(spell(await response.json())).toBe(word)
  expect(response.headers.get('Total-Count')).toBe('7')
  expect(response.headers.get('Link')).toBe(links.join(', '))
})

test.each([
  ['?page=0', 'page'],
  ['?page=-1', 'page'],
  ['?page=1.5', 'page'],
  ['?page=9007199254740992', 'page'],
  ['?limit=0', 'limit'],
  ['?limit=6', 'limit'],
])('GET /letters%s is 400', async (query, name) => {
  const response = await get(`/letters${query}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ errors: [{ in: 'query', name }] })
})

test('an empty collection has one empty page', async () => {
  const { body, headers } = await pages.page({ query: { page: undefined, limit: undefined } }, [])
  expect([body, headers]).toEqual([[], { 'Total-Count': 0, Link: `${first(1)}, ${last(1)}` }])
})

test('the body has the items and the total, by any names', async () => {
  const response = await get('/in-body?page=3')
  expect(await response.json()).toEqual({ results: [{ letter: 'g' }], count: 7 })
  expect(response.headers.has('Total-Count')).toBe(false)
  const call = client(api, 'http://letters.test', { fetch: server.fetch })
  const { body, headers } = await call.inBody({ query: { page: 2 } })
  expect([spell(body.results), body.count, headers]).toEqual(['def', 7, { Link: `${first(1)}, ${prev(1)}, ${next(3)}, ${last(3)}` }])
})

test.each<[string, unknown, string]>([
  ['no total', { results: [] }, '/count'],
  ['a total that is no integer', { results: [], count: 1.5 }, '/count'],
  ['a negative total', { results: [], count: -1 }, '/count'],
])('the client refuses a body with %s', async (_what, body, part) => {
  const fetch = () => Promise.resolve(Response.json(body, { headers: { Link: '<?page=1>; rel="first"' } }))
  await expect(client(api, 'http://letters.test', { fetch }).inBody()).rejects.toThrow(part)
})

test('a query of the application gets an offset and a limit, and is not asked for a page after the last one', async () => {
  const queries: object[] = []
  const source: OffsetSource<Letter> = {
    count: () => Promise.resolve(letters.length),
    page: (query) => {
      queries.push(query)
      return Promise.resolve(letters.slice(query.offset, query.offset + query.limit))
    },
  }
  expect(spell((await pages.page({ query: { page: 2, limit: 4 } }, source)).body)).toBe('efg')
  expect((await pages.page({ query: { page: 3, limit: 4 } }, source)).body).toEqual([])
  expect(queries).toEqual([{ offset: 4, limit: 4 }])
})

test('further query parameters need a link, so that no page loses them', async () => {
  const searched = {
    letters: endpoint('GET /letters', { ...pages.declaration, query: { ...pages.declaration.query, from: optional(text) } }),
  }
  const query = { page: 1, limit: 3, from: 'c' }
  await expect(pages.page({ query }, letters)).rejects.toThrow(/^page\(\): the query of the request has from, which the links/)
  const linking = serve(searched, {
    letters: (input) =>
      pages.page(
        input,
        letters.filter(({ letter }) => letter >= (input.query.from ?? '')),
        { link: (selection) => link(searched.letters, { query: { ...input.query, ...selection } }) },
      ),
  })
  const response = await linking.fetch(new Request('http://letters.test/letters?from=c'))
  expect(response.headers.get('Link')).toBe(
    '</letters?page=1&limit=3&from=c>; rel="first", </letters?page=2&limit=3&from=c>; rel="next", </letters?page=2&limit=3&from=c>; rel="last"',
  )
})

describe('mistakes in the options', () => {
  test.each<[string, () => unknown, string]>([
    [
      'a limit of 0',
      () => pagePagination(Letter, { limit: 0 }),
      'pagePagination(): limit is 0, expected an integer from 1. Write one, or remove the option.',
    ],
    [
      'a limit above maxLimit',
      () => pagePagination(Letter, { limit: 2_000 }),
      'pagePagination(): limit is 2000, more than maxLimit, which is 1000. Lower the limit, or raise maxLimit.',
    ],
    [
      'one name for two members',
      () => pagePagination(Letter, { body: { items: 'data', total: 'data' } }),
      'pagePagination(): body has the name "data" for two members. Give each member a name of its own.',
    ],
  ])('%s', (_what, make, message) => {
    expect(make).toThrow(new TypeError(message))
  })
})
