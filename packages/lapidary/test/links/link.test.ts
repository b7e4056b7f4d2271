/** Links: a server reads from a link what it was created with. */
import fc from 'fast-check'
import { array, bool, date, endpoint, flag, int, json, ok, oneOf, optional, prefix, text } from 'lapidary'
import { link } from 'lapidary/links'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'

const api = prefix('/shops', {
  item: endpoint('GET /:shop/items/:id/:on', {
    params: { id: int, on: date },
    query: { tag: array(text), sort: optional(oneOf('up', 'down')), sure: bool, loud: flag, 'odd name': optional(text) },
    response: ok(json),
  }),
  all: endpoint('GET /all', { response: ok(json) }),
})
const server = serve(api, { item: ({ params, query }) => ({ params, query }), all: () => [] })

/** Any text that a path segment can hold. */
const segment = fc.string({ unit: 'binary', minLength: 1 }).filter((value) => value.isWellFormed() && value !== '.' && value !== '..')
const anyText = fc.string({ unit: 'binary' }).filter((value) => value.isWellFormed())

test('the input of a link arrives at the handler', async () => {
  const input = fc.record({
    params: fc.record({ shop: segment, id: fc.maxSafeInteger(), on: fc.constant('2024-02-29') }),
    query: fc.record({
      tag: fc.array(anyText),
      sort: fc.constantFrom('up' as const, 'down' as const, undefined),
      sure: fc.boolean(),
      loud: fc.boolean(),
      'odd name': fc.option(anyText, { nil: undefined }),
    }),
  })
  await fc.assert(
    fc.asyncProperty(input, async ({ params, query }) => {
      const response = await server.fetch(new Request(`http://test${link(api.item, { params, query })}`))
      expect(await response.json()).toEqual(JSON.parse(JSON.stringify({ params: { ...params, id: params.id + 0 }, query })))
    }),
    { numRuns: 300 },
  )
})

describe('a link', () => {
  test('to an endpoint without input is its path', () => {
    expect(link(api.all)).toBe('/shops/all')
  })

  test('ends with a slash where its path does, also below a prefix', () => {
    const users = prefix('/v1', {
      list: endpoint('GET /users/', { response: ok(json) }),
      item: endpoint('GET /users/:id/', { response: ok(json) }),
      files: endpoint('GET /files/*path/', { response: ok(json) }),
      root: endpoint('GET /', { response: ok(json) }),
    })
    expect([
      link(users.list),
      link(users.item, { params: { id: 'a/b' } }),
      link(users.files, { params: { path: 'a/b' } }),
      link(users.root),
      link(endpoint('GET /', { response: ok(json) })),
    ]).toEqual(['/v1/users/', '/v1/users/a%2Fb/', '/v1/files/a/b/', '/v1', '/'])
  })

  test('omits absent values, and percent-encodes the others', () => {
    const query = { tag: ['a&b', 'c d'], sure: true, loud: false }
    expect(link(api.item, { params: { shop: 'a/b', id: -1, on: '2024-02-29' }, query })).toBe(
      '/shops/a%2Fb/items/-1/2024-02-29?tag=a%26b&tag=c%20d&sure=true',
    )
  })

  test.each(['', '.', '..'])('rejects "%s", which no path segment can be', (shop) => {
    const input = { params: { shop, id: 1, on: '2024-02-29' }, query: { tag: [], sure: true, loud: false } }
    expect(() => link(api.item, input)).toThrow(/the capture :shop is missing, empty/)
  })
})
