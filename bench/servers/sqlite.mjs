/** The rows in SQLite, for servers on Node.js. */
import Database from 'better-sqlite3'
import { store } from './data.mjs'

export const rows = store(new Database(':memory:'))
