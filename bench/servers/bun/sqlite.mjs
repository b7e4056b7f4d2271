/** The rows in SQLite, for servers on Bun, which has a driver of its own. */
import { Database } from 'bun:sqlite'
import { store } from '../data.mjs'

export const rows = store(new Database(':memory:'))
