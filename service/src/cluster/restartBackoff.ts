/** How soon a worker that died is replaced, and when replacing is useless. Times are in milliseconds. */

/** A worker that has listened for this long has started successfully. */
export const settleTime = 5_000

/** Counts the deaths in a row of workers that had not settled. `size` is the number of workers. */
export function createRestartBackoff(size: number) {
  // In a large cluster each worker may die twice, because all of them may be killed at once.
  const maxDeaths = Math.max(5, 2 * size)
  let deaths = 0
  return {
    /** A worker has settled, so the count begins again. */
    reset: (): void => {
      deaths = 0
    },
    /** A worker died before it settled. Returns the delay of its replacement, which doubles, or `undefined` to give up. */
    nextDelay: (): number | undefined => {
      deaths += 1
      if (deaths >= maxDeaths) return undefined
      return deaths === 1 ? 0 : Math.min(5_000, 100 * 2 ** (deaths - 2))
    },
  }
}
