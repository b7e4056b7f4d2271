/** The stores of deliveries, in memory, on SQLite and on PostgreSQL: one claim of each, leases, delays, and what is given up. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { kyselyWebhookStore } from 'lapidary/kysely'
import { memoryWebhookStore, type WebhookDelivery, type WebhookStore } from 'lapidary/webhooks'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startPostgres } from '../../../../scripts/postgres.mjs'
import { sqliteDialect } from '../support/sqliteDialect.ts'
import { createDeliveriesTable } from '../support/webhookDeliveries.ts'

/** Stores that share what they keep, as those of several processes do. */
interface Opened {
  readonly stores: readonly WebhookStore[]
  readonly databases: readonly Kysely<unknown>[]
  readonly close: () => Promise<unknown>
}

async function openKysely(databases: readonly Kysely<unknown>[], remove: () => Promise<unknown>): Promise<Opened> {
  const [first] = databases as readonly [Kysely<unknown>]
  await createDeliveriesTable(first)
  return {
    stores: databases.map((database) => kyselyWebhookStore(database)),
    databases,
    close: async () => {
      await Promise.all(databases.map((database) => database.destroy()))
      await remove()
    },
  }
}

const openings: readonly (readonly [name: string, open: () => Promise<Opened>])[] = [
  ['in memory', async () => ({ stores: [memoryWebhookStore({ maxEntries: 500 })], databases: [], close: async () => {} })],
  [
    'SQLite',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'lapidary-webhooks-'))
      const open = () => new Kysely<unknown>({ dialect: sqliteDialect(join(folder, 'deliveries.db')) })
      return openKysely([open(), open()], () => rm(folder, { recursive: true }))
    },
  ],
  [
    'PostgreSQL',
    async () => {
      const server = await startPostgres()
      const open = () =>
        new Kysely<unknown>({ dialect: new PostgresDialect({ pool: new Pool({ connectionString: server.url(), max: 8 }) }) })
      return openKysely([open(), open()], () => server.remove())
    },
  ],
]

let count = 0
const delivery = (): WebhookDelivery => {
  count += 1
  const payload = `{"text":"\ud83d\ude00 \\u0000 ${count}"}`
  return {
    id: `msg_${`${count}`.padStart(4, '0')}`,
    webhook: 'order.paid',
    url: 'https://shop.example/',
    // Every other one has a subscription.
    subscription: count % 2 === 0 ? undefined : `subscription ${count}`,
    contentType: 'application/json',
    payload,
    attempts: 0,
  }
}

const lease = 1_000
let now = 0
beforeEach(() => {
  now += 10_000_000
  // Bun's own runner has no `vi.setSystemTime`.
  vi.spyOn(Date, 'now').mockImplementation(() => now)
})
afterEach(() => {
  vi.restoreAllMocks()
})
/** Lets time pass for the stores, and for nothing else. */
const pass = (milliseconds: number): void => {
  now += milliseconds
}

