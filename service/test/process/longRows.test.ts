/** Lists of long rows: of those that an older version has left, and of the longest of today for clients that read nothing. */
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { database, kind } from '../support/databases/database.ts'
import { serviceProcess, temporaryFolder } from '../support/service.ts'

const rows = 150
const length = 1_000_000

const { path: folder, remove } = temporaryFolder()
const place = await database(folder)
afterAll(async () => {
  await place.remove()
  remove()
})

/** Made by the database. */
const long = kind === 'sqlite' ? `hex(zeroblob(${length / 2}))` : `repeat('0', ${length})`
/** The numbers from 10 on. */
const numbers = (count: number): string =>
  kind === 'sqlite'
    ? `WITH RECURSIVE numbers (number) AS (SELECT 10 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${count + 9})`
    : `WITH numbers (number) AS (SELECT generate_series(10, ${count + 9}))`

/** The longest name, of two bytes a character. So many of them are more than what the operating system takes for a client. */
const name = kind === 'sqlite' ? "replace(hex(zeroblob(250)), '0', 'ж')" : "repeat('ж', 500)"
const products = 6_000
/** One batch of half a megabyte for each of them is more than a heap of 32 MB has left. */
const readers = 40

beforeAll(async () => {
  await (await openStore(place.url)).close()
  await place.run(`${numbers(rows)} INSERT INTO users (name, age, email, registration_date)
    SELECT 'user ' || number, number, ${long}, '2024-02-29' FROM numbers`)
  await place.run(`${numbers(rows)} INSERT INTO secrets (secret) SELECT ${long} FROM numbers`)
  await place.run(`${numbers(products)} INSERT INTO products (product_id, name) SELECT number, ${name} FROM numbers`)
})

/** Reads the whole response, and keeps none of it. */
const drain = (url: string, headers = {}): Promise<{ readonly status: number | undefined; readonly bytes: number }> =>
  new Promise((resolve, reject) => {
    request(url, { agent: false, headers }, (response) => {
      let bytes = 0
      response.on('data', (piece: Buffer) => {
        bytes += piece.length
      })
      response.once('error', reject).once('end', () => resolve({ status: response.statusCode, bytes }))
    })
      .once('error', reject)
      .end()
  })

/** A service with a heap of so many megabytes. */
function smallService(ADAPTER: string, heap: number) {
  return serviceProcess(
    ['main'],
    {
      PORT: '0',
      DATABASE_URL: place.url,
      DATABASE_TIMEOUT_MS: '20000',
      LOG_LEVEL: 'silent',
      MAX_WAIT_MS: '60000',
      SECRET_TOKEN: 'token',
      ADAPTER,
      NODE_OPTIONS: `--max-old-space-size=${heap}`,
    },
    folder,
  )
}

/** What an adapter holds does not depend on the database: that of node is tested on one. `SAMPLES=whole` tests each on each. */
const adapters = process.env['SAMPLES'] === 'whole' ? ['node', 'llhttp'] : kind === 'sqlite' ? ['node'] : []

test.each([
  ['node', '/users?sortby=age'],
  ['llhttp', '/secret'],
])('on %s: GET %s', async (adapter, target) => {
  // One list has more.
  const { child, listening } = smallService(adapter, 128)
  const url = await listening('main')
  const { status, bytes } = await drain(`${url}${target}`, { Authorization: 'Bearer token' })
  expect([status, Math.floor(bytes / length)]).toEqual([200, rows])
  expect(child.exitCode).toBe(null)
})

test.each(adapters)('on %s: many clients that read nothing of a list', async (adapter) => {
  const { child, listening } = smallService(adapter, 32)
  const url = await listening('main')
  const sockets = Array.from({ length: readers }, () => connect(Number(new URL(url).port), '127.0.0.1'))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  await Promise.all(
    sockets.map((socket) => {
      socket.write('GET /products HTTP/1.1\r\nHost: a\r\n\r\n')
      return once(socket, 'readable')
    }),
  )
  // When one client has read all of it, the others have been sent what they take.
  const { status, bytes } = await drain(`${url}/products`)
  expect([status, bytes > products * 1_000]).toEqual([200, true])
  expect(child.exitCode).toBe(null)
})
