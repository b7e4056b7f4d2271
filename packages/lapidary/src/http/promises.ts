/** Values that may be promises. Where nothing has to be awaited, no promise is made. */
import * as developerErrors from '../messages/developerErrors.ts'

/** A value, or a promise of one. */
export type Awaitable<T> = T | Promise<T>

/** Whether a value is a promise, of this realm or any other: it has a method `then`. */
export const isPromise = (value: unknown): value is Promise<unknown> =>
  typeof (value as Partial<Promise<unknown>> | null | undefined)?.then === 'function'

/**
 * Continues with a value, or with what a promise of it resolves to. Without a promise, `next` runs at once.
 *
 * @param next Continues with the value.
 */
export const andThen = <T, R>(value: Awaitable<T>, next: (value: T) => Awaitable<R>): Awaitable<R> =>
  isPromise(value) ? Promise.resolve(value).then(next) : next(value)

/** Returns the same value. If it is a promise, its rejection ends no process where nothing waits for it (yet). */
export function silenceRejection<T>(value: T): T {
  if (isPromise(value)) Promise.resolve(value).catch(() => {})
  return value
}

/**
 * Returns a value that a function of the application returned, and that must not be a promise.
 *
 * @param source The function, as the message begins: `The codec of :id`.
 * @throws TypeError for a promise.
 */
export function requireSync<T>(value: T, source: string): T {
  if (!isPromise(value)) return value
  silenceRejection(value)
  throw new TypeError(developerErrors.unexpectedPromise(source))
}
