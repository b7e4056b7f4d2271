/** The connection to a SQLite database: compiled statements, and the one place where SQLite's failures become `StoreUnavailable`. */

import type { Connection, Query, Value } from '../connection.ts'
import { StoreUnavailable } from '../storeUnavailable.ts'
import type { Presence } from './file.ts'
import type { Database } from './module.ts'
import { type ResultName, resultOf } from './resultCode.ts'
import { inTransaction } from './transaction.ts'

/** What may pass, and in how many seconds it is worth trying again. */
const passing: Readonly<Partial<Record<ResultName, readonly [retryAfter: number, sentence: string]>>> = {
  BUSY: [1, 'The database is locked by another process.'],
  LOCKED: [1, 'The database is locked by another process.'],
  PROTOCOL: [1, 'The database is locked by another process.'],
  FULL: [10, 'The disk that holds the database is full.'],
  READONLY: [60, 'The database cannot be written.'],
  IOERR: [10, 'The disk that holds the database fails.'],
  CANTOPEN: [10, 'The database file cannot be opened.'],
  NOMEM: [10, 'There is no memory left for the database.'],
}

/** What SQLite threw, as the store's own failure where it may pass; a defect (a broken rule, a damaged file) stays what it is. */
function unavailable(error: unknown): unknown {
  const result = resultOf(error)
  const found = result && passing[result]
  return found ? new StoreUnavailable(`${found[1]} (SQLITE_${result}: ${(error as Error).message})`, found[0], { cause: error }) : error
}

/** Some of the modules end a text at its first NUL, and would so find, or keep, another one. */
function mustBeWhole(values: readonly Value[]): void {
  for (const value of values) {
    if (typeof value === 'string' && value.includes('\0'))
      throw new TypeError('A text for the database holds NUL: expected it to be refused before.')
  }
}

/** A number that SQLite has given. Throws a RangeError for one that a number cannot hold. */
function exact(integer: number | bigint): number {
  const number = Number(integer)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError(`SQLite has given the integer ${integer}: expected one within ±(2^53 - 1).`)
}

/** The connection to a database that is open; `file` watches over its file. */
export function sqliteConnection(database: Database, file: Presence): Connection {
  function guarded<Result>(action: () => Result): Result {
    // Whoever still asks while the service stops is to come back when it has started again.
    if (!database.isOpen) throw new StoreUnavailable('The database is closed.', 1)
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
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return Object.freeze({
        one: (...values) =>
          guarded(() => {
            mustBeWhole(values)
            return statement.get(...values) as Row | undefined // as the statement says
          }),
        all: (...values) =>
          guarded(() => {
            mustBeWhole(values)
            return statement.all(...values) as Row[]
          }),
      } satisfies Query<Row>)
    },
    change: (sql) => {
      const statement = database.prepare(sql)
      return (...values) =>
        writing(() => {
          mustBeWhole(values)
          return statement.run(...values).changes > 0
        })
    },
    adding: (sql) => {
      const statement = database.prepare(sql)
      return (...values) =>
        writing(() => {
          mustBeWhole(values)
          return exact(statement.run(...values).lastInsertRowid)
        })
    },
    filling: (table, columns) => {
      const places = columns.map(() => '?').join(', ')
      const statement = database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`)
      const fill = (rows: readonly (readonly Value[])[]): number =>
        rows.reduce((added, row) => {
          mustBeWhole(row)
          return added + Number(statement.run(...row).changes)
        }, 0)
      return (rows) => writing(() => inTransaction(database, 'IMMEDIATE', () => fill(rows)))
    },
    ping: () =>
      guarded(() => {
        file.present()
        file.writable()
        anything.get()
      }),
    close: () => {
      if (database.isOpen) database.close()
    },
  } satisfies Connection)
}
