/** Which of PostgreSQL's failures may pass, and which are faults of ours. */

import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../storeUnavailable.ts'

/** The classes and codes of https://www.postgresql.org/docs/current/errcodes-appendix.html that may pass, and after how many seconds it is worth trying again. */
const passing: readonly (readonly [code: string, retryAfter: number, sentence: string])[] = [
  ['08', 2, 'The connection to the database failed.'],
  ['25006', 5, 'The database takes no writes just now.'],
  ['40', 1, 'The database gave others the right of way.'],
  ['53', 5, 'The database has no room left.'],
  ['55P03', 1, 'The database is locked.'],
  ['57014', 1, 'The database took too long.'],
  ['57P', 2, 'The database is shutting down or starting.'],
  ['58', 10, 'The disk of the database fails.'],
]

/** Whether the connection can be used again after this error: the server has answered, and goes on. */
export const isUsable = (error: unknown): boolean => error instanceof DatabaseError && error.severity === 'ERROR'

/**
 * What the driver threw, as the store's own failure where it may pass; a defect (a broken rule, bad SQL) stays what it is.
 * What does not come from the server itself, with a code, is about the way to it: refused, reset, timed out, ended.
 */
export function unavailable(error: unknown): unknown {
  if (error instanceof DatabaseError) {
    const { code = '', message } = error
    const found = passing.find(([prefix]) => code.startsWith(prefix))
    return found ? new StoreUnavailable(`${found[2]} (${code}: ${message})`, found[1], { cause: error }) : error
  }
  if (!(error instanceof Error) || error instanceof TypeError || error instanceof RangeError) return error
  return unreachable(error)
}

/** A connection that could not be made, or was lost, whatever the reason. */
export const unreachable = (error: Error): StoreUnavailable =>
  new StoreUnavailable(`The database cannot be reached. (${error.message})`, 2, { cause: error })
