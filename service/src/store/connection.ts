/** What the tables need of a database, whichever it is: statements prepared once, asked and run many times. */

import type { Awaitable } from './store.ts'

export type Value = string | number | null

/** A statement that reads; rows are arrays of their columns. */
export interface Query<Row> {
  readonly one: (...values: readonly Value[]) => Awaitable<Row | undefined>
  readonly all: (...values: readonly Value[]) => Awaitable<readonly Row[]>
}

/** A statement that writes; says whether it changed anything. Committed when it returns. */
export type Change = (...values: readonly Value[]) => Awaitable<boolean>

/**
 * One database. Statements are written in the SQL that all of them know, with `?` for each value; identifiers and comparisons of
 * text are binary. Every method throws `StoreUnavailable` while the database cannot serve.
 */
export interface Connection {
  readonly query: <Row extends readonly Value[]>(sql: string) => Query<Row>
  readonly change: (sql: string) => Change
  /** A statement that adds one row, and answers its new `id`. Committed when it returns. */
  readonly adding: (sql: string) => (...values: readonly Value[]) => Awaitable<number>
  /** Adds those rows whose key is not taken yet, whole or not at all, and answers how many they were. Committed when it returns. */
  readonly filling: (table: string, columns: readonly string[]) => (rows: readonly (readonly Value[])[]) => Awaitable<number>
  /** Returns when the database can be read and written. */
  readonly ping: () => Awaitable<void>
  readonly close: () => Awaitable<void>
}
