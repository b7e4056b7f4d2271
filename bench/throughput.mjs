/**
 * CPU time a request: the servers in `servers/` against each other, in interleaved rounds with all of them running.
 *
 *   npm run bench -- [--quick] [--only hello,position] [--servers bare,lapidary] [--rounds 5] [--requests 20000] [--connections 50] [--results FOLDER]
 *
 * The first of `--servers` is the baseline; `--servers bare,bare` shows the noise of the machine. A server that fails
 * `npm run bench -- check` is not measured. A run of everything writes its results into `bench/results/`, any other run into `--results FOLDER` alone.
 */
import { parseArgs } from 'node:util'
import { chosenContestants, chosenWorkloads, often, options, resultsIn } from './chosen.mjs'
import { circumstances, headOf, versionsOf } from './circumstances.mjs'
import { measure } from './measure.mjs'
import { summaryOf, throughputTable } from './report.mjs'
import { writeResults } from './results.mjs'
import { sound } from './sound.mjs'

/** @param {readonly string[]} words */
export async function run(words) {
  const { values } = parseArgs({ args: [...words], options })
  const contestants = await sound(chosenContestants(values.servers))
  const names = chosenWorkloads(values.only, contestants[0])
  const setup = often(values)
  const where = circumstances(versionsOf([...contestants.flatMap(({ packages }) => packages), 'bun']))
  const samples = await measure({ names, contestants, ...setup })
  const summary = summaryOf(samples)
  process.stdout.write(headOf(where))
  process.stdout.write(
    `${setup.rounds} rounds of ${setup.requests} requests (fewer of what costs more) over ${setup.connections} connections; ratio: CPU time of ${contestants[0].name} divided by that of the server\n\n`,
  )
  process.stdout.write(throughputTable(summary))
  const left = contestants.flatMap(({ name, without }) =>
    Object.entries(without).map(([workload, reason]) => `${name} without ${workload}: ${reason}\n`),
  )
  process.stdout.write(`\n${left.join('')}`)
  const folder = resultsIn(values)
  if (folder === undefined) return
  const { speedPlot } = await import('./plots/speed.mjs')
  const plot = await speedPlot(summary, contestants, `${where.software[0]}, ${where.date.slice(0, 10)}`)
  writeResults(folder, 'speed', { about: { ...where, ...setup }, summary, samples, plots: { speed: plot } })
}
