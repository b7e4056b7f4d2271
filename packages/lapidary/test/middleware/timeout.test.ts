/** `timeout`: a response that takes too long is replaced by 503, and a late one is dropped. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { bearer, endpoint, list, ndjson, noContent, ok, text } from 'lapidary'
import { compose, timeout } from 'lapidary/middleware'
import type { RunningServer } from 'lapidary/node'
import { authenticate, type HttpHandler, type HttpRequest, serve, toFetch } from 'lapidary/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createRequest } from '../support/httpRequest.ts'
import { exchange, listen, onBun } from '../support/matrix/adapters.ts'

const secret = bearer<true>('secret')
const api = {
  now: endpoint('GET /now', { response: ok(text) }),
  hang: endpoint('GET /hang', { response: ok(text) }),
  late: endpoint('GET /late', { response: ok(text) }),
  fail: endpoint('GET /fail', { response: ok(text) }),
  guarded: endpoint('GET /guarded', { auth: secret, response: noContent }),
  silent: endpoint('GET /silent', { response: ok(list(z.string())) }),
  unhurried: endpoint('GET /unhurried', { response: ok(ndjson(z.string())) }),
  echo: endpoint('POST /echo', { body: text, response: ok(text) }),
}

const time = 100
const never = new Promise<never>(() => {})
const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

const until = async (isSo: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 200 && !isSo(); tries += 1) await after(10)
}

/** The events that handlers and producers have observed. */
const events: string[] = []
const hearing = ({ signal }: HttpRequest, name: string): void => {
  signal.addEventListener('abort', () => events.push(`${name}: ${signal.reason.name}`))
}

const handler = serve(
  api,
  {
    now: () => 'now',
    hang: (_input, request) => {
      hearing(request, 'hang')
      return never
    },
    late: (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve('too late'))),
    fail: (_input, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late')))),
    guarded: () => {},
    silent: async function* (_input, { signal }) {
      try {
        await once(signal, 'abort')
        yield 'too late'
      } finally {
        events.push('silent: ended')
      }
    },
    unhurried: async function* () {
      yield 'soon'
      await after(3 * time)
      yield 'later'
    },
    echo: ({ body }) => body,
  },
  { auth: [authenticate(secret, () => never)], onError: () => {}, middleware: [timeout(time, { retryAfter: 7 })] },
)
/** A handler without an API. */
const limit = (handler: HttpHandler, limited?: number): HttpHandler => compose([timeout(limited)], handler)

let listening: RunningServer
beforeAll(async () => {
  listening = await listen(handler)
})
afterAll(() => listening.close({ drain: 0, grace: 0 }))

test('Infinity is no limit, and a time that no timer can wait for is refused', async () => {
  const slow: HttpHandler = () => new Promise((resolve) => setTimeout(resolve, 20, { status: 200, headers: [], body: 'fine' }))
  const unlimited = await listen(limit(slow, Number.POSITIVE_INFINITY))
  expect(await (await fetch(unlimited.url)).text()).toBe('fine')
  await unlimited.close({ drain: 0, grace: 0 })
  for (const wrong of [0, -1, Number.NaN, 2 ** 31, '1' as never])
    expect(() => timeout(wrong)).toThrow(`timeout(): time is ${wrong}, expected milliseconds above 0 and at most 2147483647`)
})

const late = {
  status: 503,
  retryAfter: '7',
  body: { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: expect.stringMatching(/in time/) },
}

test.each([
  ['a handler that never answers', '/hang'],
  ['a handler that answers too late', '/late'],
  ['a handler that fails too late', '/fail'],
  ['a check of credentials that never comes to an end', '/guarded'],
  ['a list that has no first piece', '/silent'],
])('%s: 503 with Retry-After, in time', async (_sentence, path) => {
  const begun = performance.now()
  const response = await fetch(`${listening.url}${path}`, { headers: { Authorization: 'Bearer a' } })
  expect({ status: response.status, retryAfter: response.headers.get('retry-after'), body: await response.json() }).toEqual(late)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(time - 2)
})

