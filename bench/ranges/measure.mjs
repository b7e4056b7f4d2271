/** Measures one page of each kind, all kinds in turn. */
import { median } from '../report.mjs'
import { fields } from './colors.mjs'
import { listRanges, orders, places } from './pages.mjs'

/**
 * @typedef {object} Kind  a database for collections
 * @property {string} name
 * @property {string} version
 * @property {(rows: number, log: (sentence: string) => void) => Promise<object>} createStore  makes a collection, and opens the service's store on it
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} Collection
 * @property {string} database
 * @property {number} rows
 * @property {object} store  the service's store
 * @property {(range: string) => Promise<{ headers: Readonly<Record<string, unknown>> }>} requestPage  the service's handler of GET /colors
 */

/**
 * @typedef {object} Measurement
 * @property {string} database
 * @property {number} rows
 * @property {string} field
 * @property {string} order
 * @property {string} place
 * @property {number} milliseconds  of wall-clock time a page, the median
 * @property {number} low           the first decile
 * @property {number} high          the last decile
 * @property {number} cpu           milliseconds of this process a page, the median of the rounds
 * @property {number} pages         how many were measured
 */

/** @param {readonly number[]} numbers @param {number} part */
function quantile(numbers, part) {
  const sorted = [...numbers].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/** @param {readonly Collection[]} collections */
async function createCases(collections) {
  const cases = []
  for (const collection of collections) {
    for (const place of places) {
      for (const field of fields) {
        for (const order of orders) {
          const ranges = await listRanges(collection, { field, order, place })
          if (ranges.length > 0) cases.push({ collection, field, order, place, ranges, times: [], cpus: [] })
        }
      }
    }
  }
  return cases
}

/** Every page of a case once; the page of a case with a single page, as many times. */
async function runTurn({ collection: { requestPage }, ranges, times, cpus }, pages) {
  const before = process.cpuUsage()
  for (let page = 0; page < pages; page += 1) {
    const range = ranges[page % ranges.length]
    const began = performance.now()
    await requestPage(range)
    times.push(performance.now() - began)
  }
  const { user, system } = process.cpuUsage(before)
  cpus.push((user + system) / 1000 / pages)
}

/**
 * Rounds in which every case has its turn, forwards and backwards, so that what changes evenly over time weighs on each alike.
 *
 * @param {readonly Collection[]} collections
 * @param {{ rounds: number, pages: number }} options
 * @param {(sentence: string) => void} log
 * @returns {Promise<Measurement[]>}
 */
export async function measure(collections, { rounds, pages }, log) {
  const cases = await createCases(collections)
  for (const one of cases) {
    await runTurn(one, pages)
    one.times.length = 0
    one.cpus.length = 0
  }
  for (let round = 1; round <= rounds; round += 1) {
    log(`round ${round} of ${rounds}, ${cases.length * pages} pages`)
    for (const one of round % 2 === 0 ? [...cases].reverse() : cases) await runTurn(one, pages)
  }
  return cases.map(({ collection: { database, rows }, field, order, place, times, cpus }) => ({
    ...{ database, rows, field, order, place, milliseconds: median(times), low: quantile(times, 0.1), high: quantile(times, 0.9) },
    ...{ cpu: median(cpus), pages: times.length },
  }))
}
