/** Numbers that options give: counts, and times of timers. Of NaN each comparison is false, so that a limit would be none. */
import * as developerErrors from '../messages/developerErrors.ts'

/**
 * Checks a number of things.
 *
 * @param place what the message begins with: `rangePagination(): options.name.limit`
 * @throws TypeError for anything but an integer from `least`
 */
export function requireInteger(place: string, count: number, least: number): number {
  if (!(Number.isSafeInteger(count) && count >= least)) throw new TypeError(developerErrors.invalidCount(place, count, least))
  return count
}

/** The same for a limit, of which `Infinity` is none. */
export const requireLimit = (place: string, limit: number, least: number): number =>
  limit === Number.POSITIVE_INFINITY ? limit : requireInteger(place, limit, least)

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
