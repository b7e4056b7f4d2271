/** Keeps the colours of a file, however many, until all of them are known to be right. */

import { DatabaseSync } from '../store/sqlite/module.ts'
import type { Color } from '../store/store.ts'

export interface Staging {
  /** Keeps a colour; gives the place of an earlier one of the same name, and then does not keep it. */
  readonly keep: (color: Color, place: string) => string | undefined
  readonly count: () => number
  /** All of them, in the order in which they were kept, so many at a time. */
  readonly batches: (size: number) => Generator<readonly Color[]>
  readonly close: () => void
}

type Row = readonly [id: number, name: string, red: number, green: number, blue: number, hex: string]

/** In a file of SQLite's own among the temporary ones: it grows on the disk and not in memory, and is gone with the process. */
export function staging(): Staging {
  const database = new DatabaseSync('')
  database.exec(`
    PRAGMA cache_size = -8000;
    CREATE TABLE colors (
      id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, place TEXT NOT NULL,
      red INTEGER NOT NULL, green INTEGER NOT NULL, blue INTEGER NOT NULL, hex TEXT NOT NULL
    ) STRICT;
    BEGIN`)
  const insert = database.prepare(
    'INSERT INTO colors (name, place, red, green, blue, hex) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  )
  const earlier = database.prepare('SELECT place FROM colors WHERE name = ?')
  const page = database.prepare('SELECT id, name, red, green, blue, hex FROM colors WHERE id > ? ORDER BY id LIMIT ?')
  const count = database.prepare('SELECT count(*) FROM colors')
  for (const statement of [earlier, page, count]) statement.setReturnArrays(true)
  /** The first column of the first row. */
  const first = (row: unknown): unknown => (row as readonly unknown[] | undefined)?.[0]

  function* batches(size: number): Generator<readonly Color[]> {
    for (let last = 0; ; ) {
      const rows = page.all(last, size) as readonly Row[] // as the statement says
      const end = rows.at(-1)
      if (end === undefined) return
      yield rows.map(([, name, red, green, blue, hex]) => ({ name, rgb: [red, green, blue], hex }))
      last = end[0]
    }
  }

  return Object.freeze({
    keep: ({ name, rgb, hex }, place) => (insert.run(name, place, ...rgb, hex).changes > 0 ? undefined : String(first(earlier.get(name)))),
    count: () => Number(first(count.get())),
    batches,
    close: () => {
      if (database.isOpen) database.close()
    },
  } satisfies Staging)
}
