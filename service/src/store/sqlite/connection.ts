/** The connection to a SQLite database. */

import type { Connection, Query, SqlValue } from '../connection.ts'
import { StoreUnavailable } from '../errors.ts'
import { sqliteStoreError } from './errors.ts'
import type { FileGuard } from './file.ts'
import { type Database, inTransaction, type Statement } from './module.ts'

/** Refuses NUL in text, because some of the modules end the text there. */
function checkNul(values: readonly SqlValue[]): readonly SqlValue[] {
  for (const value of values) {
    if (typeof value === 'string' && value.includes('\0'))
      throw new TypeError('A text for the database holds NUL: expected it to be refused before.')
  }
  return values
}

/** Throws a RangeError for an integer of SQLite that a number cannot represent. */
function exactNumber(integer: number | bigint): number {
  const number = Number(integer)
  if (Number.isSafeInteger(number)) return number
  throw new RangeError(`SQLite has given the integer ${integer}: expected one within ±(2^53 - 1).`)
}

/** The connection to an open database. `file` notices that its file is gone. */
export function sqliteConnection(database: Database, file: FileGuard): Connection {
  function attempt<Result>(action: () => Result): Result {
    // The service is stopping. The client can try again once it has restarted.
    if (!database.isOpen) throw new StoreUnavailable('The database is closed.', 1)
    try {
      return action()
    } catch (error) {
      throw sqliteStoreError(error)
    }
  }
  const attemptWrite = <Result>(action: () => Result): Result =>
    attempt(() => {
      file.checkPresent()
      return action()
    })
  /** Prepares a statement that writes, as a function of its values. */
  const prepareWrite = (sql: string): ((values: readonly SqlValue[]) => ReturnType<Statement['run']>) => {
    const statement = database.prepare(sql)
    return (values) => statement.run(...checkNul(values))
  }
  const probe = database.prepare('SELECT 1 FROM counts LIMIT 1')

  return {
    query: <Row extends readonly SqlValue[]>(sql: string) => {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      return {
        one: (...values) => attempt(() => statement.get(...checkNul(values)) as Row | undefined), // as the statement says
        all: (...values) => attempt(() => statement.all(...checkNul(values)) as Row[]),
      } satisfies Query<Row>
    },
    change: (sql) => {
      const run = prepareWrite(sql)
      return (...values) => attemptWrite(() => run(values).changes > 0)
    },
    insert: (sql) => {
      const run = prepareWrite(sql)
      return (...values) => attemptWrite(() => exactNumber(run(values).lastInsertRowid))
    },
    insertMany: (table, columns) => {
      const places = columns.map(() => '?').join(', ')
      const run = prepareWrite(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${places}) ON CONFLICT DO NOTHING`)
      const insertAll = (rows: readonly (readonly SqlValue[])[]): number =>
        rows.reduce((inserted, row) => inserted + Number(run(row).changes), 0)
      return (rows) => attemptWrite(() => inTransaction(database, 'IMMEDIATE', () => insertAll(rows)))
    },
    ping: () =>
      attempt(() => {
        file.checkPresent()
        file.checkWritable()
        probe.get()
      }),
    close: () => {
      if (database.isOpen) database.close()
    },
  }
}
