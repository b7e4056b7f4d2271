/** `accessLog`: what a listener learns of each request, and when. */
import { EventEmitter, once } from 'node:events'
import { connect } from 'node:net'
import { endpoint, int, mount, ndjson, ok, text } from 'lapidary'
import { type AccessLogEntry, accessLog, compose, type Middleware, requestId, trustProxy } from 'lapidary/middleware'
import { fromNodeListener } from 'lapidary/node'
import { type HttpHandler, serve, toFetch } from 'lapidary/server'
import { expect, expectTypeOf, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { listen, onNode } from '../support/matrix/adapters.ts'

/** Emits `slow` when its handler is called. */
const calls = new EventEmitter()

const server = serve(
  {
    square: endpoint('GET /squares/:number', { params: { number: int }, response: ok(text) }),
    late: endpoint('GET /late', { response: ok(text) }),
    count: endpoint('GET /count', { response: ok(ndjson(z.string())) }),
    failing: endpoint('GET /failing', { response: ok(ndjson(z.string())) }),
    endless: endpoint('GET /endless', { response: ok(ndjson(z.string())) }),
    slow: endpoint('GET /slow', { response: ok(text) }),
    foreign: mount('/foreign'),
  },
  {
    square: ({ params: { number } }) => `${number * number}`,
    late: async () => 'late',
    count: async function* () {
      yield* ['one', 'two']
    },
    failing: async function* () {
      yield 'one'
      throw new Error('planted')
    },
    endless: async function* () {
      for (;;) yield 'on and on'
    },
    slow: async (_input, { signal }) => {
      calls.emit('slow')
      await once(signal, 'abort')
      return 'too late'
    },
    foreign: fromNodeListener((_request, response) => void response.writeHead(203).end('foreign')),
  },
  { onError: () => {} },
)

const [identify, trust] = [requestId(), trustProxy(['127.0.0.1'])]
const outside = (log: Middleware): readonly Middleware[] => [trust, identify, log]

/** Listens until the test is over, and keeps the entries of all requests. */
async function logged(handler: HttpHandler = server, place = outside) {
  const entries: AccessLogEntry[] = []
  const errors: unknown[] = []
  const log = accessLog((entry) => entries.push(entry))
  const { url, port, close } = await listen(compose(place(log), handler), { onError: (error) => errors.push(error) })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const first = (): Promise<AccessLogEntry | undefined> =>
    vi.waitFor(() => {
      expect(entries).toHaveLength(1)
      return entries[0]
    }, 10_000)
  return { url, port, entries, errors, first }
}

test.each([
  ['GET', '/squares/3', { route: 'GET /squares/:number', status: 200, bytes: 1, outcome: 'completed' }],
  ['HEAD', '/squares/3', { route: 'GET /squares/:number', status: 200, bytes: 0, outcome: 'completed' }],
  ['GET', '/squares/three?a=b', { route: 'GET /squares/:number', status: 400, outcome: 'completed' }],
  ['GET', '/late', { route: 'GET /late', status: 200, bytes: 4, outcome: 'completed' }],
  ['GET', '/count', { route: 'GET /count', status: 200, bytes: 12, outcome: 'completed' }],
  ['GET', '/nowhere', { route: undefined, status: 404, outcome: 'completed' }],
  ['POST', '/late', { route: undefined, status: 405, outcome: 'completed' }],
])('%s %s', async (method, target, expected) => {
  const { url, first } = await logged()
  const headers = { 'X-Request-Id': 'r-1', 'X-Forwarded-For': '192.0.2.7' }
  await (await fetch(`${url}${target}`, { method, headers })).arrayBuffer()
  const entry = await first()
  expect(entry).toMatchObject({ ...expected, method, target, id: 'r-1', remoteAddress: '192.0.2.7' })
  expect(entry?.milliseconds).toBeGreaterThan(0)
})

test.each<[order: string, place: (log: Middleware) => readonly Middleware[]]>([
  ['before it', outside],
  ['behind it', (log) => [log, identify, trust]],
  ['on both sides', (log) => [identify, log, trust]],
  ['on both sides, the other way round', (log) => [trust, log, identify]],
])('the entry has the id and the address of the client with requestId and trustProxy %s', async (_order, place) => {
  const { url, first } = await logged(server, place)
  const response = await fetch(`${url}/late`, { headers: { 'X-Request-Id': 'r-1', 'X-Forwarded-For': '192.0.2.7' } })
  expect([response.headers.get('x-request-id'), await response.text()]).toEqual(['r-1', 'late'])
  expect(await first()).toMatchObject({ id: 'r-1', remoteAddress: '192.0.2.7' })
})

test('the entry of a client that leaves has its address, also where trustProxy is behind it', async () => {
  const { port, first } = await logged(server, (log) => [log, identify, trust])
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /slow HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 192.0.2.7\r\n\r\n'))
  calls.once('slow', () => socket.destroy())
  expect(await first()).toMatchObject({ remoteAddress: '192.0.2.7', outcome: 'aborted' })
})

test('a stream that fails is reported when it has failed', async () => {
  const { url, first } = await logged()
  await expect(fetch(`${url}/failing`).then((response) => response.text())).rejects.toThrow()
  expect(await first()).toMatchObject({ route: 'GET /failing', status: 200, bytes: 6, outcome: 'failed' })
})

test.each([
  ['during the response', '/endless', { status: 200, route: 'GET /endless' }],
  ['before the response', '/slow', { status: 0, bytes: 0, route: 'GET /slow' }],
])('a client that leaves %s', async (_when, target, expected) => {
  const { port, first } = await logged()
  const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`))
  if (target === '/slow') calls.once('slow', () => socket.destroy())
  else socket.once('data', () => socket.destroy())
  expect(await first()).toMatchObject({ ...expected, outcome: 'aborted' })
})

test.runIf(onNode)('a mounted Node listener', async () => {
  const { url, first } = await logged()
  await (await fetch(`${url}/foreign/deep`)).text()
  expect(await first()).toMatchObject({ route: '/foreign', target: '/foreign/deep', status: 203, outcome: 'completed' })
})

test.each([
  [
    'throws',
    (): never => {
      throw new Error('planted')
    },
  ],
  ['rejects', () => Promise.reject(new Error('planted'))],
])('a handler that %s', async (_how, handler) => {
  const { url, first, errors } = await logged(handler)
  expect((await fetch(url)).status).toBe(500)
  expect(await first()).toMatchObject({ route: undefined, status: 500, outcome: 'completed' })
  expect(errors).toEqual([new Error('planted')])
})

test('an error of the listener is reported, and does not affect the response', async () => {
  const errors: unknown[] = []
  const fail = (): never => {
    throw new Error('full disk')
  }
  const { url, port, close } = await listen(compose([accessLog(fail)], server), { onError: (error) => errors.push(error) })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  expect(await (await fetch(`${url}/squares/4`)).text()).toBe('16')
  await vi.waitFor(() => expect(errors).toEqual([new Error('full disk')]), 10_000)
  // The end comes before the response.
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n'))
  calls.once('slow', () => socket.destroy())
  await vi.waitFor(() => expect(errors).toEqual([new Error('full disk'), new Error('full disk')]), 10_000)
})

test('what onStart returns is passed to onEnd, and each start has one end', async () => {
  const events: string[] = []
  const log = accessLog({
    onStart: ({ target }) => {
      events.push(`start ${target}`)
      return { trace: target.slice(1) }
    },
    onEnd: ({ status }, { trace }) => {
      expectTypeOf(trace).toEqualTypeOf<string>()
      events.push(`end ${trace} ${status}`)
    },
  })
  const fetchHandler = toFetch(compose([log], server))
  for (const path of ['/late', '/nowhere']) await (await fetchHandler(new Request(`http://a${path}`))).text()
  expect(events).toEqual(['start /late', 'end late 200', 'start /nowhere', 'end nowhere 404'])
})

test.each([
  ['never ends', undefined],
  ['ends long after it', 300],
])('a client that leaves a handler that %s is reported, once', async (_what, delay) => {
  const { port, entries, errors, first } = await logged(() => {
    calls.emit('slow')
    return new Promise((resolve) => {
      if (delay !== undefined) setTimeout(resolve, delay, { status: 200, headers: [], body: '' })
    })
  })
  const called = once(calls, 'slow')
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
  await called
  socket.destroy()
  expect(await first()).toMatchObject({ target: '/slow', route: undefined, status: 0, bytes: 0, outcome: 'aborted' })
  await new Promise((resolve) => setTimeout(resolve, delay ?? 0))
  expect([entries.length, errors]).toEqual([1, []])
})

test('an entry has the meta of its endpoint, where serve knows the middleware', async () => {
  const api = {
    one: endpoint('GET /one', { response: ok(text), meta: { role: 'keeper' } }),
    two: endpoint('GET /two', { response: ok(text) }),
    files: mount('/files'),
  }
  const entries: unknown[] = []
  const log = accessLog(({ route, meta }) => entries.push([route, meta]))
  const files: HttpHandler = () => ({ status: 200, headers: [], body: 'file' })
  const { url, close } = await listen(serve(api, { one: () => 'one', two: () => 'two', files }, { middleware: [log] }))
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  for (const path of ['/one', '/two', '/files/a', '/nowhere']) await (await fetch(`${url}${path}`)).text()
  await expect
    .poll(() => entries)
    .toEqual([
      ['GET /one', { role: 'keeper' }],
      ['GET /two', undefined],
      ['/files', undefined],
      [undefined, undefined],
    ])
})
