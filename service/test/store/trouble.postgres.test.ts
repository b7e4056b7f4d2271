/** The errors while PostgreSQL cannot serve, their time, and the recovery of the same store. */

import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startPostgres } from '../../../scripts/postgres.mjs'
import { StoreUnavailable } from '../../src/store/errors.ts'
import { openStore, type Store, type StoreOptions } from '../../src/store/store.ts'

import { postgresOfTest } from '../support/databases/database.ts'
import { rows } from './scratch.ts'
import { smallDisk } from './smallDisk.ts'

const ann = { name: 'Ann', age: 26, email: 'ann@example.org', registration_date: '2024-02-29' }

async function opened(url: string, options?: StoreOptions): Promise<Store> {
  const store = await openStore(url, options)
  onTestFinished(async () => store.close())
  return store
}

/** How a request failed, and after how many milliseconds. */
interface Failure {
  readonly error: StoreUnavailable
  readonly waited: number
}

async function unavailable(action: () => unknown): Promise<Failure> {
  const begun = performance.now()
  const error = await Promise.resolve()
    .then(action)
    .then(
      () => undefined,
      (reason) => reason,
    )
  const waited = performance.now() - begun
  expect(error).toBeInstanceOf(StoreUnavailable)
  expect((error as StoreUnavailable).retryAfter).toBeGreaterThanOrEqual(1)
  return { error, waited }
}

/** "Within 1 s", and some more for a machine that does other things besides. */
const soon = 1_500

/** Asks until the database answers, as a client does that got Retry-After. */
async function again<Result>(action: () => Result): Promise<Awaited<Result>> {
  const deadline = performance.now() + 20_000
  for (;;) {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > deadline) throw error
    }
  }
}

test('a write whose connection is ended by an administrator fails without a retry, and the next one succeeds', async () => {
  const database = await postgresOfTest()
  const store = await opened(database.url, { timeout: 20_000 })
  const unlock = await database.lock()
  const failing = unavailable(() => store.users.add(ann))
  const waiting = `FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await vi.waitUntil(async () => Number((await database.rows(`SELECT count(*) ${waiting}`))[0]?.[0]) >= 1, { timeout: 10_000 })
  // That connection alone: were the lock gone first, the write might be done before its own turn came.
  await database.rows(`SELECT pg_terminate_backend(pid) ${waiting}`)
  const { error } = await failing
  expect(error.message).toMatch(/57P01|terminated/)
  await unlock()
  expect(await again(() => store.users.count())).toBe(3)
  await again(() => store.users.add(ann))
  expect(await store.users.count()).toBe(4)
})

test('idle connections that end are reported, and no request fails', async () => {
  const database = await postgresOfTest()
  const messages: string[] = []
  const store = await opened(database.url, { onIdleError: ({ message }) => messages.push(message) })
  await Promise.all(Array.from({ length: 4 }, async () => store.users.find(1)))
  await database.terminate()
  await vi.waitUntil(() => messages.length > 0, { timeout: 10_000 })
  expect(messages[0]).toMatch(/terminat/)
  expect(await again(() => store.users.find(1))).toBeDefined()
})

test('a statement that takes too long is canceled by the server within a second, and has no later effect', async () => {
  const database = await postgresOfTest()
  const store = await opened(database.url)
  const unlock = await database.lock()
  const { error, waited } = await unavailable(() => store.users.add(ann))
  expect(error.message).toContain('57014')
  expect(waited).toBeLessThan(soon)
  expect(await store.users.find(1)).toBeDefined()
  await unlock()
  expect(await store.users.count()).toBe(3)
  await store.users.add(ann)
  expect(await store.users.count()).toBe(4)
})

test('when all connections are in use the next request waits for at most a second', async () => {
  const database = await postgresOfTest()
  const store = await opened(database.url, { connections: 2 })
  const unlock = await database.lock()
  const writers = Promise.all([1, 2].map(() => unavailable(() => store.users.add(ann))))
  const readers = await Promise.all(Array.from({ length: 20 }, () => Promise.resolve(store.users.find(1)).catch((error) => error)))
  for (const outcome of readers) expect(outcome === undefined || outcome instanceof Error ? outcome : 'found').toSatisfy(isFine)
  for (const { waited } of await writers) expect(waited).toBeLessThan(soon)
  await unlock()
  expect(await store.users.add(ann)).toBeGreaterThan(3)
})

const isFine = (outcome: unknown): boolean => outcome === 'found' || outcome instanceof StoreUnavailable

test('a read-only database is read, is not ready, and rejects changes', async () => {
  const database = await postgresOfTest()
  const store = await opened(database.url)
  const only = (what: 'on' | 'off') =>
    database.run(`BEGIN READ WRITE; DO $$ BEGIN
      EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = ${what}', current_database()); END $$; COMMIT`)
  await only('on')
  await database.terminate()
  expect(await again(() => store.users.find(1))).toBeDefined()
  expect((await unavailable(() => store.users.add(ann))).error.message).toContain('25006')
  expect((await unavailable(() => store.ping())).error.message).toContain('no writes')
  await only('off')
  await database.terminate()
  await again(() => store.ping())
  expect(await store.users.add(ann)).toBeGreaterThan(3)
})

