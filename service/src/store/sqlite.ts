/** The store in SQLite, for one machine: opened and brought up to date here. */

import Database from 'better-sqlite3'
import { CannotOpen } from './cannotOpen.ts'
import type { OpenOptions } from './openOptions.ts'
import { openWait, persistently } from './persistently.ts'
import { sqliteConnection } from './sqlite/connection.ts'
import { inspect, noFile, presence } from './sqlite/file.ts'
import { migrate, version } from './sqlite/migrate.ts'
import type { Store } from './store.ts'
import { tables } from './tables.ts'
import { watched } from './watched.ts'

/** How long one statement waits for a lock, in milliseconds. The event loop waits with it, so it is short. */
const lockWait = 50

const inMemory = ':memory:'

const code = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Why a database did not open, as the end of the sentence "Cannot open the database X: …". */
function reason(error: unknown): string {
  switch (code(error)) {
    case 'SQLITE_NOTADB':
      return 'it is not an SQLite database; it was left as it is'
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'SQLITE_READONLY':
    case 'SQLITE_READONLY_DIRECTORY':
      return 'it, or its folder, cannot be written'
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return 'its folder cannot be made'
    case 'ENOSPC':
    case 'SQLITE_FULL':
      return 'the disk is full'
    case 'SQLITE_BUSY':
      return `another process has kept it locked for ${openWait / 1000} seconds`
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

/** Processes that start at the same moment get in each other's way, and only for a moment. */
const unlocked = <Result>(action: () => Result): Promise<Awaited<Result>> =>
  persistently(action, (error) => /^SQLITE_(BUSY|PROTOCOL)/.test(code(error)), 10)

async function ready(database: Database.Database): Promise<void> {
  // Only reading, before anything is written: a file that is not ours stays as it is.
  await unlocked(() => version(database))
  await unlocked(() => database.pragma('journal_mode', { simple: true }) !== 'wal' && database.pragma('journal_mode = WAL'))
  database.pragma('synchronous = FULL')
  database.pragma('foreign_keys = ON')
  database.pragma('trusted_schema = OFF')
  await unlocked(() => migrate(database))
}

/** Opens the database file at `path`, or one in memory for `:memory:`. Throws `CannotOpen`. */
export async function openSqlite(path: string, { watch }: OpenOptions = {}): Promise<Store> {
  let database: Database.Database | undefined
  try {
    if (path === '') throw new CannotOpen('its path is missing')
    if (path !== inMemory) inspect(path)
    database = new Database(path, { timeout: lockWait })
    await ready(database)
    return tables(watched(sqliteConnection(database, path === inMemory ? noFile : presence(path)), watch))
  } catch (error) {
    database?.close()
    throw new CannotOpen(`Cannot open the database ${path}: ${error instanceof CannotOpen ? error.message : reason(error)}.`, {
      cause: error,
    })
  }
}
