/** The stores of idempotency keys, in memory, on SQLite and on PostgreSQL: one claim at a time, leases, expiry, bounds. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { kyselyIdempotencyStore } from 'lapidary/kysely'
import { type IdempotencyClaim, type IdempotencyStore, memoryIdempotencyStore } from 'lapidary/server'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPostgres } from '../../../../scripts/postgres.mjs'
import { sqliteDialect } from '../support/sqliteDialect.ts'

/** Returns the garbage collector: without it, the heap says little about what is kept. */
function exposeGc(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc')
}

const ttl = 5_000
const lease = 1_000

/** Stores that share what they keep, as those of several processes do. */
interface Opened {
  readonly stores: readonly IdempotencyStore[]
  /** Undefined: it has no rows. */
  readonly countRows?: () => Promise<number>
  readonly close: () => Promise<unknown>
}

async function openKysely(databases: readonly Kysely<unknown>[], remove: () => Promise<unknown>): Promise<Opened> {
  const [first] = databases as readonly [Kysely<unknown>]
  await sql`create table idempotency_keys (
    key text primary key, fingerprint text not null, owner text not null, expires_at bigint not null, response text)`.execute(first)
  return {
    stores: databases.map((database) => kyselyIdempotencyStore(database, { ttl })),
    countRows: async () =>
      Number((await sql<{ rows: number }>`select count(*) as rows from idempotency_keys`.execute(first)).rows[0]?.rows),
    close: async () => {
      await Promise.all(databases.map((database) => database.destroy()))
      await remove()
    },
  }
}

const openings: readonly (readonly [name: string, open: () => Promise<Opened>])[] = [
  ['in memory', async () => ({ stores: [memoryIdempotencyStore({ ttl })], close: async () => {} })],
  [
    'SQLite',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'lapidary-keys-'))
      const open = () => new Kysely<unknown>({ dialect: sqliteDialect(join(folder, 'keys.db')) })
      return openKysely([open(), open()], () => rm(folder, { recursive: true }))
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const server = await startPostgres()
      const open = () =>
        new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: server.url(), max: 4 }) }) })
      return openKysely([open(), open()], () => server.remove())
    },
  ],
]

let claims = 0
/** A claim of a new owner; of a new key where none is given. */
const claim = (key = `key ${claims}`, fingerprint = 'a'): IdempotencyClaim => {
  claims += 1
  return { key, fingerprint, owner: `owner ${claims}`, lease }
}

let start = 0
beforeEach(() => {
  start += 10_000_000
  vi.useFakeTimers({ toFake: ['Date'], now: start })
})
afterEach(() => {
  vi.useRealTimers()
})
/** Lets time pass for the stores, and for nothing else. */
const pass = (milliseconds: number): unknown => vi.setSystemTime(Date.now() + milliseconds)

