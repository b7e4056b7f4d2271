/** What docs/deployment.md says of nginx, HAProxy and Caddy, with the programs themselves and the configurations of deploy/. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { byteStream, endpoint, events, ok, text } from 'lapidary'
import { trustProxy } from 'lapidary/middleware'
import { listen, type RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { program as nginx, startNginx } from '../nginx.mjs'
import { findProxy, startProxy } from '../proxies.mjs'

type Change = (text: string) => string

/** Each starts in front of these URLs. `shorten` makes it keep idle connections for 200 milliseconds, and `allowUpgrade` pass WebSockets. */
const proxies = {
  nginx: {
    isInstalled: nginx !== undefined,
    start: async (urls: readonly string[], change?: Change) => {
      const front = await startNginx(
        urls.map((url) => ({ main: url, pagination: url, docs: url })),
        change,
      )
      return { url: front.urls.main, stop: front.stop }
    },
    shorten: (text: string) => text.replaceAll('keepalive_timeout 1s;', 'keepalive_timeout 200ms;'),
    // As docs/deployment.md shows it.
    allowUpgrade: (text: string) =>
      text.replace(
        'proxy_set_header Connection "";',
        'map $http_upgrade $connection_header { default upgrade; "" ""; } proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_header;',
      ),
  },
  haproxy: {
    isInstalled: findProxy('haproxy') !== undefined,
    start: (urls: readonly string[], change?: Change) => startProxy('haproxy', urls, change),
    shorten: (text: string) => text.replace('pool-purge-delay 4s', 'pool-purge-delay 50ms'),
    allowUpgrade: (text: string) => text,
  },
  caddy: {
    isInstalled: findProxy('caddy') !== undefined,
    start: (urls: readonly string[], change?: Change) => startProxy('caddy', urls, change),
    shorten: (text: string) => text,
    allowUpgrade: (text: string) => text,
  },
}

const bodyLimit = 1_048_576
const api = {
  ready: endpoint('GET /health/ready', { response: ok(text) }),
  ticks: endpoint('GET /ticks', { response: ok(events(z.object({ tick: z.int() }))) }),
  slow: endpoint('GET /slow', { response: ok(text) }),
  me: endpoint('GET /me', { response: ok(text) }),
  count: endpoint('POST /count', { body: byteStream(), response: ok(text), maxBodySize: bodyLimit }),
}