test('the 503 has the headers of all responses at its path, if the API is known', async () => {
  const api = { hang: endpoint('GET /hang/:x', { params: { x: text }, response: ok(text), responseHeaders: { 'Accept-Ranges': 'name' } }) }
  const hang = () => never
  const send = async (handler: HttpHandler) => {
    const { status, headers } = await toFetch(handler)(new Request('http://test.invalid/hang/1?a=b'))
    return [status, headers.get('accept-ranges')]
  }
  expect(await send(serve(api, { hang }, { middleware: [timeout(1)] }))).toEqual([503, 'name'])
  expect(await send(limit(serve(api, { hang }), 1))).toEqual([503, null])
})

test('the signal of a late handler has a TimeoutError', async () => {
  events.length = 0
  await fetch(`${listening.url}/hang`)
  expect(events).toEqual(['hang: TimeoutError'])
})

test('a list whose first chunk is late is ended', async () => {
  events.length = 0
  await fetch(`${listening.url}/silent`)
  await until(() => events.length > 0)
  expect(events).toEqual(['silent: ended'])
})

test('the signal of a handler fires when the client leaves, as without timeout()', async () => {
  events.length = 0
  const socket = connect(listening.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /hang HTTP/1.1\r\nHost: a\r\n\r\n')
  await fetch(`${listening.url}/now`)
  socket.destroy()
  await until(() => events.length > 0)
  expect(events).toEqual(['hang: AbortError'])
})

test('a stream that has begun has no time limit', async () => {
  expect(await (await fetch(`${listening.url}/unhurried`)).text()).toBe('"soon"\n"later"\n')
})

test('the time in which the body arrives does not count', async () => {
  const socket = connect(listening.port, '127.0.0.1')
  socket.write('POST /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n\r\nfirst')
  await after(2 * time)
  socket.end('last')
  let received = ''
  for await (const piece of socket) received += piece
  expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\nfirstlast$/)
})

test('a synchronous response is returned unchanged, without a promise', () => {
  const response = { status: 204, headers: [], body: null }
  const at: HttpHandler = limit(() => response)
  // The handler reads nothing of its request, so an empty one is enough.
  expect(at({} as HttpRequest)).toBe(response)
})

test('a rejection of the handler is passed on', async () => {
  const failing = limit(() => Promise.reject(new RangeError('ours')), time)
  await expect(failing({ bodyWait: 0 } as HttpRequest)).rejects.toThrow(RangeError)
})

test('the problem is written in the given format', async () => {
  const plain = compose([timeout(1, { format: ({ title }) => ({ type: 'text/plain', body: title }) })], () => never)
  expect(await (await toFetch(plain)(new Request('http://test.invalid/'))).text()).toBe('Service Unavailable')
})

// Bun closes a connection with a second request before the first response.
test.skipIf(onBun)('after a 503 the connection serves further requests', async () => {
  const requests = ['/hang', '/now'].map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${path === '/now' ? 'Connection: close\r\n' : ''}\r\n`,
  )
  const response = await exchange(listening, ...requests)
  expect(response.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 503', 'HTTP/1.1 200'])
})

test('the time limit is extended by the wait for the body, and by no more', async () => {
  const begun = performance.now()
  const { status } = await limit(() => never, 20)({ ...createRequest('/'), bodyWait: 50 })
  expect(status).toBe(503)
  expect(performance.now() - begun).toBeGreaterThanOrEqual(68)
})

test('each wait for the body extends the time limit once', async () => {
  const waits = [10, 20]
  const request: HttpRequest = {
    ...createRequest('/'),
    get bodyWait() {
      return waits.shift() ?? 20
    },
  }
  expect(await limit(() => never, 10)(request)).toMatchObject({ status: 503 })
})
