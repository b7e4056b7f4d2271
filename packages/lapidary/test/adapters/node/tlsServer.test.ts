/** TLS: HTTP/2 and HTTP/1.1 on one port, certificates that are replaced, handshakes that fail or do not end, and closing. */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { fromNodeListener, type ListenOptions, listen, type RunningNodeServer } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { exchange } from '../../support/matrix/adapters.ts'
import { type Certificate, firstCertificate, secondCertificate } from '../../support/tls/certificates.ts'
import { createHttp2Client } from '../../support/tls/http2Fetch.ts'
import { connectFrames, endHeaders, endStream, formatRequest, frameTypes } from '../../support/tls/http2Frames.ts'

const { data, goaway, headers } = frameTypes

const echo: HttpHandler = (request) => ({ status: 200, headers: [], body: `${request.method} ${request.header('host')}` })

async function startServer(options: ListenOptions = {}, handler: HttpHandler = echo): Promise<RunningNodeServer> {
  const running = await listen(handler, { tls: firstCertificate, ...options })
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  return running
}

/** A TLS connection, which ends with the test. */
async function connected(
  { port }: { readonly port: number },
  ca: string = firstCertificate.cert,
  protocols = ['http/1.1'],
): Promise<TLSSocket> {
  const socket = connectTls({ port, host: '127.0.0.1', servername: 'localhost', ca, ALPNProtocols: protocols })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  socket.on('error', () => {})
  return socket
}

const silentlyConnected = async ({ port }: { readonly port: number }): Promise<Socket> => {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

const getOverHttp1 = (url: string, { cert }: Certificate = firstCertificate): Promise<string> =>
  new Promise((resolve, reject) => {
    const sending = requestHttps(url, { ca: cert, servername: 'localhost', agent: false }, (response) => {
      let body = `${response.httpVersion} `
      response.setEncoding('utf8')
      response.on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve(body))
    })
    sending.once('error', reject)
    sending.end()
  })

test('a client chooses HTTP/2 or HTTP/1.1, and the URL is of https', async () => {
  const { url, port } = await startServer()
  expect(url).toBe(`https://127.0.0.1:${port}`)
  const { fetch, close } = createHttp2Client(url)
  expect(await (await fetch('/')).text()).toBe(`GET localhost:${port}`)
  expect(await getOverHttp1(url)).toBe(`1.1 GET 127.0.0.1:${port}`)
  close()
})

test('ALPNProtocols leaves HTTP/2 out', async () => {
  const server = await startServer({ tls: { ...firstCertificate, ALPNProtocols: ['http/1.1'] } })
  const socket = await connected(server, firstCertificate.cert, ['h2', 'http/1.1'])
  expect(socket.alpnProtocol).toBe('http/1.1')
})

test('a certificate is replaced while the server runs, and open connections go on', async () => {
  const server = await startServer()
  const { fetch, close } = createHttp2Client(server.url)
  await fetch('/')
  server.setSecureContext(secondCertificate)
  expect((await fetch('/')).status).toBe(200)
  close()
  await expect(getOverHttp1(server.url)).rejects.toThrow('self-signed')
  expect(await getOverHttp1(server.url, secondCertificate)).toContain('1.1 GET')
})

test('options that are left out stay as they were replaced last', async () => {
  const server = await startServer()
  server.setSecureContext(secondCertificate)
  expect(() => server.setSecureContext({ key: firstCertificate.key })).toThrow('key values mismatch')
  server.setSecureContext({ minVersion: 'TLSv1.2' })
  expect(await getOverHttp1(server.url, secondCertificate)).toContain('1.1 GET')
})

test('an ALPNCallback chooses in place of the server', async () => {
  const server = await startServer({ tls: { ...firstCertificate, ALPNCallback: () => 'http/1.1' } })
  const socket = await connected(server, firstCertificate.cert, ['h2', 'http/1.1'])
  expect(socket.alpnProtocol).toBe('http/1.1')
})

test.each([false, null])('tls: %s, as plain JavaScript may have it, is refused', async (tls) => {
  await expect(listen(echo, { tls: tls as never })).rejects.toThrow(/^listen\(\): tls has no certificate/)
})

test('lines of one name are sent over HTTP/2 as well, also of those of which Node wants one', async () => {
  const nosniff = ['X-Content-Type-Options', 'nosniff']
  const server = await startServer({}, () => ({
    status: 404,
    headers: [...nosniff, ...nosniff, 'Vary', 'Origin', 'Vary', 'Accept', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'Constructor', 'x'],
    body: null,
  }))
  const { fetch, close } = createHttp2Client(server.url)
  const { status, headers } = await fetch('/')
  close()
  expect([status, headers.get('x-content-type-options'), headers.get('vary')]).toEqual([404, 'nosniff, nosniff', 'Origin, Accept'])
  expect([headers.getSetCookie(), headers.get('constructor')]).toEqual([['a=1', 'b=2'], 'x'])
})

