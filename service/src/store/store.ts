/**
 * The stored data: users, products, persons, colours, secrets and accounts, in SQLite or PostgreSQL. Larger tables have a file in `tables/`.
 */
import { setTimeout } from 'node:timers/promises'
import type { Person, Secret } from '../api/schemas.ts'
import { redactUrl } from '../redact.ts'
import { type Connection, connect, mapAwaitable, type StoreOptions } from './connection.ts'
import { OpenError, StoreUnavailable } from './errors.ts'
import { createTable, hasChanged } from './rows.ts'
import { colorsTable } from './tables/colors.ts'
import { productsTable } from './tables/products.ts'
import { usersTable } from './tables/users.ts'

export type { Awaitable, StoreOptions } from './connection.ts'
export type { RowCheck } from './rows.ts'
export type { ColorField, Colors } from './tables/colors.ts'

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

function secretsTable(connection: Connection) {
  const { all, add } = createTable(connection, {
    table: 'secrets',
    key: 'id',
    columns: ['secret'],
    texts: ['secret'],
    toItem: ([, secret]: readonly [id: number, secret: string]): Secret => ({ secret }),
    toValues: ({ secret }) => [secret],
  })
  // In the order of insertion. The identifier of a secret stays here.
  return { all, add: (secret: Secret) => mapAwaitable(add(secret), (): void => {}) }
}

/** The store in a database with migrated tables. */
const createStore = (connection: Connection) =>
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

/** How long opening a database may take, in milliseconds. */
const openTimeout = 5000
/** Between two attempts to open it, in milliseconds. */
const retryPause = 50

/**
 * Opens `sqlite:PATH` (creates the file and its folder if they are missing), `sqlite::memory:` or `postgres://…`, and migrates its tables.
 * Throws `OpenError`. A database of another program is not changed.
 */
export async function openStore(url: string, options: StoreOptions = {}): Promise<Store> {
  const isSqlite = url.startsWith('sqlite:')
  const place = isSqlite ? url.slice('sqlite:'.length) : url
  // Imports one driver only, because each delays the start.
  const { open, toStoreError, openReason } = isSqlite ? (await import('./sqlite.ts')).sqlite : (await import('./postgres.ts')).postgres
  const deadline = Date.now() + openTimeout
  for (;;) {
    try {
      return createStore(connect(await open(place, options), options.observer))
    } catch (error) {
      const failure = error instanceof OpenError ? error : toStoreError(error)
      // The network is not up yet, the database is starting, or processes that start together lock it for each other.
      const mayPass = failure instanceof StoreUnavailable && failure.retryAfter * 1000 <= openTimeout
      if (mayPass && Date.now() < deadline) {
        await setTimeout(retryPause)
        continue
      }
      const reason = error instanceof OpenError ? error.message : openReason(error)
      throw new OpenError(`Cannot open the database ${isSqlite ? place : redactUrl(url)}: ${reason}.`, { cause: error })
    }
  }
}
