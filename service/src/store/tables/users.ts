/** The table of users. */

import { mapped } from '../awaitable.ts'
import { type Batch, batches, batchSize } from '../batches.ts'
import { changed } from '../changed.ts'
import type { Connection, Query } from '../connection.ts'
import type { Awaitable, User, Users } from '../store.ts'
import { total } from './total.ts'

type Row = readonly [id: number, name: string, age: number, email: string, registration_date: string]

/** The value ordered by and, where it may repeat, the identifier. */
type Position = readonly [value: string | number, id: number]

/** Below every user in each order; the lowest age is the lowest integer there can be. */
const lowest: Readonly<Record<'id' | 'age' | 'name', Position>> = { id: [0, 0], age: [Number.MIN_SAFE_INTEGER - 1, 0], name: ['', 0] }

const select = 'SELECT id, name, age, email, registration_date FROM users'

/**
 * The two statements of a page in the order of one column: the rest of the group of equal values, then what comes after the group.
 * Two, because SQLite cannot search an index by (value, rowid) at once: one statement would read a large group again for every page.
 */
export const pageSql = (column: 'age' | 'name'): readonly [group: string, beyond: string] => [
  `${select} WHERE ${column} = ? AND id > ? ORDER BY id LIMIT ?`,
  `${select} WHERE ${column} > ? ORDER BY ${column}, id LIMIT ?`,
]

const user = ([, name, age, email, registration_date]: Row): User => ({ name, age, email, registration_date })

/** In the order of the columns. */
const values = ({ name, age, email, registration_date }: User) => [name, age, email, registration_date] as const

/** The order of one column. */
interface Order {
  readonly value: (row: Row) => string | number
  readonly group: Query<Row>
  readonly beyond: Query<Row>
}

function batch(rows: readonly Row[], value: Order['value']): Batch<User, Position> {
  const last = rows.length < batchSize ? undefined : rows.at(-1)
  return { rows: rows.map(user), last: last && [value(last), last[0]] }
}

/** Past the last of one group of equal values into the next ones, `batchSize` rows in all. */
async function ordered({ group, beyond, value }: Order, [from, id]: Position): Promise<Batch<User, Position>> {
  const rows = await group.all(from, id, batchSize)
  const missing = batchSize - rows.length
  return batch(missing === 0 ? rows : [...rows, ...(await beyond.all(from, missing))], value)
}

export function users(connection: Connection): Users {
  const { query, change, adding } = connection
  const order = (column: 'age' | 'name', value: Order['value']): Order => {
    const [group, beyond] = pageSql(column)
    return { value, group: query(group), beyond: query(beyond) }
  }
  const byAge = order('age', (row) => row[2])
  const byName = order('name', (row) => row[1])
  const byId = query<Row>(`${select} WHERE id > ? ORDER BY id LIMIT ?`)
  const one = query<Row>(`${select} WHERE id = ?`)
  const add = adding('INSERT INTO users (name, age, email, registration_date) VALUES (?, ?, ?, ?)')
  const find = (id: number): Awaitable<User | undefined> => mapped(one.one(id), (row) => row && user(row))
  const update = 'UPDATE users SET name = ?, age = ?, email = ?, registration_date = ? WHERE id = ?'
  const asRead = 'AND name = ? AND age = ? AND email = ? AND registration_date = ?'
  const replace = change(update)
  const replaceAsRead = change(`${update} ${asRead}`)
  const remove = change('DELETE FROM users WHERE id = ?')
  const removeAsRead = change(`DELETE FROM users WHERE id = ? ${asRead}`)
  const inTurn = ([, id]: Position): Awaitable<Batch<User, Position>> =>
    mapped(byId.all(id, batchSize), (rows) => batch(rows, (row) => row[0]))

  return Object.freeze({
    count: total(connection, 'users'),
    all: (sortby) => {
      if (sortby === 'age') return batches(lowest.age, (after) => ordered(byAge, after))
      if (sortby === 'name') return batches(lowest.name, (after) => ordered(byName, after))
      return batches(lowest.id, inTurn)
    },
    find,
    add: (user) => add(...values(user)),
    replace: (id, user, check) =>
      changed(check, {
        read: () => find(id),
        write: () => replace(...values(user), id),
        writeAsRead: (row) => replaceAsRead(...values(user), id, ...values(row)),
      }),
    remove: (id, check) =>
      changed(check, {
        read: () => find(id),
        write: () => remove(id),
        writeAsRead: (row) => removeAsRead(id, ...values(row)),
      }),
  } satisfies Users)
}
