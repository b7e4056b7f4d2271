/** The parameter `limit`: how many items a page has. */
import { int } from '../contract/parameters/int.ts'
import type { Parameter } from '../contract/parameters/parameter.ts'
import { requireInteger } from '../http/limits.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** The numbers of items that a page can have. */
export interface PageLimits {
  /** The number of items of a page, of a request without `limit`. @default 100 */
  readonly limit?: number
  /** The largest `limit`; a larger one gets 400. @default 1,000 */
  readonly maxLimit?: number
}

/**
 * Returns the limits with their defaults.
 *
 * @throws TypeError for limits with which a page would be empty, or that contradict each other
 */
export function readPageLimits(place: string, { limit, maxLimit = 1_000 }: PageLimits): Required<PageLimits> {
  requireInteger(`${place}: maxLimit`, maxLimit, 1)
  const usual = limit ?? Math.min(100, maxLimit)
  requireInteger(`${place}: limit`, usual, 1)
  if (usual > maxLimit) throw new TypeError(developerErrors.limitAboveMaximum(place, usual, maxLimit))
  return { limit: usual, maxLimit }
}

/** The query parameter of a collection. */
export const createLimitParameter = ({ limit, maxLimit }: Required<PageLimits>): Parameter<number, number | undefined> =>
  int({ min: 1, max: maxLimit, default: limit, description: 'The largest number of items of the page.' })
