/** How long something has taken so far. */

/** Runs from when it is made until it is stopped. */
export interface Stopwatch {
  /** In milliseconds. */
  readonly elapsed: () => number
  readonly stop: () => void
}

export function stopwatch(): Stopwatch {
  const began = performance.now()
  let ended: number | undefined
  return {
    elapsed: () => (ended ?? performance.now()) - began,
    stop: () => {
      ended ??= performance.now()
    },
  }
}
