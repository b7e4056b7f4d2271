/**
 * CPU time of the steps of a request, to locate a regression: `npm run bench -- parts [--only router,query] [--rounds 15] [--results FOLDER]`.
 * Each part is a file in `parts/`; it also measures what the platform offers for the same step.
 */
import { parseArgs } from 'node:util'
import { describeEnvironment, formatEnvironment, listVersions, resultsFolder } from './environment.mjs'
import { log, parseCount, stop } from './log.mjs'
import { formatTable, median } from './report.mjs'
import { writeResults } from './results.mjs'

/** @typedef {readonly [name: string, run: () => unknown]} Case  what is measured, and one operation of it */

const names = ['router', 'negotiation', 'query', 'decode', 'encode', 'tag', 'handler']

/** How long one turn of a case lasts, in milliseconds: long enough for what is compiled on the way, short enough that the machine is the same for all. */
const turnLength = 20

/** The last result: an engine need not compute a result that is never read. */
export const lastResult = { value: /** @type {unknown} */ (undefined) }

/** Nanoseconds of CPU time an operation, of so many operations. @param {() => unknown} run @param {number} operations */
function measureTime(run, operations) {
  const before = process.cpuUsage()
  for (let index = 0; index < operations; index += 1) lastResult.value = run()
  const { user, system } = process.cpuUsage(before)
  return (1_000 * (user + system)) / operations
}

/** How many operations fill a turn. It warms up as well. @param {() => unknown} run */
function findOperationCount(run) {
  let operations = 1
  for (;;) {
    const nanoseconds = measureTime(run, operations) * operations
    if (nanoseconds > turnLength * 1e6) return operations
    operations *= 2
  }
}

/** @param {string} part @param {readonly Case[]} cases @param {number} rounds */
function measurePart(part, cases, rounds) {
  const own = cases.map(([name, run]) => ({ part, name, run, operations: findOperationCount(run), times: /** @type {number[]} */ ([]) }))
  for (let round = 0; round < rounds; round += 1) {
    for (const one of round % 2 === 0 ? own : [...own].reverse()) one.times.push(measureTime(one.run, one.operations))
  }
  return own.map(({ name, times }) => ({ part, name, nanoseconds: median(times), low: Math.min(...times), high: Math.max(...times) }))
}

/** @param {number} nanoseconds */
const formatNanoseconds = (nanoseconds) => nanoseconds.toFixed(nanoseconds < 100 ? 1 : 0)

/** @param {readonly string[]} words */
export async function run(words) {
  const { values } = parseArgs({
    args: [...words],
    options: { only: { type: 'string' }, rounds: { type: 'string', default: '15' }, results: { type: 'string' } },
  })
  const only = values.only?.split(',') ?? names
  for (const name of only) if (!names.includes(name)) stop(`--only ${name}: expected some of ${names.join(', ')}`)
  const rounds = parseCount('rounds', values.rounds)
  const found = []
  for (const name of only) {
    log(name)
    const { cases } = await import(`./parts/${name}.mjs`)
    found.push(...measurePart(name, cases, rounds))
  }
  const environment = describeEnvironment(listVersions(['lapidary', 'zod']))
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(`nanoseconds of CPU time an operation; medians of ${rounds} rounds\n\n`)
  const rows = found.map(({ part, name, nanoseconds, low, high }) => [
    part,
    name,
    formatNanoseconds(nanoseconds),
    `${formatNanoseconds(low)}-${formatNanoseconds(high)}`,
  ])
  process.stdout.write(formatTable([['part', 'case', 'ns', 'spread'], ...rows]))
  const folder = values.results ?? (values.only === undefined && values.rounds === '15' ? resultsFolder : undefined)
  if (folder !== undefined) writeResults(folder, 'parts', { about: { ...environment, rounds }, summary: found })
}
