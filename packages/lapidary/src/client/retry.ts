/** Sends a call again: after which errors, and after how long a pause. */
import { isHttpError } from '../http/httpError.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { wait } from './cancellation.ts'
import { ConnectionError } from './errors.ts'

/** 128 random bits. `crypto.randomUUID` would not be there on a page without TLS. */
const createKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Returns the key of a call: the given one, or a new one. @throws TypeError for a key that no server reads. */
export function createIdempotencyKey(route: string, key: string = createKey()): string {
  if (!/^[ -~]{1,200}$/.test(key)) throw new TypeError(developerErrors.invalidIdempotencyKey(route))
  return key
}

/** The longest pause that a call makes, in milliseconds: for a longer one the caller decides. */
const maxPause = 30_000

/** How long until a date of a header, in milliseconds; NaN for another text, and for 31 February, of which a Date makes 3 March. */
function getTimeUntil(date: string): number {
  const moment = new Date(date)
  return moment.toUTCString() === date ? +moment - Date.now() : Number.NaN
}

/** How long `Retry-After` asks to wait (RFC 9110 §10.2.3), in milliseconds; 0 for nothing, and for another text. */
export const parseRetryAfter = (after: string | readonly string[] | null | undefined): number =>
  Math.max(0, Number(after) * 1_000 || getTimeUntil(`${after}`) || 0)

/** How long `Retry-After` of an error asks to wait, in milliseconds; 0 where it has none. */
export const getRetryAfter = (error: unknown): number => parseRetryAfter(isHttpError(error) ? error.headers['retry-after'] : undefined)

/** Returns how long to wait before the next attempt; undefined where another attempt would change nothing. */
function getPause(error: unknown, attempt: number): number | undefined {
  // Up to half of it is random, so that clients that failed together do not come back together.
  const backoff = 200 * 2 ** attempt * (1 - Math.random() / 2)
  if (error instanceof ConnectionError) return backoff
  const isDelayed = (isHttpError(error, 409) || isHttpError(error, 429)) && error.headers['retry-after'] !== undefined
  if (!isDelayed && !isHttpError(error, 503)) return undefined
  const pause = Math.max(backoff, getRetryAfter(error))
  return pause > maxPause ? undefined : pause
}

/** Makes attempts until one succeeds, fails for good, or is the last one. */
export async function retry(attempt: () => Promise<unknown>, retries: number, signal: AbortSignal): Promise<unknown> {
  for (let failed = 0; ; failed += 1) {
    try {
      return await attempt()
    } catch (error) {
      const pause = failed < retries ? getPause(error, failed) : undefined
      if (pause === undefined) throw error
      await wait(pause, signal)
    }
  }
}
