/** PostgreSQL's errors: which are transient, and which are defects. */

import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../errors.ts'

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

/** Whether the connection remains usable after this error: the server has answered and goes on. */
export const isReusable = (error: unknown): boolean => error instanceof DatabaseError && error.severity === 'ERROR'

/** A connection that failed or was lost. */
export const unreachable = (error: Error): StoreUnavailable =>
  new StoreUnavailable(`The database cannot be reached. (${error.message})`, 2, { cause: error })

/**
 * `StoreUnavailable` for a transient failure. A defect, such as a violated constraint or wrong SQL, stays as it is.
 * An error without a code of the server concerns the connection: refused, reset, timed out, ended.
 */
export function postgresStoreError(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const { code = '', message } = error
    const found = transientCodes.find(([prefix]) => code.startsWith(prefix))
    return found ? new StoreUnavailable(`${found[2]} (${code}: ${message})`, found[1], { cause: error }) : error
  }
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error
  return unreachable(error)
}
