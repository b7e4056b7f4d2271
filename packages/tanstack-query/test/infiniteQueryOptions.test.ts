/** Pages by cursors, ranges, numbers and links of one's own, over sockets, with both clients. */
import { infiniteQueryOptions, listItems } from '@lapidary/tanstack-query'
import { InfiniteQueryObserver, QueryClient } from '@tanstack/query-core'
import { endpoint, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createStoneServer, shelf, stoneClients } from './support/stones.ts'

const { server } = createStoneServer()
let running: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  running = await listen(server)
})
afterAll(() => running.close({ drain: 0, grace: 0 }))

const names = shelf.map(({ name }) => name)

describe.each(stoneClients)('an infinite query by %s', (_kind, createClient) => {
  test('gets all pages by cursors, with the input of the first one', async () => {
    const options = infiniteQueryOptions(createClient(running.url).cursors, { query: { limit: 2 } })
    const data = await new QueryClient().fetchInfiniteQuery({ ...options, pages: 9 })
    expect(data.pages.map(({ body }) => body.length)).toEqual([2, 2, 1])
    expect(listItems(data).map(({ name }) => name)).toEqual(names)
  })

  test('gets all pages by numbers', async () => {
    const options = infiniteQueryOptions(createClient(running.url).numbers, { query: { limit: 2 } })
    const data = await new QueryClient().fetchInfiniteQuery({ ...options, pages: 9 })
    expect(data.pageParams).toEqual([{}, { query: { page: 2 } }, { query: { page: 3 } }])
    expect(listItems(data).map(({ name }) => name)).toEqual(names)
  })

  test('gets all pages by ranges', async () => {
    const call = createClient(running.url)
    const options = infiniteQueryOptions(call.ranges, { headers: {}, query: { range: 'name; limit 2; order asc' } })
    const data = await new QueryClient().fetchInfiniteQuery({ ...options, pages: 9 })
    expect(data.pages.map(({ headers }) => headers['Total-Count'])).toEqual([5, 5, 5])
    expect(listItems(data).map(({ name }) => name)).toEqual(names)
  })

  test('gets a page when it is asked for, and knows whether there is another one', async () => {
    const call = createClient(running.url)
    const options = infiniteQueryOptions(call.cursors, { query: { limit: 3 } })
    const observer = new InfiniteQueryObserver(new QueryClient(), { ...options, select: listItems })
    const stop = observer.subscribe(() => {})
    await expect.poll(() => observer.getCurrentResult().data?.length).toBe(3)
    expect(observer.getCurrentResult().hasNextPage).toBe(true)
    await observer.fetchNextPage()
    const { data, hasNextPage } = observer.getCurrentResult()
    expect([data?.map(({ name }) => name), hasNextPage]).toEqual([names, false])
    // A page is requested again by what stood in its place, so the data could have been kept in a store.
    expect(JSON.parse(JSON.stringify(observer.getCurrentQuery().state.data?.pageParams))).toEqual([
      {},
      { query: { cursor: expect.any(String) } },
    ])
    stop()
  })
})

test('the option next finds the pages of the servers of others', async () => {
  const api = {
    list: endpoint('GET /list', {
      query: { token: optional(text) },
      response: ok(z.object({ names: z.array(z.string()), nextToken: z.string().optional() })),
    }),
  }
  const call = client(api, 'http://stones.test', {
    fetch: async ({ url }) => Response.json(url.includes('token=b') ? { names: ['ruby'] } : { names: ['opal'], nextToken: 'b' }),
  })
  const options = infiniteQueryOptions(
    call.list,
    {},
    { next: ({ nextToken }) => (nextToken === undefined ? undefined : { query: { token: nextToken } }) },
  )
  const data = await new QueryClient().fetchInfiniteQuery({ ...options, pages: 5 })
  expect([listItems(data), data.pageParams]).toEqual([
    ['opal', 'ruby'],
    [{}, { query: { token: 'b' } }],
  ])
})

test('a link that does not say how to request the next page is an error of the query', async () => {
  const api = { list: endpoint('GET /list', { response: ok(z.array(z.string()), { headers: { Link: optional(text) } }) }) }
  const call = client(api, 'http://stones.test', {
    fetch: async () => Response.json(['opal'], { headers: { Link: '</list?from=7>; rel="next"' } }),
  })
  await expect(new QueryClient().fetchInfiniteQuery({ ...infiniteQueryOptions(call.list), retry: false, pages: 2 })).rejects.toThrow(
    'The Link of the next page has no parameter "cursor" or "range" or "page"',
  )
})
