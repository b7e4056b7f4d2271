/** The driver of SQLite, for one machine. */
import { resolve } from 'node:path'
import type { Driver, SqlRow } from './connection.ts'
import { OpenError, StoreUnavailable } from './errors.ts'
import { migrate } from './migrations.ts'
import { guardFile, noFile, prepareFile, restrictAccess } from './sqlite/file.ts'
import { type Database, DatabaseSync } from './sqlite/module.ts'

/** How long a statement waits for a lock, in milliseconds. The event loop waits with it, so it is short. */
const lockTimeout = 50

const inMemory = ':memory:'

/** Marks a SQLite file as a database of this service: the letters LAPI. */
const applicationId = 0x4c415049

const locked = 'The database is locked by another process.'

/**
 * The transient failures by SQLite's own message, because the package throws some errors without a result code
 * (https://www.sqlite.org/rescode.html): the name of the code, the seconds until the next attempt is worth making, and a sentence.
 */
const transientFailures = new Map<string, readonly [code: string, retryAfter: number, sentence: string]>([
  ['database is locked', ['BUSY', 1, locked]],
  ['database table is locked', ['LOCKED', 1, locked]],
  ['locking protocol', ['PROTOCOL', 1, locked]],
  ['database or disk is full', ['FULL', 10, 'The disk that holds the database is full.']],
  ['attempt to write a readonly database', ['READONLY', 60, 'The database cannot be written.']],
  ['disk I/O error', ['IOERR', 10, 'The disk that holds the database fails.']],
  ['unable to open database file', ['CANTOPEN', 10, 'The database file cannot be opened.']],
  ['out of memory', ['NOMEM', 10, 'There is no memory left for the database.']],
])

export function sqliteStoreError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return error
  const [code, retryAfter, sentence] = transientFailures.get(error.message) ?? []
  if (retryAfter === undefined) return error
  return new StoreUnavailable(`${sentence} (SQLITE_${code}: ${error.message})`, retryAfter, { cause: error })
}

/** By the code and the message of an error of the file system or of SQLite. */
const openReasons: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/ file is not a database$/, 'it is not an SQLite database; it was left as it is'],
  [/^(EACCES|EPERM|EROFS) | attempt to write a readonly database$/, 'it, or its folder, cannot be written'],
  [/^(ENOENT|ENOTDIR|EEXIST) /, 'its folder cannot be made'],
  [/^ENOSPC | database or disk is full$/, 'the disk is full'],
  [/ database is locked$/, 'another process has kept it locked for 5 seconds'],
]

/** The reason why a database did not open, as the end of the sentence "Cannot open the database X: …". */
function sqliteOpenReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const text = `${(error as NodeJS.ErrnoException).code} ${error.message}`
  return openReasons.find(([pattern]) => pattern.test(text))?.[1] ?? error.message
}

function readRow(database: Database, sql: string): SqlRow {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return statement.get() as SqlRow // as `setReturnArrays` says
}

/** The version of the tables, 0 for an empty database. Throws `OpenError` for a database of another program. */
function sqliteVersion(database: Database): number {
  // One statement sees the first migration of another process whole or not at all.
  const [tables, owner] = readRow(
    database,
    "SELECT (SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'), (SELECT application_id FROM pragma_application_id)",
  )
  if (tables === 0 && owner === 0) return 0
  if (owner !== applicationId) throw new OpenError('it belongs to another program; it was left as it is')
  return Number(readRow(database, 'SELECT coalesce(max(version), 0) FROM migrations')[0])
}

async function prepareSqlite(database: Database, path: string): Promise<void> {
  // Reads before anything is written, so that a file of another program stays as it is.
  sqliteVersion(database)
  if (path !== inMemory) restrictAccess(path)
  // A response promises that the change is stored: each commit waits for the disk. The cache of 16 MB holds the most used pages.
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -16000; PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF`)
  await migrate({
    kind: 'sqlite',
    run: (sql) => database.exec(sql),
    lock: () => database.exec('BEGIN IMMEDIATE'),
    version: () => sqliteVersion(database),
  })
}

/** Opens the database file at `path`, or a database in memory for `:memory:`. */
async function openSqlite(path: string): Promise<Driver> {
  if (path === '') throw new OpenError('its path is missing')
  if (path !== inMemory) prepareFile(path)
  // An absolute path is never read as a URL.
  const database = new DatabaseSync(path === inMemory ? path : resolve(path), { timeout: lockTimeout })
  try {
    await prepareSqlite(database, path)
  } catch (error) {
    database.close()
    throw error
  }
  const file = path === inMemory ? noFile : guardFile(path)
  return {
    jsonItems: 'json_each',
    prepare: (sql, isWrite) => {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return (values) => {
        if (isWrite) file.checkPresent()
        return statement.all(...values) as SqlRow[] // as `setReturnArrays` says
      }
    },
    ping: () => {
      file.checkPresent()
      file.checkWritable()
      readRow(database, 'SELECT 1 FROM counts LIMIT 1')
    },
    close: () => database.close(),
    toStoreError: sqliteStoreError,
  }
}

export const sqlite = Object.freeze({ open: openSqlite, toStoreError: sqliteStoreError, openReason: sqliteOpenReason })
