/** A PostgreSQL database of a test, on the server that runs for all of them. */

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

export async function postgresDatabase(): Promise<PostgresDatabase> {
  const server = inject('postgres')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = server.replace(/[^/]*$/, name)
  const others = `FROM pg_stat_activity WHERE datname = '${name}' AND pid <> pg_backend_pid()`
  const administer = (sql: string) => connected(server, (client) => client.query(sql))
  await administer(`CREATE DATABASE ${name}`)
  return {
    url,
    urls: [url],
    run: (sql, rows) => connected(url, (client) => run(client, sql, rows)),
    session: async () => {
      const client = new Client(url)
      client.on('error', () => {})
      await client.connect()
      return { run: (sql, rows) => run(client, sql, rows), close: () => client.end() }
    },
    rows: (sql) =>
      connected(url, async (client) => {
        // Several statements have several results, which the driver's types do not say.
        const results: unknown = await client.query({ text: sql, rowMode: 'array', types: parsers })
        return ([results].flat().at(-1) as { readonly rows: unknown[][] }).rows
      }),
    terminate: async () => (await administer(`SELECT pg_terminate_backend(pid) ${others}`)).rowCount ?? 0,
    lock: async () => {
      const other = new Client(url)
      // It may be ended with the database, when a test has failed.
      other.on('error', () => {})
      await other.connect()
      await other.query('BEGIN; LOCK TABLE users, products, secrets, accounts, colors IN EXCLUSIVE MODE')
      return () => other.end()
    },
    takeAway: async () => {
      await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
      await administer(`SELECT pg_terminate_backend(pid) ${others}`)
      return async () => void (await administer(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`))
    },
    remove: async () => void (await administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}
