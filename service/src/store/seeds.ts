/** The first rows of a new database. They are part of the first migration and must never change. */

import names from 'color-name'
import type { Color } from '../api/colors.ts'
import { examplePersons } from '../api/persons.ts'
import { founders } from '../api/users.ts'

/** `#rrggbb`, lower case. */
export const toHex = ([red, green, blue]: Color['rgb']): string => `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`

export const seeds = Object.freeze({
  /** They get the identifiers 1, 2 and 3 in this order. */
  users: founders,
  persons: examplePersons,
  products: [{ productId: 1 }, { productId: 2 }, { productId: 3 }],
  colors: Object.entries(names).map(([name, rgb]): Color => ({ name, rgb, hex: toHex(rgb) })),
})

const sqlLiteral = (value: string | number): string => (typeof value === 'number' ? `${value}` : `'${value.replaceAll("'", "''")}'`)

/** `(1, 'one'), (2, 'two')`, for VALUES. For trusted data only: the values of clients are always bound. */
const sqlRows = (rows: readonly (readonly (string | number)[])[]): string =>
  rows.map((row) => `(${row.map(sqlLiteral).join(', ')})`).join(', ')

export const insertSeeds = `
INSERT INTO users (name, age, email, registration_date)
  VALUES ${sqlRows(seeds.users.map(({ name, age, email, registration_date }) => [name, age, email, registration_date]))};
INSERT INTO products (product_id) VALUES ${sqlRows(seeds.products.map(({ productId }) => [productId]))};
INSERT INTO persons (first_name, last_name) VALUES ${sqlRows(seeds.persons.map(({ firstName, lastName }) => [firstName, lastName]))};
INSERT INTO colors (name, red, green, blue, hex) VALUES ${sqlRows(seeds.colors.map(({ name, rgb, hex }) => [name, ...rgb, hex]))};
`
