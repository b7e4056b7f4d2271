/** A connection whose failures somebody is told of. */
import type { Connection, Value } from './connection.ts'
import type { StoreWatch } from './openOptions.ts'
import { StoreUnavailable } from './storeUnavailable.ts'

/** The same connection; without a watch, itself. */
export function watched(connection: Connection, watch: StoreWatch | undefined): Connection {
  if (watch === undefined) return connection
  const failed = (error: unknown): never => {
    watch.failed(error instanceof StoreUnavailable ? 'unavailable' : 'error')
    throw error
  }
  /** What a statement gives, now or later. */
  const watching =
    <Values extends readonly unknown[], Result>(run: (...values: Values) => Result): ((...values: Values) => Result) =>
    (...values) => {
      try {
        const result = run(...values)
        return result instanceof Promise ? (result.catch(failed) as Result) : result // the same promise, which fails in the same way
      } catch (error) {
        return failed(error)
      }
    }
  return Object.freeze({
    query: <Row extends readonly Value[]>(sql: string) => {
      const { one, all } = connection.query<Row>(sql)
      return Object.freeze({ one: watching(one), all: watching(all) })
    },
    change: (sql) => watching(connection.change(sql)),
    adding: (sql) => watching(connection.adding(sql)),
    filling: (table, columns) => watching(connection.filling(table, columns)),
    ping: watching(connection.ping),
    close: connection.close,
  } satisfies Connection)
}
