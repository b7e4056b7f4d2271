/** Accounts in SQLite. */

import type { Account, Accounts } from '../store.ts'
import type { Connection } from './connection.ts'

export function accounts({ query, change }: Connection): Accounts {
  const one = query<Account>('SELECT name, hash FROM accounts WHERE name = ?')
  const names = query<Pick<Account, 'name'>>('SELECT name FROM accounts ORDER BY name')
  const put = change('INSERT INTO accounts (name, hash) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET hash = excluded.hash')
  const remove = change('DELETE FROM accounts WHERE name = ?')

  return Object.freeze({
    find: (name) => one.one(name),
    put: (name, hash) => void put(name, hash),
    remove: (name) => remove(name).changed,
    list: () => names.all().map(({ name }) => name),
  } satisfies Accounts)
}
