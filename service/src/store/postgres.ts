/** The store in PostgreSQL, for more than one machine: reached, brought up to date and pooled here. */

import { Client, DatabaseError, Pool } from 'pg'
import { harmlessUrl } from '../harmlessUrl.ts'
import { CannotOpen } from './cannotOpen.ts'
import type { OpenOptions } from './openOptions.ts'
import { openWait, persistently } from './persistently.ts'
import { postgresConnection } from './postgres/connection.ts'
import { migrate } from './postgres/migrate.ts'
import { connectionSettings } from './postgres/settings.ts'
import { unavailable } from './postgres/unavailable.ts'
import type { Store } from './store.ts'
import { StoreUnavailable } from './storeUnavailable.ts'
import { tables } from './tables.ts'
import { watched } from './watched.ts'

/** Between two attempts to reach a database that is starting, in milliseconds. */
const pause = 100
/** How old a connection may get, in seconds, so that replicas share the servers behind one name again after one of them was away. */
const lifetime = 1800
/** From here on `INCLUDE`, identities and generated columns are there. */
const oldest = 130_000

/** Whether it may pass, as a database that starts or a network that is not up yet; a wrong password or name does not. */
function mayPass(error: unknown): boolean {
  if (error instanceof CannotOpen) return false
  if (error instanceof DatabaseError) return /^(08|53|57P)/.test(error.code ?? '')
  return unavailable(error) instanceof StoreUnavailable
}

/** Why a database did not open, as the end of the sentence "Cannot open the database X: …". */
function reason(error: unknown): string {
  if (error instanceof CannotOpen) return error.message
  // A table that is there already, or has other columns than ours.
  if (error instanceof DatabaseError && /^(42P07|42703)$/.test(error.code ?? '')) {
    return `it belongs to another program (${error.message}); it was left as it is`
  }
  if (error instanceof AggregateError) return error.errors.map(reason).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** One attempt to bring the tables up to date. */
async function prepare(url: string): Promise<void> {
  const client = new Client({ ...connectionSettings(url), connectionTimeoutMillis: openWait })
  // Told to whoever waits for an answer.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string }>(
      "SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding",
    )
    const [{ version = 0, encoding = '' } = {}] = rows
    if (version < oldest) throw new CannotOpen(`its server is older than PostgreSQL ${oldest / 10_000}`)
    if (encoding !== 'UTF8') throw new CannotOpen(`its encoding is ${encoding}, and UTF8 is needed; make it with ENCODING 'UTF8'`)
    await migrate(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Opens the database at a `postgres://` URL. Throws `CannotOpen`. */
export async function openPostgres(url: string, { connections = 10, timeout = 900, report, watch }: OpenOptions): Promise<Store> {
  await persistently(() => prepare(url), mayPass, pause).catch((error) => {
    throw new CannotOpen(`Cannot open the database ${harmlessUrl(url)}: ${reason(error)}.`, { cause: error })
  })
  const pool = new Pool({
    ...connectionSettings(url),
    max: connections,
    connectionTimeoutMillis: timeout,
    // The server gives up first, so that a write is not done after its client was told that it was not.
    statement_timeout: Math.ceil(timeout * 0.8),
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: lifetime,
  })
  pool.on('error', (error) => report?.(error))
  // A connection that fails while it is in use tells the one who waits for its answer; nobody else needs to hear of it.
  pool.on('connect', (client) => client.on('error', () => {}))
  watch?.pooled(() => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }))
  return tables(watched(postgresConnection(pool, timeout), watch))
}
