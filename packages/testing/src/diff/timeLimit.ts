/** A time limit for synchronous work: a regular expression of a schema may backtrack for ever, and no step of ours is in between. */
import { createContext, isContext, Script } from 'node:vm'
import { testingErrors } from '../testingMessages.ts'

/** A comparison that was stopped. */
export class ComparisonTimeoutError extends Error {
  override readonly name = 'ComparisonTimeoutError'
}

const script = new Script('work()')
/** What the script sees. It is made a context once, which takes milliseconds. */
const scope: { work: () => unknown } = { work: () => undefined }

/**
 * Runs synchronous work, and stops it after so many milliseconds. No `finally` of the work runs then.
 *
 * @throws ComparisonTimeoutError if it takes longer
 */
export function runWithTimeLimit<Result>(milliseconds: number, work: () => Result): Result {
  scope.work = work
  try {
    return script.runInContext(isContext(scope) ? scope : createContext(scope), { timeout: milliseconds }) as Result
  } catch (error) {
    if (Object(error).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    throw new ComparisonTimeoutError(testingErrors.comparisonTimeout(milliseconds / 1_000), { cause: error })
  } finally {
    // It holds two descriptions.
    scope.work = () => undefined
  }
}
