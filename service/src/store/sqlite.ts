/** The store in SQLite, for one machine: opened and brought up to date here. */

import { resolve } from 'node:path'
import { CannotOpen } from './cannotOpen.ts'
import type { OpenOptions } from './openOptions.ts'
import { openWait, persistently } from './persistently.ts'
import { sqliteConnection } from './sqlite/connection.ts'
import { closeToOthers, inspect, noFile, presence } from './sqlite/file.ts'
import { migrate, version } from './sqlite/migrate.ts'
import { type Database, DatabaseSync } from './sqlite/module.ts'
import { resultOf } from './sqlite/resultCode.ts'
import type { Store } from './store.ts'
import { tables } from './tables.ts'
import { watched } from './watched.ts'

/** How long one statement waits for a lock, in milliseconds. The event loop waits with it, so it is short. */
const lockWait = 50

const inMemory = ':memory:'

/** Why a database did not open, by SQLite's result or the file system's code. */
function reason(error: unknown): string {
  switch (resultOf(error) ?? (error instanceof Error && 'code' in error ? error.code : '')) {
    case 'NOTADB':
      return 'it is not an SQLite database; it was left as it is'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'READONLY':
      return 'it, or its folder, cannot be written'
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return 'its folder cannot be made'
    case 'ENOSPC':
    case 'FULL':
      return 'the disk is full'
    case 'BUSY':
      return `another process has kept it locked for ${openWait / 1000} seconds`
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

/** Processes that start at the same moment get in each other's way, and only for a moment. */
const unlocked = <Result>(action: () => Result): Promise<Awaited<Result>> =>
  persistently(action, (error) => ['BUSY', 'PROTOCOL'].includes(resultOf(error) ?? ''), 10)

/** Whether the file has a write-ahead log; one in memory never has. */
const isLogged = (database: Database): boolean =>
  (database.prepare('PRAGMA journal_mode').get() as { readonly journal_mode: string }).journal_mode === 'wal'

async function ready(database: Database, path: string): Promise<void> {
  // Only reading, before anything is written: a file that is not ours stays as it is.
  await unlocked(() => version(database))
  if (path !== inMemory) closeToOthers(path)
  await unlocked(() => isLogged(database) || database.exec('PRAGMA journal_mode = WAL'))
  // An answer says that a change is kept: each waits for the disk. A cache of 16 MB holds what is read most.
  database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
  await unlocked(() => migrate(database))
}

/** Opens the database file at `path`, or one in memory for `:memory:`. Throws `CannotOpen`. */
export async function openSqlite(path: string, { watch }: OpenOptions = {}): Promise<Store> {
  let database: Database | undefined
  try {
    if (path === '') throw new CannotOpen('its path is missing')
    if (path !== inMemory) inspect(path)
    // An absolute path is never read as a URL.
    database = new DatabaseSync(path === inMemory ? path : resolve(path), { timeout: lockWait })
    await ready(database, path)
    return tables(watched(sqliteConnection(database, path === inMemory ? noFile : presence(path)), watch))
  } catch (error) {
    database?.close()
    throw new CannotOpen(`Cannot open the database ${path}: ${error instanceof CannotOpen ? error.message : reason(error)}.`, {
      cause: error,
    })
  }
}
