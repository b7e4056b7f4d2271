/** How many rows a table has, from the counters that the database keeps. */

import { mapped } from '../awaitable.ts'
import type { Connection } from '../connection.ts'
import type { Awaitable } from '../store.ts'

/** Reads the count of `table`, one of those that the migrations count. */
export function total({ query }: Connection, table: 'users' | 'colors'): () => Awaitable<number> {
  // A database that many write to at once counts in several rows, so that they do not wait for each other.
  const count = query<readonly [total: number | null]>(`SELECT CAST(sum(total) AS bigint) FROM counts WHERE name = '${table}'`)
  return () =>
    mapped(count.one(), (row) => {
      const found = row?.[0] ?? undefined
      if (found === undefined) throw new Error(`The database has lost its count of ${table}.`)
      return found
    })
}
