/** The table of colours. Each page is one search of an index in its own order. */
import type { PageQuery } from 'lapidary/pagination'
import type { Color } from '../../api/colors.ts'
import { type Connection, checkNul, mapAwaitable, type SqlValue } from '../connection.ts'
import { countRows } from '../rows.ts'

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

type After = PageQuery<ColorField>['after']

const startOf = (after: After): readonly [start: PageStart, values: readonly SqlValue[]] => {
  if (after === undefined) return ['first', []]
  return after.key === undefined ? ['value', [after.value]] : ['position', [after.value, after.key]]
}

const toColor = ([name, red, green, blue, hex]: ColorRow): Color => ({ name, rgb: [red, green, blue], hex })

/** Inserts colours as JSON: one statement for any number of them. Without `WHERE` SQLite would read `ON` as part of a join. */
const insertSql = (jsonItems: string): string => `
  INSERT INTO colors (name, red, green, blue, hex)
  SELECT value ->> 'name', CAST(value -> 'rgb' ->> 0 AS integer), CAST(value -> 'rgb' ->> 1 AS integer), CAST(value -> 'rgb' ->> 2 AS integer),
    value ->> 'hex'
  FROM ${jsonItems}(?) WHERE true ON CONFLICT DO NOTHING RETURNING name`

export function colorsTable(connection: Connection) {
  const insert = insertSql(connection.jsonItems)
  return {
    count: () => countRows(connection, 'colors'),
    /** A page of colours. Equal values are ordered by name. */
    page: ({ field, order, after, offset, limit }: PageQuery<ColorField>) => {
      const [start, values] = startOf(after)
      const rows = connection.read<ColorRow>(colorPageSql(field, order, start), [...values, limit, offset])
      return mapAwaitable(rows, (found): readonly Color[] => found.map(toColor))
    },
    /** Adds the colours with new names, all or none of them. Returns how many those were. */
    add: (colors: readonly Color[]) => {
      checkNul(colors.flatMap(({ name, hex }) => [name, hex]))
      return mapAwaitable(connection.write(insert, [JSON.stringify(colors)]), ({ length }) => length)
    },
  }
}

export type Colors = ReturnType<typeof colorsTable>
