/** Rows that are longer than the contract allows today, from an older version: they are read all the same, a few at a time. */
import { request } from 'node:http'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openStore } from '../../src/store/store.ts'
import { database, kind } from '../databases/database.ts'
import { serviceProcess, temporaryFolder } from '../service.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

const rows = 150
const length = 1_000_000
/** Megabytes. One list has more. */
const heap = 128

const { path: folder, remove } = temporaryFolder()
const place = await database(folder)
afterAll(async () => {
  await place.remove()
  remove()
})

/** Made by the database. */
const long = kind === 'sqlite' ? `hex(zeroblob(${length / 2}))` : `repeat('0', ${length})`
const numbers =
  kind === 'sqlite'
    ? `WITH RECURSIVE numbers (number) AS (SELECT 10 UNION ALL SELECT number + 1 FROM numbers WHERE number < ${rows + 9})`
    : `WITH numbers (number) AS (SELECT generate_series(10, ${rows + 9}))`

beforeAll(async () => {
  await (await openStore(place.url)).close()
  await place.run(`${numbers} INSERT INTO users (name, age, email, registration_date)
    SELECT 'user ' || number, number, ${long}, '2024-02-29' FROM numbers`)
  await place.run(`${numbers} INSERT INTO secrets (secret) SELECT ${long} FROM numbers`)
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

test.each([
  ['node', '/users?sortby=age'],
  ['llhttp', '/secret'],
])('on %s: GET %s', async (ADAPTER, target) => {
  const { child, listening } = serviceProcess(
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
  const url = await listening('main')
  const { status, bytes } = await drain(`${url}${target}`, { Authorization: 'Bearer token' })
  expect([status, Math.floor(bytes / length)]).toEqual([200, rows])
  expect(child.exitCode).toBe(null)
})
