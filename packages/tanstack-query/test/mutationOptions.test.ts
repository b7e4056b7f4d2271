/** Mutations over sockets, with both clients: their input, their errors, and an optimistic change that meets 412. */
import { isDeclared, mutationOptions, pathKey, queryKey, queryOptions } from '@lapidary/tanstack-query'
import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { isHttpError } from 'lapidary'
import { listen } from 'lapidary/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createStoneServer, stoneClients } from './support/stones.ts'

const { server, stones } = createStoneServer()
let running: Awaited<ReturnType<typeof listen>>
beforeAll(async () => {
  running = await listen(server)
})
afterAll(() => running.close({ drain: 0, grace: 0 }))

describe.each(stoneClients)('a mutation by %s', (_kind, createClient) => {
  test('takes the input of its call, and its key is its route', async () => {
    const call = createClient(running.url)
    const mutation = new MutationObserver(new QueryClient(), mutationOptions(call.stones.add))
    expect(mutation.options.mutationKey).toEqual(['POST /stones'])
    expect(await mutation.mutate({ body: { name: 'onyx', carat: 9 } })).toEqual({
      body: { name: 'onyx', carat: 9 },
      headers: { Location: '/stones/onyx' },
    })
  })

  test('of an endpoint that needs no input takes none', async () => {
    const mutation = new MutationObserver(new QueryClient(), mutationOptions(createClient(running.url).nothing))
    expect(await mutation.mutate()).toBe(undefined)
  })

  test('has the declared errors', async () => {
    const call = createClient(running.url)
    const mutation = new MutationObserver(new QueryClient(), mutationOptions(call.stones.remove))
    await expect(mutation.mutate({ params: { name: 'diamond' } })).rejects.toThrow(/409/)
    const { error } = mutation.getCurrentResult()
    expect(isDeclared(error) && error.status).toBe(409)
  })

  test('gives its calls the options', async () => {
    const requests: Request[] = []
    const call = createClient('http://stones.test', {
      fetch: async (request) => {
        requests.push(request)
        return new Response(null, { status: 204 })
      },
    })
    await new MutationObserver(new QueryClient(), mutationOptions(call.stones.remove, { headers: { 'X-Page': 'start' } })).mutate({
      params: { name: 'agate' },
    })
    expect(requests.map(({ headers }) => headers.get('x-page'))).toEqual(['start'])
  })

  test('shows a change at once, and takes it back when the stone has changed meanwhile (412)', async () => {
    const call = createClient(running.url)
    const queryClient = new QueryClient()
    const options = queryOptions(call.stones.one, { params: { name: 'calcite' } })
    const before = await queryClient.fetchQuery(options)
    // Someone else is faster.
    stones.set('calcite', { name: 'calcite', carat: 50 })

    const shown: unknown[] = []
    const mutation = new MutationObserver(queryClient, {
      ...mutationOptions(call.stones.replace),
      onMutate: ({ params, body }) => {
        const key = queryKey(call.stones.one, { params })
        const old = queryClient.getQueryData(key)
        queryClient.setQueryData(key, (now) => now && { ...now, body })
        shown.push(queryClient.getQueryData(key)?.body.carat)
        return old
      },
      onError: (error, { params }, old) => {
        queryClient.setQueryData(queryKey(call.stones.one, { params }), old)
        shown.push(old?.body.carat, isHttpError(error, 412))
      },
      onSettled: (_data, _error, { params }) => queryClient.invalidateQueries({ queryKey: pathKey(call.stones.one, { params }) }),
    })
    const change = { params: { name: 'calcite' }, headers: { 'If-Match': before.headers.ETag }, body: { name: 'calcite', carat: 7 } }
    await expect(mutation.mutate(change)).rejects.toThrow(/412/)
    expect(shown).toEqual([7, before.body.carat, true])

    const after = await queryClient.fetchQuery(options)
    expect(after.body.carat).toBe(50)
    await mutation.mutate({ ...change, headers: { 'If-Match': after.headers.ETag } })
    expect((await queryClient.fetchQuery(options)).body.carat).toBe(7)
  })
})
