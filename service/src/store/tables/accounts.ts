/** The table of accounts. */

import { mapped } from '../awaitable.ts'
import type { Connection } from '../connection.ts'
import type { Accounts } from '../store.ts'

export function accounts({ query, change }: Connection): Accounts {
  const one = query<readonly [name: string, hash: string]>('SELECT name, hash FROM accounts WHERE name = ?')
  const names = query<readonly [name: string]>('SELECT name FROM accounts ORDER BY name')
  const put = change('INSERT INTO accounts (name, hash) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET hash = excluded.hash')

  return Object.freeze({
    find: (name) => mapped(one.one(name), (row) => row && { name: row[0], hash: row[1] }),
    put: (name, hash) => mapped(put(name, hash), () => undefined),
    remove: change('DELETE FROM accounts WHERE name = ?'),
    list: () => mapped(names.all(), (rows) => rows.map(([name]) => name)),
  } satisfies Accounts)
}
