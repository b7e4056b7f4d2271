/** The connection to a SQLite database: compiled statements, and the one place where SQLite's failures become `StoreUnavailable`. */

import Database from 'better-sqlite3'
import type { Connection, Query, Value } from '../connection.ts'
import { StoreUnavailable } from '../storeUnavailable.ts'
import type { Presence } from './file.ts'

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

/** The connection to a database that is open; `file` watches over its file. */
export function sqliteConnection(database: Database.Database, file: Presence): Connection {
  function guarded<Result>(action: () => Result): Result {
    // Whoever still asks while the service stops is to come back when it has started again.
    if (!database.open) throw new StoreUnavailable('The database is closed.', 1)
    try {
      return action()
    } catch (error) {
      throw unavailable(error)
    }
  }
  const writing = <Result>(action: () => Result): Result =>
    guarded(() => {
      file.present()
      return action()
    })
  const anything = database.prepare('SELECT 1 FROM counts LIMIT 1')

  return Object.freeze({
    query: <Row extends readonly Value[]>(sql: string) => {
      const statement = database.prepare<Value[], Row>(sql).raw() as unknown as Database.Statement<Value[], Row> // raw() forgets the row
      return Object.freeze({
        one: (...values) => guarded(() => statement.get(...values)),
        all: (...values) => guarded(() => statement.all(...values)),
      } satisfies Query<Row>)
    },
    change: (sql) => {
      const statement = database.prepare<Value[]>(sql)
      return (...values) => writing(() => statement.run(...values).changes > 0)
    },
    adding: (sql) => {
      const statement = database.prepare<Value[]>(sql)
      return (...values) => writing(() => Number(statement.run(...values).lastInsertRowid))
    },
    filling: (table, columns) => {
      const places = columns.map(() => '?').join(', ')
      const statement = database.prepare<Value[]>(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`)
      const fill = database.transaction((rows: readonly (readonly Value[])[]) =>
        rows.reduce((added, row) => added + statement.run(...row).changes, 0),
      )
      return (rows) => writing(() => fill.immediate(rows))
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
