/** How much may be compared: a manifest comes from anywhere, and some schemas would take for ever. */
/** More was asked for than may be done. What was being compared is `unknown`. */
class CompareBudgetExceeded extends Error {}
/** Steps that may still be made, for one comparison and for all of them. Comparing is done in one go, so that two numbers are enough. */
let stepsLeft = Number.POSITIVE_INFINITY
let totalStepsLeft = Number.POSITIVE_INFINITY
let isStepLimited = false
/** When all of it has to be over, whatever the steps cost. */
let compareDeadline = Number.POSITIVE_INFINITY
/** So often the clock is looked at. */
const clockInterval = 64
let stepsUntilClock = clockInterval
/** For how long is compared at most, in milliseconds. */
const maxCompareTime = 5_000
/** Whether nothing more is compared. */
export const isTotalSpent = () => totalStepsLeft < 0
/** Makes so many steps; too many end what is `limitSteps`. */
export function spendSteps(steps = 1) {
  stepsLeft -= steps
  totalStepsLeft -= steps
  stepsUntilClock -= 1
  if (stepsUntilClock === 0) {
    stepsUntilClock = clockInterval
    if (performance.now() > compareDeadline) totalStepsLeft = -1
  }
  if (isStepLimited && (stepsLeft < 0 || totalStepsLeft < 0)) throw new CompareBudgetExceeded()
}
/** What a comparison gives within so many steps; `otherwise` where they do not do. */
export function limitSteps(steps, work, otherwise) {
  if (totalStepsLeft < 0) return otherwise
  const [around, wasBounded] = [stepsLeft, isStepLimited]
  const most = Math.min(around, steps)
  stepsLeft = most
  isStepLimited = true
  try {
    return work()
  } catch (error) {
    if (error instanceof CompareBudgetExceeded) return otherwise
    throw error
  } finally {
    stepsLeft = around - (most - stepsLeft)
    isStepLimited = wasBounded
  }
}
/** The same of many comparisons: once so many steps are made, each that is left gives what it gives otherwise. */
export function limitTotalSteps(steps, work) {
  totalStepsLeft = steps
  compareDeadline = performance.now() + maxCompareTime
  try {
    return work()
  } finally {
    totalStepsLeft = Number.POSITIVE_INFINITY
    compareDeadline = Number.POSITIVE_INFINITY
  }
}
