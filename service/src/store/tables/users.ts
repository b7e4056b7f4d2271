/** The table of users. The database assigns identifiers and never reuses them. */

import type { User } from '../../api/schemas.ts'
import { type Awaitable, type Connection, mapAwaitable, type Query } from '../connection.ts'
import { type Batch, batchSize, changeRow, type RowCheck, readBatches, readById, rowCounter } from '../rows.ts'

type UserRow = readonly [id: number, name: string, age: number, email: string, registration_date: string]

/** The value of the ordering column and, because values may repeat, the identifier. */
type UserPosition = readonly [value: string | number, id: number]

/** A position before every user, for each order. The lowest age is the lowest safe integer. */
const firstPositions: Readonly<Record<'age' | 'name', UserPosition>> = {
  age: [Number.MIN_SAFE_INTEGER - 1, 0],
  name: ['', 0],
}

const select = 'SELECT id, name, age, email, registration_date FROM users'

/**
 * The two statements of a page: the rest of a group of equal values, then the rows after the group. SQLite cannot search an index by
 * (value, rowid), so that one statement would read a large group again for every page.
 */
export const userPageSql = (column: 'age' | 'name'): readonly [group: string, beyond: string] => [
  `${select} WHERE ${column} = ? AND id > ? ORDER BY id LIMIT ?`,
  `${select} WHERE ${column} > ? ORDER BY ${column}, id LIMIT ?`,
]

const toUser = ([, name, age, email, registration_date]: UserRow): User => ({ name, age, email, registration_date })

/** The values in the order of the columns. */
const valuesOf = ({ name, age, email, registration_date }: User) => [name, age, email, registration_date] as const

interface UserOrder {
  readonly value: (row: UserRow) => string | number
  readonly group: Query<UserRow>
  readonly beyond: Query<UserRow>
}

function toBatch(rows: readonly UserRow[], value: UserOrder['value']): Batch<User, UserPosition> {
  const last = rows.length < batchSize ? undefined : rows.at(-1)
  return { rows: rows.map(toUser), last: last && [value(last), last[0]] }
}

/** Reads the rest of one group of equal values, then the groups after it, `batchSize` rows in all. */
async function readOrdered({ group, beyond, value }: UserOrder, [from, id]: UserPosition): Promise<Batch<User, UserPosition>> {
  const rows = await group.all(from, id, batchSize)
  const missing = batchSize - rows.length
  return toBatch(missing === 0 ? rows : [...rows, ...(await beyond.all(from, missing))], value)
}

export function usersTable(connection: Connection) {
  const { query, change, insert } = connection
  const orderBy = (column: 'age' | 'name', value: UserOrder['value']): UserOrder => {
    const [group, beyond] = userPageSql(column)
    return { value, group: query(group), beyond: query(beyond) }
  }
  const byAge = orderBy('age', (row) => row[2])
  const byName = orderBy('name', (row) => row[1])
  const byId = query<UserRow>(`${select} WHERE id > ? ORDER BY id LIMIT ?`)
  const one = query<UserRow>(`${select} WHERE id = ?`)
  const add = insert('INSERT INTO users (name, age, email, registration_date) VALUES (?, ?, ?, ?)')
  const update = 'UPDATE users SET name = ?, age = ?, email = ?, registration_date = ? WHERE id = ?'
  const asRead = 'AND name = ? AND age = ? AND email = ? AND registration_date = ?'
  const replace = change(update)
  const replaceAsRead = change(`${update} ${asRead}`)
  const remove = change('DELETE FROM users WHERE id = ?')
  const removeAsRead = change(`DELETE FROM users WHERE id = ? ${asRead}`)
  const find = (id: number): Awaitable<User | undefined> => mapAwaitable(one.one(id), (row) => row && toUser(row))

  return {
    /** The number of users. The cost does not depend on it. */
    count: rowCounter(connection, 'users'),
    /** Every user, ascending by `sortby` and then by identifier. */
    all: (sortby?: 'age' | 'name') => {
      if (sortby === 'age') return readBatches(firstPositions.age, (after) => readOrdered(byAge, after))
      if (sortby === 'name') return readBatches(firstPositions.name, (after) => readOrdered(byName, after))
      return readById(byId, 0, toUser)
    },
    find,
    /** Adds a user and returns its new identifier. */
    add: (user: User) => add(...valuesOf(user)),
    /** False: there is no such user. */
    replace: (id: number, user: User, check?: RowCheck<User>) =>
      changeRow(check, {
        read: () => find(id),
        write: () => replace(...valuesOf(user), id),
        writeAsRead: (row) => replaceAsRead(...valuesOf(user), id, ...valuesOf(row)),
      }),
    /** False: there is no such user. */
    remove: (id: number, check?: RowCheck<User>) =>
      changeRow(check, {
        read: () => find(id),
        write: () => remove(id),
        writeAsRead: (row) => removeAsRead(id, ...valuesOf(row)),
      }),
  }
}