test('a key that does not fit the certificate is refused, and the old certificate stays', async () => {
  const server = await startServer()
  expect(() => server.setSecureContext({ key: secondCertificate.key, cert: firstCertificate.cert })).toThrow('key values mismatch')
  expect(await getOverHttp1(server.url)).toContain('1.1 GET')
})

test.each([
  [{}, 'it has neither key nor cert'],
  [{ key: firstCertificate.key }, 'it has a key alone'],
  [{ cert: firstCertificate.cert }, 'it has a cert alone'],
])('tls without a certificate is refused at the start: %o', async (tls, reason) => {
  await expect(listen(echo, { tls })).rejects.toThrow(
    new RegExp(`^listen\\(\\): tls has no certificate \\(${reason}\\)\\. Give it a key and a cert`),
  )
})

test('setSecureContext() of a server without TLS says so', async () => {
  const server = await listen(echo)
  onTestFinished(() => server.close({ drain: 0 }))
  expect(() => server.setSecureContext(firstCertificate)).toThrow(
    new TypeError('setSecureContext() needs a server that listens over TLS, and this one does not. Give listen() the option tls.'),
  )
})

test('HTTP without TLS gets 400, and is told of https', async () => {
  const reports: unknown[] = []
  const server = await startServer({ onError: (error) => reports.push(error) })
  const response = await exchange(server, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  expect(response).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  expect(response).toContain('This port speaks TLS, and the request came without. Use https in place of http.')
  expect(reports).toEqual([])
})

test('a handshake that fails ends its connection, and is no error of the server', async () => {
  const reports: unknown[] = []
  const server = await startServer({ onError: (error) => reports.push(error) })
  for (const bytes of ['\x16\x03\x01\x00\x05hello', '\0'.repeat(1_000), 'SSH-2.0-OpenSSH_9.2\r\n']) {
    const socket = await silentlyConnected(server)
    socket.write(bytes)
    await once(socket.resume(), 'close')
  }
  await expect(getOverHttp1(server.url, secondCertificate)).rejects.toThrow('self-signed')
  expect(await getOverHttp1(server.url)).toContain('1.1 GET')
  expect(reports).toEqual([])
})

test('a handshake may take as long as the head of a request, and counts as a connection', async () => {
  const server = await startServer({ headersTimeout: 400, maxConnections: 1 })
  const silent = await silentlyConnected(server)
  await expect(getOverHttp1(server.url)).rejects.toThrow()
  await once(silent.resume(), 'close')
  await expect.poll(() => getOverHttp1(server.url).catch(String)).toContain('1.1 GET')
})

test('the signal fires when the client resets its stream, and the handler of another stream goes on', async () => {
  const aborted = vi.fn()
  let release = (): void => {}
  const handler: HttpHandler = async ({ target, signal }) => {
    if (target === '/abort') {
      signal.addEventListener('abort', aborted)
      await new Promise(() => {})
    }
    await new Promise<void>((resolve) => {
      release = resolve
    })
    return { status: 200, headers: [], body: 'ok' }
  }
  const server = await startServer({}, handler)
  const session = connectHttp2(server.url, { ca: firstCertificate.cert, servername: 'localhost' })
  onTestFinished(() => session.destroy())
  const other = session.request({ ':path': '/wait' })
  const left = session.request({ ':path': '/abort' })
  await wait(100)
  // Without an error, as when a browser has enough.
  left.close(0)
  await expect.poll(() => aborted.mock.calls.length).toBe(1)
  release()
  expect((await once(other, 'response'))[0]).toMatchObject({ ':status': 200 })
})

test('close() ends silent connections in half a second, whatever they speak', async () => {
  const server = await listen(echo, { tls: firstCertificate, keepAliveTimeout: 60_000, headersTimeout: 60_000, requestTimeout: 60_000 })
  const silent = [await silentlyConnected(server), await connected(server), await connected(server, firstCertificate.cert, ['h2'])]
  const begun = await silentlyConnected(server)
  begun.write('\x16\x03\x01')
  const start = performance.now()
  const ends = [...silent, begun].map((socket) => once(socket.resume(), 'close'))
  await server.close({ drain: 0, grace: 60_000 })
  expect(performance.now() - start).toBeLessThan(30_000)
  await Promise.all(ends)
})

test('a request over HTTP/2 that crosses the end of its connection is refused, so that it can be sent again', async () => {
  const server = await startServer()
  const { socket, send, find } = await connectFrames(server)
  await send(headers, endHeaders | endStream, 1, formatRequest())
  await find(({ type }) => type === data)
  const closing = server.close()
  await find(({ type }) => type === goaway)
  await send(headers, endHeaders | endStream, 3, formatRequest())
  await find(({ type, payload }) => type === goaway && payload.readUInt32BE(0) === 1)
  socket.destroy()
  await closing
})

test('close() ends idle connections of HTTP/2 before the drain is over', async () => {
  const server = await listen(echo, { tls: firstCertificate, keepAliveTimeout: 60_000 })
  const clients = Array.from({ length: 20 }, () => createHttp2Client(server.url))
  await Promise.all(clients.map(({ fetch }) => fetch('/')))
  const start = performance.now()
  await server.close({ drain: 60_000 })
  expect(performance.now() - start).toBeLessThan(30_000)
})

test('a request over HTTP/2 that is in progress when the server closes gets its response', async () => {
  let release = (): void => {}
  const handler: HttpHandler = () =>
    new Promise((resolve) => {
      release = () => resolve({ status: 200, headers: [], body: 'done' })
    })
  const server = await listen(handler, { tls: firstCertificate })
  const { fetch } = createHttp2Client(server.url)
  const response = fetch('/')
  await wait(100)
  const closed = server.close({ drain: 0 })
  await wait(300)
  release()
  expect(await (await response).text()).toBe('done')
  await closed
})

// Once more where a busy machine takes longer for a handshake than a silent connection is given.
test('no request is lost while the server drains: HTTP/2, HTTP/1.1, with silent connections and a WebSocket', { retry: 3 }, async () => {
  let handled = 0
  const count: HttpHandler = async (request) => {
    handled += 1
    await wait(1)
    return echo(request)
  }
  const server = await listen(count, { tls: firstCertificate })
  const sockets = new WebSocketServer({ server: server.server })
  server.shutdown.addEventListener('abort', () => {
    for (const socket of sockets.clients) socket.close(1001)
  })
  const socket = new WebSocket(server.url.replace('https', 'wss'), [], { ca: firstCertificate.cert })
  const ended = once(socket, 'close')
  await once(socket, 'open')
  for (let silent = 0; silent < 20; silent += 1) await silentlyConnected(server)
  await connected(server, firstCertificate.cert, ['h2'])
  let responses = 0
  const lost: unknown[] = []
  /** Sends one request after the other until the port is closed. What is sent on a connection that has ended before was not sent at all. */
  const sendAll = async (get: () => Promise<string>): Promise<void> => {
    for (;;) {
      try {
        expect(await get()).toContain('GET')
        responses += 1
      } catch (error) {
        const { code, cause, syscall = (cause as NodeJS.ErrnoException | undefined)?.syscall } = error as NodeJS.ErrnoException
        // There is no connection, and so no request.
        if (syscall === 'connect') return
        // The client itself refuses what it has not sent.
        if (String(error).includes('NGHTTP2_REFUSED_STREAM') || code === 'ERR_HTTP2_GOAWAY_SESSION' || code === 'ERR_HTTP2_INVALID_SESSION')
          continue
        lost.push(error)
        if (lost.length > 10) return
      }
    }
  }
  const clients = Array.from({ length: 8 }, () => createHttp2Client(server.url))
  const all = clients.flatMap(({ fetch }) => [1, 2, 3].map(() => sendAll(async () => (await fetch('/')).text())))
  all.push(...[1, 2, 3, 4].map(() => sendAll(() => getOverHttp1(server.url))))
  await wait(300)
  const before = responses
  const start = performance.now()
  await server.close()
  const time = performance.now() - start
  await Promise.all(all)
  expect(lost).toEqual([])
  expect(responses).toBe(handled)
  expect(responses).toBeGreaterThan(before)
  expect((await ended)[0]).toBe(1001)
  // Not the grace: the drain, and half a second for the silent.
  expect(time).toBeLessThan(9_000)
})

test('a request over HTTP/2 for a Node listener is asked for again over HTTP/1.1', async () => {
  const reports: unknown[] = []
  const listener = fromNodeListener((_request, response) => void response.end('from the listener'))
  const server = await startServer({ onError: (error) => reports.push(error) }, listener)
  const { fetch, close } = createHttp2Client(server.url)
  await expect(fetch('/')).rejects.toThrow('NGHTTP2_HTTP_1_1_REQUIRED')
  close()
  expect(await getOverHttp1(server.url)).toBe('1.1 from the listener')
  expect(reports).toEqual([])
})
