/** Timers that are pending: Node reports each when it is created and when it ends. */
import { createHook } from 'node:async_hooks'
import { onTestFinished } from 'vitest'

/** Node keeps the time of a timer under this name. */
interface Timer {
  readonly _idleTimeout?: number
}

/** The timers of one test. */
export interface Timers {
  /** How many have begun. */
  readonly begun: () => number
  /** Resolves to how many are not over. */
  readonly left: () => Promise<number>
}

/** Counts the timers that begin from now on, for a time from `least` to `most` milliseconds. */
export function timers(least: number, most: number = least): Timers {
  const there = new Set<number>()
  let begun = 0
  const hook = createHook({
    init: (id, type, _trigger, resource) => {
      const { _idleTimeout: time = Number.NaN } = resource as Timer
      if (type !== 'Timeout' || !(time >= least && time <= most)) return
      there.add(id)
      begun += 1
    },
    destroy: (id) => void there.delete(id),
  }).enable()
  onTestFinished(() => void hook.disable())
  return {
    begun: () => begun,
    // Node tells of those that are gone a turn later.
    left: async () => {
      for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve))
      return there.size
    },
  }
}
