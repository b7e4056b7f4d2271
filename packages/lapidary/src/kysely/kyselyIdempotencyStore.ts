/** First responses of idempotent endpoints in one table, for several processes: `kyselyIdempotencyStore(database)`. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type IdempotencyRecord, type IdempotencyStore, requireFinite } from '../server/idempotencyStore.ts'

/** The table, and for how long it keeps a response. */
export interface KyselyIdempotencyStoreOptions {
  /** The name of the table. @default `idempotency_keys` */
  readonly table?: string
  /** How long a response is kept, in milliseconds. @default 86,400,000 (24 hours) */
  readonly ttl?: number
}

/** How often expired rows are deleted, in milliseconds. */
const cleaningInterval = 60_000

/**
 * Returns a store in a table of SQLite or PostgreSQL. The primary key decides which of several simultaneous requests runs, also between
 * processes. The clocks of the processes may differ only by a small part of the lease.
 *
 * ```sql
 * create table idempotency_keys (
 *   key text primary key,
 *   fingerprint text not null,
 *   owner text not null,
 *   expires_at bigint not null,
 *   response text
 * );
 * create index idempotency_keys_expires_at on idempotency_keys (expires_at);
 * ```
 *
 * @param database not a transaction of a handler: a key is claimed before the handler runs
 * @throws TypeError for a `ttl` that is no finite number above 0
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import { endpoint, noContent } from 'lapidary'
 * import { kyselyIdempotencyStore } from 'lapidary/kysely'
 * import { serve } from 'lapidary/server'
 *
 * declare const database: Kysely<unknown>
 * const api = { ring: endpoint('POST /ring', { response: noContent, idempotent: 'required' }) }
 * const server = serve(api, { ring: () => console.log('ring') }, { idempotency: { store: kyselyIdempotencyStore(database) } })
 * ```
 */
export function kyselyIdempotencyStore<DB>(
  database: Kysely<DB>,
  { table: name = 'idempotency_keys', ttl = 86_400_000 }: KyselyIdempotencyStoreOptions = {},
): IdempotencyStore {
  requireFinite('kyselyIdempotencyStore(): ttl', ttl)
  const table = sql.table(name)
  const run = async <Row>(query: RawBuilder<Row>): Promise<readonly Row[]> => (await query.execute(database)).rows
  let cleaningTime = 0

  const deleteExpired = async (now: number): Promise<void> => {
    if (now < cleaningTime) return
    cleaningTime = now + cleaningInterval
    await run(sql`delete from ${table} where expires_at <= ${now}`)
  }

  return {
    begin: async ({ key, fingerprint, owner, lease }) => {
      await deleteExpired(Date.now())
      // The record can be released between the two statements.
      for (;;) {
        const now = Date.now()
        const claimed = await run(sql<{ readonly owner: string }>`
          insert into ${table} as known (key, fingerprint, owner, expires_at, response)
          values (${key}, ${fingerprint}, ${owner}, ${now + lease}, null)
          on conflict (key) do update
          set fingerprint = excluded.fingerprint, owner = excluded.owner, expires_at = excluded.expires_at, response = null
          where known.expires_at <= ${now}
          returning owner`)
        if (claimed.length > 0) return undefined
        const [known] = await run(sql<{ readonly fingerprint: string; readonly response: string | null }>`
          select fingerprint, response from ${table} where key = ${key} and expires_at > ${now}`)
        if (known !== undefined)
          return { fingerprint: known.fingerprint, response: known.response ?? undefined } satisfies IdempotencyRecord
      }
    },
    complete: async ({ key, fingerprint, owner }, response) => {
      // The row is gone where the handler took longer than the lease, and no other request has come.
      await run(sql`
        insert into ${table} as known (key, fingerprint, owner, expires_at, response)
        values (${key}, ${fingerprint}, ${owner}, ${Date.now() + ttl}, ${response})
        on conflict (key) do update set expires_at = excluded.expires_at, response = excluded.response
        where known.owner = excluded.owner`)
    },
    release: async ({ key, owner }) => {
      await run(sql`delete from ${table} where key = ${key} and owner = ${owner}`)
    },
  }
}
