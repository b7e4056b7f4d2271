/** Secrets in SQLite. */

import { batches, batchSize } from '../batches.ts'
import type { Secrets } from '../store.ts'
import type { Connection } from './connection.ts'

type Row = readonly [id: number, secret: string]

export function secrets({ columns, change }: Connection): Secrets {
  const page = columns<Row>('SELECT id, secret FROM secrets WHERE id > ? ORDER BY id LIMIT ?')
  const add = change('INSERT INTO secrets (secret) VALUES (?)')

  return Object.freeze({
    all: () =>
      batches(0, (after) => {
        const rows = page.all(after, batchSize)
        return { rows: rows.map(([, secret]) => ({ secret })), last: rows.length < batchSize ? undefined : rows.at(-1)?.[0] }
      }),
    add: ({ secret }) => void add(secret),
  } satisfies Secrets)
}
