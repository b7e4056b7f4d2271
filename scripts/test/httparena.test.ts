/** The entry for HttpArena answers the requests of each profile that it takes part in. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get as getSecurely } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { TLSSocket } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../ports.mjs'
import { startPostgres } from '../postgres.mjs'
import { startServer } from '../startServer.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const entry = join(root, 'bench/httparena')
const folder = mkdtempSync(join(tmpdir(), 'lapidary-httparena-'))
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))

const dataset = Array.from({ length: 50 }, (_, index) => ({
  id: index + 1,
  name: `Stone ${index + 1}`,
  category: index % 2 ? 'electronics' : 'tools',
  price: 10 + index,
  quantity: 1 + (index % 9),
  active: index % 3 === 0,
  tags: ['cut', `no ${index}`],
  rating: { score: index, count: 100 + index },
}))

let database: Awaited<ReturnType<typeof startPostgres>>
let server: ChildProcess
let url: string
let tlsPort: number

beforeAll(async () => {
  mkdirSync(join(folder, 'static'))
  writeFileSync(join(folder, 'dataset.json'), JSON.stringify(dataset))
  writeFileSync(join(folder, 'static/reset.css'), 'a{color:red}')
  database = await startPostgres()
  const connection = new Client(database.url())
  await connection.connect()
  await connection.query(`CREATE TABLE items (id integer PRIMARY KEY, name text NOT NULL, category text NOT NULL, price integer NOT NULL,
    quantity integer NOT NULL, active boolean NOT NULL, tags jsonb NOT NULL, rating_score integer NOT NULL, rating_count integer NOT NULL)`)
  for (const { rating, tags, ...item } of dataset) {
    const values = [...Object.values(item), JSON.stringify(tags), rating.score, rating.count]
    await connection.query('INSERT INTO items VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)', values)
  }
  await connection.end()
  const files = ['-keyout', join(folder, 'server.key'), '-out', join(folder, 'server.crt')]
  spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-subj', '/CN=localhost', ...files])
  tlsPort = await findFreePort()
  const environment = {
    TLS_PORT: `${tlsPort}`,
    CERTS: folder,
    DATA: folder,
    HOST: '127.0.0.1',
    WORKERS: '2',
    DATABASE_URL: database.url(),
    DATABASE_MAX_CONN: '32',
  }
  const started = await startServer(['--import', 'tsx', 'server.ts'], entry, environment)
  server = started.child
  url = started.url
})

afterAll(async () => {
  server?.kill('SIGKILL')
  await database?.remove()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const get = (path: string) => fetch(`${url}${path}`)
const getJson = async (path: string) => (await get(path)).json()
/** Without a Content-Type, as the load generator sends it. */
const post = async (path: string, body: BodyInit) => {
  const init = { method: 'POST', body, ...(body instanceof ReadableStream ? { duplex: 'half' } : {}) }
  const response = await fetch(`${url}${path}`, init)
  return [response.status, response.headers.get('content-type'), await response.text()]
}
/** As a client that would take HTTP/2. */
function getOverTls(path: string): Promise<{ status: number | undefined; protocol: string | false | null; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { port: tlsPort, host: '127.0.0.1', path, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'], agent: false }
    const sending = getSecurely(options, async (response) => {
      const { alpnProtocol } = response.socket as TLSSocket
      resolve({ status: response.statusCode, protocol: alpnProtocol, body: await text(response) })
    })
    sending.on('error', reject)
  })
}
const plain = 'text/plain;charset=utf-8'
const sendItem = (method: string, path: string, item: object) =>
  fetch(`${url}${path}`, { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(item) })

