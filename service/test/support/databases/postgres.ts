/** A PostgreSQL database for one test, on the server of the test run. */

import { randomUUID } from 'node:crypto'
import { Client, types } from 'pg'
import { inject } from 'vitest'
import type { Database } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the server answers: its database `postgres`, as a user who may do everything. */
    postgres: string
  }
}

/** Does some work over a connection of its own. */
async function connected<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client(url)
  // A test may end the connections of its database.
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

async function run(client: Client, sql: string, rows?: readonly (readonly (string | number)[])[]): Promise<void> {
  if (rows === undefined) return void (await client.query(sql))
  await client.query('BEGIN')
  for (const row of rows) await client.query(numbered(sql), [...row])
  await client.query('COMMIT')
}

/** The PostgreSQL way of what only PostgreSQL does. */
export interface PostgresDatabase extends Database {
  /** What the last of these statements answers, rows as arrays; int8 as numbers. */
  readonly rows: (sql: string) => Promise<readonly (readonly unknown[])[]>
  /** Ends every connection that others have, as an administrator would (57P01). Answers how many there were. */
  readonly terminate: () => Promise<number>
}

/** `?` as PostgreSQL writes it: `$1`, `$2` … */
export const numbered = (sql: string): string =>
  sql
    .split('?')
    .map((part, place) => (place === 0 ? part : `$${place}${part}`))
    .join('')

const int8 = 20
const parsers = {
  getTypeParser: ((oid, format) => (oid === int8 ? Number : types.getTypeParser(oid, format))) as typeof types.getTypeParser,
}

let administrator: Promise<Client> | undefined

/** Asks the server as a user who may do everything, over one connection that all tests of this process share. */
async function administer(sql: string): Promise<number> {
  administrator ??= (async () => {
    const client = new Client(inject('postgres'))
    client.on('error', () => {})
    await client.connect()
    // It does not keep the process from ending; the driver can do this, and its types do not know.
    const loose = client as Client & { readonly unref: () => void }
    loose.unref()
    return client
  })()
  return (await (await administrator).query(sql)).rowCount ?? 0
}

/** What can be done at this URL. `others` says which connections are those of the service. */
function reached(url: string, others: string): Omit<PostgresDatabase, 'takeAway' | 'remove'> {
  const connect = async (): Promise<Client> => {
    const client = new Client(url)
    // It may be ended with the database, when a test has failed.
    client.on('error', () => {})
    await client.connect()
    return client
  }
  return {
    url,
    urls: [url],
    run: (sql, rows) => connected(url, (client) => run(client, sql, rows)),
    session: async () => {
      const client = await connect()
      return { run: (sql, rows) => run(client, sql, rows), close: () => client.end() }
    },
    rows: (sql) =>
      connected(url, async (client) => {
        // Several statements have several results, which the driver's types do not say.
        const results: unknown = await client.query({ text: sql, rowMode: 'array', types: parsers })
        return ([results].flat().at(-1) as { readonly rows: unknown[][] }).rows
      }),
    terminate: () => administer(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${others}`),
    lock: async () => {
      const other = await connect()
      await other.query('BEGIN; LOCK TABLE users, products, secrets, accounts, colors IN EXCLUSIVE MODE')
      return () => other.end()
    },
  }
}

const unique = (): string => `test_${randomUUID().replaceAll('-', '')}`

/** A database that holds nothing. */
export async function postgresDatabase(): Promise<PostgresDatabase> {
  const name = unique()
  const url = inject('postgres').replace(/[^/]*$/, name)
  await administer(`CREATE DATABASE ${name}`)
  const all = reached(url, `datname = '${name}'`)
  return {
    ...all,
    takeAway: async () => {
      await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
      await all.terminate()
      return async () => void (await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`))
    },
    remove: async () => void (await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}

/** A schema and a user of its own, who may do nothing else: to the service it is a database, and it takes far less time to make. */
export async function postgresSchema(): Promise<PostgresDatabase> {
  const name = unique()
  const address = new URL(inject('postgres'))
  address.username = name
  await administer(`CREATE ROLE ${name} LOGIN PASSWORD '${address.password}'`)
  // Names without a schema are looked for in the one that is called like the user.
  await administer(`CREATE SCHEMA AUTHORIZATION ${name}`)
  const all = reached(address.href, `usename = '${name}'`)
  return {
    ...all,
    takeAway: async () => {
      await administer(`ALTER ROLE ${name} NOLOGIN`)
      await all.terminate()
      return async () => void (await administer(`ALTER ROLE ${name} LOGIN`))
    },
    remove: async () => {
      await all.terminate()
      await administer(`DROP OWNED BY ${name} CASCADE`)
      await administer(`DROP ROLE ${name}`)
    },
  }
}
