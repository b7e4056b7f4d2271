/** Listening, and closing without losing a request. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { endpoint, ok, text } from 'lapidary'
import { toNodeListener } from 'lapidary/node'
import { type HttpHandler, serve } from 'lapidary/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { formatServerUrl } from '../../src/adapters/runningServer.ts'
import { exchange, listen, onBun } from '../support/matrix/adapters.ts'
import { connected, failing } from '../support/sockets.ts'
import { timers } from '../support/timers.ts'

/** A server whose response waits until the test releases it. */
function createWaitingServer() {
  let go = (): void => {}
  let arrived = (): void => {}
  const released = new Promise<void>((resolve) => {
    go = resolve
  })
  const received = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const api = { wait: endpoint('GET /wait', { response: ok(text) }), now: endpoint('GET /now', { response: ok(text) }) }
  const server = serve(api, {
    wait: async () => {
      arrived()
      await released
      return 'done'
    },
    now: () => 'now',
  })
  return { server, received, go }
}

const request = (...headers: readonly string[]): string => `${['GET /now HTTP/1.1', 'Host: a', ...headers].join('\r\n')}\r\n\r\n`

test('port 0 is a free port, and the URL names it', async () => {
  const listening = await listen(createWaitingServer().server)
  expect(listening.url).toBe(`http://127.0.0.1:${listening.port}`)
  expect(await (await fetch(`${listening.url}/now`)).text()).toBe('now')
  await listening.close({ drain: 0 })
})

test('the URL of an IPv6 address has it in brackets', () => {
  expect(formatServerUrl('::1', 8081)).toBe('http://[::1]:8081')
  expect(formatServerUrl('127.0.0.1', 8081)).toBe('http://127.0.0.1:8081')
})

test('a port in use rejects the promise', async () => {
  const listening = await listen(createWaitingServer().server)
  await expect(listen(createWaitingServer().server, { port: listening.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await listening.close({ drain: 0 })
})

test('a request in progress is answered when the server closes', async () => {
  const { server, received, go } = createWaitingServer()
  const listening = await listen(server)
  const response = fetch(`${listening.url}/wait`)
  await received
  const closed = listening.close({ drain: 0 })
  expect(listening.close()).toBe(closed)
  go()
  expect(await (await response).text()).toBe('done')
  await closed
  await expect(fetch(`${listening.url}/now`)).rejects.toThrow()
})

// Bun does not tell of its timers.
test.skipIf(onBun)('a server that is closed leaves no timer, so that the process can end', async () => {
  // One looks for silent connections, the other one is for the grace period.
  const pending = [timers(100), timers(12_000, 12_345)]
  const listening = await listen(createWaitingServer().server)
  await listening.close({ drain: 0, grace: 12_345 })
  for (const { begun, left } of pending) expect([begun(), await left()]).toEqual([1, 0])
})

/** Sends a request over an open connection. */
async function getOver(socket: Socket): Promise<string> {
  socket.write(request())
  return String((await once(socket, 'data'))[0])
}

// Bun cannot stop listening without closing idle connections.
test.skipIf(onBun)(
  'a server that drains keeps connections open; when it has stopped listening, the next response of each is its last',
  async () => {
    const listening = await listen(createWaitingServer().server, { keepAliveTimeout: 60_000 })
    const [used, idle] = [await connected(listening), await connected(listening)]
    await getOver(idle)
    const closed = listening.close({ drain: 1_500 })
    let response = await getOver(used)
    expect(response).toMatch(/^HTTP\/1\.1 200 /)
    expect(response).not.toContain('Connection: close')
    // Another client can still connect.
    expect(await getOver(await connected(listening))).not.toContain('Connection: close')
    await vi.waitFor(() => expect(connected(listening)).rejects.toThrow('ECONNREFUSED'), { timeout: 5_000, interval: 20 })
    for (const socket of [used, idle]) {
      response = await getOver(socket)
      expect(response).toMatch(/^HTTP\/1\.1 200 /)
      expect(response).toContain('Connection: close')
    }
    await closed
  },
)

test.skipIf(onBun)('an idle connection is closed when the server has not listened for the time of the drain', async () => {
  const listening = await listen(createWaitingServer().server, { keepAliveTimeout: 60_000 })
  const idle = await connected(listening)
  await getOver(idle)
  const end = once(idle.resume(), 'close')
  await listening.close({ drain: 200, grace: 60_000 })
  await end
})

test.skipIf(!onBun)('while a server on Bun drains, each response has Connection: close', async () => {
  const listening = await listen(createWaitingServer().server)
  // A connection that says nothing keeps the drain open.
  const silent = connect(listening.port, '127.0.0.1')
  await new Promise((resolve) => silent.once('connect', resolve))
  expect(await exchange(listening, request('Connection: close'))).toContain('200 OK')
  const closed = listening.close({ drain: 1_000 })
  const response = await exchange(listening, request())
  expect(response).toContain('200 OK')
  expect(response).toContain('Connection: close')
  silent.destroy()
  await closed
})

test('a request in progress is aborted after the grace period', async () => {
  const { server, received } = createWaitingServer()
  const listening = await listen(server)
  const response = cutOff(listening.port, '/wait')
  await received
  await listening.close({ drain: 0, grace: 50 })
  expect(await response).toBe('')
})

// Bun has no grace.
test.skipIf(onBun)('the grace period includes the drain', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { server, received } = createWaitingServer()
  const listening = await listen(server)
  const response = cutOff(listening.port, '/wait')
  await received
  const closed = listening.close({ drain: 30_000, grace: 30_000 })
  vi.setSystemTime(Date.now() + 30_000)
  await closed
  expect(await response).toBe('')
})

/** What came before the connection was closed or reset. */
const cutOff = (port: number, target = '/now'): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`))
    let received = ''
    socket.setEncoding('latin1').on('data', (text) => {
      received += text
    })
    socket.on('error', () => {})
    socket.once('close', () => resolve(received))
  })

test.each(failing)('a handler that %s is answered with 500, and the error is reported', async (_sentence, handler) => {
  const around: HttpHandler = (request) => (request.target === '/now' ? handler(request) : { status: 204, headers: [], body: null })
  const reports: unknown[] = []
  const { port, close } = await listen(around, { onError: (error) => reports.push(error) })
  expect((await fetch(`http://127.0.0.1:${port}/now`)).status).toBe(500)
  expect(reports).toHaveLength(1)
  expect((await fetch(`http://127.0.0.1:${port}/other`)).status).toBe(204)
  await close({ drain: 0 })
})

