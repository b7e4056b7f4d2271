/** One connection to a SQLite database: compiled statements, and the one place where SQLite's failures become `StoreUnavailable`. */

import Database from 'better-sqlite3'
import { StoreUnavailable } from '../storeUnavailable.ts'
import type { Presence } from './file.ts'

type Value = string | number | null

/** A compiled statement that reads. */
export interface Query<Row> {
  readonly one: (...values: Value[]) => Row | undefined
  readonly all: (...values: Value[]) => Row[]
}

/** A compiled statement that writes one row; `id` is that of the row last added. Committed and on the disk when it returns. */
export type Change = (...values: Value[]) => { readonly changed: boolean; readonly id: number }

export interface Connection {
  /** Rows as objects, members named and ordered as the columns. */
  readonly query: <Row extends object>(sql: string) => Query<Row>
  /** Rows as arrays of their columns: for rows that are taken apart anyway. */
  readonly columns: <Row extends readonly Value[]>(sql: string) => Query<Row>
  readonly change: (sql: string) => Change
  /** Returns when the database can be read and written. */
  readonly ping: () => void
  readonly close: () => void
}

/** SQLite's result codes (https://www.sqlite.org/rescode.html) for what may pass, and in how many seconds it is worth trying again. */
const passing: readonly (readonly [code: string, retryAfter: number, sentence: string])[] = [
  ['SQLITE_BUSY', 1, 'The database is locked by another process.'],
  ['SQLITE_LOCKED', 1, 'The database is locked by another process.'],
  ['SQLITE_PROTOCOL', 1, 'The database is locked by another process.'],
  ['SQLITE_FULL', 10, 'The disk that holds the database is full.'],
  ['SQLITE_READONLY', 60, 'The database cannot be written.'],
  ['SQLITE_IOERR', 10, 'The disk that holds the database fails.'],
  ['SQLITE_CANTOPEN', 10, 'The database file cannot be opened.'],
  ['SQLITE_NOMEM', 10, 'There is no memory left for the database.'],
]

/** What SQLite threw, as the store's own failure where it may pass; a defect (a broken rule, a damaged file) stays what it is. */
function unavailable(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError)) return error
  const { code, message } = error
  const found = passing.find(([prefix]) => code === prefix || code.startsWith(`${prefix}_`))
  return found ? new StoreUnavailable(`${found[2]} (${code}: ${message})`, found[1], { cause: error }) : error
}

export function connection(database: Database.Database, file: Presence): Connection {
  function guarded<Result>(action: () => Result): Result {
    // Whoever still asks while the service stops is to come back when it has started again.
    if (!database.open) throw new StoreUnavailable('The database is closed.', 1)
    try {
      return action()
    } catch (error) {
      throw unavailable(error)
    }
  }

  const query = <Row>(statement: Database.Statement<Value[], Row>): Query<Row> =>
    Object.freeze({
      one: (...values) => guarded(() => statement.get(...values)),
      all: (...values) => guarded(() => statement.all(...values)),
    } satisfies Query<Row>)
  const anything = database.prepare('SELECT 1 FROM counts LIMIT 1')

  return Object.freeze({
    query: (sql) => query(database.prepare(sql)),
    columns: (sql) => query(database.prepare<Value[], never>(sql).raw()),
    change: (sql) => {
      const statement = database.prepare<Value[]>(sql)
      return (...values) =>
        guarded(() => {
          file.present()
          const { changes, lastInsertRowid } = statement.run(...values)
          return { changed: changes > 0, id: Number(lastInsertRowid) }
        })
    },
    ping: () =>
      guarded(() => {
        file.present()
        file.writable()
        anything.get()
      }),
    close: () => void database.close(),
  } satisfies Connection)
}
