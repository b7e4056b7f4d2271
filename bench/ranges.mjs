/**
 * Measures one page of colours against the size of the collection: on SQLite and PostgreSQL through the service's own store, and beside
 * them sorting the whole collection in memory.
 *
 *   npm run bench -- ranges [--quick] [--rows 1e2,1e3] [--only sqlite,postgres,memory] [--rounds 12] [--results FOLDER]
 *
 * The results, a table in JSON and a plot, go into `bench/results/` when everything was measured; else into `--results`, if it is given.
 * Ten million rows take about 6 GB among the temporary files; all of it takes ten minutes.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { colors as handler } from '../service/dist/handlers/colors.js'
import { inMemory } from './ranges/inMemory.mjs'
import { measure } from './ranges/measure.mjs'
import { postgres } from './ranges/postgres.mjs'
import { sqlite } from './ranges/sqlite.mjs'
import { growth, rangesTable } from './ranges/table.mjs'
import { count, say, stop } from './say.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const kinds = { sqlite, postgres }
const names = [...Object.keys(kinds), 'memory']
const all = '1e2,1e3,1e4,1e5,1e6,1e7'

function settings() {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      quick: { type: 'boolean', default: false },
      rows: { type: string },
      only: { type: string, default: names.join() },
      rounds: { type: string },
      results: { type: string },
    },
  })
  const only = values.only.split(',')
  for (const name of only) if (!names.includes(name)) stop(`--only ${name}: expected one of ${names.join(', ')}`)
  const isWhole = !values.quick && values.rows === undefined && only.length === names.length
  return {
    sizes: (values.rows ?? (values.quick ? '1e2,1e3,1e4,1e5' : all)).split(',').map((text) => count('rows', text)),
    only,
    rounds: count('rounds', values.rounds ?? (values.quick ? '2' : '12')),
    pages: 25,
    results: values.results ?? (isWhole ? join(here, 'results') : undefined),
  }
}

/** What draws the plot has a lock file of its own: nobody else is to install it. */
function install() {
  if (existsSync(join(here, 'node_modules', 'vega-lite'))) return
  say('installing what draws the plot (npm ci in bench/) …')
  const words = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', words, { cwd: here, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' })
  if (status !== 0) stop('"npm ci" in bench/ failed. Mend what it says above and try again.')
}

/** Fills a collection of each size in each database, and measures all of them in turn. */
async function onDatabases({ sizes, only, rounds, pages }, folder) {
  const opened = []
  const collections = []
  try {
    for (const name of only) {
      if (!Object.hasOwn(kinds, name)) continue
      const kind = await kinds[name](folder)
      opened.push(kind)
      for (const rows of sizes) {
        const about = `${name}: ${rows.toLocaleString('en')} rows`
        say(about)
        const store = await kind.filled(rows, (sentence) => say(`${about}, ${sentence}`))
        const page = handler(store, 1000)
        const ask = async (/** @type {string} */ Range) => page({ headers: { Range }, query: { range: undefined } })
        collections.push({ database: name, rows, store, ask })
        if ((await store.colors.count()) !== rows) stop(`${name} counts another number than ${rows}`)
      }
    }
    const measured = collections.length === 0 ? [] : await measure(collections, { rounds, pages }, say)
    return { measured, versions: opened.map(({ version }) => version) }
  } finally {
    for (const { store } of collections) await store.close()
    for (const kind of opened) await kind.close()
  }
}

/** JSON as the formatter leaves it: short lists on one line. Times are good to a microsecond. @param {unknown} content */
const json = (content) =>
  `${JSON.stringify(content, (_, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value), 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, list) => `[${list.replace(/,\s+/g, ', ')}]`,
  )}\n`

async function run() {
  const options = settings()
  if (options.results !== undefined) install()
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-ranges-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const { measured, versions } = await onDatabases(options, folder)
  rmSync(folder, { recursive: true, force: true })
  if (options.only.includes('memory')) measured.push(...(await inMemory(options.sizes, say)))

  const date = new Date().toISOString()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${memory}, ${process.platform} ${process.arch}`
  const software = [`Node ${process.versions.node}`, ...versions]
  process.stdout.write(`${[date, ...software, machine].join(', ')}\n`)
  process.stdout.write(
    `milliseconds of wall-clock time for one page of 100 colours; medians of ${options.rounds} rounds of ${options.pages} pages\n\n`,
  )
  process.stdout.write(rangesTable(measured))
  if (options.results === undefined) return
  const { plot } = await import('./ranges/plot.mjs')
  mkdirSync(options.results, { recursive: true })
  const { sizes, rounds, pages } = options
  const content = { date, machine, software, setup: { sizes, rounds, pages }, growth: growth(measured), measured }
  writeFileSync(join(options.results, 'ranges.json'), json(content))
  writeFileSync(join(options.results, 'ranges.svg'), await plot(measured, `${software.join(', ')}, ${date.slice(0, 10)}`))
  say(`written to ${options.results}`)
}

try {
  await run()
} catch (failure) {
  stop(failure instanceof Error ? (failure.stack ?? failure.message) : String(failure))
}
