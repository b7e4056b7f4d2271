/** Keys by links: one for each resource, the same with both clients, and in the order in which TanStack Query compares them. */
import { infiniteQueryOptions, pathKey, queryKey, queryOptions, streamedQueryOptions } from '@lapidary/tanstack-query'
import { hashKey, QueryClient, skipToken } from '@tanstack/query-core'
import { bytes, endpoint, json, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { describe, expect, test } from 'vitest'
import { api, stoneClients } from './support/stones.ts'

describe.each(stoneClients)('the keys of %s', (_kind, createClient) => {
  const call = createClient('http://stones.test/base')

  test('are the path, segment by segment, and an object', () => {
    expect(queryKey(call.stones.list)).toEqual(['stones', {}])
    expect(queryKey(call.stones.one, { params: { name: 'opal' } })).toEqual(['stones', 'opal', {}])
    expect(queryKey(call.stones.reviews, { params: { name: 'opal', number: 7 } })).toEqual(['stones', 'opal', 'reviews', '7', {}])
  })

  test('have what stands in the path as it is, encoded in no way', () => {
    expect(queryKey(call.stones.one, { params: { name: 'a/b é?' } })).toEqual(['stones', 'a/b é?', {}])
    expect(queryKey(call.file, { params: { path: 'a b/c' } })).toEqual(['files', 'a b', 'c', {}])
  })

  test('have the texts of the query, and nothing for what is left out', () => {
    expect(queryKey(call.stones.list, { query: { color: ['red'], since: '2026-11-26' } })).toEqual([
      'stones',
      { query: { color: 'red', since: '2026-11-26' } },
    ])
    expect(queryKey(call.stones.list, { query: { color: ['red', 'blue'] } })).toEqual(['stones', { query: { color: ['red', 'blue'] } }])
    expect(queryKey(call.stones.list, { query: { color: [] } })).toEqual(['stones', {}])
    expect(queryKey(call.numbers, { query: { page: 2 } })).toEqual(['numbers', { query: { page: '2' } }])
    expect(queryKey(call.numbers, { query: { page: undefined } })).toEqual(['numbers', {}])
    expect(queryKey(call.grouped, { query: { from: 'a', to: 'b' } })).toEqual(['grouped', { query: { from: 'a', to: 'b' } }])
  })

  test('have the method, declared headers and the body where these tell responses from each other', () => {
    expect(queryKey(call.greet, { headers: { 'Accept-Language': 'fr' } })).toEqual(['greet', { headers: { 'Accept-Language': 'fr' } }])
    expect(queryKey(call.greet, { headers: {} })).toEqual(['greet', {}])
    expect(queryKey(call.stones.search, { body: { text: 'a' } })).toEqual(['stones', 'search', { method: 'POST', body: { text: 'a' } }])
  })

  test('of pages, of streams, and of a query that waits are not those of the response', () => {
    const keys = [
      queryKey(call.cursors),
      infiniteQueryOptions(call.cursors).queryKey,
      queryOptions(call.cursors, skipToken).queryKey,
      streamedQueryOptions(call.ticks).queryKey,
      queryKey(call.ticks),
    ]
    expect(keys.map((key) => key.at(-1))).toEqual([{}, { kind: 'pages' }, { kind: 'skipped' }, { kind: 'stream' }, {}])
    expect(new Set(keys.map(hashKey)).size).toBe(keys.length)
    // Else a component that waits for the name of a stone would get the list of all stones.
    expect(queryOptions(call.stones.one, skipToken).queryKey).not.toEqual(queryKey(call.stones.list))
  })

  test('are invalidated by the path, by the endpoint, by the item, and by a part of the query', () => {
    const queryClient = new QueryClient()
    const keys = {
      all: queryKey(call.stones.list),
      red: queryKey(call.stones.list, { query: { color: ['red'], since: '2026-11-26' } }),
      opal: queryKey(call.stones.one, { params: { name: 'opal' } }),
      review: queryKey(call.stones.reviews, { params: { name: 'opal', number: 7 } }),
      ruby: queryKey(call.stones.one, { params: { name: 'ruby' } }),
      other: queryKey(call.greet),
    }
    for (const key of Object.values(keys)) queryClient.setQueryData(key as readonly unknown[], 'data')
    const find = (key: readonly unknown[]) =>
      Object.entries(keys).flatMap(([name, one]) =>
        queryClient
          .getQueryCache()
          .findAll({ queryKey: key })
          .some(({ queryKey }) => queryKey === one)
          ? [name]
          : [],
      )
    expect(find(pathKey(call.stones.add))).toEqual(['all', 'red', 'opal', 'review', 'ruby'])
    expect(find(pathKey(call.stones.remove, { params: { name: 'opal' } }))).toEqual(['opal', 'review'])
    expect(find(pathKey(call.stones.one))).toEqual(['all', 'red', 'opal', 'review', 'ruby'])
    expect(find(queryKey(call.stones.list))).toEqual(['all', 'red'])
    expect(find(queryKey(call.stones.list, { query: { color: ['red'] } }))).toEqual(['red'])
    expect(find(queryKey(call.stones.one, { params: { name: 'ruby' } }))).toEqual(['ruby'])
  })
})

test('a path ends before the first capture without a value', () => {
  const [, createClient] = stoneClients[0] ?? expect.unreachable()
  const call = createClient('http://stones.test')
  expect(pathKey(call.stones.reviews, { params: { name: 'opal' } })).toEqual(['stones', 'opal', 'reviews'])
  expect(pathKey(call.stones.reviews, { params: { number: 7 } })).toEqual(['stones'])
})

test('a key contains no bytes, because it could not tell one from another', () => {
  const call = client({ look: endpoint('POST /look', { body: bytes, response: ok(text) }) }, 'http://stones.test')
  expect(() => queryKey(call.look, { body: new Uint8Array(3) })).toThrow(
    new TypeError(
      'POST /look: a key cannot contain bytes, a file or a stream. Call this endpoint by a mutation, or give the query a queryKey of your own.',
    ),
  )
})

test.each([
  ['a view of bytes', new DataView(new ArrayBuffer(1))],
  ['a buffer', new ArrayBuffer(1)],
  ['a generator', [1, 2].values()],
  ['a stream', new ReadableStream()],
  ['a file in a list', [new File(['a'], 'a')]],
])('a key contains no bytes and no stream: %s', (_what, body) => {
  const call = client({ look: endpoint('POST /look', { body: bytes, response: ok(text) }) }, 'http://stones.test')
  expect(() => queryKey(call.look, { body: body as never })).toThrow('a key cannot contain bytes, a file or a stream')
})

test('two forms have two keys, and an empty body is another one than none', () => {
  const call = client({ look: endpoint('POST /look', { body: optional(json), response: ok(text) }) }, 'http://stones.test')
  const keyOf = (body?: unknown) => hashKey(queryKey(call.look, { body }))
  const form = (value: string): FormData => {
    const data = new FormData()
    data.set('a', value)
    return data
  }
  const bodies = [undefined, {}, [], form('1'), form('2'), new URLSearchParams('a=3'), new Set([1]), new Map([[1, 2]])]
  expect(new Set(bodies.map(keyOf)).size).toBe(bodies.length)
  expect(keyOf(form('1'))).toBe(keyOf(form('1')))
})

test('what is no call is refused', () => {
  const call = client(api, 'http://stones.test')
  expect(() => queryKey((() => call.greet()) as never)).toThrow(
    new TypeError(
      'queryKey() got a function that is no call of a client. Give it a call, such as call.books.one, without a function around it.',
    ),
  )
  expect(() => pathKey(undefined as never)).toThrow(/^pathKey\(\) got undefined\./)
})
