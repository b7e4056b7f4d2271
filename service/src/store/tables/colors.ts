/** Colours in SQLite: every page is one search of an index in its own order. */

import type { Color, Colors, PageQuery } from '../store.ts'
import type { Connection, Query } from './connection.ts'
import { total } from './total.ts'

type Row = readonly [name: string, red: number, green: number, blue: number, hex: string]

/** Where a page begins: at the first row, after a value, or after an exact position. */
type Start = 'first' | 'value' | 'position'

/** The statement of one kind of page; its values are those of the start, then the limit, then the offset. */
export function pageSql(field: PageQuery['field'], order: PageQuery['order'], start: Start): string {
  const beyond = order === 'asc' ? '>' : '<'
  const where = { first: '', value: `WHERE ${field} ${beyond} ?`, position: `WHERE (${field}, name) ${beyond} (?, ?)` }[start]
  return `SELECT name, red, green, blue, hex FROM colors ${where} ORDER BY ${field} ${order}, name ${order} LIMIT ? OFFSET ?`
}

const color = ([name, red, green, blue, hex]: Row): Color => ({ name, rgb: [red, green, blue], hex })

export function colors(connection: Connection): Colors {
  type Pages = Readonly<Record<Start, Query<Row>>>
  const inOrder = (field: PageQuery['field'], order: PageQuery['order']): Pages => ({
    first: connection.columns<Row>(pageSql(field, order, 'first')),
    value: connection.columns<Row>(pageSql(field, order, 'value')),
    position: connection.columns<Row>(pageSql(field, order, 'position')),
  })
  const byField = (field: PageQuery['field']) => ({ asc: inOrder(field, 'asc'), desc: inOrder(field, 'desc') })
  const pages = { name: byField('name'), hex: byField('hex'), rgb: byField('rgb') }

  return Object.freeze({
    count: total(connection, 'colors'),
    page: ({ field, order, after, offset, limit }) => {
      const { first, value, position } = pages[field][order]
      if (after === undefined) return first.all(limit, offset).map(color)
      if (after.key === undefined) return value.all(after.value, limit, offset).map(color)
      return position.all(after.value, after.key, limit, offset).map(color)
    },
  } satisfies Colors)
}
