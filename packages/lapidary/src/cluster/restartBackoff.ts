/** How soon a worker that died is replaced, and when replacing is useless. Times are in milliseconds. */

/** A worker that has listened for this long has started successfully. */
export const settleTime = 5_000

/** The delay after the second death in a row. It doubles with each further one. */
const firstDelay = 100
const maxDelay = 5_000
/** For small clusters. In a large one each worker may die twice, because all of them may be killed at once. */
const minDeaths = 5

/** Counts the deaths in a row of workers that had not settled. */
export interface RestartBackoff {
  /** A worker has settled, so the count begins again. */
  readonly reset: () => void
  /** A worker died before it settled. Returns the delay of its replacement, or `undefined` to give up. */
  readonly nextDelay: () => number | undefined
}

/** `size` is the number of workers. */
export function createRestartBackoff(size: number): RestartBackoff {
  const maxDeaths = Math.max(minDeaths, 2 * size)
  let deaths = 0
  return {
    reset: () => {
      deaths = 0
    },
    nextDelay: () => {
      deaths += 1
      if (deaths >= maxDeaths) return undefined
      return deaths === 1 ? 0 : Math.min(maxDelay, firstDelay * 2 ** (deaths - 2))
    },
  }
}
