/** Users in SQLite. */

import { type Batch, batches, batchSize } from '../batches.ts'
import type { User, Users } from '../store.ts'
import type { Connection } from './connection.ts'
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

function batch(rows: readonly Row[], value: (row: Row) => string | number): Batch<User, Position> {
  const last = rows.length < batchSize ? undefined : rows.at(-1)
  return { rows: rows.map(user), last: last && [value(last), last[0]] }
}

export function users(connection: Connection): Users {
  const { columns, change } = connection
  const byId = columns<Row>(`${select} WHERE id > ? ORDER BY id LIMIT ?`)
  const one = columns<Row>(`${select} WHERE id = ?`)
  const [ageGroup, beyondAge] = pageSql('age')
  const [nameGroup, beyondName] = pageSql('name')
  const byAge = { group: columns<Row>(ageGroup), beyond: columns<Row>(beyondAge) }
  const byName = { group: columns<Row>(nameGroup), beyond: columns<Row>(beyondName) }
  const add = change('INSERT INTO users (name, age, email, registration_date) VALUES (?, ?, ?, ?)')
  const replace = change('UPDATE users SET name = ?, age = ?, email = ?, registration_date = ? WHERE id = ?')
  const remove = change('DELETE FROM users WHERE id = ?')

  /** Past the last of one group of equal values into the next ones, `batchSize` rows in all. */
  function ordered(by: typeof byAge, value: (row: Row) => string | number, [from, id]: Position): Batch<User, Position> {
    const group = by.group.all(from, id, batchSize)
    const missing = batchSize - group.length
    return batch(missing === 0 ? group : [...group, ...by.beyond.all(from, missing)], value)
  }

  return Object.freeze({
    count: total(connection, 'users'),
    all: (sortby) => {
      if (sortby === 'age') return batches(lowest.age, (after) => ordered(byAge, (row) => row[2], after))
      if (sortby === 'name') return batches(lowest.name, (after) => ordered(byName, (row) => row[1], after))
      return batches(lowest.id, ([, id]) => batch(byId.all(id, batchSize), (row) => row[0]))
    },
    find: (id) => {
      const row = one.one(id)
      return row && user(row)
    },
    add: ({ name, age, email, registration_date }) => add(name, age, email, registration_date).id,
    replace: (id, { name, age, email, registration_date }) => replace(name, age, email, registration_date, id).changed,
    remove: (id) => remove(id).changed,
  } satisfies Users)
}
