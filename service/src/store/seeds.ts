/** What a new database holds: the data of the first migration, which never changes once it has run anywhere. */

import names from 'color-name'
import { hexOf } from './hexOf.ts'
import type { Color, Person, Product, User } from './store.ts'

const isaac: User = { name: 'Isaac Newton', age: 372, email: 'isaac@newton.co.uk', registration_date: '1683-03-01' }
const albert: User = { name: 'Albert Einstein', age: 136, email: 'ae@mc2.org', registration_date: '1905-12-01' }
const marie: User = { name: 'Marie Curie', age: 159, email: 'marie@curie.fr', registration_date: '1903-12-10' }

/** The rows of a new database; users get the identifiers 1, 2 and 3 in this order. */
export const seeds: {
  readonly users: readonly [isaac: User, albert: User, marie: User]
  readonly persons: readonly Person[]
  readonly products: readonly Product[]
  readonly colors: readonly Color[]
} = Object.freeze({
  users: [isaac, albert, marie],
  persons: [
    { firstName: 'Isaac', lastName: 'Newton' },
    { firstName: 'Albert', lastName: 'Einstein' },
  ],
  products: [{ productId: 1 }, { productId: 2 }, { productId: 3 }],
  colors: Object.entries(names).map(([name, rgb]) => ({ name, rgb, hex: hexOf(rgb) })),
})
