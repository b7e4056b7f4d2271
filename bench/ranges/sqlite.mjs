/** Collections of colours in SQLite, filled by plain SQL, opened by the service's own store. */
import { join } from 'node:path'
import { DatabaseSync } from '../../service/dist/store/sqlite/module.js'
import { openStore } from '../../service/dist/store/store.js'
import { selectSqliteRows } from './colors.mjs'

/** What the table has besides its rows; made anew, sorted, it costs a small part of what it costs row by row. */
const partsOfTable = "FROM sqlite_schema WHERE tbl_name = 'colors' AND type IN ('index', 'trigger') AND sql IS NOT NULL"

/**
 * @param {string} path
 * @param {number} count
 * @param {(sentence: string) => void} log
 */
function fill(path, count, log) {
  const database = new DatabaseSync(path)
  try {
    // A benchmark's database may be lost with its machine.
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -262144')
    const parts = database.prepare(`SELECT type, name, sql ${partsOfTable}`).all()
    for (const { type, name } of parts) database.exec(`DROP ${type} ${name}`)
    database.exec(`DELETE FROM colors; INSERT INTO colors (name, red, green, blue, hex) ${selectSqliteRows(count)}`)
    for (const { name, sql } of parts) {
      if (count >= 1e6) log(name)
      database.exec(sql)
    }
    database.exec("UPDATE counts SET total = (SELECT count(*) FROM colors) WHERE name = 'colors'")
    database.exec('PRAGMA journal_mode = WAL')
  } finally {
    database.close()
  }
}

/**
 * @param {string} folder
 * @returns {Promise<import('./measure.mjs').Kind>}
 */
export async function openSqlite(folder) {
  // Sorting ten million rows takes a gigabyte; it goes away with the folder.
  process.env.SQLITE_TMPDIR = folder
  const memory = new DatabaseSync(':memory:')
  const version = `SQLite ${memory.prepare('SELECT sqlite_version() AS version').get().version}`
  memory.close()
  return {
    name: 'sqlite',
    version,
    createStore: async (count, log) => {
      const url = `sqlite:${join(folder, `${count}.db`)}`
      await (await openStore(url)).close()
      fill(url.slice('sqlite:'.length), count, log)
      return openStore(url)
    },
    close: async () => {},
  }
}
