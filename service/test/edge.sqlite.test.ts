/** The limits of the deployed nginx: clients that impersonate others, and a client with too many requests. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Nginx, nginx } from '../../scripts/nginx.mjs'
import { freePort } from '../../scripts/ports.mjs'
import { withoutNginx } from './replicas.ts'
import { folderOfTest, type Service, service } from './service.ts'
import { ask, withHeaders } from './specification/ask.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const hasOpenssl = spawnSync('openssl', ['version']).status === 0

describe.skipIf(withoutNginx())('behind nginx', () => {
  let it: Service
  let front: Nginx
  beforeAll(async () => {
    // A whole network, its clients too: more than anyone should trust. What nginx overwrites cannot be forged all the same.
    it = await service({ environment: { TRUSTED_PROXIES: '127.0.0.0/8' } })
    front = await nginx([it])
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
      statuses.push((await ask(front.urls.main, { ...withHeaders('GET /users/list-all', forged), from: '127.0.5.1' })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(401), ...Array(20).fill(429)])
    // Another client is another one.
    const other = withHeaders('GET /users/list-all', { Authorization: 'Basic YW5uOng=', 'X-Forwarded-For': '127.0.5.1' })
    expect((await ask(front.urls.main, { ...other, from: '127.0.5.2' })).status).toBe(401)
  })

  test('one address has at most 200 requests at once; other addresses are served', async () => {
    const port = Number(new URL(front.urls.main).port)
    const sockets: Socket[] = []
    const answers: string[] = []
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
      socket.on('error', () => undefined).on('data', (chunk) => answers.push(String(chunk).slice(0, 12)))
      await once(socket, 'connect')
      sockets.push(socket)
      socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 1000\r\n\r\n')
    }
    await Promise.all(Array.from({ length: 220 }, begin))
    // nginx reads the heads one after the other. None is answered but those that are too many.
    await vi.waitFor(() => expect(answers).toEqual(Array(20).fill('HTTP/1.1 503')), { timeout: 15_000, interval: 50 })
    expect((await ask(front.urls.main, { line: 'GET /hello', from: '127.0.5.3' })).status).toBe(503)
    expect((await ask(front.urls.main, { line: 'GET /hello', from: '127.0.5.4' })).status).toBe(200)
  })
})

describe.skipIf(withoutNginx() || !hasOpenssl)('over HTTPS with tls.conf', () => {
  test('the service answers, and HTTP redirects there', async () => {
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
    const ports = { https: await freePort(), http: await freePort() }
    const tls = readFileSync(join(deploy, 'tls.conf'), 'utf8')
      .replaceAll('/etc/nginx/tls/', `${folder}/tls/`)
      .replace('listen 8443 ssl', `listen 127.0.0.1:${ports.https} ssl`)
      .replace('listen 8080', `listen 127.0.0.1:${ports.http}`)
    writeFileSync(join(folder, 'tls.conf'), tls)
    const front = await nginx([it], (text) => text.replace('# include /etc/nginx/tls.conf;', `include ${folder}/tls.conf;`))
    onTestFinished(front.stop)
    const get = { host: '127.0.0.1', port: ports.https, path: '/hello', ca: readFileSync(certificate), servername: 'example.com' }
    const answer = await new Promise<{ status: number | undefined; security: unknown }>((resolve, reject) => {
      const asking = request(get, (response) => {
        response.resume()
        resolve({ status: response.statusCode, security: response.headers['strict-transport-security'] })
      })
      asking.once('error', reject).end()
    })
    expect(answer).toEqual({ status: 200, security: 'max-age=31536000' })
    const plain = await ask(`http://127.0.0.1:${ports.http}`, withHeaders('GET /hello?name=a', { Host: 'example.com' }))
    expect([plain.status, plain.headers['location']]).toEqual([308, 'https://example.com/hello?name=a'])
  })
})
