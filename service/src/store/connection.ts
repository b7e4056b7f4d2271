/** The interface of a database to the tables, and what a driver implements for it. */
import { StoreUnavailable } from './errors.ts'

/** A value, or a promise of it. SQLite answers at once, PostgreSQL answers later. */
export type Awaitable<Value> = Value | Promise<Value>

/** Applies `map` at once to a value, later to a promise. */
export const mapAwaitable = <Value, Result>(value: Awaitable<Value>, map: (value: Value) => Result): Awaitable<Result> =>
  value instanceof Promise ? value.then(map) : map(value)

export type SqlValue = string | number | null

/** A row is an array of its columns. */
export type SqlRow = readonly SqlValue[]

/** Runs a statement with a value for each `?`. The result is what the statement selects or returns. */
type RunStatement = <Row extends SqlRow>(sql: string, values?: readonly SqlValue[]) => Awaitable<readonly Row[]>

/**
 * A database. Statements use the SQL that all databases share; each text is prepared once. Text compares by code point. Writes are committed
 * when they return. Every method but `close` throws `StoreUnavailable` while the database cannot serve.
 */
export interface Connection {
  readonly read: RunStatement
  readonly write: RunStatement
  /** The function of this database that makes a row with the column `value` of each item of a JSON array. */
  readonly jsonItems: string
  /** Returns if the database can be read and written. */
  readonly ping: () => Awaitable<void>
  readonly close: () => Awaitable<void>
}

/** What the module of one database implements. */
export interface Driver extends Pick<Connection, 'jsonItems' | 'ping' | 'close'> {
  readonly prepare: (sql: string, isWrite: boolean) => (values: readonly SqlValue[]) => Awaitable<readonly SqlRow[]>
  /** `StoreUnavailable` for a transient failure. A defect, such as wrong SQL or a violated constraint, stays as it is. */
  readonly toStoreError: (error: unknown) => unknown
}

/** Receives the failures and the pool of a database. */
export interface StoreObserver {
  /** Called for every failed statement. `unavailable`: the database could not serve. `error`: the statement was wrong. */
  readonly onError: (kind: 'unavailable' | 'error') => void
  /** Receives a function that counts the connections of the pool, if there is one, and the requests that wait for a connection. */
  readonly onPool: (state: () => { readonly idle: number; readonly busy: number; readonly waiting: number }) => void
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

/** Throws a TypeError for text with NUL: SQLite may end it there, PostgreSQL refuses it. */
export function checkNul(values: readonly SqlValue[]): void {
  for (const value of values) {
    if (typeof value === 'string' && value.includes('\0'))
      throw new TypeError('A text for the database holds NUL: expected it to be refused before.')
  }
}

/** Adds to a driver what all databases have in common: prepared statements by their text, observed failures, and one end. */
export function connect(driver: Driver, observer: StoreObserver | undefined): Connection {
  const statements = new Map<string, ReturnType<Driver['prepare']>>()
  let closing: { readonly end: Awaitable<void> } | undefined

  const fail = (error: unknown): never => {
    const failure = error instanceof StoreUnavailable ? error : driver.toStoreError(error)
    observer?.onError(failure instanceof StoreUnavailable ? 'unavailable' : 'error')
    throw failure
  }
  function attempt<Result>(action: () => Awaitable<Result>): Awaitable<Result> {
    try {
      // The service is stopping. The client can try again once it has restarted.
      if (closing) throw new StoreUnavailable('The database is closed.', 1)
      const result = action()
      return result instanceof Promise ? result.catch(fail) : result
    } catch (error) {
      return fail(error)
    }
  }
  const run = (isWrite: boolean, sql: string, values: readonly SqlValue[] = []) =>
    attempt(() => {
      checkNul(values)
      let statement = statements.get(sql)
      if (statement === undefined) {
        statement = driver.prepare(sql, isWrite)
        statements.set(sql, statement)
      }
      return statement(values)
    })

  return {
    read: ((sql, values) => run(false, sql, values)) as RunStatement, // the rows are those of the statement
    write: ((sql, values) => run(true, sql, values)) as RunStatement,
    jsonItems: driver.jsonItems,
    ping: () => attempt(driver.ping),
    close: () => {
      closing ??= { end: driver.close() }
      return closing.end
    },
  }
}
