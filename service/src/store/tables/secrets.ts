/** The table of secrets. */

import { mapped } from '../awaitable.ts'
import { batches, batchSize } from '../batches.ts'
import type { Connection } from '../connection.ts'
import type { Secrets } from '../store.ts'

type Row = readonly [id: number, secret: string]

export function secrets({ query, adding }: Connection): Secrets {
  const page = query<Row>('SELECT id, secret FROM secrets WHERE id > ? ORDER BY id LIMIT ?')
  const add = adding('INSERT INTO secrets (secret) VALUES (?)')

  return Object.freeze({
    all: () =>
      batches(0, (after) =>
        mapped(page.all(after, batchSize), (rows) => ({
          rows: rows.map(([, secret]) => ({ secret })),
          last: rows.length < batchSize ? undefined : rows.at(-1)?.[0],
        })),
      ),
    add: ({ secret }) => mapped(add(secret), () => undefined),
  } satisfies Secrets)
}