for (const [name, { isInstalled, start, shorten, allowUpgrade }] of Object.entries(proxies)) {
  if (!isInstalled) process.stdout.write(`There is no ${name} on this machine: docs/deployment.md is not tested with it.\n`)

  describe.skipIf(!isInstalled)(`behind ${name}`, () => {
    let server: RunningServer
    let front: { readonly url: string; readonly stop: () => Promise<void> }
    let goOn = (): void => {}
    let begun = false
    let ended = 0

    const startServer = (keepAliveTimeout?: number) =>
      listen(
        serve(
          api,
          {
            ready: () => 'ready',
            ticks: async function* () {
              try {
                for (let tick = 1; ; tick += 1) {
                  const next = new Promise<void>((resolve) => {
                    goOn = resolve
                  })
                  yield { data: { tick } }
                  await next
                }
              } finally {
                ended += 1
              }
            },
            slow: async (_input, { signal }) => {
              begun = true
              await new Promise((resolve) => signal.addEventListener('abort', resolve))
              ended += 1
              return 'too late'
            },
            me: (_input, { remoteAddress }) => remoteAddress,
            count: async ({ body }) => {
              let size = 0
              for await (const chunk of body) size += chunk.length
              return `${size}`
            },
          },
          { middleware: [trustProxy(['127.0.0.1'])] },
        ),
        { port: 0, ...(keepAliveTimeout === undefined ? {} : { keepAliveTimeout }) },
      )

    beforeAll(async () => {
      server = await startServer()
      front = await start([server.url])
    })
    afterAll(async () => {
      await front?.stop()
      await server?.close({ drain: 0, grace: 0 })
    })

    /** From an address of its own, over a connection of its own where no agent is given. */
    function send(url: string, options: { method?: string; headers?: Record<string, string>; body?: Buffer; agent?: Agent } = {}) {
      const { method = 'GET', headers = {}, body, agent = false } = options
      return new Promise<IncomingMessage>((resolve, reject) => {
        request(url, { method, headers, agent, localAddress: '127.0.8.1' }, resolve).on('error', reject).end(body)
      })
    }
    const readText = async (response: IncomingMessage): Promise<string> => {
      let read = ''
      for await (const chunk of response.setEncoding('utf8')) read += chunk
      return read
    }

    test('each event arrives before the next one is made, and a client that leaves ends the stream', async () => {
      const response = await send(`${front.url}/ticks`)
      const chunks = response.setEncoding('utf8')[Symbol.asyncIterator]()
      for (let tick = 1; tick <= 3; tick += 1) {
        let read = ''
        while (!read.includes('\n\n')) {
          const { done, value } = await chunks.next()
          if (done) throw new Error('the stream has ended')
          read += value
        }
        expect(read).toContain(`{"tick":${tick}}`)
        goOn()
      }
      const before = ended
      response.destroy()
      await vi.waitFor(() => {
        goOn()
        expect(ended).toBe(before + 1)
      }, 15_000)
    })

    test('a client that leaves before the response ends its request on the server', async () => {
      const before = ended
      const socket = connect(Number(new URL(front.url).port), '127.0.0.1').on('error', () => {})
      socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
      await vi.waitFor(() => expect(begun).toBe(true), 15_000)
      socket.destroy()
      await vi.waitFor(() => expect(ended).toBe(before + 1), 15_000)
    })

    test('the server has the address of the client, whatever the client wrote', async () => {
      const forged = { 'X-Forwarded-For': '203.0.113.9', Forwarded: 'for=203.0.113.9' }
      expect(await readText(await send(`${front.url}/me`, { headers: forged }))).toBe('127.0.8.1')
    })

    test('the largest body of the server passes, and a larger one gets 413', async () => {
      const upload = (size: number) =>
        send(`${front.url}/count`, { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: Buffer.alloc(size) })
      expect(await readText(await upload(bodyLimit))).toBe(`${bodyLimit}`)
      /** Only states the length: a body on its way could break the connection before the response is read. */
      const refused = (size: number): Promise<number | undefined> =>
        new Promise((resolve, reject) => {
          const headers = { 'Content-Type': 'application/octet-stream', 'Content-Length': size }
          const head = request(`${front.url}/count`, { method: 'POST', headers, agent: false, localAddress: '127.0.8.1' }, (response) => {
            resolve(response.statusCode)
            head.destroy()
          }).on('error', reject)
          head.flushHeaders()
        })
      expect((await upload(bodyLimit + 1)).statusCode).toBe(413)
      expect(await refused(2_000_000)).toBe(413)
    })

    test('a POST never finds a connection that the server closes just then', async () => {
      // In the order of the deployment: the proxy lets go first.
      const short = await startServer(name === 'haproxy' ? 5_000 : 500)
      onTestFinished(() => short.close({ drain: 0, grace: 0 }))
      const own = await start([short.url], shorten)
      onTestFinished(own.stop)
      const statuses: (number | undefined)[] = []
      const runClient = async (first: number): Promise<void> => {
        const agent = new Agent({ keepAlive: true })
        for (let turn = 0; turn < 8; turn += 1) {
          await new Promise((later) => setTimeout(later, 490 + ((first + 7 * turn) % 30)))
          const response = await send(`${own.url}/count`, {
            method: 'POST',
            headers: { 'Content-Type': 'application/octet-stream' },
            body: Buffer.alloc(10),
            agent,
          })
          statuses.push(response.statusCode)
          response.resume()
          await once(response, 'end')
        }
        agent.destroy()
      }
      await Promise.all(Array.from({ length: 60 }, (_, index) => runClient(11 * index)))
      expect(statuses).toEqual(Array(480).fill(200))
    })

    test('a GET that ends a replica ends no other one, and the next requests are answered', async () => {
      // It does not listen any more when its connection breaks: a proxy that connects again at once is refused.
      const fragile = `require('node:http').createServer(function (request, response) {
          if (request.url !== '/end') return response.end('x')
          this.close()
          setTimeout(() => process.exit(1), 20)
        })
        .listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
      const replicas = await Promise.all(
        [1, 2, 3].map(async () => {
          const child = spawn(process.execPath, ['-e', fragile], { stdio: ['ignore', 'pipe', 'inherit'] })
          onTestFinished(() => void child.kill('SIGKILL'))
          const [port] = (await once(child.stdout, 'data')) as [Buffer]
          return { child, url: `http://127.0.0.1:${String(port).trim()}` }
        }),
      )
      const own = await start(replicas.map(({ url }) => url))
      onTestFinished(own.stop)
      await vi.waitFor(async () => expect((await send(own.url)).statusCode).toBe(200), 15_000)
      // So that there is a kept connection to each: a program that finds one closed may send its request again.
      for (let sent = 0; sent < 6; sent += 1) expect(await readText(await send(own.url))).toBe('x')
      expect((await send(`${own.url}/end`)).statusCode).toBe(502)
      const responses = await Promise.all(Array.from({ length: 30 }, () => send(own.url)))
      expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(30).fill(200))
      expect(replicas.filter(({ child }) => child.exitCode !== null)).toHaveLength(1)
    })

    test('a WebSocket passes', async () => {
      const upgrading = createServer().on('upgrade', (_request, socket) => {
        socket.write(
          'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n',
        )
        socket.pipe(socket)
        socket.on('error', () => {})
      })
      upgrading.on('request', (_request, response) => response.end()).listen(0, '127.0.0.1')
      await once(upgrading, 'listening')
      onTestFinished(() => void upgrading.close())
      const address = upgrading.address()
      const own = await start([`http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`], allowUpgrade)
      onTestFinished(own.stop)
      const socket = connect(Number(new URL(own.url).port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13'
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`)
      let read = ''
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        if (!read.includes('\r\n\r\n') && `${read}${chunk}`.includes('\r\n\r\n')) socket.write('hello')
        read += chunk
      })
      await vi.waitFor(() => expect(read).toMatch(/^HTTP\/1.1 101 [\s\S]*hello$/), 15_000)
    })
  })
}
