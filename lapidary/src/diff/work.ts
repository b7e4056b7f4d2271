/** How much may be compared: a manifest comes from anywhere, and some schemas would take for ever. */

/** More was asked for than may be done. What was being compared is `unknown`. */
class TooMuch extends Error {}

/** Steps that may still be made, for one comparison and for all of them. Comparing is done in one go, so that two numbers are enough. */
let left = Number.POSITIVE_INFINITY
let leftInAll = Number.POSITIVE_INFINITY
let isBounded = false
/** When all of it has to be over, whatever the steps cost. */
let deadline = Number.POSITIVE_INFINITY
/** So often the clock is looked at. */
const glance = 64
let untilGlance = glance

/** For how long is compared at most, in milliseconds. */
const longest = 5_000

/** Whether nothing more is compared. */
export const isOver = (): boolean => leftInAll < 0

/** Makes so many steps; too many end what is `bounded`. */
export function spend(steps = 1): void {
  left -= steps
  leftInAll -= steps
  untilGlance -= 1
  if (untilGlance === 0) {
    untilGlance = glance
    if (performance.now() > deadline) leftInAll = -1
  }
  if (isBounded && (left < 0 || leftInAll < 0)) throw new TooMuch()
}

/** What a comparison gives within so many steps; `otherwise` where they do not do. */
export function bounded<Result>(steps: number, work: () => Result, otherwise: Result): Result {
  if (leftInAll < 0) return otherwise
  const [around, wasBounded] = [left, isBounded]
  const most = Math.min(around, steps)
  left = most
  isBounded = true
  try {
    return work()
  } catch (error) {
    if (error instanceof TooMuch) return otherwise
    throw error
  } finally {
    left = around - (most - left)
    isBounded = wasBounded
  }
}

/** The same of many comparisons: once so many steps are made, each that is left gives what it gives otherwise. */
export function boundedInAll<Result>(steps: number, work: () => Result): Result {
  leftInAll = steps
  deadline = performance.now() + longest
  try {
    return work()
  } finally {
    leftInAll = Number.POSITIVE_INFINITY
    deadline = Number.POSITIVE_INFINITY
  }
}
