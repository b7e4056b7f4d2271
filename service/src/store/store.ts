/** The stored data: users, products, persons, colours, secrets and accounts, in SQLite or PostgreSQL. */

import type { StoreObserver } from './connection.ts'
import type { Store } from './tables.ts'

export type { Awaitable, Batches, RowCheck } from './rows.ts'
export type { ColorField, Colors } from './tables/colors.ts'
export type { Account, Accounts, Store } from './tables.ts'

/** Options for a database across a network. SQLite uses `observer` alone. */
export interface StoreOptions {
  /** The largest number of connections. Default: 10. */
  readonly connections?: number
  /** The time limit of one request to the database in milliseconds, with the wait for a connection. Default: 900. */
  readonly timeout?: number
  /** Receives the failure of an idle connection. */
  readonly onIdleError?: (error: Error) => void
  readonly observer?: StoreObserver | undefined
}

/**
 * Opens `sqlite:PATH` (creates the file and its folder if they are missing), `sqlite::memory:` or `postgres://…`, and migrates its tables.
 * Throws `OpenError`. A database of another program is not changed.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  // Imports one driver only, because each delays the start.
  if (url.startsWith('sqlite:')) return (await import('./sqlite/open.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres/open.ts')).openPostgres(url, options)
}
