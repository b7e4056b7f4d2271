/** How many rows a table has, from the counters that the database keeps. */

import type { Connection } from './connection.ts'

/** Reads the count of `table`, one of those that the migrations count. */
export function total({ query }: Connection, table: 'users' | 'colors'): () => number {
  const count = query<{ total: number }>(`SELECT total FROM counts WHERE name = '${table}'`)
  return () => {
    const row = count.one()
    if (row === undefined) throw new Error(`The database has lost its count of ${table}.`)
    return row.total
  }
}
