/** The stores of rate limits, in memory, on SQLite and on PostgreSQL: what passes in a window, when it comes back, and how much is kept. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { kyselyRateLimitStore } from 'lapidary/kysely'
import { memoryRateLimitStore, type RateLimitState, type RateLimitStore } from 'lapidary/middleware'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPostgres } from '../../../../scripts/postgres.mjs'
import { sqliteDialect } from '../support/sqliteDialect.ts'

/** Stores that share what they count, as those of several processes do. */
interface Opened {
  readonly stores: readonly RateLimitStore[]
  /** Undefined: it has no rows. */
  readonly listRows?: () => Promise<readonly { readonly key: string }[]>
  readonly countStatements?: () => number
  readonly close: () => Promise<unknown>
}

const columns = Array.from({ length: 7 }, (_, index) => `used_${index} bigint not null`).join(', ')

async function openKysely(open: (log: () => void) => Kysely<unknown>, remove: () => Promise<unknown>): Promise<Opened> {
  let statements = 0
  const count = (): void => {
    statements += 1
  }
  const first = open(count)
  const databases = [first, open(count)]
  await sql`create table rate_limits (
    key text primary key, slot bigint not null, ${sql.raw(columns)}, is_allowed integer not null, expires_at bigint not null)`.execute(
    first,
  )
  await sql`create index rate_limits_expires_at on rate_limits (expires_at)`.execute(first)
  return {
    stores: databases.map((database) => kyselyRateLimitStore(database)),
    listRows: async () => (await sql<{ key: string }>`select key from rate_limits`.execute(first)).rows,
    countStatements: () => statements,
    close: async () => {
      await Promise.all(databases.map((database) => database.destroy()))
      await remove()
    },
  }
}

const openings: readonly (readonly [name: string, open: () => Promise<Opened>, numRuns: number])[] = [
  ['in memory', async () => ({ stores: [memoryRateLimitStore()], close: async () => {} }), 500],
  [
    'SQLite',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'lapidary-limits-'))
      const open = (log: () => void) => new Kysely<unknown>({ dialect: sqliteDialect(join(folder, 'limits.db')), log })
      return openKysely(open, () => rm(folder, { recursive: true }))
    },
    60,
  ],
  [
    'PostgreSQL',
    async () => {
      const server = await startPostgres()
      const open = (log: () => void) =>
        new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: server.url(), max: 4 }) }), log })
      return openKysely(open, () => server.remove())
    },
    40,
  ],
]

describe.each(openings)('%s', (_name, open, numRuns) => {
  let opened: Opened
  let keys = 0
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_790_000_000_000 }))
  afterEach(() => void vi.useRealTimers())

  const newKey = (): string => {
    keys += 1
    return `key ${keys}`
  }
  const store = (index = 0): RateLimitStore => opened.stores[index % opened.stores.length] as RateLimitStore
  const take = async (key: string, { cost = 1, quota = 5, window = 60, from = 0 } = {}): Promise<RateLimitState> =>
    store(from).take({ key, cost, quota, window })

  test('the quota passes, then nothing until it comes back', async () => {
    const key = newKey()
    for (const remaining of [4, 3, 2, 1, 0]) expect(await take(key)).toMatchObject({ isAllowed: true, remaining, retryAfter: 0 })
    const refused = await take(key)
    expect(refused).toMatchObject({ isAllowed: false, remaining: 0 })
    expect(refused.retryAfter).toBe(refused.reset)
    expect(refused.retryAfter).toBeGreaterThan(60_000)
    expect(refused.retryAfter).toBeLessThanOrEqual(70_000)
    vi.advanceTimersByTime(refused.retryAfter - 1)
    expect((await take(key)).isAllowed).toBe(false)
    vi.advanceTimersByTime(1)
    expect(await take(key)).toMatchObject({ isAllowed: true, remaining: 4 })
  })

  test('another key and another policy have a quota of their own', async () => {
    const key = newKey()
    for (let count = 0; count < 6; count += 1) await take(key)
    expect((await take(newKey())).isAllowed).toBe(true)
  })

  test('a request takes its cost, or nothing', async () => {
    const key = newKey()
    expect(await take(key, { cost: 3 })).toMatchObject({ isAllowed: true, remaining: 2 })
    expect(await take(key, { cost: 3 })).toMatchObject({ isAllowed: false, remaining: 2 })
    expect(await take(key, { cost: 2 })).toMatchObject({ isAllowed: true, remaining: 0 })
  })

  test('all requests of one millisecond together get the quota', async () => {
    const key = newKey()
    const states = await Promise.all(Array.from({ length: 40 }, (_, from) => take(key, { from, quota: 7 })))
    expect(states.filter(({ isAllowed }) => isAllowed)).toHaveLength(7)
  })

  test('in no window passes more than the quota, and who waits as long as told gets through', async () => {
    const step = fc.record({
      pause: fc.oneof(fc.constant(0), fc.nat(900), fc.nat(9_000)),
      cost: fc.integer({ min: 1, max: 3 }),
      from: fc.nat(1),
    })
    const policy = fc.record({ quota: fc.integer({ min: 3, max: 9 }), window: fc.integer({ min: 1, max: 7 }) })
    await fc.assert(
      fc.asyncProperty(policy, fc.array(step, { maxLength: 40 }), async ({ quota, window }, steps) => {
        const key = newKey()
        const passed: { at: number; cost: number }[] = []
        const attempt = async (cost: number, from: number): Promise<RateLimitState> => {
          const state = await take(key, { cost, from, quota, window })
          if (state.isAllowed) passed.push({ at: Date.now(), cost })
          const recent = passed.filter(({ at }) => at > Date.now() - window * 1_000)
          expect(recent.reduce((sum, one) => sum + one.cost, 0)).toBeLessThanOrEqual(quota)
          return state
        }
        for (const { pause, cost, from } of steps) {
          vi.advanceTimersByTime(pause)
          const { isAllowed, retryAfter, reset, remaining } = await attempt(cost, from)
          expect(remaining).toBeGreaterThanOrEqual(0)
          expect(reset).toBeGreaterThan(0)
          if (isAllowed) continue
          expect(retryAfter).toBeGreaterThanOrEqual(reset)
          vi.advanceTimersByTime(Math.ceil(retryAfter / 1_000) * 1_000)
          expect((await attempt(cost, from)).isAllowed).toBe(true)
        }
      }),
      { numRuns },
    )
  })

  test('an old window is forgotten as a whole', async () => {
    const key = newKey()
    for (let count = 0; count < 5; count += 1) await take(key)
    vi.advanceTimersByTime(3_600_000)
    expect(await take(key)).toMatchObject({ isAllowed: true, remaining: 4 })
  })
})

