/** The limits of the deployed nginx: clients that impersonate others, and a client with too many requests. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, readlinkSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Nginx, startNginx } from '../../scripts/nginx.mjs'
import { findFreePort } from '../../scripts/ports.mjs'
import { send, withBody, withHeaders } from './specification/send.ts'
import { withoutNginx } from './support/replicas.ts'
import { folderOfTest, type Service, service } from './support/service.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(withoutNginx())('behind nginx', () => {
  let it: Service
  let front: Nginx
  beforeAll(async () => {
    // A whole network, its clients too: more than anyone should trust. What nginx overwrites cannot be forged all the same.
    it = await service({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } })
    front = await startNginx([it])
  })
  afterAll(async () => {
    await front?.stop()
    await it?.close()
  })

  test('a client that sends X-Forwarded-For still counts as one client', async () => {
    const statuses: number[] = []
    for (let attempt = 0; attempt < 30; attempt += 1) {
      const credentials = Buffer.from(`user ${attempt}:x`).toString('base64')
      const forged = { Authorization: `Basic ${credentials}`, 'X-Forwarded-For': `192.0.2.${attempt}` }
      statuses.push((await send(front.urls.main, { ...withHeaders('GET /users/list-all', forged), from: '127.0.5.1' })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)])
    // Another client is another one.
    const other = withHeaders('GET /users/list-all', { Authorization: 'Basic YW5uOng=', 'X-Forwarded-For': '127.0.5.1' })
    expect((await send(front.urls.main, { ...other, from: '127.0.5.2' })).status).toBe(401)
  })

  test('one address has at most 200 requests at once; other addresses are served', async () => {
    const port = Number(new URL(front.urls.main).port)
    const sockets: Socket[] = []
    const responses: string[] = []
    // A request whose body comes byte by byte, slowly, but never slowly enough for a time-out: nginx counts it from its head on.
    const trickle = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('x')
    }, 1_000)
    onTestFinished(() => {
      clearInterval(trickle)
      for (const socket of sockets) socket.destroy()
    })
    const begin = async (): Promise<void> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.5.3' })
      socket.on('error', () => undefined).on('data', (chunk) => responses.push(String(chunk).slice(0, 12)))
      await once(socket, 'connect')
      sockets.push(socket)
      socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n')
    }
    await Promise.all(Array.from({ length: 220 }, begin))
    // nginx reads the heads one after the other. None is answered but those that are too many.
    await vi.waitFor(() => expect(responses).toEqual(Array(20).fill('HTTP/1.1 503')), { timeout: 60_000, interval: 50 })
    expect((await send(front.urls.main, { line: 'GET /hello', from: '127.0.5.3' })).status).toBe(503)
    expect((await send(front.urls.main, { line: 'GET /hello', from: '127.0.5.4' })).status).toBe(200)
  })
})

describe.skipIf(withoutNginx())('large bodies behind nginx', () => {
  test('one address has at most ten on their way; further ones get 503, small ones are answered', async () => {
    const it = await service()
    onTestFinished(it.close)
    const front = await startNginx([it])
    onTestFinished(front.stop)
    const port = Number(new URL(front.urls.main).port)
    const responses: string[] = []
    const begin = async (head: string): Promise<void> => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.6.1' })
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => undefined).on('data', (chunk) => responses.push(String(chunk).slice(0, 12)))
      await once(socket, 'connect')
      socket.write(`POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\n${head}`)
    }
    const half = 'x'.repeat(500_000)
    const kinds = [`Content-Length: 1000000\r\n\r\n${half}`, `Transfer-Encoding: chunked\r\n\r\n${(1_000_000).toString(16)}\r\n${half}`]
    await Promise.all(Array.from({ length: 200 }, (_, index) => begin(kinds[index % 2] ?? '')))
    await vi.waitFor(() => expect(responses).toEqual(Array(190).fill('HTTP/1.1 503')), { timeout: 60_000, interval: 50 })
    const small = withBody('POST /echo/text', 'text/plain', 'x'.repeat(9_999))
    expect((await send(front.urls.main, { ...small, from: '127.0.6.1' })).status).toBe(200)
    const large = withBody('POST /echo/text', 'text/plain', 'x'.repeat(1_000_000))
    expect((await send(front.urls.main, { ...large, from: '127.0.6.2' })).status).toBe(200)
    // Those that were accepted, and the last one.
    expect(front.errors().match(/buffered to a temporary file/g)).toHaveLength(11)
  })

  test.skipIf(process.platform !== 'linux')(
    'bodies of twenty addresses take no more memory than the container has, as the kernel counts it',
    async () => {
      const it = await service()
      onTestFinished(it.close)
      const front = await startNginx([it])
      onTestFinished(front.stop)
      const port = Number(new URL(front.urls.main).port)
      const responses: string[] = []
      const begin = async (_: unknown, index: number): Promise<void> => {
        const socket = connect({ port, host: '127.0.0.1', localAddress: `127.0.7.${1 + (index % 20)}` })
        onTestFinished(() => void socket.destroy())
        socket.on('error', () => undefined).on('data', (chunk) => responses.push(String(chunk).slice(0, 12)))
        await once(socket, 'connect')
        socket.write(`POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1100000\r\n\r\n`)
        socket.write('x'.repeat(1_000_000))
      }
      await Promise.all(Array.from({ length: 400 }, begin))
      await vi.waitFor(() => expect(responses).toEqual(Array(300).fill('HTTP/1.1 503')), { timeout: 60_000, interval: 50 })
      const held = await vi.waitFor(() => {
        const found = readHeld(front.pid)
        expect(found.files).toBe(100)
        expect(found.fileBytes).toBeGreaterThan(95_000_000)
        return found
      }, 10_000)
      // As compose.yaml has them: the tmpfs is a part of the memory.
      expect(held.fileBytes).toBeLessThan(128 * 1_048_576)
      expect(held.fileBytes + held.processBytes).toBeLessThan(512 * 1_048_576)
    },
  )
})

/** What nginx and its workers hold: memory of their own, and the bodies in files, which have no name any more. */
function readHeld(pid: number | undefined) {
  const workers = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const sizes = new Map<number, number>()
  let processBytes = 0
  for (const each of [`${pid}`, ...workers]) {
    const [, kilobytes] = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${each}/smaps_rollup`, 'utf8')) ?? []
    processBytes += Number(kilobytes) * 1024
    for (const file of readdirSync(`/proc/${each}/fd`)) {
      const path = `/proc/${each}/fd/${file}`
      if (!readlinkSync(path).includes('/bodies/')) continue
      const { ino, blocks } = statSync(path)
      sizes.set(ino, blocks * 512)
    }
  }
  return { processBytes, files: sizes.size, fileBytes: [...sizes.values()].reduce((sum, size) => sum + size, 0) }
}

describe.skipIf(withoutNginx() || !hasOpenssl)('over HTTPS with tls.conf', () => {
  test('each deployment answers, and HTTP redirects there', async () => {
    const it = await service()
    onTestFinished(it.close)
    const folder = folderOfTest()
    mkdirSync(join(folder, 'tls'))
    const [key, certificate] = [join(folder, 'tls/privkey.pem'), join(folder, 'tls/fullchain.pem')]
    const words = [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-days',
      '1',
      '-subj',
      '/CN=example.com',
      '-keyout',
      key,
      '-out',
      certificate,
    ]
    expect(spawnSync('openssl', words).status).toBe(0)
    // nginx runs as a user without rights.
    for (const path of [folder, key, certificate]) chmodSync(path, 0o755)
    const ports = { 8443: await findFreePort(), 1443: await findFreePort(), 8444: await findFreePort(), 8080: await findFreePort() }
    const tls = readFileSync(join(deploy, 'tls.conf'), 'utf8')
      .replaceAll('/etc/nginx/tls/', `${folder}/tls/`)
      .replace(/listen (\d+)/g, (_all, port) => `listen 127.0.0.1:${ports[port as '8443']}`)
    writeFileSync(join(folder, 'tls.conf'), tls)
    const front = await startNginx([it], (text) => text.replace('# include /etc/nginx/tls.conf;', `include ${folder}/tls.conf;`))
    onTestFinished(front.stop)
    const get = (port: number, path: string) => {
      const options = { host: '127.0.0.1', port, path, ca: readFileSync(certificate), servername: 'example.com' }
      return new Promise<{ status: number | undefined; security: unknown }>((resolve, reject) => {
        const sending = request(options, (response) => {
          response.resume()
          resolve({ status: response.statusCode, security: response.headers['strict-transport-security'] })
        })
        sending.once('error', reject).end()
      })
    }
    const security = 'max-age=31536000'
    expect(await get(ports[8443], '/users')).toEqual({ status: 200, security })
    expect(await get(ports[1443], '/colors')).toEqual({ status: 206, security })
    expect(await get(ports[1443], '/hello')).toEqual({ status: 404, security })
    expect(await get(ports[8444], '/hello')).toEqual({ status: 200, security })
    const plain = await send(`http://127.0.0.1:${ports[8080]}`, withHeaders('GET /hello?name=a', { Host: 'example.com' }))
    expect([plain.status, plain.headers['location']]).toEqual([308, 'https://example.com/hello?name=a'])
  })
})
