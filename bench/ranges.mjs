/**
 * Measures one page of colours against the size of the collection: on SQLite and PostgreSQL through the service's own store, and beside
 * them sorting the whole collection in memory.
 *
 *   npm run bench -- ranges [--quick] [--rows 1e2,1e3] [--only sqlite,postgres,memory] [--rounds 12] [--results FOLDER]
 *
 * A run of everything writes its results, a table in JSON and a plot, into `bench/results/`, any other run into `--results FOLDER` alone.
 * Ten million rows take about 6 GB among the temporary files; all of it takes ten minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { circumstances, headOf, resultsFolder } from './circumstances.mjs'
import { colorPage } from './ranges/colorPage.mjs'
import { inMemory } from './ranges/inMemory.mjs'
import { measure } from './ranges/measure.mjs'
import { postgres } from './ranges/postgres.mjs'
import { sqlite } from './ranges/sqlite.mjs'
import { rangesTable, summarizePages } from './ranges/table.mjs'
import { writeResults } from './results.mjs'
import { count, say, stop } from './say.mjs'

const kinds = { sqlite, postgres }
const names = [...Object.keys(kinds), 'memory']
const all = '1e2,1e3,1e4,1e5,1e6,1e7'

/** @param {readonly string[]} words */
function settings(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
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
    results: values.results ?? (isWhole ? resultsFolder : undefined),
  }
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
        const page = colorPage(store, 1000)
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

/** @param {readonly string[]} words */
export async function run(words) {
  const options = settings(words)
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-ranges-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const { measured, versions } = await onDatabases(options, folder)
  rmSync(folder, { recursive: true, force: true })
  if (options.only.includes('memory')) measured.push(...(await inMemory(options.sizes, say)))

  const where = circumstances(versions)
  process.stdout.write(headOf(where))
  process.stdout.write(
    `milliseconds of wall-clock time for one page of 100 colours; medians of ${options.rounds} rounds of ${options.pages} pages\n\n`,
  )
  process.stdout.write(rangesTable(measured))
  if (options.results === undefined) return
  const { plot } = await import('./ranges/plot.mjs')
  const { rounds, pages } = options
  const ranges = await plot(measured, `${where.software.join(', ')}, ${where.date.slice(0, 10)}`)
  const about = { ...where, rounds, pages }
  writeResults(options.results, 'ranges', { about, summary: summarizePages(measured), samples: measured, plots: { ranges } })
}
