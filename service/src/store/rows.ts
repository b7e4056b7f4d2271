/** Building blocks of the tables: lists, checked changes, and counts. */
import { setImmediate } from 'node:timers/promises'
import { type Awaitable, type Connection, mapAwaitable, type SqlRow, type SqlValue } from './connection.ts'

/** Rows per batch at most: enough to make reading cheap, too few to block the event loop for longer than a millisecond or two. */
const batchSize = 500

/**
 * The longest text that is read with its batch, in characters. No text of the contract is longer, but rows of an older version may have
 * texts of a megabyte: each of those is read alone, so that a batch has at most a megabyte.
 */
const maxBatchText = 500

/** Selects the beginning of a text. It has more than `maxBatchText` characters only if the text has. No alias: ORDER BY names the column. */
export const selectBeginning = (column: string): string => `substr(${column}, 1, ${maxBatchText + 1})`

/**
 * How many characters of texts a list holds while its client takes them. A client may read nothing for as long as `READER_TIMEOUT_MS` allows,
 * and many may: a batch of the longest texts for each of them is more than a small heap.
 */
const maxHeldText = 32_768

const isCut = (value: SqlValue): boolean => typeof value === 'string' && value.length > maxBatchText

/** How a list is read. A position and an item are made of a row. */
interface BatchReader<Row, Position, Item> {
  /** Returns so many rows after a position, with the beginnings of their texts. Fewer are the last ones. */
  readonly read: (after: Position, limit: number) => Awaitable<readonly Row[]>
  /** Returns the item of a row with its whole texts, or `undefined` if the row has been removed. */
  readonly readWhole: (row: Row) => Awaitable<Item | undefined>
  readonly positionOf: (row: Row) => Position
  readonly toItem: (row: Row) => Item
}

