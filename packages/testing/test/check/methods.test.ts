/** QUERY in the tools: checked without `write`, since it is safe; mocked; compared. */
import { checkServer, diff, manifest, mock } from '@lapidary/testing'
import { endpoint, list, noContent, ok } from 'lapidary'
import { client } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Filter = z.object({ word: z.string() })
const definition = { body: Filter, response: ok(list(z.string())) }
const api = { search: endpoint('QUERY /stones', definition), purge: endpoint('PURGE /stones', { response: noContent }) }

const check = async (handle: (word: string) => string[], declared: { readonly search: typeof api.search } = api) => {
  const server = await listen(
    serve({ ...api, search: declared.search }, { search: ({ body }) => handle(body.word), purge: () => {} }, { onError: () => {} }),
  )
  const report = await checkServer(api, server.url, { requests: 150, seed: 1 })
  await server.close({ drain: 0 })
  return report
}

test('a right QUERY passes, and PURGE is left alone', async () => {
  const { failures, endpoints } = await check((word) => [word])
  expect(failures).toEqual([])
  expect(endpoints.map(({ endpoint: name, skipReason }) => [name, skipReason])).toEqual([
    ['search', ''],
    ['purge', 'it changes data: --write'],
  ])
})

test('HEAD may have other values of headers that differ from request to request, and of no others', async () => {
  const stones = { list: endpoint('GET /stones', { response: ok(list(z.string())) }) }
  const checkHead = async (
    headersOf: (method: string, count: number) => readonly string[],
    headBody = '["opal"]',
  ): Promise<readonly string[]> => {
    let count = 0
    const served = serve(stones, { list: () => ['opal'] })
    const server = await listen(async (request) => {
      const response = await served(request)
      count += 1
      // The length of HEAD is that of the body that is not sent.
      const body = request.method === 'HEAD' ? headBody : response.body
      return { ...response, headers: [...response.headers, ...headersOf(request.method, count)], body }
    })
    const { failures } = await checkServer(stones, server.url, { requests: 60, seed: 1 })
    await server.close({ drain: 0 })
    return failures.map(({ rule, violation }) => `${rule}: ${violation}`)
  }
  const volatile = [
    'RateLimit',
    'RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
    'Server-Timing',
    'Traceparent',
    'Expires',
    'Age',
  ]
  expect(await checkHead((method, count) => volatile.flatMap((name) => [name, `${method === 'HEAD' ? 1 : count % 2}`]))).toEqual([])
  expect(await checkHead((_method, count) => ['X-Visitors', `${count}`])).toEqual([])
  expect(await checkHead((method) => ['X-Zone', method])).toEqual(['head: GET has x-zone: GET, HEAD has x-zone: HEAD'])
  expect(await checkHead(() => [], '[]')).toEqual(['head: GET has content-length: 8, HEAD has content-length: 2'])
  expect(await checkHead((method, count) => (method === 'GET' ? ['X-Visitors', `${count}`] : []))).toHaveLength(1)
})

test('a QUERY with a wrong response fails', async () => {
  const { failures } = await check(() => {
    throw new Error('planted')
  })
  expect(failures.map(({ endpoint: name }) => name)).toContain('search')
})

test('a mock answers it', async () => {
  const call = client(api, 'http://test.invalid', { fetch: mock(api).fetch })
  expect(await call.search({ body: { word: 'opal' } })).toEqual(expect.any(Array))
})

test('another method is another route', () => {
  const posted = { ...api, search: endpoint('POST /stones', definition) }
  expect(diff(manifest(posted), manifest(api)).some(({ clients }) => clients === 'breaking')).toBe(true)
})
