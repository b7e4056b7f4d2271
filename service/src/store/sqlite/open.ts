/** Opens the store in SQLite, for one machine. */

import { resolve } from 'node:path'
import { observeFailures, type StoreOptions } from '../connection.ts'
import { OpenError, openTimeout, retryOpen } from '../errors.ts'
import { createStore, type Store } from '../tables.ts'
import { sqliteConnection } from './connection.ts'
import { resultOf } from './errors.ts'
import { guardFile, noFile, prepareFile, restrictAccess } from './file.ts'
import { migrateSqlite, sqliteVersion } from './migrate.ts'
import { type Database, DatabaseSync } from './module.ts'

/** How long a statement waits for a lock, in milliseconds. The event loop waits with it, so it is short. */
const lockTimeout = 50

const inMemory = ':memory:'

/** The reason why a database did not open, from SQLite's result or the code of the file system. */
function openReason(error: unknown): string {
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
      return `another process has kept it locked for ${openTimeout / 1000} seconds`
    default:
      return error instanceof Error ? error.message : String(error)
  }
}

/** Processes that start together lock the database for each other, but only briefly. */
const retryLocked = <Result>(action: () => Result): Promise<Awaited<Result>> =>
  retryOpen(action, (error) => ['BUSY', 'PROTOCOL'].includes(resultOf(error) ?? ''), 10)

/** Whether the file has a write-ahead log. A database in memory never has. */
const hasLog = (database: Database): boolean =>
  (database.prepare('PRAGMA journal_mode').get() as { readonly journal_mode: string }).journal_mode === 'wal'

async function setUp(database: Database, path: string): Promise<void> {
  // Reads before anything is written, so that a file of another program stays as it is.
  await retryLocked(() => sqliteVersion(database))
  if (path !== inMemory) restrictAccess(path)
  await retryLocked(() => hasLog(database) || database.exec('PRAGMA journal_mode = WAL'))
  // A response promises that the change is stored: each commit waits for the disk. The cache of 16 MB holds the most used pages.
  database.exec('PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF')
  await retryLocked(() => migrateSqlite(database))
}

/** Opens the database file at `path`, or a database in memory for `:memory:`. Throws `OpenError`. */
export async function openSqlite(path: string, { observer }: StoreOptions): Promise<Store> {
  let database: Database | undefined
  try {
    if (path === '') throw new OpenError('its path is missing')
    if (path !== inMemory) prepareFile(path)
    // An absolute path is never read as a URL.
    database = new DatabaseSync(path === inMemory ? path : resolve(path), { timeout: lockTimeout })
    await setUp(database, path)
    return createStore(observeFailures(sqliteConnection(database, path === inMemory ? noFile : guardFile(path)), observer))
  } catch (error) {
    database?.close()
    throw new OpenError(`Cannot open the database ${path}: ${error instanceof OpenError ? error.message : openReason(error)}.`, {
      cause: error,
    })
  }
}
