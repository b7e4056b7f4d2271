/** Opens the store in PostgreSQL, for one machine or more. */

import { Client, type ClientConfig, DatabaseError, Pool, types } from 'pg'
import { redactUrl } from '../../redact.ts'
import { observeFailures, type StoreOptions } from '../connection.ts'
import { OpenError, openTimeout, retryOpen, StoreUnavailable } from '../errors.ts'
import { createStore, type Store } from '../tables.ts'
import { postgresConnection } from './connection.ts'
import { postgresStoreError } from './errors.ts'
import { migratePostgres } from './migrate.ts'

/** Between two attempts to reach a database that is starting, in milliseconds. */
const retryPause = 100
/** The maximum age of a connection in seconds. Replicas behind one name share the load again after one of them was away. */
const maxConnectionAge = 1800
/** The oldest supported server. It has `INCLUDE`, identities and generated columns. */
const oldestServer = 130_000

const int8 = 20
const date = 1082

/** Integers are within ±(2^53 − 1), and a date is a day without a time zone. */
const typeParsers: NonNullable<ClientConfig['types']> = {
  getTypeParser: ((oid, format) => {
    if (oid === int8) return Number
    if (oid === date) return String
    return types.getTypeParser(oid, format)
  }) as typeof types.getTypeParser, // which has one signature a format
}

/** Days have the format 2024-02-29, independently of the settings of the database. */
const isoDates = '-c datestyle=ISO'

function connectionConfig(url: string): ClientConfig {
  // Options in the URL replace others, so these are added to them.
  const connectionString = url.replace(/([?&]options=)/, `$1${encodeURIComponent(`${isoDates} `)}`)
  return { connectionString, options: isoDates, types: typeParsers, application_name: 'lapidary', keepAlive: true }
}

/** Whether the error may pass: the database is starting, or the network is not up yet. A wrong password or name does not pass. */
function isTransient(error: unknown): boolean {
  if (error instanceof OpenError) return false
  if (error instanceof DatabaseError) return /^(08|53|57P)/.test(error.code ?? '')
  return postgresStoreError(error) instanceof StoreUnavailable
}

/** The reason why a database did not open, as the end of the sentence "Cannot open the database X: …". */
function connectReason(error: unknown): string {
  if (error instanceof OpenError) return error.message
  // A table exists already, or lacks a column.
  if (error instanceof DatabaseError && /^(42P07|42703)$/.test(error.code ?? '')) {
    return `it belongs to another program (${error.message}); it was left as it is`
  }
  if (error instanceof AggregateError) return error.errors.map(connectReason).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** Checks the server and migrates the tables. */
async function prepareDatabase(url: string): Promise<void> {
  const client = new Client({ ...connectionConfig(url), connectionTimeoutMillis: openTimeout })
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
    await migratePostgres(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Opens the database at a `postgres://` URL. Throws `OpenError`. */
export async function openPostgres(url: string, { connections = 10, timeout = 900, onIdleError, observer }: StoreOptions): Promise<Store> {
  await retryOpen(() => prepareDatabase(url), isTransient, retryPause).catch((error) => {
    throw new OpenError(`Cannot open the database ${redactUrl(url)}: ${connectReason(error)}.`, { cause: error })
  })
  const pool = new Pool({
    ...connectionConfig(url),
    max: connections,
    connectionTimeoutMillis: timeout,
    // The server gives up first. Otherwise it could do a write after the client was told that it failed.
    statement_timeout: Math.ceil(timeout * 0.8),
    idleTimeoutMillis: 30_000,
    maxLifetimeSeconds: maxConnectionAge,
  })
  pool.on('error', (error) => onIdleError?.(error))
  // A connection in use reports its failure by the pending query.
  pool.on('connect', (client) => client.on('error', () => {}))
  observer?.onPool(() => ({ idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount }))
  return createStore(observeFailures(postgresConnection(pool, timeout), observer))
}