describe.each(openings)('%s', (_name, open) => {
  let opened: Opened
  let store: IdempotencyStore
  let other: IdempotencyStore
  beforeAll(async () => {
    opened = await open()
    store = opened.stores[0] as IdempotencyStore
    other = opened.stores.at(-1) as IdempotencyStore
  })
  afterAll(() => opened.close())

  test('a new key is claimed; then its record is under way, and then complete', async () => {
    const first = claim()
    expect(await store.begin(first)).toBe(undefined)
    expect(await other.begin(claim(first.key, 'b'))).toMatchObject({ fingerprint: 'a', response: undefined })
    await store.complete(first, '{"body":"\ud83d\ude00 \\u0000"}')
    expect(await other.begin(claim(first.key, 'b'))).toMatchObject({ fingerprint: 'a', response: '{"body":"\ud83d\ude00 \\u0000"}' })
  })

  test('a released key is free', async () => {
    const first = claim()
    await store.begin(first)
    await store.release(first)
    expect(await other.begin(claim(first.key))).toBe(undefined)
  })

  test('a claim ends with its lease: then another owner takes the key over, and the first one has lost it', async () => {
    const [first, second] = [claim('lease'), claim('lease', 'b')]
    await store.begin(first)
    pass(lease - 1)
    expect(await other.begin(second)).toMatchObject({ fingerprint: 'a', response: undefined })
    pass(1)
    expect(await other.begin(second)).toBe(undefined)
    await store.release(first)
    await store.complete(first, 'late')
    expect(await store.begin(claim('lease'))).toMatchObject({ fingerprint: 'b', response: undefined })
    await other.complete(second, 'right')
    await store.complete(first, 'late')
    expect(await store.begin(claim('lease'))).toMatchObject({ fingerprint: 'b', response: 'right' })
  })

  test('a handler that took longer than the lease keeps its response, if no other request has come', async () => {
    const first = claim()
    await store.begin(first)
    pass(lease + 60_000)
    // It deletes what has expired.
    await store.begin(claim())
    await store.complete(first, 'slow')
    expect(await other.begin(claim(first.key))).toMatchObject({ response: 'slow' })
  })

  test('a response is kept for its time, and no longer', async () => {
    const first = claim()
    await store.begin(first)
    await store.complete(first, 'one')
    pass(ttl - 1)
    expect(await other.begin(claim(first.key))).toMatchObject({ response: 'one' })
    pass(1)
    expect(await other.begin(claim(first.key))).toBe(undefined)
  })

  test('of any number of claims at once, through any of the stores, one succeeds', async () => {
    const plan = fc.array(fc.record({ key: fc.nat(3), store: fc.nat(opened.stores.length - 1) }), { minLength: 2, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(plan, async (wishes) => {
        const run = claims
        const got = await Promise.all(
          wishes.map(async (wish) => ({ ...wish, known: await opened.stores[wish.store]?.begin(claim(`${run} ${wish.key}`)) })),
        )
        for (const key of new Set(wishes.map((wish) => wish.key)))
          expect(got.filter((one) => one.key === key && one.known === undefined)).toHaveLength(1)
      }),
      { numRuns: 30 },
    )
  })

  test('what has expired is deleted', async ({ skip }) => {
    const { countRows } = opened
    if (countRows === undefined) return skip()
    await store.begin(claim())
    await store.begin(claim())
    expect(await countRows()).toBeGreaterThan(1)
    pass(ttl + 120_000)
    await store.begin(claim())
    expect(await countRows()).toBe(1)
  })
})

describe('in memory', () => {
  const fill = async (store: IdempotencyStore, count: number, response: string): Promise<readonly IdempotencyClaim[]> => {
    const filled = Array.from({ length: count }, () => claim())
    for (const one of filled) {
      await store.begin(one)
      await store.complete(one, response)
    }
    return filled
  }
  /** Whether the response of each is kept. One after the other, as a claim of what is not kept takes a place. */
  const areKept = async (store: IdempotencyStore, all: readonly IdempotencyClaim[]): Promise<readonly boolean[]> => {
    const kept: boolean[] = []
    for (const { key } of all) {
      const probe = claim(key)
      kept.push((await store.begin(probe)) !== undefined)
      await store.release(probe)
    }
    return kept
  }

  test('a flood of keys makes the oldest response leave, and none that is under way', async () => {
    const store = memoryIdempotencyStore({ maxEntries: 10 })
    const running = claim()
    await store.begin(running)
    const filled = await fill(store, 25, 'x')
    expect(await areKept(store, filled)).toEqual([...Array(15).fill(false), ...Array(10).fill(true)])
    expect(await store.begin(claim(running.key))).toMatchObject({ response: undefined })
  })

  test('all responses together have a length; the newest one stays', async () => {
    const store = memoryIdempotencyStore({ maxLength: 100 })
    const filled = await fill(store, 5, 'x'.repeat(40))
    expect(await areKept(store, filled)).toEqual([false, false, false, true, true])
    const [large] = await fill(store, 1, 'x'.repeat(1_000))
    expect(await areKept(store, [filled[4], large] as IdempotencyClaim[])).toEqual([false, true])
    const [small] = await fill(store, 1, 'x')
    expect(await areKept(store, [large, small] as IdempotencyClaim[])).toEqual([false, true])
  })

  test('too many requests under way are refused with 503, until a lease has ended', async () => {
    const store = memoryIdempotencyStore({ maxEntries: 2 })
    await store.begin(claim())
    await store.begin(claim())
    expect(() => store.begin(claim())).toThrow(expect.objectContaining({ status: 503, headers: { 'Retry-After': '1' } }))
    pass(lease)
    expect(await store.begin(claim())).toBe(undefined)
  })

  test('a flood of keys takes bounded memory', async () => {
    const store = memoryIdempotencyStore({ maxEntries: 100 })
    const collectGarbage = exposeGc()
    collectGarbage()
    const before = process.memoryUsage().heapUsed
    for (let count = 0; count < 200_000; count += 1) {
      const one = claim()
      store.begin(one)
      store.complete(one, `{"status":200,"body":"${count}"}`)
    }
    collectGarbage()
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(10_000_000)
  })

  test('responses that have expired take no memory', async () => {
    const store = memoryIdempotencyStore({ ttl })
    const collectGarbage = exposeGc()
    const measure = (): number => {
      collectGarbage()
      return process.memoryUsage().heapUsed
    }
    const before = measure()
    // Longer texts would be outside of the heap.
    for (let count = 0; count < 40; count += 1) await fill(store, 1, Buffer.alloc(500_000, 'x').toString('latin1'))
    expect(measure() - before).toBeGreaterThan(15_000_000)
    pass(ttl)
    store.begin(claim())
    expect(measure() - before).toBeLessThan(5_000_000)
  })

  test.each(['maxEntries', 'maxLength', 'ttl'])('%s has to be above 0', (option) => {
    for (const value of [0, -1, Number.NaN, '5'])
      expect(() => memoryIdempotencyStore({ [option]: value })).toThrow(
        `memoryIdempotencyStore(): ${option} is ${value}, expected a finite number above 0. Write one, or remove the option.`,
      )
  })
})

test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5' as never])('a table keeps no response for %s milliseconds', (ttl) => {
  expect(() => kyselyIdempotencyStore({} as never, { ttl })).toThrow(
    `kyselyIdempotencyStore(): ttl is ${ttl}, expected a finite number above 0. Write one, or remove the option.`,
  )
})