/** The first rows whose texts have at most `maxHeldText` characters; one at least. */
function takeHeld<Row extends SqlRow>(rows: readonly Row[]): readonly Row[] {
  let length = 0
  const end = rows.findIndex((row, index) => {
    for (const value of row) if (typeof value === 'string') length += value.length
    return length > maxHeldText && index > 0
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/**
 * Reads every row after `start` in batches. No cursor stays open between batches: a slow reader holds no lock, memory is that of the rows
 * that are held and one long row, and a reader that stops early (`break`, `return()`) leaves nothing behind. Other work runs between
 * batches.
 */
export async function* readItems<Row extends SqlRow, Position, Item>(
  start: Position,
  { read, readWhole, positionOf, toItem }: BatchReader<Row, Position, Item>,
): AsyncGenerator<Item, void, undefined> {
  let limit = batchSize
  for (let after = start; ; ) {
    let rows = await read(after, limit)
    const count = rows.length
    // The same variable, since a generator keeps every other one.
    rows = takeHeld(rows)
    for (const row of rows) {
      const item = row.some(isCut) ? await readWhole(row) : toItem(row)
      if (item !== undefined) yield item
    }
    const last = rows.at(-1)
    if (last === undefined || (rows.length === count && count < limit)) return
    // Of long rows, no more are read than were held.
    limit = rows.length < count ? rows.length : Math.min(batchSize, 2 * limit)
    after = positionOf(last)
    await setImmediate()
  }
}

/** Examines a row before it is changed, and throws to prevent the change. The row is changed only if it still is as examined. */
export type RowCheck<Row> = (row: Row) => void

export interface Change<Row> {
  readonly read: () => Awaitable<Row | undefined>
  /** Changes the row: unconditionally, or only if it still is `asRead`. False: there is no such row. */
  readonly write: (asRead?: Row) => Awaitable<boolean>
}

/**
 * Changes a row. With a check it reads the row, checks it, and writes only if the row is unchanged: one statement whose count decides, on
 * any database and with any number of processes. If another writer was faster, it reads and checks again. False: there is no such row.
 * Throws what the check throws.
 */
export function changeRow<Row>(check: RowCheck<Row> | undefined, { read, write }: Change<Row>): Awaitable<boolean> {
  if (check === undefined) return write()
  return (async () => {
    for (;;) {
      const row = await read()
      if (row === undefined) return false
      check(row)
      if (await write(row)) return true
    }
  })()
}

/** Whether a statement that ends with RETURNING has changed a row. */
export const hasChanged = (rows: Awaitable<readonly unknown[]>): Awaitable<boolean> => mapAwaitable(rows, ({ length }) => length > 0)

/** How the rows of a table become items. */
interface Mapping<Item, Row> {
  readonly table: string
  /** The column of integers that identifies a row. */
  readonly key: string
  /** The other columns. */
  readonly columns: readonly string[]
  /** Those of them with texts of any length. A list must not be ordered by one. */
  readonly texts: readonly string[]
  /** Takes a row of the key and the other columns. */
  readonly toItem: (row: Row) => Item
  /** The values of the other columns. */
  readonly toValues: (item: Item) => readonly SqlValue[]
}

/** What all tables of items do. */
export function createTable<Item, Row extends readonly [key: number, ...rest: SqlValue[]]>(
  { read, write }: Connection,
  { table, key, columns, texts, toItem, toValues }: Mapping<Item, Row>,
) {
  const selectOne = `SELECT ${[key, ...columns].join(', ')} FROM ${table} WHERE ${key} = ?`
  const beginnings = [key, ...columns.map((column) => (texts.includes(column) ? selectBeginning(column) : column))].join(', ')
  const selectPage = `SELECT ${beginnings} FROM ${table} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`
  const insert = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')}) RETURNING ${key}`
  const update = `UPDATE ${table} SET ${columns.map((column) => `${column} = ?`).join(', ')} WHERE ${key} = ?`
  const isAsRead = columns.map((column) => ` AND ${column} IS NOT DISTINCT FROM ?`).join('')

  const find = (id: number): Awaitable<Item | undefined> => mapAwaitable(read<Row>(selectOne, [id]), ([row]) => row && toItem(row))
  const change = (id: number, check: RowCheck<Item> | undefined, sql: string, values: readonly SqlValue[]): Awaitable<boolean> =>
    changeRow<Item>(check, {
      read: () => find(id),
      write: (asRead) =>
        hasChanged(
          asRead === undefined
            ? write(`${sql} RETURNING ${key}`, values)
            : write(`${sql}${isAsRead} RETURNING ${key}`, [...values, ...toValues(asRead)]),
        ),
    })
  return {
    /** Every item, ascending by its key. */
    all: () =>
      readItems<Row, number, Item>(Number.MIN_SAFE_INTEGER - 1, {
        read: (after, limit) => read<Row>(selectPage, [after, limit]),
        readWhole: ([id]) => find(id),
        positionOf: ([id]) => id,
        toItem,
      }),
    find,
    /** Adds an item and returns its new key. */
    add: (item: Item) => mapAwaitable(write(insert, toValues(item)), ([row]) => Number(row?.[0])),
    /** False: there is no such item. */
    replace: (id: number, item: Item, check?: RowCheck<Item>) => change(id, check, update, [...toValues(item), id]),
    /** False: there is no such item. */
    remove: (id: number, check?: RowCheck<Item>) => change(id, check, `DELETE FROM ${table} WHERE ${key} = ?`, [id]),
  }
}

/** Reads the number of rows from the counters that the triggers of the database maintain. The cost does not depend on that number. */
export function countRows({ read }: Connection, table: 'users' | 'colors'): Awaitable<number> {
  // PostgreSQL spreads the count over several rows, so that parallel writers do not wait for each other.
  const rows = read<readonly [total: number | null]>('SELECT CAST(sum(total) AS bigint) FROM counts WHERE name = ?', [table])
  return mapAwaitable(rows, ([row]) => {
    const total = row?.[0] ?? undefined
    if (total === undefined) throw new Error(`The database has lost its count of ${table}.`)
    return total
  })
}
