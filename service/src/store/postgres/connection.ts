/** The connection to a PostgreSQL database: a pool, prepared statements, and a time limit for every request. */

import { createHash } from 'node:crypto'
import type { Pool, PoolClient, QueryConfig } from 'pg'
import type { Connection, Query, SqlValue } from '../connection.ts'
import { StoreUnavailable } from '../errors.ts'
import { isReusable, postgresStoreError, unreachable } from './errors.ts'

/** A statement that the server prepares once per connection. */
interface NamedStatement {
  readonly name: string
  readonly text: string
}

interface QueryResult {
  readonly rows: readonly (readonly SqlValue[])[]
  /** The number of rows that were read or changed. */
  readonly rowCount: number | null
}

/** Replaces `?` by `$1`, `$2` …. The name depends on the text alone, so that builds can share connections. */
function nameStatement(sql: string): NamedStatement {
  let place = 0
  const text = sql.replaceAll('?', () => {
    place += 1
    return `$${place}`
  })
  return { name: createHash('sha256').update(text).digest('hex').slice(0, 16), text }
}

/** `timeout`, in milliseconds, limits each request: the wait for a connection and the answer together. */
export function postgresConnection(pool: Pool, timeout: number): Connection {
  let closed: Promise<void> | undefined

  async function send(
    client: PoolClient,
    { name, text }: NamedStatement,
    values: readonly SqlValue[],
    start: number,
  ): Promise<QueryResult> {
    // The types of the driver lack its option for the time limit of one query.
    const limit: { readonly query_timeout: number } = { query_timeout: Math.max(1, timeout - (performance.now() - start)) }
    const query: QueryConfig & { readonly rowMode: 'array' } = { name, text, values: [...values], rowMode: 'array', ...limit }
    return client.query<SqlValue[]>(query)
  }

  async function run(statement: NamedStatement, values: readonly SqlValue[]): Promise<QueryResult> {
    if (closed) throw new StoreUnavailable('The database is closed.', 1)
    const start = performance.now()
    const client = await pool.connect().catch((error) => {
      throw unreachable(error)
    })
    try {
      const result = await send(client, statement, values, start)
      client.release()
      return result
    } catch (error) {
      // Never retries: a write may have been done before its answer was lost.
      client.release(!isReusable(error))
      throw postgresStoreError(error)
    }
  }

  const readRows = async <Row>(statement: NamedStatement, values: readonly SqlValue[]): Promise<readonly Row[]> =>
    (await run(statement, values)).rows as readonly Row[] // as the statement says
  // The service cannot use a read-only replica.
  const probe = nameStatement("SELECT current_setting('transaction_read_only') FROM counts LIMIT 1")

  return {
    query: <Row extends readonly SqlValue[]>(sql: string) => {
      const statement = nameStatement(sql)
      return {
        one: async (...values) => (await readRows<Row>(statement, values))[0],
        all: (...values) => readRows<Row>(statement, values),
      } satisfies Query<Row>
    },
    change: (sql) => {
      const statement = nameStatement(sql)
      return async (...values) => ((await run(statement, values)).rowCount ?? 0) > 0
    },
    insert: (sql) => {
      const statement = nameStatement(`${sql} RETURNING id`)
      return async (...values) => Number((await readRows<readonly [id: SqlValue]>(statement, values))[0]?.[0])
    },
    insertMany: (table, columns) => {
      const names = columns.join(', ')
      // One statement inserts all or nothing, and the table defines the types of the columns.
      const statement = nameStatement(
        `INSERT INTO ${table} (${names}) SELECT ${names} FROM json_populate_recordset(NULL::${table}, ?) ON CONFLICT DO NOTHING`,
      )
      return async (rows) => {
        const records = rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
        return (await run(statement, [JSON.stringify(records)])).rowCount ?? 0
      }
    },
    ping: async () => {
      const [row] = await readRows<readonly [readOnly: string]>(probe, [])
      if (row?.[0] !== 'off') throw new StoreUnavailable('The database takes no writes just now.', 5)
    },
    close: () => {
      closed ??= pool.end()
      return closed
    },
  }
}
