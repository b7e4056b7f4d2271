/** Brings a SQLite database up to date, one migration a transaction, however many processes start at once. */

import { CannotOpen } from '../cannotOpen.ts'
import { migrations } from '../migrations/migrations.ts'
import type { Database } from './module.ts'
import { inTransaction } from './transaction.ts'

/** Marks a SQLite file as this service's own (the letters LAPI), so that no other program's tables are taken for ours. */
const applicationId = 0x4c415049

const latest = migrations.length

/** The first column of each row. */
function column(database: Database, sql: string): readonly unknown[] {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return (statement.all() as readonly (readonly unknown[])[]).map(([value]) => value) // as `setReturnArrays` says
}

/** The same as `version`, in a transaction that has begun. */
function versionInside(database: Database): number {
  const tables = column(database, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'")
  const [owner] = column(database, 'PRAGMA application_id')
  if (tables.length === 0 && owner === 0) return 0
  if (owner !== applicationId || !tables.includes('migrations')) {
    throw new CannotOpen('it belongs to another program; it was left as it is')
  }
  const found = Number(column(database, 'SELECT coalesce(max(version), 0) FROM migrations')[0])
  if (found > latest) {
    throw new CannotOpen(`its tables are of version ${found} and this build knows version ${latest} at most; start a newer build`)
  }
  return found
}

/**
 * The version of the tables, 0 for a database that holds nothing yet. Only reads.
 * Throws `CannotOpen` for another program's database and for one that a newer build has written.
 */
export const version = (database: Database): number =>
  // In one transaction, so that another process's first migration is seen whole or not at all.
  inTransaction(database, 'DEFERRED', () => versionInside(database))

/** Runs the migrations that have not run yet. Throws SQLite's own error when another process holds the lock; trying again is safe. */
export function migrate(database: Database): void {
  for (const { version: next, title, sqlite } of migrations) {
    if (version(database) >= next) continue
    inTransaction(database, 'IMMEDIATE', () => {
      // Another process may have been here between the look above and the lock.
      const found = versionInside(database)
      if (found >= next) return
      if (found === 0) {
        database.exec(`PRAGMA application_id = ${applicationId}`)
        database.exec('CREATE TABLE migrations (version INTEGER PRIMARY KEY, title TEXT NOT NULL, applied TEXT NOT NULL) STRICT')
      }
      database.exec(sqlite)
      database.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(next, title, new Date().toISOString())
    })
  }
}
