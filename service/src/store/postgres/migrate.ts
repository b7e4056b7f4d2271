/** Brings a PostgreSQL database up to date, one process at a time, however many start at once. */

import type { Client } from 'pg'
import { CannotOpen } from '../cannotOpen.ts'
import { migrations } from '../migrations/migrations.ts'

/** The key of the advisory lock, the letters LAPI as for SQLite. */
const lock = 0x4c415049

const latest = migrations.length

/** The version of the tables, 0 for a database that holds none of them. Throws `CannotOpen` for one that a newer build has written. */
async function version(client: Client): Promise<number> {
  // Read as rows: `to_regclass` may answer from what this connection knew before it waited for the lock.
  const known = await client.query(
    "SELECT 1 FROM pg_catalog.pg_tables WHERE tablename = 'migrations' AND schemaname = ANY (current_schemas(false))",
  )
  if (known.rowCount === 0) return 0
  const { rows } = await client.query<{ found: number }>('SELECT coalesce(max(version), 0)::integer AS found FROM migrations')
  const found = rows[0]?.found ?? 0
  if (found > latest) {
    throw new CannotOpen(`its tables are of version ${found} and this build knows version ${latest} at most; start a newer build`)
  }
  return found
}

/** Runs the migrations that have not run yet, all or none of them. */
export async function migrate(client: Client): Promise<void> {
  // Most starts find everything as it should be, and wait for nobody.
  if ((await version(client)) === latest) return
  await client.query('BEGIN')
  try {
    // Held until the end of the transaction; whoever comes second finds the work done.
    await client.query('SELECT pg_advisory_xact_lock($1)', [lock])
    const found = await version(client)
    if (found === 0) {
      await client.query('CREATE TABLE migrations (version integer PRIMARY KEY, title text NOT NULL, applied timestamptz NOT NULL)')
    }
    for (const { version: next, title, postgres } of migrations.slice(found)) {
      if (postgres !== '') await client.query(postgres)
      await client.query('INSERT INTO migrations VALUES ($1, $2, now())', [next, title])
    }
    await client.query('COMMIT')
  } catch (error) {
    // The connection is given up after a failure, and takes the transaction with it.
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
