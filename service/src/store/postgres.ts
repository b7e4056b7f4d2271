/** The driver of PostgreSQL, for one machine or more. */
import { createHash } from 'node:crypto'
import { Client, type ClientConfig, DatabaseError, Pool, type QueryConfig, TypeOverrides, types } from 'pg'
import type { Driver, SqlRow, SqlValue, StoreOptions } from './connection.ts'
import { OpenError, StoreUnavailable } from './errors.ts'
import { migrate } from './migrations.ts'

/** How long an attempt to open the database may take, in milliseconds. */
const connectTimeout = 5000
/** The maximum age of a connection in seconds. Replicas behind one name share the load again after one of them was away. */
const maxConnectionAge = 1800
/** The oldest supported server. It has `INCLUDE`, identities and generated columns. */
const oldestServer = 130_000
/** The key of the advisory lock of migrations: the letters LAPI. */
const lockKey = 0x4c415049
/** Days have the format 2024-02-29, independently of the settings of the database. */
const isoDates = '-c datestyle=ISO'

/** Integers are within ±(2^53 − 1), and a date is a day without a time zone. */
const columnTypes = new TypeOverrides()
columnTypes.setTypeParser(types.builtins.INT8, Number)
columnTypes.setTypeParser(types.builtins.DATE, String)

function connectionConfig(url: string): ClientConfig {
  // Options in the URL replace others, so these are added to them.
  const connectionString = url.replace(/([?&]options=)/, `$1${encodeURIComponent(`${isoDates} `)}`)
  return { connectionString, options: isoDates, types: columnTypes, application_name: 'lapidary', keepAlive: true }
}

/**
 * Transient classes and codes (https://www.postgresql.org/docs/current/errcodes-appendix.html), with the seconds until the next attempt.
 */
const transientCodes: readonly (readonly [code: string, retryAfter: number, message: string])[] = [
  ['08', 2, 'The connection to the database failed.'],
  ['25006', 5, 'The database takes no writes just now.'],
  ['40', 1, 'The database gave others the right of way.'],
  ['53', 5, 'The database has no room left.'],
  ['55P03', 1, 'The database is locked.'],
  ['57014', 1, 'The database took too long.'],
  ['57P', 2, 'The database is shutting down or starting.'],
  ['58', 10, 'The disk of the database fails.'],
]

/** A connection that failed or was lost. */
const unreachable = (error: Error): StoreUnavailable =>
  new StoreUnavailable(`The database cannot be reached. (${error.message})`, 2, { cause: error })

function postgresStoreError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const { code = '', message } = error
    const found = transientCodes.find(([prefix]) => code.startsWith(prefix))
    return found ? new StoreUnavailable(`${found[2]} (${code}: ${message})`, found[1], { cause: error }) : error
  }
  // An error without a code of the server concerns the connection: refused, reset, timed out, ended.
  return error instanceof Error && !(error instanceof TypeError || error instanceof RangeError) ? unreachable(error) : error
}

/** Whether the connection remains usable after this error: the server has answered and goes on. */
const isReusable = (error: unknown): boolean => error instanceof DatabaseError && error.severity === 'ERROR'

/** The reason why a database did not open, as the end of the sentence "Cannot open the database X: …". */
function postgresOpenReason(error: unknown): string {
  // A table exists already, or lacks a column.
  if (error instanceof DatabaseError && /^(42P07|42703)$/.test(error.code ?? '')) {
    return `it belongs to another program (${error.message}); it was left as it is`
  }
  if (error instanceof AggregateError) return error.errors.map(postgresOpenReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** The version of the tables, 0 for a database without them. */
async function postgresVersion(client: Client): Promise<number> {
  // Not `to_regclass`: it may answer from a cache that is older than the lock.
  const known = await client.query(
    "SELECT 1 FROM pg_catalog.pg_tables WHERE tablename = 'migrations' AND schemaname = ANY (current_schemas(false))",
  )
  if (known.rowCount === 0) return 0
  const { rows } = await client.query<{ found: number }>('SELECT coalesce(max(version), 0)::integer AS found FROM migrations')
  return rows[0]?.found ?? 0
}

/** Checks the server and migrates the tables. */
async function prepareDatabase(url: string): Promise<void> {
  const client = new Client({ ...connectionConfig(url), connectionTimeoutMillis: connectTimeout })
  // The pending query reports the error.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string }>(
      "SELECT current_setting('server_version_num')::integer AS version, current_setting('server_encoding') AS encoding",
    )
    const [{ version = 0, encoding = '' } = {}] = rows
    if (version < oldestServer) throw new OpenError(`its server is older than PostgreSQL ${oldestServer / 10_000}`)
    if (encoding !== 'UTF8') throw new OpenError(`its encoding is ${encoding}, and UTF8 is needed; make it with ENCODING 'UTF8'`)
    await migrate({
      kind: 'postgres',
      run: (sql) => client.query(sql),
      // The lock lasts until the end of the transaction.
      lock: () => client.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockKey})`),
      version: () => postgresVersion(client),
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Opens the database at a `postgres://` URL. */
async function openPostgres(url: string, { connections = 10, timeout = 900, onIdleError, observer }: StoreOptions): Promise<Driver> {
  await prepareDatabase(url)
  const pool = new Pool({
    ...connectionConfig(url),
    max: connections,
    connectionTimeoutMillis: timeout,
    // The server gives up first. Otherwise it could do a write after the client got an error.
    statement_timeout: Math.ceil(timeout * 0.8),
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: maxConnectionAge,
  })
  pool.on('error', (error) => onIdleError?.(error))
  // A connection in use reports its failure by the pending query.
  pool.on('connect', (client) => client.on('error', () => {}))
  observer?.onPool(() => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }))

  /** `timeout` limits the wait for a connection and the answer together. */
  async function run(statement: QueryConfig, values: readonly SqlValue[]): Promise<readonly SqlRow[]> {
    const start = performance.now()
    const client = await pool.connect().catch((error) => {
      throw unreachable(error)
    })
    // The types of the driver lack its option for the time limit of one query.
    const limit: { readonly query_timeout: number } = { query_timeout: Math.max(1, timeout - (performance.now() - start)) }
    try {
      const { rows } = await client.query<SqlValue[]>({ ...statement, values: [...values], rowMode: 'array', ...limit })
      client.release()
      return rows
    } catch (error) {
      // Never retries: a write may have been done before its answer was lost.
      client.release(!isReusable(error))
      throw error
    }
  }

  function prepare(sql: string): (values: readonly SqlValue[]) => Promise<readonly SqlRow[]> {
    const text = sql.split('?').reduce((before, after, place) => `${before}$${place}${after}`)
    // Prepared once per connection. The name depends on the text alone, so that builds can share connections.
    const statement = { name: createHash('sha256').update(text).digest('hex').slice(0, 16), text }
    return (values) => run(statement, values)
  }
  const probe = prepare("SELECT current_setting('transaction_read_only') FROM counts LIMIT 1")

  return {
    jsonItems: 'json_array_elements',
    prepare,
    ping: async () => {
      // The service cannot use a read-only replica.
      const [row] = await probe([])
      if (row?.[0] !== 'off') throw new StoreUnavailable('The database takes no writes just now.', 5)
    },
    close: () => pool.end(),
    toStoreError: postgresStoreError,
  }
}

export const postgres = Object.freeze({ open: openPostgres, toStoreError: postgresStoreError, openReason: postgresOpenReason })
