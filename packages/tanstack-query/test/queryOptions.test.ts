/** Queries over sockets, with both clients: data, errors, cancellation, and a server that prefetches. */
import { isDeclared, queryKey, queryOptions } from '@lapidary/tanstack-query'
import { dehydrate, hydrate, QueryClient, QueryObserver, skipToken } from '@tanstack/query-core'
import { isHttpError } from 'lapidary'
import { ConnectionError } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStoneServer, stoneClients } from './support/stones.ts'

const { server, seen } = createStoneServer()
let running: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  running = await listen(server)
})
afterAll(() => running.close({ drain: 0, grace: 0 }))

const createQueryClient = () => new QueryClient({ defaultOptions: { queries: { retry: false } } })

describe.each(stoneClients)('a query by %s', (_kind, createClient) => {
  test('has the data of its call, and shares it by its key', async () => {
    const call = createClient(running.url)
    const queryClient = createQueryClient()
    const options = { ...queryOptions(call.stones.one, { params: { name: 'agate' } }), staleTime: 60_000 }
    const before = seen.requests
    const data = await queryClient.fetchQuery(options)
    expect(data).toEqual({ body: { name: 'agate', carat: 0 }, headers: { ETag: expect.stringMatching(/^"/) } })
    expect(await queryClient.fetchQuery(options)).toBe(data)
    expect(queryClient.getQueryData(queryKey(call.stones.one, { params: { name: 'agate' } }))?.body.carat).toBe(0)
    expect(seen.requests).toBe(before + 1)
  })

  test('of an endpoint without a body has the data null', async () => {
    expect(await createQueryClient().fetchQuery(queryOptions(createClient(running.url).nothing))).toBe(null)
  })

  test('has the error of its call, which isDeclared narrows', async () => {
    const call = createClient(running.url)
    const queryClient = createQueryClient()
    const options = queryOptions(call.stones.one, { params: { name: 'opla' } })
    await queryClient.prefetchQuery(options)
    const error = queryClient.getQueryState(options.queryKey)?.error
    expect(isHttpError(error, 404)).toBe(true)
    expect(isDeclared(error) && error.status).toBe(404)
    // The body has the type of the description.
    expect(isDeclared(error, 404) && (error.body.nearest satisfies string)).toBe('opal')
    expect(isDeclared(error, 412 as never)).toBe(false)
  })

  test('has other errors too, and they are not declared', async () => {
    const queryClient = createQueryClient()
    const options = queryOptions(createClient('http://127.0.0.1:1').stones.one, { params: { name: 'agate' } })
    await queryClient.prefetchQuery(options)
    const error = queryClient.getQueryState(options.queryKey)?.error
    expect(error).toBeInstanceOf(ConnectionError)
    expect([isDeclared(error), isDeclared(null), isDeclared(undefined)]).toEqual([false, false, false])
    const call = createClient('http://stones.test', { fetch: async () => Response.json({ nearest: 'opal' }, { status: 500 }) })
    const undeclared = queryOptions(call.stones.one, { params: { name: 'agate' } })
    await queryClient.prefetchQuery({ ...undeclared, queryKey: queryKey(call.greet) })
    const other = queryClient.getQueryState(queryKey(call.greet))?.error
    expect([isHttpError(other, 500), isDeclared(other)]).toEqual([true, false])
  })

  test('cancels its call when nothing uses it anymore, and gives it the options', async () => {
    const requests: Request[] = []
    const call = createClient('http://stones.test', {
      fetch: (request) => {
        requests.push(request)
        return new Promise(() => {})
      },
    })
    const observer = new QueryObserver(createQueryClient(), queryOptions(call.stones.list, {}, { headers: { 'X-Page': 'start' } }))
    const stop = observer.subscribe(() => {})
    await expect.poll(() => requests.length).toBe(1)
    const [request] = requests
    expect([request?.signal.aborted, request?.headers.get('x-page')]).toEqual([false, 'start'])
    stop()
    expect(request?.signal.aborted).toBe(true)
  })

  test('waits for its input with skipToken', async () => {
    const call = createClient(running.url)
    const queryClient = createQueryClient()
    const choose = (name: string | undefined) => queryOptions(call.stones.one, name === undefined ? skipToken : { params: { name } })
    const observer = new QueryObserver(queryClient, choose(undefined))
    const stop = observer.subscribe(() => {})
    expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
    observer.setOptions(choose('beryl'))
    await expect.poll(() => observer.getCurrentResult().data?.body.name).toBe('beryl')
    stop()
  })

  test('is prefetched on a server, without a socket, and the page requests nothing', async () => {
    const input = { params: { name: 'beryl' } }
    const onServer = createQueryClient()
    await onServer.prefetchQuery(queryOptions(createClient('http://localhost', { fetch: server.fetch }).stones.one, input))
    const html = JSON.stringify(dehydrate(onServer))

    const inPage = createQueryClient()
    hydrate(inPage, JSON.parse(html))
    const call = createClient('https://stones.example', { fetch: () => expect.unreachable() })
    const observer = new QueryObserver(inPage, { ...queryOptions(call.stones.one, input), staleTime: 60_000 })
    expect(observer.getCurrentResult().data?.body).toEqual({ name: 'beryl', carat: 1 })
    const stop = observer.subscribe(() => {})
    expect(observer.getCurrentResult().fetchStatus).toBe('idle')
    stop()
  })

  test('selects a part of the data', () => {
    const call = createClient(running.url)
    const queryClient = createQueryClient()
    const options = queryOptions(call.stones.list)
    queryClient.setQueryData(options.queryKey, [{ name: 'ruby', carat: 3 }])
    const observer = new QueryObserver(queryClient, { ...options, select: (stones) => stones.map(({ carat }) => carat) })
    expect(observer.getCurrentResult().data).toEqual([3])
  })

  test('of a stream fails, and says what to use', async () => {
    await expect(createQueryClient().fetchQuery(queryOptions(createClient(running.url).lines as never))).rejects.toThrow(
      new TypeError('GET /lines: the response is a stream, which no cache can keep. Use streamedQueryOptions().'),
    )
  })
})
