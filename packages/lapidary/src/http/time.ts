/** Times that options give to timers, in milliseconds. */
import * as developerErrors from '../messages/developerErrors.ts'

/** The longest delay of a timer: 24.8 days. A longer one fires at once, or throws. */
export const maxTime: number = 2 ** 31 - 1

/**
 * Checks a time.
 *
 * @param place what the message begins with: `listen(): readerTimeout`
 * @param unlimited what stands for Infinity, which is no limit
 * @throws TypeError for what no timer can wait for
 */
export function requireTime(place: string, time: number, unlimited: number): number {
  if (time === Number.POSITIVE_INFINITY) return unlimited
  if (!(typeof time === 'number' && time >= 0 && time <= maxTime)) throw new TypeError(developerErrors.invalidTime(place, time))
  return time
}
