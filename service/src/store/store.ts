/** The stored data: users, products, persons, colours, secrets and accounts, in SQLite or PostgreSQL. */

import type { StoreOptions } from './connection.ts'
import type { Store } from './tables.ts'

export type { Awaitable, StoreOptions } from './connection.ts'
export type { Batches, RowCheck } from './rows.ts'
export type { ColorField, Colors } from './tables/colors.ts'
export type { Account, Accounts, Store } from './tables.ts'

/**
 * Opens `sqlite:PATH` (creates the file and its folder if they are missing), `sqlite::memory:` or `postgres://…`, and migrates its tables.
 * Throws `OpenError`. A database of another program is not changed.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  // Imports one driver only, because each delays the start.
  if (url.startsWith('sqlite:')) return (await import('./sqlite/open.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres/open.ts')).openPostgres(url, options)
}