test.skipIf(onBun)('toNodeListener() serves a handler on any server of node:http', async () => {
  const server = createServer(toNodeListener(() => ({ status: 204, headers: [], body: null })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  expect((await fetch(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)).status).toBe(204)
  server.closeAllConnections()
  server.close()
})

// Bun has no grace, and waits for nothing.
test.skipIf(onBun)('close() ends three idle connections at once, and waits for the busy one', async () => {
  const { server, received, go } = createWaitingServer()
  const listening = await listen(server, { keepAliveTimeout: 60_000 })
  const idle = await Promise.all([1, 2, 3].map(() => connected(listening)))
  for (const socket of idle) {
    socket.write(request())
    await once(socket, 'data')
  }
  const busy = await connected(listening)
  busy.write('GET /wait HTTP/1.1\r\nHost: a\r\n\r\n')
  await received
  const ends = idle.map((socket) => once(socket.resume(), 'close'))
  const closed = listening.close({ drain: 0, grace: 60_000 })
  // They are gone before the one that waits for its answer.
  await Promise.all(ends)
  expect(busy.closed).toBe(false)
  const response = once(busy, 'data')
  go()
  expect(String(await response)).toMatch(/^HTTP\/1\.1 200 /)
  busy.resume()
  await closed
})

const times = onBun ? ['idleTimeout'] : ['requestTimeout', 'headersTimeout', 'keepAliveTimeout', 'readerTimeout']

test.each(times)('%s that no timer can wait for is refused before the server listens, and Infinity is no limit', async (option) => {
  for (const wrong of [0, -1, Number.NaN, 2 ** 31])
    await expect(listen(createWaitingServer().server, { [option]: wrong })).rejects.toThrow(
      `listen(): ${option} is ${wrong}, expected milliseconds`,
    )
  const listening = await listen(() => ({ status: 200, headers: [], body: pieces() }), { [option]: Number.POSITIVE_INFINITY })
  async function* pieces(): AsyncGenerator<string> {
    for (let piece = 0; piece < 200; piece += 1) yield 'x'.repeat(100_000)
  }
  const socket = connect(listening.port, '127.0.0.1').on('error', () => {})
  // A client that does not read: the server waits for it.
  socket.pause().write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 60))
  expect(socket.closed).toBe(false)
  socket.destroy()
  await expect(listening.close({ drain: 2 ** 31 })).rejects.toThrow('close(): drain is 2147483648, expected milliseconds')
  await listening.close({ drain: 0, grace: Number.POSITIVE_INFINITY, settle: 0 })
})

// The first request of a new connection may be on its way, so it has half a second.
test.skipIf(onBun)('close() ends connections without the beginning of a request, and gives the grace to a part of one', async () => {
  const { server } = createWaitingServer()
  const listening = await listen(server, { keepAliveTimeout: 60_000 })
  // Line ends in front of a request are ignored (RFC 9112 §2.2), so they begin none.
  const without = await Promise.all(['', '\r\n', '\n', '\r\n\r\n\r\n'].map((lines) => connectedWith(listening, lines)))
  const begun = await Promise.all(['GET /now HTTP/1.1\r\n', '\r\nG'].map((part) => connectedWith(listening, part)))
  const ends = without.map((socket) => once(socket.resume(), 'close'))
  const closed = listening.close({ drain: 0, grace: 60_000 })
  await Promise.all(ends)
  for (const [index, rest] of ['Host: a\r\n\r\n', request().slice(1)].entries()) {
    const socket = begun[index] as Socket
    expect(socket.closed).toBe(false)
    socket.write(rest)
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 200 /)
    socket.resume()
  }
  await closed
})

/** A connection that has sent a text. */
async function connectedWith(listening: { readonly port: number }, sent: string): Promise<Socket> {
  const socket = await connected(listening)
  socket.write(sent)
  return socket
}
