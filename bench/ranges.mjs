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
import { describeEnvironment, formatEnvironment, resultsFolder } from './environment.mjs'
import { log, parseCount, stop } from './log.mjs'
import { createColorHandler } from './ranges/colorPage.mjs'
import { measureInMemory } from './ranges/inMemory.mjs'
import { measure } from './ranges/measure.mjs'
import { openPostgres } from './ranges/postgres.mjs'
import { openSqlite } from './ranges/sqlite.mjs'
import { formatRanges, summarizePages } from './ranges/table.mjs'
import { writeResults } from './results.mjs'

const kinds = { sqlite: openSqlite, postgres: openPostgres }
const names = [...Object.keys(kinds), 'memory']
const all = '1e2,1e3,1e4,1e5,1e6,1e7'

/** @param {readonly string[]} words */
function parseSettings(words) {
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
    sizes: (values.rows ?? (values.quick ? '1e2,1e3,1e4,1e5' : all)).split(',').map((text) => parseCount('rows', text)),
    only,
    rounds: parseCount('rounds', values.rounds ?? (values.quick ? '2' : '12')),
    pages: 25,
    results: values.results ?? (isWhole ? resultsFolder : undefined),
  }
}

/** Fills a collection of each size in each database, and measures all of them in turn. */
async function measureDatabases({ sizes, only, rounds, pages }, folder) {
  const databases = []
  const collections = []
  try {
    for (const name of only) {
      if (!Object.hasOwn(kinds, name)) continue
      const kind = await kinds[name](folder)
      databases.push(kind)
      for (const rows of sizes) {
        const about = `${name}: ${rows.toLocaleString('en')} rows`
        log(about)
        const store = await kind.createStore(rows, (sentence) => log(`${about}, ${sentence}`))
        const page = createColorHandler(store, 1000)
        const requestPage = async (/** @type {string} */ Range) => page({ headers: { Range }, query: { range: undefined } })
        collections.push({ database: name, rows, store, requestPage })
        if ((await store.colors.count()) !== rows) stop(`${name} counts another number than ${rows}`)
      }
    }
    const measured = collections.length === 0 ? [] : await measure(collections, { rounds, pages }, log)
    return { measured, versions: databases.map(({ version }) => version) }
  } finally {
    for (const { store } of collections) await store.close()
    for (const kind of databases) await kind.close()
  }
}

/** @param {readonly string[]} words */
export async function run(words) {
  const options = parseSettings(words)
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-ranges-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130))
  const { measured, versions } = await measureDatabases(options, folder)
  rmSync(folder, { recursive: true, force: true })
  if (options.only.includes('memory')) measured.push(...(await measureInMemory(options.sizes, log)))

  const environment = describeEnvironment(versions)
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(
    `milliseconds of wall-clock time for one page of 100 colours; medians of ${options.rounds} rounds of ${options.pages} pages\n\n`,
  )
  process.stdout.write(formatRanges(measured))
  if (options.results === undefined) return
  const { createRangesPlot } = await import('./ranges/plot.mjs')
  const { rounds, pages } = options
  const ranges = await createRangesPlot(measured, `${environment.software.join(', ')}, ${environment.date.slice(0, 10)}`)
  const about = { ...environment, rounds, pages }
  writeResults(options.results, 'ranges', { about, summary: summarizePages(measured), samples: measured, plots: { ranges } })
}
