/** The laws of `match`: it is the inverse of `link`, and agrees with a server of the API for any URL. */
import fc from 'fast-check'
import { type AnyEndpoint, type Api, noContent, operations } from 'lapidary'
import { link, match } from 'lapidary/links'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { api as everything } from '../support/everything.ts'
import { inputsOf } from '../support/match/inputs.ts'
import { urls } from '../support/match/urls.ts'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'
import { samples } from '../support/samples.ts'

/** By name only: what a test does not know of each endpoint, the types need not know either. */
const api: Api = everything
const endpoints = operations(api).flatMap(({ name, operation }): [string, AnyEndpoint][] =>
  operation['~kind'] === 'mount' ? [] : [[name, operation]],
)
const base = 'https://example.org/api'

test.each(endpoints)('a link to %s matches it, with the input of the link', (name, endpoint) => {
  const { method } = endpoint
  fc.assert(
    fc.property(inputsOf(endpoint), (input) => {
      const url = link(endpoint, input)
      const found = match(api, url, { method })
      expect({ ...found, endpoint: undefined }).toStrictEqual({ name, endpoint: undefined, ...input })
      expect(found?.endpoint).toBe(endpoint)
      expect(match(endpoint, url)).toStrictEqual(input)
      expect(match(endpoint, base + url, { base })).toStrictEqual(input)
      expect(match(api, url, { method, base })).toBe(undefined)
    }),
  )
})

interface Reached {
  readonly name: string
  readonly params: unknown
  readonly query: unknown
}

describe.each(adapters)('$name, a handler is reached', ({ name: adapterName, startAdapter }) => {
  let reached: Reached | undefined
  let adapter: RunningAdapter
  const reported: unknown[] = []

  /** What a URL says is all that these endpoints ask for. */
  const open = operations(api).map(({ name, operation }) => {
    const handler = ({ params, query }: { readonly params: unknown; readonly query: unknown }): void => {
      reached = { name, params, query }
    }
    if (operation['~kind'] === 'mount') return [name, operation, () => ({ status: 200, headers: [], body: null })] as const
    return [
      name,
      {
        ...operation,
        auth: undefined,
        headers: {},
        cookies: {},
        idempotent: undefined,
        body: undefined,
        maxBodySize: undefined,
        rawBody: undefined,
        timeout: undefined,
        response: noContent,
        download: undefined,
        etag: undefined,
      },
      handler,
    ] as const
  })

  beforeAll(async () => {
    const flat: Api = Object.fromEntries(open.map(([name, operation]) => [name, operation]))
    // One handler for each name, as the API has it; an API that is known only as such has no types to say so.
    const handlers = Object.fromEntries(open.map(([name, , handler]) => [name, handler])) as never
    adapter = await startAdapter(serve(flat, handlers, { onError: (error) => void reported.push(error) }))
  })
  afterAll(() => adapter.close())

  test('by the URLs that match its endpoint, with the same captures and query, and by no others', async () => {
    const seen = { somewhere: 0, nowhere: 0 }
    const methods = fc.oneof(
      { weight: 3, arbitrary: fc.constant('GET') },
      fc.constantFrom('HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
    )
    await fc.assert(
      fc.asyncProperty(urls(endpoints.map(([, endpoint]) => endpoint)), methods, async (url, method) => {
        reached = undefined
        const response = await adapter.fetch(url, { method })
        await response.arrayBuffer()
        const found = match(api, url, { method })
        seen[found === undefined ? 'nowhere' : 'somewhere'] += 1
        expect(found && { name: found.name, params: found.params, query: found.query }).toStrictEqual(reached)
      }),
      { numRuns: samples(adapterName === 'in memory' ? 1_500 : 300) },
    )
    expect(Math.min(seen.somewhere, seen.nowhere)).toBeGreaterThan(samples(10))
    expect(reported).toEqual([])
  })
})
