/** The tables of the store, with the same statements for every database. Larger tables have a file in `tables/`. */

import type { Person, Secret } from '../api/schemas.ts'
import { type Connection, mapAwaitable } from './connection.ts'
import { hasChanged, readById } from './rows.ts'
import { colorsTable } from './tables/colors.ts'
import { productsTable } from './tables/products.ts'
import { usersTable } from './tables/users.ts'

/** An account for Basic authentication. */
export interface Account {
  readonly name: string
  /** The hash of the password in PHC format, with its salt and costs. */
  readonly hash: string
}

function accountsTable({ read, write }: Connection) {
  const put = 'INSERT INTO accounts (name, hash) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET hash = excluded.hash'
  return {
    find: (name: string) =>
      mapAwaitable(
        read<readonly [name: string, hash: string]>('SELECT name, hash FROM accounts WHERE name = ?', [name]),
        ([row]): Account | undefined => row && { name: row[0], hash: row[1] },
      ),
    /** Adds the account, or changes its password. */
    put: (name: string, hash: string) => mapAwaitable(write(put, [name, hash]), (): void => {}),
    /** False: there is no such account. */
    remove: (name: string) => hasChanged(write('DELETE FROM accounts WHERE name = ? RETURNING name', [name])),
    /** Every name, ascending. */
    list: () =>
      mapAwaitable(read<readonly [name: string]>('SELECT name FROM accounts ORDER BY name'), (rows) => rows.map(([name]) => name)),
  }
}

type PersonRow = readonly [firstName: string, lastName: string]

const personsTable = ({ read }: Connection) => ({
  /** Every person, in the order of insertion. */
  all: () =>
    mapAwaitable(read<PersonRow>('SELECT first_name, last_name FROM persons ORDER BY id'), (rows): readonly Person[] =>
      rows.map(([firstName, lastName]) => ({ firstName, lastName })),
    ),
})

const secretsTable = (connection: Connection) => ({
  /** Every secret, in the order of insertion. */
  all: () =>
    readById(
      connection,
      'SELECT id, secret FROM secrets WHERE id > ? ORDER BY id LIMIT ?',
      0,
      ([, secret]: readonly [id: number, secret: string]): Secret => ({ secret }),
    ),
  add: ({ secret }: Secret) => mapAwaitable(connection.write('INSERT INTO secrets (secret) VALUES (?)', [secret]), (): void => {}),
})

/** The store in a database with migrated tables. */
export const createStore = (connection: Connection) =>
  Object.freeze({
    users: usersTable(connection),
    products: productsTable(connection),
    persons: personsTable(connection),
    colors: colorsTable(connection),
    secrets: secretsTable(connection),
    accounts: accountsTable(connection),
    /** Returns if the database can be read and written. */
    ping: connection.ping,
    /** Closes the connections. A list that is being read fails. */
    close: connection.close,
  })

/** The stored data. Each method throws `StoreUnavailable` while the database cannot serve. */
export type Store = ReturnType<typeof createStore>

export type Accounts = Store['accounts']
