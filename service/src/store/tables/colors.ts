/** The table of colours: every page is one search of an index in its own order. */

import { mapped } from '../awaitable.ts'
import type { Connection, Query } from '../connection.ts'
import type { Color, ColorField, Colors } from '../store.ts'
import { total } from './total.ts'

type Row = readonly [name: string, red: number, green: number, blue: number, hex: string]
type Order = 'asc' | 'desc'

/** Where a page begins: at the first row, after a value, or after an exact position. */
type Start = 'first' | 'value' | 'position'

/** The statement of one kind of page; its values are those of the start, then the limit, then the offset. */
export function pageSql(field: ColorField, order: Order, start: Start): string {
  const beyond = order === 'asc' ? '>' : '<'
  const where = { first: '', value: `WHERE ${field} ${beyond} ?`, position: `WHERE (${field}, name) ${beyond} (?, ?)` }[start]
  return `SELECT name, red, green, blue, hex FROM colors ${where} ORDER BY ${field} ${order}, name ${order} LIMIT ? OFFSET ?`
}

const color = ([name, red, green, blue, hex]: Row): Color => ({ name, rgb: [red, green, blue], hex })

export function colors(connection: Connection): Colors {
  type Pages = Readonly<Record<Start, Query<Row>>>
  const inOrder = (field: ColorField, order: Order): Pages => ({
    first: connection.query<Row>(pageSql(field, order, 'first')),
    value: connection.query<Row>(pageSql(field, order, 'value')),
    position: connection.query<Row>(pageSql(field, order, 'position')),
  })
  const byField = (field: ColorField) => ({ asc: inOrder(field, 'asc'), desc: inOrder(field, 'desc') })
  const pages = { name: byField('name'), hex: byField('hex'), rgb: byField('rgb') }
  const add = connection.filling('colors', ['name', 'red', 'green', 'blue', 'hex'])

  return Object.freeze({
    count: total(connection, 'colors'),
    page: ({ field, order, after, offset, limit }) => {
      const { first, value, position } = pages[field][order]
      const rows = (): ReturnType<Query<Row>['all']> => {
        if (after === undefined) return first.all(limit, offset)
        if (after.key === undefined) return value.all(after.value, limit, offset)
        return position.all(after.value, after.key, limit, offset)
      }
      return mapped(rows(), (found) => found.map(color))
    },
    add: (colors) => add(colors.map(({ name, rgb, hex }) => [name, ...rgb, hex])),
  } satisfies Colors)
}
