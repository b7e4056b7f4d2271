/** How a value is told from a promise of one. A request without a wait makes no promise. */
import * as developerErrors from '../messages/developerErrors.ts'

import * as complaint from '../messages/developerErrors.ts'

/** The value that a call gave, which is there at once. @throws TypeError for a promise; `what` says whose call it was. */
export function requireSync<T>(value: T, what: string): T {
  if (!(value instanceof Promise)) return value
  // Nobody waits for it, so that its rejection would end the process.
  value.catch(() => {})
  throw new TypeError(complaint.unexpectedPromise(what))
}

// Telling what is there from what is still to come.

/** A value, or a promise of one. */
export type Awaitable<T> = T | Promise<T>

/** Whether a value is still to come. A synchronous handler without a body never makes a promise. */
export const isPromise = (value: unknown): value is Promise<unknown> =>
  value instanceof Promise || (typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function')

/**
 * Returns a value that a function of the application returned, and that must not be a promise.
 *
 * @param source The function, as the message begins: `The codec of :id`.
 * @throws TypeError for a promise.
 */
export function requireSync<T>(value: T, source: string): T {
  if (!isPromise(value)) return value
  // An unhandled rejection would end the process.
  Promise.resolve(value).catch(() => {})
  throw new TypeError(developerErrors.unexpectedPromise(source))
}
