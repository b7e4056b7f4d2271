/** `timeout` of an endpoint: a response that takes longer is 503, alone and within the middleware `timeout`. */
import { bearer, endpoint, list, mount, noContent, ok, text } from 'lapidary'
import { outline } from 'lapidary/docs'
import { compose, type Middleware, timeout } from 'lapidary/middleware'
import { authenticate, type HttpHandler, serve, toFetch } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRequest } from '../support/httpRequest.ts'
import { describeEachAdapter } from '../support/matrix/eachAdapter.ts'

const time = 100
const never = new Promise<never>(() => {})
const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const robots = bearer<true>('robots')
const responseHeaders = { 'X-Always': 'yes' }
const api = {
  now: endpoint('GET /now', { response: ok(text), timeout: time }),
  soon: endpoint('GET /soon', { response: ok(text), timeout: 20_000 }),
  hang: endpoint('GET /hang', { response: ok(text), timeout: time, responseHeaders }),
  fail: endpoint('GET /fail', { response: ok(text), timeout: time }),
  guarded: endpoint('GET /guarded', { auth: robots, response: noContent, timeout: time }),
  silent: endpoint('GET /silent', { response: ok(list(z.string())), timeout: time }),
  echo: endpoint('POST /echo', { body: text, response: ok(text), timeout: time }),
  unlimited: endpoint('GET /unlimited', { response: ok(text) }),
  unhurried: endpoint('GET /unhurried', { response: ok(text), timeout: Number.POSITIVE_INFINITY }),
}

const abortReasons: string[] = []
const waitForAbort = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) =>
    signal.addEventListener('abort', () => {
      abortReasons.push(signal.reason.name)
      resolve()
    }),
  )

const server = serve(
  api,
  {
    now: () => 'now',
    soon: async () => {
      await sleep(3 * time)
      return 'soon'
    },
    hang: async (_input, { signal }) => {
      await waitForAbort(signal)
      return 'too late'
    },
    fail: async (_input, { signal }) => {
      await waitForAbort(signal)
      throw new Error('too late')
    },
    guarded: () => {},
    silent: async function* (_input, { signal }) {
      await waitForAbort(signal)
      yield 'too late'
    },
    echo: async ({ body }) => {
      if (body === 'hang') await never
      return body
    },
    unlimited: async () => {
      await sleep(3 * time)
      return 'unlimited'
    },
    unhurried: async () => {
      await sleep(3 * time)
      return 'unhurried'
    },
  },
  { auth: [authenticate(robots, () => never)], onError: () => {} },
)

const problem = {
  type: 'about:blank',
  title: 'Service Unavailable',
  status: 503,
  detail: 'The server could not answer in time. Try again in a moment.',
}

describeEachAdapter(server, (running) => {
  test.each<[string, string, RequestInit]>([
    ['a handler that answers too late', '/hang', {}],
    ['a handler that fails too late', '/fail', {}],
    ['a check of credentials that never comes to an end', '/guarded', { headers: { Authorization: 'Bearer a' } }],
    ['a list that has no first item', '/silent', {}],
    ['a handler that got a body', '/echo', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'hang' }],
  ])('%s: 503 with Retry-After', async (_sentence, target, init) => {
    const response = await running.fetch(target, init)
    expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([503, '1', problem])
  })

  test.each<[string, string, RequestInit, string]>([
    ['a synchronous response is in time', '/now', {}, 'now'],
    ['a longer timeout is waited for', '/soon', {}, 'soon'],
    ['another endpoint has no limit', '/unlimited', {}, 'unlimited'],
    ['a body is echoed', '/echo', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'hello' }, 'hello'],
  ])('%s', async (_sentence, target, init, expected) => {
    const response = await running.fetch(target, init)
    expect([response.status, await response.text()]).toEqual([200, expected])
  })

  test('the 503 has the headers of every response', async () => {
    const response = await running.fetch('/hang')
    expect(response.headers.get('x-always')).toBe('yes')
  })

  test('the signal of the request fires with a TimeoutError', async () => {
    abortReasons.length = 0
    await (await running.fetch('/hang')).text()
    expect(abortReasons).toEqual(['TimeoutError'])
  })
})

test('the 503 is in the format of the server', async () => {
  const hanging = serve({ hang: api.hang }, { hang: () => never }, { format: ({ title }) => ({ type: 'text/plain', body: title }) })
  const response = await hanging.fetch(new Request('http://test.invalid/hang'))
  expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/plain', 'Service Unavailable'])
})

test('the wait for the body does not count', async () => {
  const began = performance.now()
  const hanging = serve({ hang: endpoint('GET /hang', { response: ok(text), timeout: 20 }) }, { hang: () => never })
  const handler: HttpHandler = hanging
  const { status } = await handler({ ...createRequest('/hang'), bodyWait: 60 })
  expect(status).toBe(503)
  expect(performance.now() - began).toBeGreaterThanOrEqual(78)
})

describe('within the middleware, the timeout of the endpoint counts', () => {
  const slowly: Middleware = (next) => async (request) => {
    await sleep(10)
    return next(request)
  }
  const outer = serve({ inner: mount('/inner') }, { inner: server })
  const send = async (handler: HttpHandler, target: string): Promise<readonly unknown[]> => {
    const response = await toFetch(handler)(new Request(`http://test.invalid${target}`))
    return [response.status, response.headers.get('retry-after')]
  }

  test.each<[string, HttpHandler, number, string, readonly unknown[]]>([
    ['a longer one', server, 50, '/soon', [200, null]],
    ['a shorter one', server, 20_000, '/hang', [503, '1']],
    ['Infinity, which is no limit', server, 50, '/unhurried', [200, null]],
    ['Infinity, through a mount', outer, 50, '/inner/unhurried', [200, null]],
    ['no other endpoint', server, 50, '/unlimited', [503, '9']],
    ['through another middleware', compose([slowly], server), 50, '/soon', [200, null]],
    ['through a mount', outer, 50, '/inner/soon', [200, null]],
  ])('%s', async (_sentence, handler, middlewareTime, target, expected) => {
    expect(await send(compose([timeout(middlewareTime, { retryAfter: 9 })], handler), target)).toEqual(expected)
  })
})

test('a response in time leaves no timer behind', async () => {
  const countTimers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = countTimers()
  expect((await server.fetch(new Request('http://test.invalid/soon'))).status).toBe(200)
  expect((await server.fetch(new Request('http://test.invalid/now'))).status).toBe(200)
  expect(countTimers()).toBeLessThanOrEqual(before)
})

test('no limit is no part of the documentation', async () => {
  const { sections } = await outline({ unhurried: api.unhurried })
  expect(sections[0]?.builtInErrors.map(({ status }) => status)).not.toContain(503)
})

test('the documentation says how long a response may take', async () => {
  const { sections } = await outline({ soon: api.soon })
  expect(sections[0]?.builtInErrors.find(({ status }) => status === 503)?.description).toBe('The response takes longer than 20,000 ms.')
})
