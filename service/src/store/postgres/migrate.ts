/** Migrates a PostgreSQL database. Several processes may do so at once: a lock lets one at a time in. */

import type { Client } from 'pg'
import { OpenError } from '../errors.ts'
import { migrations, newerVersion } from '../migrations.ts'

/** The key of the advisory lock: the letters LAPI. */
const lockKey = 0x4c415049

/** The version of the tables, 0 for a database without them. Throws `OpenError` for a newer version. */
async function postgresVersion(client: Client): Promise<number> {
  // Not `to_regclass`: it may answer from a cache that is older than the lock.
  const known = await client.query(
    "SELECT 1 FROM pg_catalog.pg_tables WHERE tablename = 'migrations' AND schemaname = ANY (current_schemas(false))",
  )
  if (known.rowCount === 0) return 0
  const { rows } = await client.query<{ found: number }>('SELECT coalesce(max(version), 0)::integer AS found FROM migrations')
  const found = rows[0]?.found ?? 0
  if (found > migrations.length) throw new OpenError(newerVersion(found))
  return found
}

/** Runs the pending migrations, all or none. */
export async function migratePostgres(client: Client): Promise<void> {
  // Most starts find the tables up to date and need no lock.
  if ((await postgresVersion(client)) === migrations.length) return
  await client.query('BEGIN')
  try {
    // The lock lasts until the end of the transaction. The next process finds the work done.
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockKey])
    const found = await postgresVersion(client)
    if (found === 0) {
      await client.query('CREATE TABLE migrations (version integer PRIMARY KEY, title text NOT NULL, applied timestamptz NOT NULL)')
    }
    for (const { version, title, postgres } of migrations.slice(found)) {
      if (postgres !== '') await client.query(postgres)
      await client.query('INSERT INTO migrations VALUES ($1, $2, now())', [version, title])
    }
    await client.query('COMMIT')
  } catch (error) {
    // If the connection fails as well, the server rolls back by itself.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
