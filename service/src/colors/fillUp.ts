/** Brings the collection up to a number of colours, from a source whose order never changes. */

import { setImmediate } from 'node:timers/promises'
import type { Awaitable, Color, Colors } from '../store/store.ts'
import { counted, grouped } from './grouped.ts'
import type { Interruption } from './interruption.ts'
import { patiently } from './patiently.ts'
import { progress } from './progress.ts'

/** How many colours are written at once, whole or not at all: enough to write quickly, few enough to hold in memory. */
export const batchSize = 2000

/**
 * Adds colours until there are `count`, and answers how many there were before and how many there are then. `source` gives the colour
 * at each place from 0, without end; those whose name is taken are passed over. Throws `StoreUnavailable` and `Interrupted`: what was
 * added by then stays, and calling it again goes on from there.
 */
export async function fillUp(
  colors: Colors,
  count: number,
  source: (place: number) => Color,
  { signal, check }: Interruption,
): Promise<{ readonly before: number; readonly now: number }> {
  const attempt = <Result>(action: () => Awaitable<Result>): Promise<Result> => patiently(action, signal)
  /** Whether there is a colour of this name. No name holds a control character: nothing comes between a name and itself with one behind. */
  const isThere = async ({ name }: Color): Promise<boolean> => {
    const query = { field: 'name', order: 'desc', after: { value: `${name}\u0001` }, offset: 0, limit: 1 } as const
    return (await attempt(() => colors.page(query)))[0]?.name === name
  }
  const before = await attempt(colors.count)
  let now = before
  const shown = progress('Adding', 'colours', before, count)
  try {
    for (let start = 0; now < count; start += batchSize) {
      // Batches are whole, so that its two ends say that an earlier run has written one; what was deleted from its middle stays away.
      const written = (await isThere(source(start))) && (await isThere(source(start + batchSize - 1)))
      const batch = written ? [] : Array.from({ length: batchSize }, (_, index) => source(start + index))
      while (batch.length > 0 && now < count) {
        const part = batch.splice(0, count - now)
        await attempt(() => colors.add(part))
        // Asked, not added up: an answer may be lost, and others may write, too.
        now = await attempt(colors.count)
        shown.at(now)
      }
      // A database in this process leaves no room for signals by itself.
      await setImmediate()
      if (now < count) check(() => `Interrupted: there are ${grouped(now)} of ${counted(count)}. The same command goes on from here.`)
    }
  } finally {
    shown.end()
  }
  return { before, now }
}
