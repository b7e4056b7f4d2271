/** Adds the colours of a file: all of them, or none when anything is wrong with any. */

import { setImmediate } from 'node:timers/promises'
import type { Colors } from '../store/store.ts'
import { faults } from './faults.ts'
import { batchSize } from './fillUp.ts'
import { given } from './given.ts'
import { counted, grouped } from './grouped.ts'
import type { Interruption } from './interruption.ts'
import { type Item, items } from './items.ts'
import { patiently } from './patiently.ts'
import { progress } from './progress.ts'
import { Refused } from './refused.ts'
import { type Staging, staging } from './staging.ts'

/** What is wrong with an item; what is not is kept. */
function faultsOf(item: Item, kept: Staging): readonly string[] {
  if ('fault' in item) return [item.fault]
  const color = given(item.value)
  if (!('name' in color)) return color
  const earlier = kept.keep(color, item.place)
  return earlier === undefined
    ? []
    : [`/name: expected a name that is new in this file, got that of ${earlier}: ${JSON.stringify(color.name)}`]
}

async function readAll(path: string, kept: Staging, { check }: Interruption): Promise<void> {
  const wrong = faults()
  for await (const some of items(path)) {
    for (const item of some) for (const fault of faultsOf(item, kept)) wrong.add(`${item.place}: ${fault}`)
    await setImmediate()
    check(() => 'Interrupted: nothing was added.')
  }
  const lines = wrong.lines()
  if (lines.length > 0) throw new Refused([`${path} cannot be loaded, and nothing was added:`, ...lines].join('\n  '))
}

/**
 * Adds the colours of the file at `path` whose names are not taken, and answers how many those were, and how many there are in the
 * file. Throws `Refused` when anything is wrong with the file: then nothing has been added. Throws `StoreUnavailable` and `Interrupted`:
 * what was added by then stays, and calling it again adds the rest.
 */
export async function loadFile(
  colors: Colors,
  path: string,
  interrupted: Interruption,
): Promise<{ readonly added: number; readonly all: number }> {
  const kept = staging()
  try {
    await readAll(path, kept, interrupted)
    const all = kept.count()
    const shown = progress('Adding', 'colours', 0, all)
    let added = 0
    let done = 0
    try {
      for (const batch of kept.batches(batchSize)) {
        interrupted.check(() => `Interrupted: added ${grouped(done)} of ${counted(all)}. The same command adds the rest.`)
        added += await patiently(() => colors.add(batch), interrupted.signal)
        done += batch.length
        shown.at(done)
        await setImmediate()
      }
    } finally {
      shown.end()
    }
    return { added, all }
  } finally {
    kept.close()
  }
}
