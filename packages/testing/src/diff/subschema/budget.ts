/** Limits the work of a comparison: a manifest may come from anywhere, and some schemas would take for ever. */

/** Ends a comparison whose steps are spent. Its result is `unknown`. */
class CompareBudgetExceeded extends Error {}

/** The steps that are left, of one comparison and of all. A comparison is synchronous, so module variables are enough. */
let stepsLeft = Number.POSITIVE_INFINITY
let totalStepsLeft = Number.POSITIVE_INFINITY
let isStepLimited = false
/** The processor time of this process at which all comparisons end, even if steps are left. */
let compareDeadline = Number.POSITIVE_INFINITY
/** The clock is read once in this many steps. */
const clockInterval = 64
let stepsUntilClock = clockInterval

/** The longest time of all comparisons, in milliseconds of the processor: a verdict does not depend on what else the machine does. */
const maxCompareTime = 5_000

/** The processor time of this process, in milliseconds. */
function getProcessorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** Whether the steps of all comparisons are spent. */
export const isTotalSpent = (): boolean => totalStepsLeft < 0

/** Spends steps. @throws CompareBudgetExceeded within `limitSteps`, where too few are left */
export function spendSteps(steps = 1): void {
  stepsLeft -= steps
  totalStepsLeft -= steps
  stepsUntilClock -= steps
  if (stepsUntilClock <= 0) {
    stepsUntilClock = clockInterval
    if (getProcessorTime() > compareDeadline) totalStepsLeft = -1
  }
  if (isStepLimited && (stepsLeft < 0 || totalStepsLeft < 0)) throw new CompareBudgetExceeded()
}

/** The result of a comparison of at most so many steps; `otherwise` where they are not enough. */
export function limitSteps<Result>(steps: number, work: () => Result, otherwise: Result): Result {
  if (totalStepsLeft < 0) return otherwise
  const [around, wasLimited] = [stepsLeft, isStepLimited]
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
    isStepLimited = wasLimited
  }
}

/** Limits the steps of many comparisons together: when they are spent, each remaining comparison has its `otherwise`. */
export function limitTotalSteps<Result>(steps: number, work: () => Result): Result {
  totalStepsLeft = steps
  compareDeadline = getProcessorTime() + maxCompareTime
  try {
    return work()
  } finally {
    // A comparison that was stopped from outside has not left `limitSteps`.
    stepsLeft = Number.POSITIVE_INFINITY
    isStepLimited = false
    totalStepsLeft = Number.POSITIVE_INFINITY
    compareDeadline = Number.POSITIVE_INFINITY
  }
}
