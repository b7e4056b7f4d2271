/** The stored data: users, products, persons, colours, secrets and accounts, in SQLite or PostgreSQL. */

import { setTimeout } from 'node:timers/promises'
import { redactUrl } from '../redact.ts'
import { connect, type StoreOptions } from './connection.ts'
import { OpenError } from './errors.ts'
import { createStore, type Store } from './tables.ts'

export type { Awaitable, StoreOptions } from './connection.ts'
export type { Batches, RowCheck } from './rows.ts'
export type { ColorField, Colors } from './tables/colors.ts'
export type { Account, Accounts, Store } from './tables.ts'

/** How long opening a database may take, in milliseconds. */
const openTimeout = 5000
/** Between two attempts to open it, in milliseconds. */
const retryPause = 50

/**
 * Opens `sqlite:PATH` (creates the file and its folder if they are missing), `sqlite::memory:` or `postgres://…`, and migrates its tables.
 * Throws `OpenError`. A database of another program is not changed.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const isSqlite = url.startsWith('sqlite:')
  const place = isSqlite ? url.slice('sqlite:'.length) : url
  // Imports one driver only, because each delays the start.
  const { open, isTransient, openReason } = isSqlite ? (await import('./sqlite.ts')).sqlite : (await import('./postgres.ts')).postgres
  const deadline = Date.now() + openTimeout
  for (;;) {
    try {
      return createStore(connect(await open(place, options), options.observer))
    } catch (error) {
      if (isTransient(error) && Date.now() < deadline) await setTimeout(retryPause)
      else {
        const reason = error instanceof OpenError ? error.message : openReason(error)
        throw new OpenError(`Cannot open the database ${isSqlite ? place : redactUrl(url)}: ${reason}.`, { cause: error })
      }
    }
  }
}
