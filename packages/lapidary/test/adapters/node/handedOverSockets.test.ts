/** WebSockets beside the API, by `ws`: its limits, its drain and its end. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type ListenOptions, listen, type RunningNodeServer } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { exchange } from '../../support/matrix/adapters.ts'
import { firstCertificate } from '../../support/tls/certificates.ts'

const echo: HttpHandler = ({ method, target }) => ({ status: 200, headers: [], body: `${method} ${target}` })

/** An API with WebSockets beside it, which say what they hear. */
async function startServer(options: ListenOptions = {}): Promise<RunningNodeServer & { readonly sockets: WebSocketServer }> {
  const running = await listen(echo, options)
  const sockets = new WebSocketServer({ server: running.server, path: '/live' })
  sockets.on('connection', (socket) => socket.on('message', (data) => socket.send(`heard ${data}`)))
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  return { ...running, sockets }
}

async function connected({ url }: { readonly url: string }): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, [], { ca: firstCertificate.cert })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

async function say(socket: WebSocket, text: string): Promise<string> {
  socket.send(text)
  const [data] = await once(socket, 'message')
  return String(data)
}

test.each([
  ['without TLS', {}],
  ['over TLS', { tls: firstCertificate }],
])('WebSockets stand beside the API, %s', async (_case, options) => {
  const server = await startServer(options)
  expect(await say(await connected(server), 'Ann')).toBe('heard Ann')
})

test('the API answers on the same port', async () => {
  const server = await startServer()
  await connected(server)
  expect(await (await fetch(`${server.url}/hello`)).text()).toBe('GET /hello')
})

test('an idle WebSocket stays open, also on a connection that has made requests before', async () => {
  const server = await startServer({ keepAliveTimeout: 200, headersTimeout: 200, requestTimeout: 300 })
  const socket = await connected(server)
  const raw = connect(server.port, '127.0.0.1')
  onTestFinished(() => void raw.destroy())
  raw.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(raw, 'data')
  const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n'
  raw.write(`GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`)
  expect(String(await once(raw, 'data'))).toContain('101 Switching Protocols')
  await wait(2_500)
  expect(await say(socket, 'still here')).toBe('heard still here')
  expect(raw.destroyed || raw.readableEnded).toBe(false)
})

test('a WebSocket counts as a connection', async () => {
  const server = await startServer({ maxConnections: 1 })
  await connected(server)
  expect(await exchange(server, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')).toContain('503')
})

test('shutdown fires when the server begins to close, and the WebSockets that it ends do not hold close()', async () => {
  const server = await startServer()
  server.shutdown.addEventListener('abort', () => {
    for (const socket of server.sockets.clients) socket.close(1001)
  })
  const socket = await connected(server)
  const start = performance.now()
  const ended = once(socket, 'close')
  const closed = server.close({ drain: 60_000, grace: 60_000 })
  const [code] = await ended
  expect(code).toBe(1001)
  await closed
  expect(performance.now() - start).toBeLessThan(30_000)
})

test('a WebSocket that nothing ends is cut when the grace is over', async () => {
  const server = await startServer()
  const socket = await connected(server)
  const ended = once(socket, 'close')
  const start = performance.now()
  await server.close({ drain: 0, grace: 300 })
  await ended
  expect(performance.now() - start).toBeGreaterThan(290)
})

test('without a listener for upgrades, the API answers them, before as after', async () => {
  const server = await listen(echo)
  onTestFinished(() => server.close({ drain: 0 }))
  const upgrade = () => exchange(server, 'GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n')
  expect(await upgrade()).toContain('GET /live')
  const listener = (_request: unknown, socket: { end: (text: string) => unknown }): void => void socket.end('mine')
  server.server.on('upgrade', listener)
  expect(await upgrade()).toBe('mine')
  server.server.off('upgrade', listener)
  expect(await upgrade()).toContain('GET /live')
})

test('a request that offers HTTP/2 without TLS, as those of Java do, is one of the API', async () => {
  const server = await startServer()
  const headers = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA\r\n'
  const response = await exchange(
    server,
    `GET /hello HTTP/1.1\r\nHost: a\r\n${headers}\r\nGET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  )
  expect(response).toContain('GET /hello')
  expect(response).toContain('GET /next')
})

test('a client that resets its upgrade while a listener waits does not end the process', async () => {
  const { server, port, close } = await listen(echo)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const upgraded = once(
    server.on('upgrade', () => {}),
    'upgrade',
  )
  const client = connect(port, '127.0.0.1')
  client.write('GET /live HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
  const [, socket] = await upgraded
  client.resetAndDestroy()
  await vi.waitFor(() => expect(socket.destroyed).toBe(true), 10_000)
})
