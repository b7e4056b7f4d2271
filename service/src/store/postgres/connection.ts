/** The connections to a PostgreSQL database: a pool, named statements, and a bound on every wait. */

import { createHash } from 'node:crypto'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Connection, Query, Value } from '../connection.ts'
import { StoreUnavailable } from '../storeUnavailable.ts'
import { isUsable, unavailable, unreachable } from './unavailable.ts'

/** A statement that the server prepares once a connection. */
interface Statement {
  readonly name: string
  readonly text: string
}

/** What the server answered: rows as arrays, and how many were read or changed. */
interface Result {
  readonly rows: readonly (readonly Value[])[]
  readonly rowCount: number | null
}

/** `?` becomes `$1`, `$2` …; the name is that of this text alone, also where connections are shared with other builds. */
function statement(sql: string): Statement {
  let place = 0
  const text = sql.replaceAll('?', () => {
    place += 1
    return `$${place}`
  })
  return { name: createHash('sha256').update(text).digest('hex').slice(0, 16), text }
}

/** The `timeout`, in milliseconds, bounds each request: the wait for a connection and the answer together. */
export function postgresConnection(pool: Pool, timeout: number): Connection {
  let closed: Promise<void> | undefined

  async function ask(client: PoolClient, { name, text }: Statement, values: readonly Value[], begun: number): Promise<Result> {
    // The driver knows a time for each query, and its types do not.
    const left: { readonly query_timeout: number } = { query_timeout: Math.max(1, timeout - (performance.now() - begun)) }
    const query: QueryConfig & { readonly rowMode: 'array' } = { name, text, values: [...values], rowMode: 'array', ...left }
    return client.query<Value[]>(query)
  }

  async function run(what: Statement, values: readonly Value[]): Promise<Result> {
    if (closed) throw new StoreUnavailable('The database is closed.', 1)
    const begun = performance.now()
    const client = await pool.connect().catch((error) => {
      throw unreachable(error)
    })
    try {
      const result = await ask(client, what, values, begun)
      client.release()
      return result
    } catch (error) {
      // Nothing is tried again: a write may have been done before the answer was lost.
      client.release(!isUsable(error))
      throw unavailable(error)
    }
  }

  /** A statement and its rows; the statement says what they are. */
  const rowsOf = async <Row>(what: Statement, values: readonly Value[]): Promise<readonly Row[]> =>
    (await run(what, values)).rows as readonly Row[]
  // A replica that only reads is no place for a service that writes.
  const state = statement("SELECT current_setting('transaction_read_only') FROM counts LIMIT 1")

  return Object.freeze({
    query: <Row extends readonly Value[]>(sql: string) => {
      const what = statement(sql)
      return Object.freeze({
        one: async (...values) => (await rowsOf<Row>(what, values))[0],
        all: (...values) => rowsOf<Row>(what, values),
      } satisfies Query<Row>)
    },
    change: (sql) => {
      const what = statement(sql)
      return async (...values) => ((await run(what, values)).rowCount ?? 0) > 0
    },
    adding: (sql) => {
      const what = statement(`${sql} RETURNING id`)
      return async (...values) => Number((await rowsOf(what, values).then(([row]) => row as readonly Value[]))[0])
    },
    filling: (table, columns) => {
      const names = columns.join(', ')
      // One statement, so that it is done whole or not at all, and the table itself says what type each column has.
      const what = statement(
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?) ON CONFLICT DO NOTHING`,
      )
      return async (rows) => {
        const records = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
        return (await run(what, [JSON.stringify(records)])).rowCount ?? 0
      }
    },
    ping: async () => {
      const [row] = await rowsOf<readonly [readOnly: string]>(state, [])
      if (row?.[0] !== 'off') throw new StoreUnavailable('The database takes no writes just now.', 5)
    },
    close: () => {
      closed ??= pool.end()
      return closed
    },
  } satisfies Connection)
}
