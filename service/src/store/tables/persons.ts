/** The table of persons. */

import { mapped } from '../awaitable.ts'
import type { Connection } from '../connection.ts'
import type { Persons } from '../store.ts'

export function persons({ query }: Connection): Persons {
  const all = query<readonly [firstName: string, lastName: string]>('SELECT first_name, last_name FROM persons ORDER BY id')
  return Object.freeze({
    all: () => mapped(all.all(), (rows) => rows.map(([firstName, lastName]) => ({ firstName, lastName }))),
  } satisfies Persons)
}
