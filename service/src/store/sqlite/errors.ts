/** SQLite's errors, by their result codes (https://www.sqlite.org/rescode.html). */

import { StoreUnavailable } from '../errors.ts'

/** The result codes that the service distinguishes, with SQLite's own message. */
const results = {
  BUSY: [5, 'database is locked'],
  LOCKED: [6, 'database table is locked'],
  NOMEM: [7, 'out of memory'],
  READONLY: [8, 'attempt to write a readonly database'],
  IOERR: [10, 'disk I/O error'],
  FULL: [13, 'database or disk is full'],
  CANTOPEN: [14, 'unable to open database file'],
  PROTOCOL: [15, 'locking protocol'],
  NOTADB: [26, 'file is not a database'],
} as const

type ResultName = keyof typeof results

const entries = Object.entries(results) as readonly (readonly [ResultName, readonly [code: number, message: string]])[]
const namesByCode = new Map(entries.map(([name, [code]]) => [code, name]))
const namesByMessage = new Map(entries.map(([name, [, message]]) => [message, name]))

/** The name of the result code of an error. Undefined for other codes, and for errors of other origin. */
export function resultOf(error: unknown): ResultName | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return undefined
  // The lowest byte of the extended code is the primary one. In the package, `all` throws without a code.
  return 'errcode' in error && typeof error.errcode === 'number' ? namesByCode.get(error.errcode & 0xff) : namesByMessage.get(error.message)
}

/** The transient failures, with the seconds until the next attempt is worth making. */
const transientResults: Readonly<Partial<Record<ResultName, readonly [retryAfter: number, message: string]>>> = {
  BUSY: [1, 'The database is locked by another process.'],
  LOCKED: [1, 'The database is locked by another process.'],
  PROTOCOL: [1, 'The database is locked by another process.'],
  FULL: [10, 'The disk that holds the database is full.'],
  READONLY: [60, 'The database cannot be written.'],
  IOERR: [10, 'The disk that holds the database fails.'],
  CANTOPEN: [10, 'The database file cannot be opened.'],
  NOMEM: [10, 'There is no memory left for the database.'],
}

/** `StoreUnavailable` for a transient failure. A defect, such as a violated constraint or a damaged file, stays as it is. */
export function sqliteStoreError(error: unknown): unknown {
  const result = resultOf(error)
  const found = result && transientResults[result]
  return found ? new StoreUnavailable(`${found[1]} (SQLITE_${result}: ${(error as Error).message})`, found[0], { cause: error }) : error
}
