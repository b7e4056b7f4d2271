/** Rate limits in one table, for several processes: `kyselyRateLimitStore(database)`. */
import { CompiledQuery, type Kysely, PostgresAdapter, sql } from 'kysely'
import { digest } from '../http/digest.ts'
import { countedSlots, getRateLimitState, getSlotLength, type RateLimitState, type RateLimitStore } from '../middleware/rateLimitStore.ts'

/** The table. */
export interface KyselyRateLimitStoreOptions {
  /** The name of the table. @default `rate_limits` */
  readonly table?: string
}

/** How often expired rows are deleted, in milliseconds, and how many at once: a request waits for it. */
const cleaningPause = 1_000
const maxDeletedRows = 1_000

/** How many refused clients a process remembers, so that their next requests need no statement. */
const maxRefusals = 10_000

/** A client that has used up its quota. */
interface Refusal {
  readonly state: RateLimitState
  readonly cost: number
  /** When the state was true, by the clock of the process. */
  readonly since: number
}

const slots: readonly number[] = Array.from({ length: countedSlots }, (_, index) => index)
const columns: readonly string[] = slots.map((slot) => `used_${slot}`)

/**
 * Compiles the statement of a request, once: Kysely would take as long for it as the database.
 *
 * @returns its text, and the names of the values in the order of its parameters
 */
function compileStatement<DB>(database: Kysely<DB>, name: string): { readonly text: string; readonly names: readonly string[] } {
  const [slot, cost, quota, horizon] = ['slot', 'cost', 'quota', 'horizon']
  const used = columns.map((column) => sql.ref(column))
  const count = sql.lit(countedSlots)
  // A slot of the future is one of a faster clock. One that is further away than a window is of a clock that was wrong.
  const newest = sql`case when known.slot > ${slot} and known.slot <= ${horizon} then known.slot else ${slot} end`
  const kept = used.map(
    (column, index) => sql`case
      when known.slot > ${horizon} or (${sql.lit(index + countedSlots - 1)} - known.slot % ${count}) % ${count} < ${slot} - known.slot
      then 0 else known.${column} end as ${column}`,
  )
  const added = used.map(
    (column, index) => sql`${column} + case when is_allowed = 1 and slot % ${count} = ${sql.lit(index)} then ${cost} else 0 end`,
  )
  const { sql: text, parameters } = sql`
    insert into ${sql.table(name)} as known (key, slot, ${sql.join(used)}, is_allowed, expires_at)
    values (${'key'}, ${slot}, ${sql.join(columns)}, 1, ${'expires'})
    on conflict (key) do update set (slot, ${sql.join(used)}, is_allowed, expires_at) = (
      select slot, ${sql.join(added)}, is_allowed, excluded.expires_at
      from (
        select slot, ${sql.join(used)}, case when ${sql.join(used, sql` + `)} + ${cost} <= ${quota} then 1 else 0 end as is_allowed
        from (select ${newest} as slot, ${sql.join(kept)}) as kept
      ) as checked
    )
    returning slot, ${sql.join(used)}, is_allowed`.compile(database)
  return { text, names: parameters as readonly string[] }
}

/**
 * Returns a store in a table of SQLite or PostgreSQL: one atomic statement for each request, and none for a client that is refused until its
 * quota comes back. Keys are stored as SHA-256 digests. Expired rows are deleted in passing. The clocks of the processes may differ only by a
 * small part of the shortest window: a request of a clock that is slow counts as one of the newest slot, and those of one that is fast bring
 * back the quota early, by the difference.
 *
 * ```sql
 * create table rate_limits (
 *   key text primary key,
 *   slot bigint not null,
 *   used_0 bigint not null,
 *   used_1 bigint not null,
 *   used_2 bigint not null,
 *   used_3 bigint not null,
 *   used_4 bigint not null,
 *   used_5 bigint not null,
 *   used_6 bigint not null,
 *   is_allowed integer not null,
 *   expires_at bigint not null
 * );
 * create index rate_limits_expires_at on rate_limits (expires_at);
 * ```
 *
 * PostgreSQL need not keep the counters after a crash: `create unlogged table` makes them cheaper.
 *
 * @param database not a transaction of a handler: a request counts before its handler runs
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import { kyselyRateLimitStore } from 'lapidary/kysely'
 * import { rateLimit } from 'lapidary/middleware'
 *
 * declare const database: Kysely<unknown>
 * const middleware = [rateLimit({ store: kyselyRateLimitStore(database) })]
 * ```
 */
export function kyselyRateLimitStore<DB>(
  database: Kysely<DB>,
  { table: name = 'rate_limits' }: KyselyRateLimitStoreOptions = {},
): RateLimitStore {
  // Plugins could rename the columns.
  const plain = database.withoutPlugins()
  const { text, names } = compileStatement(plain, name)
  // Two processes that delete the same rows in another order would wait for each other. SQLite has one writer.
  const lock = plain.getExecutor().adapter instanceof PostgresAdapter ? sql`for update skip locked` : sql``
  const table = sql.table(name)
  const refusals = new Map<string, Refusal>()
  let cleaningTime = 0

  const deleteExpired = async (now: number): Promise<void> => {
    if (now < cleaningTime) return
    cleaningTime = now + cleaningPause
    await sql`delete from ${table} where key in (select key from ${table} where expires_at <= ${now} limit ${maxDeletedRows} ${lock})`.execute(
      plain,
    )
  }

  /** What a refused client still knows: it cannot have got more in the meantime. */
  function findRefusal(key: string, cost: number): RateLimitState | undefined {
    const refusal = refusals.get(key)
    if (refusal === undefined) return undefined
    const passed = performance.now() - refusal.since
    const { remaining, reset, retryAfter } = refusal.state
    if (passed >= reset) refusals.delete(key)
    else if (cost >= refusal.cost) return { isAllowed: false, remaining, reset: reset - passed, retryAfter: retryAfter - passed }
    return undefined
  }

  return {
    take: async (use) => {
      const { cost, quota, window } = use
      const key = digest('', use.key)
      const refused = findRefusal(key, cost)
      if (refused !== undefined) return refused
      const now = Date.now()
      await deleteExpired(now)
      const slotLength = getSlotLength(window)
      // Each client has slots of its own, so that not all of them come back at the same moment.
      const phase = Number.parseInt(key.slice(0, 8), 16) % slotLength
      const slot = Math.floor((now + phase) / slotLength)
      const values: Record<string, unknown> = {
        ...{ key, slot, cost, quota, horizon: slot + countedSlots, expires: (slot + countedSlots + 1) * slotLength - phase },
        ...Object.fromEntries(slots.map((index) => [columns[index], index === slot % countedSlots ? cost : 0])),
      }
      const { rows } = await plain.executeQuery<Readonly<Record<string, unknown>>>(
        CompiledQuery.raw(
          text,
          names.map((parameter) => values[parameter]),
        ),
      )
      const [row] = rows
      if (row === undefined)
        throw new TypeError('kyselyRateLimitStore(): the statement returned no row, expected one. Use SQLite or PostgreSQL.')
      const counted = Number(row['slot'])
      const used = slots.map((index) => Number(row[`used_${(counted + 1 + index) % countedSlots}`]))
      const state = getRateLimitState(Number(row['is_allowed']) === 1, used, Math.max(0, now + phase - counted * slotLength), use)
      if (!state.isAllowed) {
        const [oldest] = refusals.keys()
        if (refusals.size >= maxRefusals && oldest !== undefined) refusals.delete(oldest)
        refusals.set(key, { state, cost, since: performance.now() })
      }
      return state
    },
  }
}
