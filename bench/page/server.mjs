/**
 * The colours of the service, as many as its argument, in SQLite. Besides, it does by itself what a page cannot do without: the query, by hand on
 * the same SQLite, and JSON.stringify. `{ bare: count }` does so many of them, and replies with the CPU time of one in microseconds.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen } from 'lapidary/node'
import { healthHandlers, serve } from 'lapidary/server'
import { pagination } from '../../service/dist/api.js'
import { DatabaseSync } from '../../service/dist/store/sqlite/module.js'
import { createColorHandler } from '../ranges/colorPage.mjs'
import { listMiddleValues } from '../ranges/pages.mjs'
import { openSqlite } from '../ranges/sqlite.mjs'
import { ready } from '../servers/ready.mjs'

const count = Number(process.argv[2])
const folder = mkdtempSync(join(tmpdir(), 'lapidary-page-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const store = await (await openSqlite(folder)).createStore(count, () => {})
const server = await listen(serve(pagination, { colors: createColorHandler(store, 1_000), health: healthHandlers() }))

const names = listMiddleValues(count, 'name')
const page = new DatabaseSync(join(folder, `${count}.db`), { readOnly: true }).prepare(
  'SELECT name, red, green, blue, hex FROM colors WHERE name > ? ORDER BY name LIMIT 100',
)
let text = ''
process.on('message', ({ bare }) => {
  if (bare === undefined) return
  const before = process.cpuUsage()
  for (let index = 0; index < bare; index += 1) {
    const rows = page.all(names[index % names.length])
    text = JSON.stringify(rows.map(({ name, red, green, blue, hex }) => ({ name, rgb: [red, green, blue], hex })))
  }
  const { user, system } = process.cpuUsage(before)
  process.send?.({ each: (user + system) / bare, length: text.length })
})
ready(server.port)
