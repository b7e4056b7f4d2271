/** A store, put together from its tables: the same statements for every database. */

import type { Connection } from './connection.ts'
import type { Store } from './store.ts'
import { accounts } from './tables/accounts.ts'
import { colors } from './tables/colors.ts'
import { persons } from './tables/persons.ts'
import { products } from './tables/products.ts'
import { secrets } from './tables/secrets.ts'
import { users } from './tables/users.ts'

/** The store that is kept in this database, whose tables are up to date. */
export const tables = (connection: Connection): Store =>
  Object.freeze({
    users: users(connection),
    products: products(connection),
    persons: persons(connection),
    colors: colors(connection),
    secrets: secrets(connection),
    accounts: accounts(connection),
    ping: connection.ping,
    close: connection.close,
  })
