/** Building blocks of the tables: batches of rows, and checked changes. */

import { setImmediate } from 'node:timers/promises'
import { type Awaitable, type Connection, mapAwaitable, type Query } from './connection.ts'

/** All rows of a table in batches. Stopping early (`break`, `return()`) leaves nothing open. */
export type Batches<Row> = AsyncGenerator<readonly Row[], void, undefined>

/** Rows per batch: enough to make reading cheap, too few to block the event loop for longer than a millisecond or two. */
export const batchSize = 500

export interface Batch<Row, Position> {
  readonly rows: readonly Row[]
  /** The position of the last row. Absent if this is the last batch. */
  readonly last: Position | undefined
}

/**
 * Reads every row after `start`. No cursor stays open between batches: a slow reader holds no lock, memory is that of one batch, and a
 * reader that stops early leaves nothing behind. Other work runs between batches.
 */
export async function* readBatches<Row, Position>(
  start: Position,
  read: (after: Position) => Awaitable<Batch<Row, Position>>,
): Batches<Row> {
  let position: Position | undefined = start
  while (position !== undefined) {
    const batch: Batch<Row, Position> = await read(position)
    if (batch.rows.length > 0) yield batch.rows
    position = batch.last
    if (position !== undefined) await setImmediate()
  }
}

/**
 * Reads every row with an identifier above `start`. `page` takes an identifier and a limit, and the first column of its rows is the
 * identifier.
 */
export const readById = <Row extends readonly [id: number, ...rest: unknown[]], Item>(
  page: Query<Row>,
  start: number,
  toItem: (row: Row) => Item,
): Batches<Item> =>
  readBatches(start, (after: number) =>
    mapAwaitable(page.all(after, batchSize), (rows) => ({
      rows: rows.map(toItem),
      last: rows.length < batchSize ? undefined : rows.at(-1)?.[0],
    })),
  )

/** The rows of the batches one by one. */
export async function* flatten<Row>(batches: AsyncIterable<readonly Row[]>): AsyncGenerator<Row, void, undefined> {
  for await (const batch of batches) yield* batch
}

/** Examines a row before it is changed, and throws to prevent the change. The row is changed only if it still is as examined. */
export type RowCheck<Row> = (row: Row) => void

export interface Change<Row> {
  readonly read: () => Awaitable<Row | undefined>
  /** Changes the row unconditionally. False: there is no such row. */
  readonly write: () => Awaitable<boolean>
  /** Changes the row only if it still is as it was read. */
  readonly writeAsRead: (row: Row) => Awaitable<boolean>
}

/**
 * Changes a row. With a check it reads the row, checks it, and writes only if the row is unchanged: one statement whose count decides, on
 * any database and with any number of processes. If another writer was faster, it reads and checks again. False: there is no such row.
 * Throws what the check throws.
 */
export function changeRow<Row>(check: RowCheck<Row> | undefined, { read, write, writeAsRead }: Change<Row>): Awaitable<boolean> {
  if (check === undefined) return write()
  return (async () => {
    for (;;) {
      const row = await read()
      if (row === undefined) return false
      check(row)
      if (await writeAsRead(row)) return true
    }
  })()
}

/** Reads the number of rows from the counters that the triggers of the database maintain. The cost does not depend on that number. */
export function rowCounter({ query }: Connection, table: 'users' | 'colors'): () => Awaitable<number> {
  // PostgreSQL spreads the count over several rows, so that parallel writers do not wait for each other.
  const count = query<readonly [total: number | null]>(`SELECT CAST(sum(total) AS bigint) FROM counts WHERE name = '${table}'`)
  return () =>
    mapAwaitable(count.one(), (row) => {
      const total = row?.[0] ?? undefined
      if (total === undefined) throw new Error(`The database has lost its count of ${table}.`)
      return total
    })
}
