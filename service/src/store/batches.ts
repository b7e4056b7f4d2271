/** Reads a whole table page by page, each page by the position of the last row of the one before. */

import { setImmediate } from 'node:timers/promises'
import type { Awaitable, Batches } from './store.ts'

/** How many rows are read at a time: enough to make the reading cheap, too few to hold the event loop for a millisecond or two. */
export const batchSize = 500

/** One page, and the position of its last row; no position when it is known to be the last page. */
export interface Batch<Row, Position> {
  readonly rows: readonly Row[]
  readonly last: Position | undefined
}

/**
 * Every row from `start` on. No cursor stays open between pages, so a slow reader holds no lock, memory is that of one page, and a
 * reader that stops early leaves nothing behind. Other work gets its turn between pages.
 */
export async function* batches<Row, Position>(start: Position, read: (after: Position) => Awaitable<Batch<Row, Position>>): Batches<Row> {
  let position: Position | undefined = start
  while (position !== undefined) {
    const batch: Batch<Row, Position> = await read(position)
    if (batch.rows.length > 0) yield batch.rows
    position = batch.last
    if (position !== undefined) await setImmediate()
  }
}
