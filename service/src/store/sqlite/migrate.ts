/** Migrates a SQLite database, one migration per transaction. Several processes may do so at once. */

import { OpenError } from '../errors.ts'
import { migrations, newerVersion } from '../migrations.ts'
import { type Database, inTransaction } from './module.ts'

/** Marks a SQLite file as a database of this service: the letters LAPI. */
const applicationId = 0x4c415049

function readColumn(database: Database, sql: string): readonly unknown[] {
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  return (statement.all() as readonly (readonly unknown[])[]).map(([value]) => value) // as `setReturnArrays` says
}

function versionInTransaction(database: Database): number {
  const tables = readColumn(database, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'")
  const [owner] = readColumn(database, 'PRAGMA application_id')
  if (tables.length === 0 && owner === 0) return 0
  if (owner !== applicationId || !tables.includes('migrations')) {
    throw new OpenError('it belongs to another program; it was left as it is')
  }
  const found = Number(readColumn(database, 'SELECT coalesce(max(version), 0) FROM migrations')[0])
  if (found > migrations.length) throw new OpenError(newerVersion(found))
  return found
}

/**
 * The version of the tables, 0 for an empty database. Only reads. One transaction shows the first migration of another process whole or not
 * at all. Throws `OpenError` for a database of another program or of a newer build.
 */
export const sqliteVersion = (database: Database): number => inTransaction(database, 'DEFERRED', () => versionInTransaction(database))

/** Runs the pending migrations. Throws SQLite's error if another process holds the lock. Repeating is safe. */
export function migrateSqlite(database: Database): void {
  for (const { version, title, sqlite } of migrations) {
    if (sqliteVersion(database) >= version) continue
    inTransaction(database, 'IMMEDIATE', () => {
      // Another process may have run it before this one got the lock.
      const found = versionInTransaction(database)
      if (found >= version) return
      if (found === 0) {
        database.exec(`PRAGMA application_id = ${applicationId}`)
        database.exec('CREATE TABLE migrations (version INTEGER PRIMARY KEY, title TEXT NOT NULL, applied TEXT NOT NULL) STRICT')
      }
      database.exec(sqlite)
      database.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(version, title, new Date().toISOString())
    })
  }
}
