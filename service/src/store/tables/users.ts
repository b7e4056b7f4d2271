/** The table of users. The database assigns identifiers and never reuses them. */
import type { User } from '../../api/schemas.ts'
import type { Connection } from '../connection.ts'
import { countRows, createTable, readItems, selectBeginning } from '../rows.ts'

type UserRow = readonly [id: number, name: string, age: number, email: string, registration_date: string]

/** The value of the ordering column and, because values may repeat, the identifier. */
type UserPosition = readonly [value: string | number, id: number]

const columns = ['name', 'age', 'email', 'registration_date']
const select = `SELECT id, name, age, ${selectBeginning('email')}, registration_date FROM users`

/**
 * The two statements of a page: the rest of a group of equal values, then the rows after the group. SQLite cannot search an index by
 * (value, rowid), so that one statement would read a large group again for every page.
 */
export const userPageSql = (column: 'age' | 'name'): readonly [group: string, beyond: string] => [
  `${select} WHERE ${column} = ? AND id > ? ORDER BY id LIMIT ?`,
  `${select} WHERE ${column} > ? ORDER BY ${column}, id LIMIT ?`,
]

const toUser = ([, name, age, email, registration_date]: UserRow): User => ({ name, age, email, registration_date })

export function usersTable(connection: Connection) {
  const table = createTable(connection, {
    table: 'users',
    key: 'id',
    columns,
    texts: ['email'],
    toItem: toUser,
    toValues: ({ name, age, email, registration_date }) => [name, age, email, registration_date],
  })

  /** Every user after `start`, by the column and then by identifier. */
  function allBy(column: 'age' | 'name', start: string | number) {
    const [group, beyond] = userPageSql(column)
    /** Reads the rest of one group of equal values, then the groups after it, `limit` rows in all. */
    const readPage = async ([value, id]: UserPosition, limit: number): Promise<readonly UserRow[]> => {
      const rows = await connection.read<UserRow>(group, [value, id, limit])
      const missing = limit - rows.length
      return missing === 0 ? rows : [...rows, ...(await connection.read<UserRow>(beyond, [value, missing]))]
    }
    const positionOf = ([id, name, age]: UserRow): UserPosition => [column === 'age' ? age : name, id]
    return readItems<UserRow, UserPosition, User>([start, 0], {
      read: readPage,
      readWhole: ([id]) => table.find(id),
      positionOf,
      toItem: toUser,
    })
  }

  return {
    ...table,
    /** The number of users. The cost does not depend on it. */
    count: () => countRows(connection, 'users'),
    /** Every user, ascending by `sortby` and then by identifier. */
    all: (sortby?: 'age' | 'name') => {
      if (sortby === 'age') return allBy('age', Number.MIN_SAFE_INTEGER - 1)
      if (sortby === 'name') return allBy('name', '')
      return table.all()
    },
  }
}
