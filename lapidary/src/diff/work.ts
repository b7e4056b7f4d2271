/** How much may be compared: a manifest comes from anywhere, and some schemas would take for ever. */

/** More was asked for than may be done. What was being compared is `unknown`. */
export class TooMuch extends Error {
  override readonly name = 'TooMuch'
}

/** Steps that may still be made. Comparing is done in one go, so that one number is enough for all of it. */
let left = Number.POSITIVE_INFINITY

/** Makes so many steps. @throws TooMuch */
export function spend(steps = 1): void {
  left -= steps
  if (left < 0) throw new TooMuch()
}

/** What the work gives within so many steps, which count for the work around it as well; `otherwise` where they do not do. */
export function bounded<Result>(steps: number, work: () => Result, otherwise: Result): Result {
  const around = left
  left = Math.min(around, steps)
  const most = left
  try {
    return work()
  } catch (error) {
    if (error instanceof TooMuch) return otherwise
    throw error
  } finally {
    left = around - (most - Math.max(left, 0))
  }
}
