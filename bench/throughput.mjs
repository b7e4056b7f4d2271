/**
 * CPU time a request: the servers in `servers/` against each other, in interleaved rounds with all of them running.
 *
 *   npm run bench -- [--quick] [--only hello,position] [--servers bare,lapidary] [--rounds 5] [--requests 20000] [--connections 50] [--results FOLDER]
 *
 * The first of `--servers` is the baseline; `--servers bare,bare` shows the noise of the machine. A server that fails
 * `npm run bench -- check` is not measured. A run of everything writes its results into `bench/results/`, any other run into `--results FOLDER` alone.
 */
import { parseArgs } from 'node:util'
import { selectCorrect } from './correctness.mjs'
import { describeEnvironment, formatEnvironment, listVersions } from './environment.mjs'
import { measure } from './measure.mjs'
import { findResultsFolder, options, parseCounts, selectFrameworks, selectWorkloads } from './options.mjs'
import { formatThroughput, summarize } from './report.mjs'
import { writeResults } from './results.mjs'

/** @param {readonly string[]} words */
export async function run(words) {
  const { values } = parseArgs({ args: [...words], options })
  const frameworks = await selectCorrect(selectFrameworks(values.servers))
  const names = selectWorkloads(values.only, frameworks[0])
  const setup = parseCounts(values)
  const environment = describeEnvironment(listVersions([...frameworks.flatMap(({ packages }) => packages), 'bun']))
  const samples = await measure({ names, frameworks, ...setup })
  const summary = summarize(samples)
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(
    `${setup.rounds} rounds of ${setup.requests} requests (fewer of what costs more) over ${setup.connections} connections; ratio: CPU time of ${frameworks[0].name} divided by that of the server\n\n`,
  )
  process.stdout.write(formatThroughput(summary))
  const omitted = frameworks.flatMap(({ name, without }) =>
    Object.entries(without).map(([workload, reason]) => `${name} without ${workload}: ${reason}\n`),
  )
  process.stdout.write(`\n${omitted.join('')}`)
  const folder = findResultsFolder(values)
  if (folder === undefined) return
  const { createSpeedPlot } = await import('./plots/speed.mjs')
  const plot = await createSpeedPlot(summary, frameworks, `${environment.software[0]}, ${environment.date.slice(0, 10)}`)
  writeResults(folder, 'speed', { about: { ...environment, ...setup }, summary, samples, plots: { speed: plot } })
}
