/** The rows in SQLite, for servers on Node.js. */
import { DatabaseSync } from '@photostructure/sqlite'
import { store } from './data.mjs'

/** Exported to be kept: the package's statements do not keep it. */
export const database = new DatabaseSync(':memory:')
export const rows = store(database)
