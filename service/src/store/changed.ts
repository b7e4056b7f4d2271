/** Changes a row, with a check only as it was when it was looked at. */

import type { Awaitable, Check } from './store.ts'

/** How a row is changed. */
export interface Change<Row> {
  readonly read: () => Awaitable<Row | undefined>
  /** Whatever is there. False: nothing is. */
  readonly write: () => Awaitable<boolean>
  /** Only where the row still is as it was read. */
  readonly writeAsRead: (row: Row) => Awaitable<boolean>
}

/**
 * Changes a row; with a check, reads it, has it checked, and writes where it still is as it was read: one statement whose count decides, on any
 * database and however many processes write. Whoever comes too late looks again, and so does the check. False: there is no such row. Throws what
 * the check throws.
 */
export const changed = <Row>(check: Check<Row> | undefined, change: Change<Row>): Awaitable<boolean> =>
  check === undefined ? change.write() : asRead(check, change)

async function asRead<Row>(check: Check<Row>, { read, writeAsRead }: Change<Row>): Promise<boolean> {
  for (;;) {
    const row = await read()
    if (row === undefined) return false
    check(row)
    if (await writeAsRead(row)) return true
  }
}