/** The requests of each profile. */
const profiles: Readonly<Record<string, () => Promise<void>>> = {
  baseline: async () => {
    const response = await get('/baseline11?a=13&b=42')
    expect([response.headers.get('content-type'), await response.text()]).toEqual([plain, '55'])
    expect(await post('/baseline11?a=13&b=42', new TextEncoder().encode('20'))).toEqual([200, plain, '75'])
    expect(await post('/baseline11?a=13&b=-42', new Blob(['20']).stream())).toEqual([200, plain, '-9'])
    expect((await post('/baseline11?a=13&b=42', 'twenty'))[0]).toBe(400)
    expect((await get('/baseline11?a=13&b=x')).status).toBe(400)
  },
  'limited-conn': async () => {
    const sums = Array.from({ length: 30 }, (_, b) => fetch(`${url}/baseline11?a=1&b=${b}`, { headers: { Connection: 'close' } }))
    expect(await Promise.all(sums.map(async (response) => Number(await (await response).text())))).toEqual(sums.map((_, b) => b + 1))
  },
  pipelined: async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const line = 'GET /pipeline HTTP/1.1\r\nHost: x\r\n'
    socket.write(`${`${line}\r\n`.repeat(15)}${line}Connection: close\r\n\r\n`)
    expect((await text(socket)).match(/HTTP\/1.1 200 OK\r\nContent-Type: text\/plain[\s\S]*?\r\n\r\nok/g)).toHaveLength(16)
  },
  json: async () => {
    for (const [count, m] of [
      [12, 3],
      [50, 5],
    ] as const) {
      const items = dataset.slice(0, count).map((item) => ({ ...item, total: item.price * item.quantity * m }))
      expect(await getJson(`/json/${count}?m=${m}`)).toEqual({ items, count })
    }
  },
  'json-comp': async () => {
    for (const [accept, coding] of [
      ['gzip, br', 'br'],
      ['gzip', 'gzip'],
    ] as const) {
      const response = await fetch(`${url}/json/50?m=6`, { headers: { 'Accept-Encoding': accept } })
      expect(response.headers.get('content-encoding')).toBe(coding)
      expect(await response.json()).toEqual(await getJson('/json/50?m=6'))
    }
    const identity = await fetch(`${url}/json/50?m=6`, { headers: { 'Accept-Encoding': 'identity' } })
    expect(identity.headers.get('content-encoding')).toBeNull()
  },
  'json-tls': async () => {
    const { status, protocol, body } = await getOverTls('/json/7?m=2')
    expect([status, protocol]).toEqual([200, 'http/1.1'])
    expect(JSON.parse(body)).toEqual(await getJson('/json/7?m=2'))
  },
  upload: async () => {
    expect(await post('/upload', new Uint8Array(17))).toEqual([200, plain, '17'])
    expect(await post('/upload', new Uint8Array(20_971_520))).toEqual([200, plain, '20971520'])
    expect((await post('/upload', new Uint8Array(25_000_001)))[0]).toBe(413)
  },
  static: async () => {
    const response = await get('/static/reset.css')
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/css;charset=utf-8', 'a{color:red}'])
    expect((await get('/static/none.txt')).status).toBe(404)
  },
  'async-db': async () => {
    const { items, count } = await getJson('/async-db?min=20&max=40&limit=7')
    expect(count).toBe(7)
    for (const item of items) expect(item).toEqual(dataset[item.id - 1])
    expect(await getJson('/async-db?min=9999&max=9999')).toEqual({ items: [], count: 0 })
    expect((await getJson('/async-db')).count).toBe(41)
  },
  crud: async () => {
    const electronics = dataset.filter(({ category }) => category === 'electronics')
    expect(await getJson('/crud/items?page=2&limit=5')).toEqual({ items: electronics.slice(5, 10), total: 5, page: 2, limit: 5 })
    // Each connection may reach another process. An entry lives for 200 milliseconds.
    const readOnce = async (id: number) => {
      const response = await fetch(`${url}/crud/items/${id}`, { headers: { Connection: 'close' } })
      return [response.status, response.headers.get('x-cache'), ((await response.json()) as { name?: string }).name]
    }
    expect([await readOnce(42), await readOnce(42)]).toEqual([
      [200, 'MISS', 'Stone 42'],
      [200, 'HIT', 'Stone 42'],
    ])
    await new Promise((later) => setTimeout(later, 250))
    expect((await readOnce(42))[1]).toBe('MISS')
    expect((await readOnce(999_999))[0]).toBe(404)
    const made = { id: 200_001, name: 'New', category: 'test', price: 42, quantity: 7 }
    const creation = await sendItem('POST', '/crud/items', made)
    expect([creation.status, creation.headers.get('location'), await creation.json()]).toEqual([
      201,
      '/crud/items/200001',
      { ...made, active: true, tags: [], rating: { score: 0, count: 0 } },
    ])
    expect((await sendItem('POST', '/crud/items', { ...made, price: 43 })).status).toBe(201)
    expect([(await readOnce(200_001))[1], (await readOnce(200_001))[1]]).toEqual(['MISS', 'HIT'])
    expect((await sendItem('PUT', '/crud/items/200001', { name: 'Changed', price: 1, quantity: 1 })).status).toBe(200)
    expect([await readOnce(200_001), await readOnce(200_001)]).toEqual([
      [200, 'MISS', 'Changed'],
      [200, 'HIT', 'Changed'],
    ])
    expect((await sendItem('PUT', '/crud/items/999999', { name: 'None', price: 1, quantity: 1 })).status).toBe(404)
  },
}

test.each(Object.entries(profiles))('%s', (_name, run) => run())

test('the entry takes part in these profiles, and its image has what it needs', () => {
  const { tests } = read('bench/httparena/meta.json') as { tests: string[] }
  expect([...tests].sort()).toEqual(Object.keys(profiles).sort())
  const dockerfile = readFileSync(join(entry, 'Dockerfile'), 'utf8')
  const copied = [...dockerfile.matchAll(/^COPY (.*) \.\/$/gm)].flatMap(([, words = '']) => words.split(' '))
  expect(copied).toContain('server.ts')
  for (const file of copied) expect([file, existsSync(join(entry, file))]).toEqual([file, true])
  const [, image] = /^FROM (node:24\S+)$/m.exec(dockerfile) ?? []
  expect(readFileSync(join(root, 'Dockerfile'), 'utf8')).toContain(`FROM ${image}\n`)
  const { packages } = read('package-lock.json') as { packages: Record<string, { version?: string }> }
  const { dependencies } = read('bench/httparena/package.json') as { dependencies: Record<string, string> }
  for (const [name, version] of Object.entries(dependencies)) {
    const { version: installed = read(`packages/${name}/package.json`).version } = packages[`node_modules/${name}`] ?? {}
    expect([name, version]).toEqual([name, installed])
  }
})

test('SIGTERM ends it', async () => {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})
