/** CORS, timeouts, load shedding and the limit of connections, as configured. */

import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { exchange, send } from '../specification/send.ts'
import { folderOfTest, serviceProcess } from '../support/service.ts'

const free = { PORT: '0', DATABASE_URL: 'sqlite::memory:', SHUTDOWN_GRACE_MS: '100', LOG_LEVEL: 'silent' }
const started = (environment: Readonly<Record<string, string>>): Promise<string> =>
  serviceProcess(['main'], { ...free, ...environment }, folderOfTest()).listening('main')

const page = 'https://example.org'

test('pages of a configured origin can read responses, errors and static files included; others cannot', async () => {
  const base = await started({ CORS_ORIGINS: `http://localhost:5173, ${page}` })
  const preflight = await fetch(`${base}/secret`, {
    method: 'OPTIONS',
    headers: { Origin: page, 'Access-Control-Request-Method': 'POST', 'Access-Control-Request-Headers': 'authorization,content-type' },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST, OPTIONS')
  expect(preflight.headers.get('access-control-allow-headers')).toMatch(/\bAuthorization, Content-Type, Range\b/)
  for (const [path, status] of [
    ['/colors', 206],
    ['/secret', 401],
    ['/nothing', 404],
    ['/static/nothing', 404],
  ] as const) {
    const response = await fetch(base + path, { headers: { Origin: page } })
    expect([path, response.status, response.headers.get('access-control-allow-origin')]).toEqual([path, status, page])
    const readable = response.headers.get('access-control-expose-headers')?.split(', ')
    const expected = ['Accept-Ranges', 'Content-Range', 'Link', 'Next-Range', 'Total-Count', 'User-Count', 'ETag', 'X-Request-Id']
    expect(readable).toEqual(expect.arrayContaining(expected))
    const other = await fetch(base + path, { headers: { Origin: 'https://elsewhere.example' } })
    expect([path, other.headers.get('access-control-allow-origin')]).toEqual([path, null])
    expect(other.headers.get('vary')).toMatch(/\bOrigin$/)
  }
})

test('without origins there are no CORS headers', async () => {
  const response = await fetch(`${await started({})}/hello`, { headers: { Origin: page } })
  expect([response.headers.get('vary'), response.headers.get('access-control-allow-origin')]).toEqual([null, null])
})

test('an address has a quota for all paths, and health checks are not limited', async () => {
  const base = await started({ RATE_LIMIT: '2/60' })
  expect((await send(base, 'GET /hello')).status).toBe(200)
  expect((await send(base, 'GET /nothing')).status).toBe(404)
  const refused = await fetch(`${base}/hello`, { headers: { 'X-Forwarded-For': '192.0.2.1' } })
  expect([refused.status, refused.headers.get('ratelimit-policy')]).toEqual([429, '"address";q=2;w=60'])
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(60)
  await refused.text()
  expect((await send(base, 'GET /health/live')).status).toBe(200)
})

test('responses and bodies are compressed, and a user is found and changed by both', async () => {
  const base = await started({ COMPRESSION: 'on' })
  const listed = await fetch(`${base}/openapi.json`, { headers: { 'Accept-Encoding': 'gzip' } })
  expect([listed.status, listed.headers.get('content-encoding')]).toEqual([200, 'gzip'])
  expect(await listed.json()).toHaveProperty('openapi')
  const body = new Uint8Array(gzipSync(JSON.stringify({ name: 'Ann', age: 30, email: 'ann@example.com', registration_date: '2024-02-29' })))
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  const added = await fetch(`${base}/users`, { method: 'POST', headers, body })
  expect(added.status).toBe(201)
  const plain = await fetch(`${await started({})}/users`, { method: 'POST', headers, body })
  expect(plain.status).toBe(415)
})

test('a request beyond the timeout gets 503, during the check of credentials too', async () => {
  // Passwords are hashed on purpose so that a look at one takes several milliseconds.
  const base = await started({ HANDLER_TIMEOUT_MS: '1' })
  const response = await fetch(`${base}/users/list-all`, { headers: { Authorization: `Basic ${btoa('ann:wrong')}` } })
  expect([response.status, response.headers.get('retry-after'), response.headers.get('content-type')]).toEqual([
    503,
    '1',
    'application/problem+json',
  ])
  expect((await send(base, 'GET /hello')).status).toBe(200)
})

test('a request that would wait too long gets 503 at once, and is counted; health checks are answered', async () => {
  const environment = { ...free, MAX_WAIT_MS: '1', METRICS_PORT: '0', LOG_LEVEL: 'warn' }
  const { listening, line, lines } = serviceProcess(['main'], environment, folderOfTest())
  const base = await listening('main')
  const metrics = String((await line(({ deployment }) => deployment === 'metrics'))['url'])
  const { hostname, port } = new URL(base)
  /** Sends 900 requests from many connections: of one, sixteen requests are under way at most. The last answer is that of a health check. */
  async function sendBurst(): Promise<readonly string[]> {
    const sockets = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const socket = connect(Number(port), hostname)
        onTestFinished(() => void socket.destroy())
        await once(socket, 'connect')
        return socket
      }),
    )
    const [first, ...others] = sockets.map(async (socket) => Buffer.concat(await socket.toArray()).toString())
    for (const [index, socket] of sockets.entries()) {
      const last = `GET ${index === 0 ? '/health/live' : '/colors'} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
      socket.write('GET /colors HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(14) + last)
    }
    return [...(await Promise.all(others)), await first].flatMap((received) => String(received).split(/(?=HTTP\/1\.1 \d{3} )/))
  }
  let refused: readonly string[] = []
  // On a busy machine the requests may arrive as slowly as they are answered.
  for (let bursts = 0; refused.length === 0 && bursts < 20; bursts += 1) {
    const heads = await sendBurst()
    refused = heads.filter((head) => head.startsWith('HTTP/1.1 503 '))
    expect(heads).toHaveLength(900)
    expect(heads.filter((head) => head.startsWith('HTTP/1.1 206 '))).toHaveLength(899 - refused.length)
    expect(heads.filter((head) => head.includes('\r\nAccept-Ranges: name,hex,rgb\r\n'))).toHaveLength(899)
    expect(heads.at(-1)).toMatch(/^HTTP\/1\.1 200 /)
  }
  expect(refused.length).toBeGreaterThan(0)
  expect(refused.every((head) => head.includes('\r\nRetry-After: 1\r\n'))).toBe(true)
  expect((await send(metrics, 'GET /metrics')).text).toContain(`service_rejected_requests_total{deployment="main"} ${refused.length}\n`)
  await line(({ msg }) => msg === 'overloaded: requests are rejected')
  // One line a second, of those that were refused in it.
  const counted = (): number => lines.reduce((sum, { rejected: count }) => sum + (typeof count === 'number' ? count : 0), 0)
  await expect.poll(counted, { timeout: 10_000 }).toBe(refused.length)
})

test('a connection above the limit gets 503, and the service continues', async () => {
  const base = await started({ MAX_CONNECTIONS: '1' })
  const { hostname, port } = new URL(base)
  const guest = connect(Number(port), hostname)
  onTestFinished(() => void guest.destroy())
  guest.write('GET /hello HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => guest.once('data', resolve))
  expect(await exchange(base, 'GET /hello HTTP/1.1\r\nHost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 503 [\s\S]*\r\nRetry-After: 1\r\n/)
  guest.destroy()
  await expect.poll(async () => (await send(base, 'GET /hello')).status).toBe(200)
})
