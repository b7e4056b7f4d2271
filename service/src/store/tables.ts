/** The tables of the store, with the same statements for every database. Larger tables have a file in `tables/`. */

import type { Person, Secret } from '../api/schemas.ts'
import { type Connection, mapAwaitable } from './connection.ts'
import { readById } from './rows.ts'
import { colorsTable } from './tables/colors.ts'
import { productsTable } from './tables/products.ts'
import { usersTable } from './tables/users.ts'

/** An account for Basic authentication. */
export interface Account {
  readonly name: string
  /** The hash of the password in PHC format, with its salt and costs. */
  readonly hash: string
}

function accountsTable({ query, change }: Connection) {
  const one = query<readonly [name: string, hash: string]>('SELECT name, hash FROM accounts WHERE name = ?')
  const names = query<readonly [name: string]>('SELECT name FROM accounts ORDER BY name')
  const put = change('INSERT INTO accounts (name, hash) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET hash = excluded.hash')
  return {
    find: (name: string) => mapAwaitable(one.one(name), (row): Account | undefined => row && { name: row[0], hash: row[1] }),
    /** Adds the account, or changes its password. */
    put: (name: string, hash: string) => mapAwaitable(put(name, hash), (): void => {}),
    /** False: there is no such account. */
    remove: change('DELETE FROM accounts WHERE name = ?'),
    /** Every name, ascending. */
    list: () => mapAwaitable(names.all(), (rows): readonly string[] => rows.map(([name]) => name)),
  }
}

function personsTable({ query }: Connection) {
  const all = query<readonly [firstName: string, lastName: string]>('SELECT first_name, last_name FROM persons ORDER BY id')
  return {
    /** Every person, in the order of insertion. */
    all: () => mapAwaitable(all.all(), (rows): readonly Person[] => rows.map(([firstName, lastName]) => ({ firstName, lastName }))),
  }
}

function secretsTable({ query, insert }: Connection) {
  const page = query<readonly [id: number, secret: string]>('SELECT id, secret FROM secrets WHERE id > ? ORDER BY id LIMIT ?')
  const add = insert('INSERT INTO secrets (secret) VALUES (?)')
  return {
    /** Every secret, in the order of insertion. */
    all: () => readById(page, 0, ([, secret]): Secret => ({ secret })),
    add: ({ secret }: Secret) => mapAwaitable(add(secret), (): void => {}),
  }
}

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
