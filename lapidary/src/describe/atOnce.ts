/** Calls of what a user wrote that cannot be waited for. */
import * as complaint from './complaint.ts'

/** The value that a call gave, which is there at once. @throws TypeError for a promise; `what` says whose call it was. */
export function requireSync<T>(value: T, what: string): T {
  if (!(value instanceof Promise)) return value
  // Nobody waits for it, so that its rejection would end the process.
  value.catch(() => {})
  throw new TypeError(complaint.unexpectedPromise(what))
}
