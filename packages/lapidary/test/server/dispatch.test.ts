/** Requests to a path of the API that match none of its endpoints: the status and the headers of each response. */
import { endpoint, int, noContent, ok, text } from 'lapidary'
import { type HttpHandler, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const api = {
  number: endpoint('GET /x/:id', { params: { id: int }, response: ok(text) }),
  named: endpoint('PUT /x/:name', { params: { name: text }, body: text, response: noContent }),
  changed: endpoint('PATCH /x/:number', { params: { number: int }, body: text, response: noContent }),
  replace: endpoint('PUT /y/:id', { params: { id: int }, body: text, response: noContent }),
  remove: endpoint('DELETE /y/:number', { params: { number: int }, response: noContent }),
  read: endpoint('GET /z', { response: ok(text) }),
}
const handlers = { number: () => 'a number', named: () => {}, changed: () => {}, replace: () => {}, remove: () => {}, read: () => 'read' }

type Row = readonly [requestLine: string, status: number, allow: string | null]

/** The responses of a server without a fallback. */
const rows: readonly Row[] = [
  // One of the three endpoints reads the capture: it is the method that is wrong.
  ['DELETE /x/abc', 405, 'GET, HEAD, OPTIONS, PATCH, PUT'],
  ['DELETE /x/1', 405, 'GET, HEAD, OPTIONS, PATCH, PUT'],
  ['OPTIONS /x/abc', 204, 'GET, HEAD, OPTIONS, PATCH, PUT'],
  ['GET /x/abc', 400, null],
  ['HEAD /x/abc', 400, null],
  ['HEAD /x/1', 200, null],
  // Neither does.
  ['POST /y/abc', 400, null],
  ['OPTIONS /y/abc', 400, null],
  ['HEAD /y/abc', 400, null],
  // There is no GET of it, and so no HEAD.
  ['HEAD /y/1', 405, 'DELETE, OPTIONS, PUT'],
  ['GET /y/1', 405, 'DELETE, OPTIONS, PUT'],
  ['OPTIONS /y/1', 204, 'DELETE, OPTIONS, PUT'],
  ['POST /z', 405, 'GET, HEAD, OPTIONS'],
  ['HEAD /z', 200, null],
  ['HEAD /nowhere', 404, null],
  ['DELETE /nowhere', 404, null],
]

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(serve(api, handlers))
  })
  afterAll(() => adapter.close())

  test.each(rows)('%s: %i', async (requestLine, status, allow) => {
    const [method = '', target = ''] = requestLine.split(' ')
    const response = await adapter.fetch(target, { method })
    const body = await response.text()
    expect([response.status, response.headers.get('allow')?.split(', ').sort().join(', ') ?? null]).toEqual([status, allow])
    if (method === 'HEAD') expect(body).toBe('')
    else if (status >= 400) expect(JSON.parse(body)).toMatchObject({ status })
  })
})

test('a fallback answers each request that matches no endpoint, except OPTIONS of a path', async () => {
  const fallback: HttpHandler = () => ({ status: 200, headers: [], body: 'the fallback' })
  const { fetch } = serve(api, handlers, { fallback })
  const send = async (requestLine: string): Promise<unknown> => {
    const [method = '', target = ''] = requestLine.split(' ')
    const response = await fetch(new Request(`http://test.invalid${target}`, { method }))
    return [response.status, await response.text()]
  }
  for (const requestLine of ['DELETE /x/abc', 'GET /x/abc', 'POST /y/abc', 'GET /y/1', 'GET /nowhere']) {
    expect([requestLine, await send(requestLine)]).toEqual([requestLine, [200, 'the fallback']])
  }
  expect(await send('OPTIONS /x/abc')).toEqual([204, ''])
  expect(await send('GET /z')).toEqual([200, 'read'])
})

test('a path has the constant headers of its endpoints, whatever their case; none that two of them give another value', async () => {
  const stones = {
    read: endpoint('GET /stones', { response: noContent, responseHeaders: { 'X-Same': 'a', 'X-Other': 'a', constructor: 'a' } }),
    write: endpoint('PUT /stones', { response: noContent, responseHeaders: { 'x-same': 'a', 'x-other': 'b' } }),
    remove: endpoint('DELETE /stones', { response: noContent, responseHeaders: { 'X-OTHER': 'a' } }),
  }
  const { fetch } = serve(stones, { read: () => {}, write: () => {}, remove: () => {} })
  for (const [method, status] of [
    ['POST', 405],
    ['OPTIONS', 204],
  ] as const) {
    const response = await fetch(new Request('http://test.invalid/stones', { method }))
    const headers = ['X-Same', 'X-Other', 'constructor'].map((name) => response.headers.get(name))
    expect([response.status, headers]).toEqual([status, ['a', null, 'a']])
  }
})
