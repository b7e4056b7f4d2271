/** "Memory stays flat however many rows there are": half a million users for fast, slow and stopped clients. */

import { existsSync, readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStore } from '../src/store/store.ts'
import { isaac } from './specification/known.ts'
import { send } from './specification/send.ts'
import { database, kind } from './support/databases/database.ts'
import { serviceProcess, temporaryFolder } from './support/service.ts'

/** Half a million, where it is soon filled. */
const count = kind === 'sqlite' ? 500_000 : 150_000
/** In kilobytes. What comes over a socket passes through more hands. */
const most = (kind === 'sqlite' ? 150 : 200) * 1024

const { path: folder, remove } = temporaryFolder()
const place = await database(folder)
afterAll(async () => {
  await place.remove()
  remove()
})

/** Three are there already. Seven is no divisor of them: names come in another order than identifiers. */
const crowd =
  kind === 'sqlite'
    ? `WITH RECURSIVE rows (place) AS (SELECT 3 UNION ALL SELECT place + 1 FROM rows WHERE place < ${count - 1}),
        shuffled (number) AS (SELECT place * 7 % ${count} FROM rows)
      INSERT INTO users (name, age, email, registration_date)
        SELECT printf('User %07d', number), number % 100, number || '@example.org', '2024-02-29' FROM shuffled`
    : `INSERT INTO users (name, age, email, registration_date)
        SELECT 'User ' || lpad(number::text, 7, '0'), number % 100, number || '@example.org', '2024-02-29'
        FROM (SELECT place * 7 % ${count} AS number FROM generate_series(3, ${count - 1}) place) shuffled`

beforeAll(async () => {
  await (await openStore(place.url)).close()
  await place.run(crowd)
})

const hasProc = existsSync('/proc/self/status')
const noProc = 'There is no /proc here to read the memory of a process from.'

/** A line of /proc/<pid>/status in kilobytes: VmHWM, the most it ever had in memory, or VmRSS, what it has now. */
const memory = (pid: number, line: 'VmHWM' | 'VmRSS'): number =>
  Number(new RegExp(`^${line}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

const started = () => serviceProcess(['main'], { PORT: '0', DATABASE_URL: place.url, LOG_LEVEL: 'silent' }, folder)

const get = (url: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request(url, { agent: false }, resolve).on('error', reject).end())

/** Calls `visit` with each object of a JSON array of flat objects, without ever holding more than a piece of it. Names hold no braces. */
async function eachUser(pieces: AsyncIterable<Buffer>, visit: (user: { readonly name: string }) => void): Promise<void> {
  let rest = ''
  let separator = '['
  for await (const piece of pieces) {
    const text = rest + piece.toString('latin1')
    let start = 0
    for (let end = text.indexOf('}'); end >= 0; end = text.indexOf('}', start)) {
      if (text[start] !== separator) throw new Error(`Expected ${separator} at ${text.slice(start, start + 40)}`)
      visit(JSON.parse(text.slice(start + 1, end + 1)))
      separator = ','
      start = end + 1
    }
    rest = text.slice(start)
  }
  if (rest !== ']') throw new Error(`Expected ] at the end, and found ${rest.slice(0, 40)}`)
}

const brace = '}'.charCodeAt(0)

test(`GET /users of ${count} users: all of them, in less than ${most} KB`, async ({ skip }) => {
  if (!hasProc) return skip(noProc)
  const { listening, pid } = started()
  const response = await get(`${await listening('main')}/users`)
  expect(response.headers).toMatchObject({ 'user-count': String(count), 'transfer-encoding': 'chunked' })
  // Counted by their closing braces, of which their names hold none; only the two ends are kept.
  let seen = 0
  let start = ''
  let end = ''
  for await (const piece of response as AsyncIterable<Buffer>) {
    for (let at = piece.indexOf(brace); at >= 0; at = piece.indexOf(brace, at + 1)) seen += 1
    if (start === '') start = piece.toString()
    end = (end + piece.subarray(-200).toString()).slice(-200)
  }
  expect(seen).toBe(count)
  expect(start.startsWith(`[${JSON.stringify(isaac)},`)).toBe(true)
  const shuffled = ((count - 1) * 7) % count
  const last = {
    name: `User ${String(shuffled).padStart(7, '0')}`,
    age: shuffled % 100,
    email: `${shuffled}@example.org`,
    registration_date: '2024-02-29',
  }
  expect(end.endsWith(`,${JSON.stringify(last)}]`)).toBe(true)
  expect(memory(pid, 'VmHWM')).toBeLessThan(most)
})

test(`GET /users?sortby=name of ${count} users: all of them, in order, in less than ${most} KB`, async ({ skip }) => {
  if (!hasProc) return skip(noProc)
  const { listening, pid } = started()
  const response = await get(`${await listening('main')}/users?sortby=name`)
  let seen = 0
  let previous = ''
  await eachUser(response, ({ name }) => {
    if (name < previous) throw new Error(`${name} comes behind ${previous}.`)
    previous = name
    seen += 1
  })
  expect(seen).toBe(count)
  expect(previous).toBe(`User ${String(count - 1).padStart(7, '0')}`)
  expect(memory(pid, 'VmHWM')).toBeLessThan(most)
})

test('a slow client costs no memory and delays no other client; clients that disconnect leave nothing behind', async ({ skip }) => {
  if (!hasProc) return skip(noProc)
  const { listening, pid, child, ended } = started()
  const base = await listening('main')
  const response = await get(`${base}/users`)
  // Reads a megabyte, and then no more.
  await new Promise<void>((resolve) => {
    let read = 0
    response.on('data', (piece: Buffer) => {
      read += piece.length
      if (read < 1_000_000) return
      response.pause()
      resolve()
    })
  })
  // The buffers of the two sockets fill up, and everything is warm.
  for (let index = 0; index < 500; index += 1) await send(base, `GET /users/${count / 2}`)
  const before = memory(pid, 'VmRSS')
  let longest = 0
  for (let index = 0; index < 2_000; index += 1) {
    const begun = performance.now()
    const { status } = await send(base, index % 2 === 0 ? 'GET /hello' : `GET /users/${1 + ((index * 400) % count)}`)
    longest = Math.max(longest, performance.now() - begun)
    expect(status).toBe(200)
  }
  // What requests leave until it is collected may be there; half a million users would be more.
  expect(memory(pid, 'VmRSS') - before).toBeLessThan(32 * 1024)
  expect(longest).toBeLessThan(1_000)
  response.destroy()
  for (let index = 0; index < 20; index += 1) {
    const another = await get(`${base}/users`)
    await new Promise<void>((resolve) => another.once('data', () => resolve()))
    another.destroy()
  }
  expect((await send(base, 'GET /health/ready')).status).toBe(200)
  expect(memory(pid, 'VmHWM')).toBeLessThan(most)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0 })
})