describe('in memory', () => {
  const createClock = () => {
    let time = 0
    const pass = (milliseconds: number): void => {
      time += milliseconds
    }
    return { now: () => time, pass }
  }

  test('very many addresses do not free a client that is refused, and leave as many keys as there is room for', () => {
    const { now } = createClock()
    const store = memoryRateLimitStore({ maxKeys: 1_000, now })
    const take = (key: string) => store.take({ key, cost: 1, quota: 10, window: 60 }) as RateLimitState
    for (let count = 0; count < 10; count += 1) take('refused')
    expect(take('refused').isAllowed).toBe(false)
    for (let index = 0; index < 100_000; index += 1) take(`address ${index}`)
    expect(take('refused').isAllowed).toBe(false)
    // The newest are kept: of 1,000 keys most have taken 1 before.
    const known = Array.from({ length: 1_000 }, (_, index) => take(`address ${99_999 - index}`).remaining).filter((left) => left === 8)
    expect(known.length).toBeGreaterThan(100)
  })

  test('what is over is removed by new keys', () => {
    const { now, pass } = createClock()
    const store = memoryRateLimitStore({ maxKeys: 10, now })
    const take = (key: string) => store.take({ key, cost: 1, quota: 2, window: 1 }) as RateLimitState
    for (let index = 0; index < 10; index += 1) take(`old ${index}`)
    pass(5_000)
    // There is room for ten again: none of these makes another one leave.
    for (let index = 0; index < 10; index += 1) take(`new ${index}`)
    for (let index = 0; index < 10; index += 1) expect(take(`new ${index}`).remaining).toBe(0)
  })

  test.each([0, -1, 1.5, Number.NaN])('a maxKeys of %s is refused', (maxKeys) => {
    expect(() => memoryRateLimitStore({ maxKeys })).toThrow('maxKeys')
  })
})

describe.each(openings.slice(1))('%s', (_name, open) => {
  let opened: Opened
  beforeEach(async () => {
    opened = await open()
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_790_000_000_000 })
  })
  afterEach(async () => {
    vi.useRealTimers()
    await opened.close()
  })
  const take = async (from: number, key: string): Promise<RateLimitState> =>
    (opened.stores[from] as RateLimitStore).take({ key, cost: 1, quota: 2, window: 6 })

  test('expired rows are deleted in passing', async () => {
    for (let index = 0; index < 20; index += 1) await take(0, `key ${index}`)
    expect(await opened.listRows?.()).toHaveLength(20)
    vi.advanceTimersByTime(60_000)
    await take(0, 'another')
    expect(await opened.listRows?.()).toHaveLength(1)
  })

  test('a clock that is behind counts in the newest slot, and one that was far ahead is forgotten', async () => {
    vi.setSystemTime(1_790_000_002_000)
    await take(0, 'key')
    vi.setSystemTime(1_790_000_000_000)
    expect(await take(1, 'key')).toMatchObject({ isAllowed: true, remaining: 0 })
    expect(await take(1, 'key')).toMatchObject({ isAllowed: false })
    // What the fast clock has counted still counts when the slow one has caught up.
    vi.setSystemTime(1_790_000_003_500)
    vi.advanceTimersByTime(3_500)
    expect(await take(0, 'key')).toMatchObject({ isAllowed: false })
    vi.setSystemTime(1_789_990_000_000)
    vi.advanceTimersByTime(60_000)
    vi.setSystemTime(1_789_990_000_000)
    expect(await take(0, 'key')).toMatchObject({ isAllowed: true, remaining: 1 })
  })

  test('a client that is refused costs no statement until its quota comes back', async () => {
    await take(0, 'key')
    await take(0, 'key')
    const { retryAfter } = await take(0, 'key')
    const before = opened.countStatements?.()
    vi.advanceTimersByTime(1_000)
    expect(await take(0, 'key')).toMatchObject({ isAllowed: false, retryAfter: retryAfter - 1_000 })
    expect(opened.countStatements?.()).toBe(before)
    // Another process may have one more statement, and refuses it as well.
    expect(await take(1, 'key')).toMatchObject({ isAllowed: false })
    vi.advanceTimersByTime(retryAfter - 1_000)
    expect(await take(0, 'key')).toMatchObject({ isAllowed: true })
  })

  test('no row contains a key', async () => {
    await take(0, 'secret')
    expect(await opened.listRows?.()).toEqual([{ key: expect.stringMatching(/^[0-9a-f]{64}$/) }])
  })
})
