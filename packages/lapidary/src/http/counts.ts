/** Whole numbers that options give. Of NaN each comparison is false, so that a limit would be none. */
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
