/** Tries again while a database cannot serve: what is locked now may be free in a moment. */

import { setTimeout } from 'node:timers/promises'
import type { Awaitable } from '../store/store.ts'
import { StoreUnavailable } from '../store/storeUnavailable.ts'

/** How long to wait before each further attempt, in milliseconds. */
const pauses = [100, 300, 1000, 3000] as const

/**
 * What `action` gives, tried again while it throws `StoreUnavailable`, and no more when the pauses are over or `signal` fires: then it
 * throws that. Says on standard error that it waits. For what may be done twice: a write may have been done although its answer was lost.
 */
export async function patiently<Result>(action: () => Awaitable<Result>, signal: AbortSignal): Promise<Result> {
  for (const pause of pauses) {
    try {
      return await action()
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      // On a terminal a bar may stand in the line.
      process.stderr.write(`${process.stderr.isTTY ? '\n' : ''}${error.message} Trying again …\n`)
      await setTimeout(pause, undefined, { signal }).catch(() => {
        throw error
      })
    }
  }
  return action()
}
