/** Changes a row only as it was when it was looked at. */

import type { Awaitable } from './store.ts'

/**
 * Reads a row, has it checked, and writes where it still is as it was read: one statement whose count decides, on any database and however many
 * processes write. Whoever comes too late looks again, and so does the check. False: there is no such row. Throws what the check throws.
 */
export async function checked<Row>(
  read: () => Awaitable<Row | undefined>,
  check: (row: Row) => void,
  write: (row: Row) => Awaitable<boolean>,
): Promise<boolean> {
  for (;;) {
    const row = await read()
    if (row === undefined) return false
    check(row)
    if (await write(row)) return true
  }
}
