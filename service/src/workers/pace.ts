/** How soon the next worker is started after one that died, and when that is no use. Times are in milliseconds. */

/** Who has listened for this long was started well. */
export const settling = 5_000

/** The wait after the second death in a row; it doubles with each further one. */
const firstWait = 100
const longestWait = 5_000
/** In a small team; in a large one each worker may die twice, for all of them may be killed at once. */
const leastDeaths = 5

/** Counts the workers that died in a row before they settled. */
export interface Pace {
  /** A worker has settled: the count begins anew. */
  readonly settled: () => void
  /** A worker died before it settled: how long to wait for the next, or `undefined` where there should be none. */
  readonly died: () => number | undefined
}

/** For a team of this size. */
export function pace(size: number): Pace {
  const most = Math.max(leastDeaths, 2 * size)
  let deaths = 0
  const settled = (): void => {
    deaths = 0
  }
  const died = (): number | undefined => {
    deaths += 1
    if (deaths >= most) return undefined
    return deaths === 1 ? 0 : Math.min(longestWait, firstWait * 2 ** (deaths - 2))
  }
  return Object.freeze({ settled, died })
}
