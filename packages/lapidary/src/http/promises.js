/** Calls of what a user wrote that cannot be waited for. */
import * as complaint from '../messages/developerErrors.js'
/** The value that a call gave, which is there at once. @throws TypeError for a promise; `what` says whose call it was. */
export function requireSync(value, what) {
  if (!(value instanceof Promise)) return value
  // Nobody waits for it, so that its rejection would end the process.
  value.catch(() => {})
  throw new TypeError(complaint.unexpectedPromise(what))
}
// Telling what is there from what is still to come.
/** Whether a value is still to come. A synchronous handler without a body never makes a promise. */
export const isPromise = (value) =>
  value instanceof Promise || (typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function')
