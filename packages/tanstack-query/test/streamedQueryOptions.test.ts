/** Queries that follow streams, over sockets, with both clients. */
import { pathKey, streamedQueryOptions } from '@lapidary/tanstack-query'
import { QueryClient, QueryObserver, skipToken } from '@tanstack/query-core'
import { resume, StreamInterruptedError } from 'lapidary/client'
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

describe.each(stoneClients)('a stream by %s', (_kind, createClient) => {
  test('is the list of its items', async () => {
    const call = createClient(running.url)
    const options = streamedQueryOptions(call.lines)
    const data = await createQueryClient().fetchQuery(options)
    expect(data satisfies { line: number }[]).toEqual([{ line: 1 }, { line: 2 }, { line: 3 }])
  })

  test('shows its items while it is open, and ends when nothing uses it anymore', async () => {
    const call = createClient(running.url)
    const cancelled = seen.cancelled
    const observer = new QueryObserver(createQueryClient(), streamedQueryOptions(call.ticks))
    const stop = observer.subscribe(() => {})
    await expect
      .poll(() =>
        observer
          .getCurrentResult()
          .data?.slice(0, 3)
          .map(({ data }) => data),
      )
      .toEqual([1, 2, 3])
    expect(observer.getCurrentResult()).toMatchObject({ status: 'success', fetchStatus: 'fetching' })
    stop()
    await expect.poll(() => seen.cancelled).toBe(cancelled + 1)
  })

  test('is reduced to what a component needs', async () => {
    const call = createClient(running.url)
    const options = streamedQueryOptions(call.lines, {}, { initial: 0, reduce: (sum, { line }) => sum + line })
    expect((await createQueryClient().fetchQuery(options)) satisfies number).toBe(6)
  })

  test('goes on after a connection was cut off, with the id of the last event', async () => {
    let connections = 0
    const texts = ['id: 1\ndata: 1\n\n', 'id: 2\ndata: 2\n\n']
    const ids: (string | null)[] = []
    const call = createClient('http://stones.test', {
      fetch: async ({ headers }) => {
        ids.push(headers.get('last-event-id'))
        const text = texts[connections++]
        const body = new ReadableStream({
          start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
          pull: (controller) => (connections === 1 ? controller.error(new Error('cut off')) : controller.close()),
        })
        return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
      },
    })
    const connect: typeof resume = (connect, options) => resume(connect, { ...options, delay: 0 })
    const options = streamedQueryOptions(call.ticks, {}, { resume: connect, initial: 0, reduce: (_last, { data }) => data })
    expect(await createQueryClient().fetchQuery(options)).toBe(2)
    expect(ids).toEqual([null, '1'])
    connections = 0
    const queryClient = createQueryClient()
    const cut = streamedQueryOptions(call.ticks)
    await queryClient.prefetchQuery(cut)
    expect(queryClient.getQueryState(cut.queryKey)).toMatchObject({
      error: expect.any(StreamInterruptedError),
      data: [{ id: '1', data: 1 }],
    })
  })

  describe('that is fetched again', () => {
    /** A server of events without end, whose ids count them. It continues after the last id. */
    function createEventServer() {
      const ids: (string | null)[] = []
      const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
      const call = createClient('http://stones.test', {
        fetch: async ({ headers }) => {
          ids.push(headers.get('last-event-id'))
          const body = new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) })
          return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
        },
      })
      const send = (id: number): void => bodies.at(-1)?.enqueue(new TextEncoder().encode(`id: ${id}\ndata: ${id}\n\n`))
      return { call, ids, send }
    }

    test.each([
      [
        'invalidated',
        (queryClient: QueryClient, key: readonly string[]) => queryClient.invalidateQueries({ queryKey: key }),
        ['1', [1, 2, 3]],
      ],
      ['reset', (queryClient: QueryClient, key: readonly string[]) => queryClient.resetQueries({ queryKey: key }), [null, [3]]],
      [
        'invalidated after its data was changed',
        (queryClient: QueryClient, key: readonly string[]) => {
          queryClient.setQueriesData({ queryKey: key }, [])
          return queryClient.invalidateQueries({ queryKey: key })
        },
        [null, [3]],
      ],
    ] as const)('because it was %s', async (_why, fetchAgain, [lastId, items]) => {
      const { call, ids, send } = createEventServer()
      const queryClient = createQueryClient()
      const observer = new QueryObserver(queryClient, streamedQueryOptions(call.ticks, {}, { resume }))
      const stop = observer.subscribe(() => {})
      const list = (): number[] | undefined => observer.getCurrentResult().data?.map(({ data }) => data)
      try {
        await expect.poll(() => ids.length).toBe(1)
        send(1)
        await expect.poll(list).toEqual([1])
        // The stream does not end, and the promise waits for it.
        void fetchAgain(queryClient, pathKey(call.ticks))
        await expect.poll(() => ids).toEqual([null, lastId])
        for (const id of items.filter((one) => one > 1)) send(id)
        await expect.poll(list).toEqual(items)
      } finally {
        stop()
      }
    })

    test.each([
      ['resume', { resume }, '1', [1, 2]],
      ['no resume', {}, null, [2]],
    ] as const)('because a component needs it anew, with %s', async (_what, streamOptions, lastId, items) => {
      const { call, ids, send } = createEventServer()
      const queryClient = createQueryClient()
      for (const turn of [1, 2]) {
        const observer = new QueryObserver(queryClient, streamedQueryOptions(call.ticks, {}, streamOptions))
        const stop = observer.subscribe(() => {})
        await expect.poll(() => ids.length).toBe(turn)
        send(turn)
        await expect.poll(() => observer.getCurrentResult().data?.map(({ data }) => data)).toEqual(turn === 1 ? [1] : items)
        stop()
      }
      expect(ids).toEqual([null, lastId])
    })
  })

  test('waits for its input with skipToken', () => {
    const call = createClient(running.url)
    const observer = new QueryObserver(createQueryClient(), streamedQueryOptions(call.ticks, skipToken))
    const stop = observer.subscribe(() => {})
    expect(observer.getCurrentResult()).toMatchObject({ status: 'pending', fetchStatus: 'idle' })
    stop()
  })

  test('must be one', async () => {
    await expect(createQueryClient().fetchQuery(streamedQueryOptions(createClient(running.url).greet as never))).rejects.toThrow(
      new TypeError('GET /greet: the response is no stream. Use queryOptions().'),
    )
  })
})
