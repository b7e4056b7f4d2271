/** Collections of colours in PostgreSQL, filled by plain SQL, opened by the service's own store. */
import pg from 'pg'
import { startPostgres } from '../../scripts/postgres.mjs'
import { openStore } from '../../service/dist/store/store.js'
import { selectPostgresRows } from './colors.mjs'

/** Nothing else works while pages are measured; filling is sorting, which takes memory. */
const settings = { autovacuum: 'off', maintenance_work_mem: '512MB', max_wal_size: '8GB', wal_level: 'minimal', max_wal_senders: '0' }

/** Calls `work` with a connection of its own. */
async function withConnection(url, work) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work((text) => client.query(text).then(({ rows }) => rows))
  } finally {
    await client.end()
  }
}

/**
 * @param {string} url
 * @param {number} count
 * @param {(sentence: string) => void} log
 */
const fill = (url, count, log) =>
  withConnection(url, async (run) => {
    const [{ key, definition }] = await run(
      "SELECT conname AS key, pg_get_constraintdef(oid) AS definition FROM pg_constraint WHERE conrelid = 'colors'::regclass AND contype = 'p'",
    )
    const indexes = await run(
      `SELECT indexname AS name, indexdef AS sql FROM pg_indexes WHERE tablename = 'colors' AND indexname <> '${key}'`,
    )
    // Made anew, sorted, an index costs a small part of what it costs row by row.
    for (const { name } of indexes) await run(`DROP INDEX ${name}`)
    await run(`ALTER TABLE colors DROP CONSTRAINT ${key}`)
    await run('ALTER TABLE colors DISABLE TRIGGER USER')
    await run(`DELETE FROM colors; INSERT INTO colors (name, red, green, blue, hex) ${selectPostgresRows(count)}`)
    await run(`DELETE FROM counts WHERE name = 'colors'; INSERT INTO counts VALUES ('colors', 0, (SELECT count(*) FROM colors))`)
    await run('ALTER TABLE colors ENABLE TRIGGER USER')
    if (count >= 1e6) log(key)
    await run(`ALTER TABLE colors ADD CONSTRAINT ${key} ${definition}`)
    for (const { name, sql } of indexes) {
      if (count >= 1e6) log(name)
      await run(sql)
    }
    await run('VACUUM (ANALYZE) colors')
  })

/** @returns {Promise<import('./measure.mjs').Kind>} */
export async function openPostgres() {
  const running = await startPostgres(settings)
  const url = (/** @type {string} */ name) => running.url(name)
  const [{ version }] = await withConnection(url('postgres'), (run) => run("SELECT current_setting('server_version') AS version"))
  return {
    name: 'postgres',
    version: `PostgreSQL ${version}`,
    createStore: async (count, log) => {
      const name = `colors_${count}`
      await withConnection(url('postgres'), (run) => run(`CREATE DATABASE ${name}`))
      // One connection, since one page is requested at a time; no bound on how long that takes.
      const store = await openStore(url(name), { connections: 1, timeout: 600_000 })
      await fill(url(name), count, log)
      return store
    },
    close: () => running.remove(),
  }
}
