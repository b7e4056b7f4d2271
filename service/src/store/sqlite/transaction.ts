/** Transactions on a SQLite connection. */

import type { Database } from './module.ts'

/**
 * Does it whole or not at all. `DEFERRED` takes a lock with the first statement that needs it, `IMMEDIATE` the lock for writing at once. Throws
 * what the action throws, and SQLite's own error when the lock cannot be had.
 */
export function inTransaction<Result>(database: Database, kind: 'DEFERRED' | 'IMMEDIATE', action: () => Result): Result {
  database.exec(`BEGIN ${kind}`)
  try {
    const result = action()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // A full disk, for one, has ended it already.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
