/** So many actions of a key in a minute, counted in the memory of this process. */
export interface Limiter {
  /** Counts an action. Returns 0 if it is allowed, or after how many seconds it will be. */
  take(key: number): number
}

export function createLimiter(perMinute: number): Limiter {
  let counts = new Map<number, number>()
  let end = 0
  return {
    take(key) {
      const now = Date.now()
      if (now >= end) {
        counts = new Map()
        end = now + 60_000
      }
      const count = (counts.get(key) ?? 0) + 1
      if (count > perMinute) return Math.ceil((end - now) / 1_000)
      counts.set(key, count)
      return 0
    },
  }
}
