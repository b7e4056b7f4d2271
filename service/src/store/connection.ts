/** The interface of a database to the tables: prepared statements. */

import { StoreUnavailable } from './errors.ts'

/** A value, or a promise of it. SQLite answers at once, PostgreSQL answers later. */
export type Awaitable<Value> = Value | Promise<Value>

/** Applies `map` at once to a value, later to a promise. */
export const mapAwaitable = <Value, Result>(value: Awaitable<Value>, map: (value: Value) => Result): Awaitable<Result> =>
  value instanceof Promise ? value.then(map) : map(value)

export type SqlValue = string | number | null

/** A statement that reads. Rows are arrays of their columns. */
export interface Query<Row> {
  readonly one: (...values: readonly SqlValue[]) => Awaitable<Row | undefined>
  readonly all: (...values: readonly SqlValue[]) => Awaitable<readonly Row[]>
}

/**
 * A database. Statements use the SQL that all databases share, with `?` for each value. Text compares by code point. Writes are committed
 * when they return. Every method throws `StoreUnavailable` while the database cannot serve.
 */
export interface Connection {
  readonly query: <Row extends readonly SqlValue[]>(sql: string) => Query<Row>
  /** Prepares a statement that writes. The result says whether it changed a row. */
  readonly change: (sql: string) => (...values: readonly SqlValue[]) => Awaitable<boolean>
  /** Prepares a statement that inserts one row. The result is its new `id`. */
  readonly insert: (sql: string) => (...values: readonly SqlValue[]) => Awaitable<number>
  /** Prepares an insertion of many rows, all or none. Rows with an existing key are skipped. The result is the number of inserted rows. */
  readonly insertMany: (table: string, columns: readonly string[]) => (rows: readonly (readonly SqlValue[])[]) => Awaitable<number>
  /** Returns if the database can be read and written. */
  readonly ping: () => Awaitable<void>
  readonly close: () => Awaitable<void>
}

/** The state of a connection pool. */
export interface PoolState {
  readonly idle: number
  readonly busy: number
  /** Requests that wait for a connection. */
  readonly waiting: number
}

/** Receives the failures and the pool of a database. */
export interface StoreObserver {
  /** Called for every failed statement. `unavailable`: the database could not serve. `error`: the statement was wrong. */
  readonly onError: (kind: 'unavailable' | 'error') => void
  /** Receives a function that returns the state of the pool, if there is one. */
  readonly onPool: (state: () => PoolState) => void
}

/** Options for a database across a network. SQLite uses `observer` alone. */
export interface StoreOptions {
  /** The largest number of connections. Default: 10. */
  readonly connections?: number
  /** The time limit of one request to the database in milliseconds, with the wait for a connection. Default: 900. */
  readonly timeout?: number
  /** Receives the failure of an idle connection. */
  readonly onIdleError?: (error: Error) => void
  readonly observer?: StoreObserver | undefined
}

/** Reports each failure of the connection to the observer. */
export function observeFailures(connection: Connection, observer: StoreObserver | undefined): Connection {
  if (observer === undefined) return connection
  const fail = (error: unknown): never => {
    observer.onError(error instanceof StoreUnavailable ? 'unavailable' : 'error')
    throw error
  }
  const observe =
    <Values extends readonly unknown[], Result>(run: (...values: Values) => Result): ((...values: Values) => Result) =>
    (...values) => {
      try {
        const result = run(...values)
        return result instanceof Promise ? (result.catch(fail) as Result) : result // a promise of the same type
      } catch (error) {
        return fail(error)
      }
    }
  return {
    query: (sql) => {
      const { one, all } = connection.query<never>(sql)
      return { one: observe(one), all: observe(all) }
    },
    change: (sql) => observe(connection.change(sql)),
    insert: (sql) => observe(connection.insert(sql)),
    insertMany: (table, columns) => observe(connection.insertMany(table, columns)),
    ping: observe(connection.ping),
    close: connection.close,
  }
}
