/** Requests to public addresses, and to no others: names, addresses, and what a response has. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { webhook } from 'lapidary'
import { fetchPublic } from 'lapidary/node'
import { createWebhookSecret, createWebhookSender, type WebhookAttempt } from 'lapidary/webhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createGuardedFetch } from '../../../src/adapters/node/fetchPublic.ts'

/** A server of this machine, and the number of its connections. */
async function startServer(listener: RequestListener) {
  const server = createServer(listener)
  const seen = { connections: 0, closed: 0 }
  server.on('connection', (socket) => {
    seen.connections += 1
    socket.on('close', () => {
      seen.closed += 1
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { seen, port: (server.address() as AddressInfo).port }
}

describe('a host of this machine gets no connection', () => {
  // `localhost` stands for any name that resolves to a private address.
  test.each(['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433'])('%s', async (host) => {
    const { seen, port } = await startServer((_, response) => response.end())
    await expect(fetchPublic(new Request(`http://${host}:${port}/`, { method: 'POST', body: 'a' }))).rejects.toThrow(
      /^\S+ has an address that is not public\.$/,
    )
    expect(seen.connections).toBe(0)
  })

  test('with a sender, the attempt fails', async () => {
    const { seen, port } = await startServer((_, response) => response.end())
    const api = { paid: webhook('order.paid', { body: z.object({ id: z.int() }) }) }
    const options = { secret: createWebhookSecret(), allow: () => true, fetch: fetchPublic, retries: 0 }
    const attempt = new Promise<WebhookAttempt>((onAttempt) => {
      const { send, close } = createWebhookSender(api, { ...options, onAttempt })
      onTestFinished(close)
      void send.paid(`http://localhost:${port}/`, { id: 7 })
    })
    expect(await attempt).toMatchObject({ outcome: 'failed', status: undefined, reason: 'localhost has an address that is not public.' })
    expect(seen.connections).toBe(0)
  })
})

test('of several addresses, one that is not allowed is enough', async () => {
  const addresses: string[] = []
  const guarded = createGuardedFetch((address) => addresses.push(address) > 0 && address !== '127.0.0.1' && address !== '::1')
  await expect(guarded(new Request('http://localhost:1/'))).rejects.toThrow('is not public')
  expect(addresses.length).toBeGreaterThan(0)
})

describe('a host whose addresses are allowed', () => {
  const guarded = createGuardedFetch((address) => address === '127.0.0.1')

  test('gets the request as it is, and its response comes back', async () => {
    const { port } = await startServer((request, response) => {
      response.writeHead(207, { 'X-Method': request.method, 'X-Sent': request.headers['x-sent'], 'Set-Cookie': ['a=1', 'b=2'] })
      request.pipe(response)
    })
    const response = await guarded(new Request(`http://127.0.0.1:${port}/a?b`, { method: 'PUT', body: 'é', headers: { 'X-Sent': 'x' } }))
    const { status, headers } = response
    expect([status, headers.get('X-Method'), headers.get('X-Sent'), headers.getSetCookie(), await response.text()]).toEqual([
      ...[207, 'PUT', 'x'],
      ['a=1', 'b=2'],
      'é',
    ])
  })

  test.each([204, 205, 304])('can respond with %i', async (status) => {
    const { port } = await startServer((_, response) => response.writeHead(status).end())
    expect((await guarded(new Request(`http://127.0.0.1:${port}/`))).status).toBe(status)
  })

  test('cannot lead elsewhere', async () => {
    const { port, seen } = await startServer((_, response) => response.writeHead(302, { Location: '/other' }).end())
    const response = await guarded(new Request(`http://127.0.0.1:${port}/`))
    expect([response.status, response.headers.get('Location'), seen.connections]).toEqual([302, '/other', 1])
  })

  test('cannot keep the connection with a body without an end', async () => {
    const { port, seen } = await startServer((_, response) => {
      const write = (): void => {
        while (response.writable && response.write('x'.repeat(65_536)));
        response.once('drain', write)
      }
      write()
    })
    const { body } = await guarded(new Request(`http://127.0.0.1:${port}/`))
    await body?.cancel()
    while (seen.closed === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(seen.closed).toBe(1)
  })

  test('is left when the request is aborted', async () => {
    const { port } = await startServer(() => {})
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 20)
    await expect(guarded(new Request(`http://127.0.0.1:${port}/`, { signal: controller.signal }))).rejects.toThrow(/abort/i)
  })

  test('cannot respond with a status that no response has', async () => {
    const { port } = await startServer((_, response) => response.socket?.end('HTTP/1.1 999 No\r\nContent-Length: 0\r\n\r\n'))
    await expect(guarded(new Request(`http://127.0.0.1:${port}/`))).rejects.toThrow(RangeError)
  })
})
