/**
 * Whether what a client or a server may send is read in linear time: CPU time of each reader in `readers/cases.mjs` for an input, and for one twice as long:
 * `npm run bench -- readers [--only JSON,form] [--length 262144] [--results FOLDER]`. Exit code 1 where twice as much takes more than 2.5 times as long.
 */
import { parseArgs } from 'node:util'
import { describeEnvironment, formatEnvironment, listVersions } from './environment.mjs'
import { log, parseCount, stop } from './log.mjs'
import { cases } from './readers/cases.mjs'
import { formatTable } from './report.mjs'
import { writeResults } from './results.mjs'

/** In milliseconds for the longer input: what takes less does not show how it grows. */
const minMilliseconds = 1
const maxRatio = 2.5
/** How long one turn is, in milliseconds, and how many there are; the quickest counts. */
const turnLength = 10
const turns = 7

/** Milliseconds of CPU time of one reading, of so many. @param {(input: unknown) => unknown} read @param {unknown} input @param {number} times */
async function measureTime(read, input, times) {
  const before = process.cpuUsage()
  for (let index = 0; index < times; index += 1) await read(input)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / times
}

/** @param {(input: unknown) => unknown} read @param {readonly unknown[]} inputs  Turn by turn, so that the machine is the same for all. */
async function measureReader(read, inputs) {
  const own = []
  for (const input of inputs) {
    const first = await measureTime(read, input, 2)
    own.push({ input, times: Math.max(1, Math.ceil(turnLength / Math.max(first, 0.000_1))), best: Number.POSITIVE_INFINITY })
  }
  for (let turn = 0; turn < turns; turn += 1) {
    for (const one of own) one.best = Math.min(one.best, await measureTime(read, one.input, Math.min(one.times, 10_000)))
  }
  return own.map(({ best }) => best)
}

/** @param {readonly string[]} words */
export async function run(words) {
  const { values } = parseArgs({
    args: [...words],
    options: { only: { type: 'string' }, length: { type: 'string', default: '262144' }, results: { type: 'string' } },
  })
  const names = [...new Set(cases.map(([reader]) => reader))]
  const only = values.only?.split(',') ?? names
  for (const name of only) if (!names.includes(name)) stop(`--only ${name}: expected some of ${names.join(', ')}`)
  const length = parseCount('length', values.length)
  const found = []
  for (const [reader, what, input, read] of cases.filter(([name]) => only.includes(name))) {
    log(`${reader}: ${what}`)
    let [once = 0, twice = 0] = await measureReader(read, [input(length), input(2 * length)])
    // What was disturbed is measured again.
    for (let again = 0; again < 3 && twice >= minMilliseconds && twice > maxRatio * once; again += 1) {
      const [one = 0, two = 0] = await measureReader(read, [input(length), input(2 * length)])
      if (two / one < twice / once) [once, twice] = [one, two]
    }
    found.push({ reader, what, once, twice, ratio: twice / once, isLinear: twice < minMilliseconds || twice <= maxRatio * once })
  }
  const environment = describeEnvironment(listVersions(['lapidary', 'zod']))
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(`milliseconds of CPU time for ${length} characters and for twice as many; the quickest of ${turns} turns\n\n`)
  const rows = found.map(({ reader, what, once, twice, ratio, isLinear }) => [
    reader,
    what,
    once.toFixed(3),
    twice.toFixed(3),
    twice < minMilliseconds ? '-' : `${ratio.toFixed(2)}${isLinear ? '' : ' !'}`,
  ])
  process.stdout.write(formatTable([['reader', 'input', 'n', '2n', 'ratio'], ...rows]))
  if (values.results !== undefined) writeResults(values.results, 'readers', { about: { ...environment, length }, summary: found })
  if (found.some(({ isLinear }) => !isLinear)) process.exitCode = 1
}
