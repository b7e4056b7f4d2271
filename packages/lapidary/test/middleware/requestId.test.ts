/** `requestId`: an id in the request, in the response and in reports of errors. */
import { endpoint, mount, ok, text } from 'lapidary'
import { compose, requestId } from 'lapidary/middleware'
import { fromNodeListener } from 'lapidary/node'
import { type ErrorContext, type HttpHandler, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { createRequest } from '../support/httpRequest.ts'
import { listen, onNode } from '../support/matrix/adapters.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const incidents: ErrorContext[] = []
const server = serve(
  {
    hello: endpoint('GET /hello', { response: ok(text) }),
    late: endpoint('GET /late', { response: ok(text) }),
    broken: endpoint('GET /broken', { response: ok(text) }),
    foreign: mount('/foreign'),
  },
  {
    hello: (_input, { id }) => `${id}`,
    late: async (_input, { id }) => `${id}`,
    broken: () => {
      throw new Error('broken')
    },
    foreign: fromNodeListener((_request, response) => void response.end('foreign')),
  },
  { onError: (_error, context) => void incidents.push(context) },
)

const identified = compose([requestId()], server)

const idOf = (headers: readonly string[]): string | undefined => headers[headers.indexOf('X-Request-Id') + 1]

test.each(['abc', 'A.b_c-1', 'x'.repeat(64)])('the valid id %s is kept', async (given) => {
  const { headers, body } = await identified(createRequest('/hello', { 'x-request-id': given }))
  expect([idOf(headers), body]).toEqual([given, given])
})

test.each(['x'.repeat(65), '', 'a b', 'a;b', 'a, b', 'é', '"', 'a\n'])('the invalid id %j is replaced', async (given) => {
  const { headers, body } = await identified(createRequest('/hello', { 'x-request-id': given }))
  expect(idOf(headers)).toMatch(uuid)
  expect(body).toBe(idOf(headers))
})

test('without an id there is a new one for each request', async () => {
  const ids = await Promise.all(
    ['/hello', '/late', '/nowhere'].map(async (target) => idOf((await identified(createRequest(target))).headers)),
  )
  for (const id of ids) expect(id).toMatch(uuid)
  expect(new Set(ids).size).toBe(3)
})

test('the header and the generator are options', async () => {
  const handler = compose([requestId({ header: 'X-Correlation-Id', generate: () => 'r-1' })], server)
  expect((await handler(createRequest('/hello'))).headers).toEqual(expect.arrayContaining(['X-Correlation-Id', 'r-1']))
  const given = await handler(createRequest('/hello', { 'x-correlation-id': 'r-2', 'x-request-id': 'r-3' }))
  expect(given.body).toBe('r-2')
})

test('a response with status 500 and the report of its error have the id', async () => {
  const response = await identified(createRequest('/broken', { 'x-request-id': 'r-1' }))
  expect(JSON.parse(String(response.body))).toMatchObject({ status: 500, requestId: 'r-1' })
  expect(incidents).toEqual([expect.objectContaining({ requestId: 'r-1', route: 'GET /broken' })])
})

test('the id of an inner response, such as that of a mounted proxy, is replaced', async () => {
  const inner: HttpHandler = () => ({ status: 200, headers: ['x-request-ID', 'inner', 'X-A', 'b', 'X-Request-Id', 'other'], body: null })
  const { headers } = await compose([requestId()], inner)(createRequest('/hello', { 'x-request-id': 'r-1' }))
  expect(headers).toEqual(['X-A', 'b', 'X-Request-Id', 'r-1'])
})

test('a synchronous response stays synchronous', () => {
  expect(identified(createRequest('/hello'))).not.toBeInstanceOf(Promise)
})

test.runIf(onNode)('the response of a mounted Node listener is left alone', async () => {
  const { url, close } = await listen(identified)
  onTestFinished(() => close({ drain: 0 }))
  const response = await fetch(`${url}/foreign`)
  expect([response.status, response.headers.get('x-request-id'), await response.text()]).toEqual([200, null, 'foreign'])
})