describe.each(openings)('%s', (_name, open) => {
  let opened: Opened
  let store: WebhookStore
  let other: WebhookStore
  beforeAll(async () => {
    opened = await open()
    store = opened.stores[0] as WebhookStore
    other = opened.stores.at(-1) as WebhookStore
  }, 60_000)
  afterAll(() => opened.close())
  /** Each test begins with an empty store. */
  beforeEach(async () => {
    for (;;) {
      const rest = await store.claim({ owner: 'cleaner', lease: 1, limit: 100 })
      if (rest.length === 0) return
      for (const { id } of rest) await store.complete(id)
    }
  })

  test('a delivery is due at once, is claimed once, and is gone when it has arrived', async () => {
    const added = delivery()
    await store.add(added)
    expect(await other.claim({ owner: 'a', lease, limit: 10 })).toEqual([{ ...added, attempts: 1 }])
    expect(await store.claim({ owner: 'b', lease, limit: 10 })).toEqual([])
    await other.complete(added.id)
    pass(lease * 2)
    expect(await store.claim({ owner: 'b', lease, limit: 10 })).toEqual([])
  })

  test('a delivery has the subscription that it was added with, or none', async () => {
    const added = [delivery(), delivery()]
    for (const one of added) await store.add(one)
    const claimed = await other.claim({ owner: 'a', lease, limit: 10 })
    const subscriptions = claimed.toSorted((one, another) => one.id.localeCompare(another.id)).map(({ subscription }) => subscription)
    expect(subscriptions).toStrictEqual(added.map(({ subscription }) => subscription))
    expect(subscriptions).toContain(undefined)
  })

  test('a claim ends with its lease, and its owner has lost the delivery', async () => {
    const added = delivery()
    await store.add(added)
    await store.claim({ owner: 'a', lease, limit: 10 })
    pass(lease - 1)
    expect(await other.claim({ owner: 'b', lease, limit: 10 })).toEqual([])
    pass(1)
    expect(await other.claim({ owner: 'b', lease, limit: 10 })).toEqual([{ ...added, attempts: 2 }])
    await store.postpone({ id: added.id, owner: 'a', reason: 'late' }, 0)
    await store.giveUp({ id: added.id, owner: 'a', reason: 'late' })
    expect(await store.claim({ owner: 'c', lease, limit: 10 })).toEqual([])
    pass(lease)
    expect(await store.claim({ owner: 'c', lease, limit: 10 })).toEqual([{ ...added, attempts: 3 }])
  })

  test('a delivery that has arrived is gone, even if its lease has ended', async () => {
    const added = delivery()
    await store.add(added)
    await store.claim({ owner: 'a', lease, limit: 10 })
    pass(lease)
    await other.claim({ owner: 'b', lease, limit: 10 })
    await store.complete(added.id)
    pass(lease)
    expect(await store.claim({ owner: 'c', lease, limit: 10 })).toEqual([])
  })

  test('a postponed delivery is due after its delay', async () => {
    const added = delivery()
    await store.add(added)
    await store.claim({ owner: 'a', lease, limit: 10 })
    await store.postpone({ id: added.id, owner: 'a', reason: 'The receiver responded with 500.' }, 4_999.5)
    pass(4_999)
    expect(await other.claim({ owner: 'b', lease, limit: 10 })).toEqual([])
    pass(1)
    expect(await other.claim({ owner: 'b', lease, limit: 10 })).toEqual([{ ...added, attempts: 2 }])
  })

  test('a delivery that is given up is never due again', async () => {
    const added = delivery()
    await store.add(added)
    await store.claim({ owner: 'a', lease, limit: 10 })
    await store.giveUp({ id: added.id, owner: 'a', reason: 'The receiver is gone (410).' })
    pass(1e9)
    expect(await other.claim({ owner: 'b', lease, limit: 10 })).toEqual([])
  })

  test('the oldest come first, as many as are asked for', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index += 1) {
      const added = delivery()
      ids.push(added.id)
      await store.add(added)
      pass(1)
    }
    const first = await other.claim({ owner: 'a', lease, limit: 2 })
    expect(first.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2))
    const rest = await store.claim({ owner: 'b', lease, limit: 10 })
    expect(rest.map(({ id }) => id).sort()).toEqual(ids.slice(2))
  })

  test('of many workers at once, one gets each delivery', async () => {
    const added = Array.from({ length: 60 }, delivery)
    for (const one of added) await store.add(one)
    const claimed = await Promise.all(
      Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? store : other).claim({ owner: `owner ${index}`, lease, limit: 3 })),
    )
    // PostgreSQL: a worker that waits for a row that another one has claimed gets fewer than there are.
    const rest: string[] = []
    for (;;) {
      const more = await store.claim({ owner: 'rest', lease, limit: 10 })
      if (more.length === 0) break
      rest.push(...more.map(({ id }) => id))
    }
    const ids = [...claimed.flat().map(({ id }) => id), ...rest]
    expect(ids.toSorted()).toEqual(added.map(({ id }) => id).toSorted())
  })

  test('a transaction adds a delivery, or not', async () => {
    for (const database of opened.databases.slice(0, 1)) {
      const [kept, lost] = [delivery(), delivery()]
      await database.transaction().execute((transaction) => Promise.resolve(kyselyWebhookStore(transaction).add(kept)))
      const failing = database.transaction().execute(async (transaction) => {
        await kyselyWebhookStore(transaction).add(lost)
        throw new Error('rolled back')
      })
      await expect(failing).rejects.toThrow('rolled back')
      expect((await other.claim({ owner: 'a', lease, limit: 10 })).map(({ id }) => id)).toEqual([kept.id])
    }
  })

  test('what is given up stays in the table, with the reason; an update sends it again', async () => {
    for (const database of opened.databases.slice(0, 1)) {
      const added = delivery()
      await store.add(added)
      await store.claim({ owner: 'a', lease, limit: 10 })
      await store.giveUp({ id: added.id, owner: 'a', reason: 'The receiver responded with 500.' })
      const { rows } = await sql`select id, owner, due_at, error from webhook_deliveries where id = ${added.id}`.execute(database)
      expect(rows).toEqual([{ id: added.id, owner: null, due_at: null, error: 'The receiver responded with 500.' }])
      await sql`update webhook_deliveries set due_at = 0, attempts = 0 where id = ${added.id}`.execute(database)
      expect(await other.claim({ owner: 'b', lease, limit: 10 })).toEqual([{ ...added, attempts: 1 }])
    }
  })
})

test('a full store in memory rejects further deliveries', () => {
  const store = memoryWebhookStore({ maxEntries: 1 })
  store.add(delivery())
  expect(() => store.add(delivery())).toThrow(/^memoryWebhookStore\(\) has 1 deliveries that are not done\./)
  expect(() => memoryWebhookStore({ maxEntries: 0 })).toThrow(TypeError)
})
