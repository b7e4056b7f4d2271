/** The table of colours. Each page is one search of an index in its own order. */

import type { PageQuery } from 'lapidary/pagination'
import type { Color } from '../../api/colors.ts'
import { type Connection, mapAwaitable, type Query } from '../connection.ts'
import { rowCounter } from '../rows.ts'

type ColorRow = readonly [name: string, red: number, green: number, blue: number, hex: string]
type Order = 'asc' | 'desc'

/** The fields that order colours. `rgb` is the sum of the three components. */
export type ColorField = 'name' | 'hex' | 'rgb'

/** Where a page begins: at the first row, after a value, or after an exact position. */
type PageStart = 'first' | 'value' | 'position'

/** The statement of a page. Its values are those of the start, then the limit, then the offset. */
export function colorPageSql(field: ColorField, order: Order, start: PageStart): string {
  const beyond = order === 'asc' ? '>' : '<'
  const where = { first: '', value: `WHERE ${field} ${beyond} ?`, position: `WHERE (${field}, name) ${beyond} (?, ?)` }[start]
  return `SELECT name, red, green, blue, hex FROM colors ${where} ORDER BY ${field} ${order}, name ${order} LIMIT ? OFFSET ?`
}

const toColor = ([name, red, green, blue, hex]: ColorRow): Color => ({ name, rgb: [red, green, blue], hex })

export function colorsTable(connection: Connection) {
  const inOrder = (field: ColorField, order: Order) => {
    const prepare = (start: PageStart): Query<ColorRow> => connection.query<ColorRow>(colorPageSql(field, order, start))
    return { first: prepare('first'), value: prepare('value'), position: prepare('position') }
  }
  const byField = (field: ColorField) => ({ asc: inOrder(field, 'asc'), desc: inOrder(field, 'desc') })
  const pages = { name: byField('name'), hex: byField('hex'), rgb: byField('rgb') }
  const add = connection.insertMany('colors', ['name', 'red', 'green', 'blue', 'hex'])

  return {
    count: rowCounter(connection, 'colors'),
    /** A page of colours. Equal values are ordered by name. */
    page: ({ field, order, after, offset, limit }: PageQuery<ColorField>) => {
      const { first, value, position } = pages[field][order]
      const rows = (): ReturnType<Query<ColorRow>['all']> => {
        if (after === undefined) return first.all(limit, offset)
        if (after.key === undefined) return value.all(after.value, limit, offset)
        return position.all(after.value, after.key, limit, offset)
      }
      return mapAwaitable(rows(), (found): readonly Color[] => found.map(toColor))
    },
    /** Adds the colours with new names, all or none of them. Returns how many those were. */
    add: (colors: readonly Color[]) => add(colors.map(({ name, rgb, hex }) => [name, ...rgb, hex])),
  }
}

export type Colors = ReturnType<typeof colorsTable>
