/** The first rows of a new database. They are part of the first migration and must never change. */

import names from 'color-name'
import type { Color } from '../api/colors.ts'
import { examplePersons } from '../api/persons.ts'
import type { Person, Product, User } from '../api/schemas.ts'
import { founders } from '../api/users.ts'

/** `#rrggbb`, lower case. */
export const toHex = ([red, green, blue]: Color['rgb']): string => `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`

interface Seeds {
  /** They get the identifiers 1, 2 and 3 in this order. */
  readonly users: readonly [isaac: User, albert: User, marie: User]
  readonly persons: readonly Person[]
  readonly products: readonly Product[]
  readonly colors: readonly Color[]
}

export const seeds: Seeds = Object.freeze({
  users: founders,
  persons: examplePersons,
  products: [{ productId: 1 }, { productId: 2 }, { productId: 3 }],
  colors: Object.entries(names).map(([name, rgb]) => ({ name, rgb, hex: toHex(rgb) })),
})