test.each(['fast', 'immediate'] as const)(
  'a server that is stopped (%s) and started again: errors at once, no data is lost, the same store serves',
  async (mode) => {
    const server = await startPostgres()
    onTestFinished(server.remove)
    const store = await opened(server.url())
    const kept = await store.users.add(ann)
    const reading = store.users.all()
    await reading.next()
    await server.stop(mode)
    for (const action of [() => store.users.find(1), () => store.users.add(ann), () => store.colors.count(), () => store.ping()]) {
      expect((await unavailable(action)).waited).toBeLessThan(soon)
    }
    await server.start()
    expect(await again(() => store.users.find(kept))).toEqual(ann)
    await again(() => store.ping())
    expect(await store.users.count()).toBe(4)
    expect(await rows(store.users.all())).toHaveLength(4)
  },
)

/** A way to the database that can be cut: what is sent is swallowed, in both directions, and no connection ends. */
async function way(port: number): Promise<{ readonly port: number; readonly cut: (off: boolean) => void }> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => void (isCut || to.write(bytes)))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (off: boolean): void => {
    isCut = off
  }
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: (server.address() as { readonly port: number }).port, cut }
}

test('an unreachable server gives an error within a second, on old connections and new ones', async () => {
  const database = await postgresOfTest()
  const address = new URL(database.url)
  const { port, cut } = await way(Number(address.port))
  address.port = String(port)
  const store = await opened(address.href, { connections: 3 })
  expect(await store.users.find(1)).toBeDefined()
  cut(true)
  // The first is on a connection that was good, the others have to make theirs.
  for (const { waited } of await Promise.all([1, 2, 3, 4, 5].map(() => unavailable(() => store.users.find(1))))) {
    expect(waited).toBeLessThan(soon)
  }
  expect((await unavailable(() => store.ping())).waited).toBeLessThan(soon)
  cut(false)
  expect(await again(() => store.users.find(1))).toBeDefined()
  expect(await store.users.add(ann)).toBe(4)
})

test('a database that is dropped while it is open gives an error', async () => {
  const database = await postgresOfTest()
  const store = await opened(database.url)
  await database.remove()
  expect((await unavailable(() => store.users.find(1))).waited).toBeLessThan(soon)
  expect((await unavailable(() => store.users.add(ann))).waited).toBeLessThan(soon)
  await unavailable(() => store.ping())
})

test('on a full disk reads succeed and writes are rejected until there is space', async ({ skip }) => {
  const disk = smallDisk('32m')
  if (disk === undefined) return skip('This process may not mount a small disk.')
  // The tables are on the small disk, the log of the server is not: it is the tables that do not fit.
  const server = await startPostgres()
  onTestFinished(server.remove)
  const tables = join(disk, 'tables')
  mkdirSync(tables)
  if (process.getuid?.() === 0) chownSync(tables, 65_534, 65_534)
  const admin = new Client(server.url())
  await admin.connect()
  await admin.query(`CREATE TABLESPACE small LOCATION '${tables}'`)
  await admin.query('CREATE DATABASE crowded TABLESPACE small')
  await admin.end()
  const store = await opened(server.url('crowded'), { timeout: 10_000 })
  const ballast = join(disk, 'ballast')
  writeFileSync(ballast, Buffer.alloc(4_000_000))
  const { error } = await unavailable(async () => {
    // Of random text, which the database cannot make shorter.
    for (;;) await store.secrets.add({ secret: randomBytes(50_000).toString('hex') })
  })
  expect(error.message).toContain('53100')
  expect(await store.users.find(1)).toBeDefined()
  const kept = (await rows(store.secrets.all())).length
  rmSync(ballast)
  await store.secrets.add({ secret: 'there is room' })
  expect(await rows(store.secrets.all())).toHaveLength(kept + 1)
})

test('a defect of a statement is not reported as an unavailable database', async () => {
  const database = await postgresOfTest()
  const store = await opened(database.url)
  await database.run('DROP TABLE persons')
  const error = await Promise.resolve(store.persons.all()).catch((reason) => reason)
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(StoreUnavailable)
})

test('a closed store throws StoreUnavailable, and closes once', async () => {
  const database = await postgresOfTest()
  const store = await opened(database.url)
  await store.close()
  await store.close()
  expect((await unavailable(() => store.users.find(1))).error.message).toContain('closed')
})
