/** Brings a SQLite database up to date, one migration a transaction, however many processes start at once. */

import type Database from 'better-sqlite3'
import { CannotOpen } from '../cannotOpen.ts'
import { migrations } from '../migrations/migrations.ts'

/** Marks a SQLite file as this service's own (the letters LAPI), so that no other program's tables are taken for ours. */
const applicationId = 0x4c415049

const latest = migrations.length

/**
 * The version of the tables, 0 for a database that holds nothing yet. Only reads.
 * Throws `CannotOpen` for another program's database and for one that a newer build has written.
 */
export function version(database: Database.Database): number {
  // In one transaction, so that another process's first migration is seen whole or not at all.
  return database.transaction(() => {
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'")
      .pluck()
      .all()
    const owner = database.pragma('application_id', { simple: true })
    if (tables.length === 0 && owner === 0) return 0
    if (owner !== applicationId || !tables.includes('migrations')) {
      throw new CannotOpen('it belongs to another program; it was left as it is')
    }
    const found = database.prepare<[], number>('SELECT coalesce(max(version), 0) FROM migrations').pluck().get() ?? 0
    if (found > latest) {
      throw new CannotOpen(`its tables are of version ${found} and this build knows version ${latest} at most; start a newer build`)
    }
    return found
  })()
}

/** Runs the migrations that have not run yet. Throws SQLite's own error when another process holds the lock; trying again is safe. */
export function migrate(database: Database.Database): void {
  for (const { version: next, title, sqlite } of migrations) {
    if (version(database) >= next) continue
    const step = database.transaction(() => {
      // Another process may have been here between the look above and the lock.
      const found = version(database)
      if (found >= next) return
      if (found === 0) {
        database.pragma(`application_id = ${applicationId}`)
        database.exec('CREATE TABLE migrations (version INTEGER PRIMARY KEY, title TEXT NOT NULL, applied TEXT NOT NULL) STRICT')
      }
      database.exec(sqlite)
      database.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(next, title, new Date().toISOString())
    })
    step.immediate()
  }
}
