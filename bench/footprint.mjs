/**
 * What a server costs besides requests: `npm run bench -- footprint [--servers bare,lapidary] [--rounds 9] [--requests 20000] [--results FOLDER]`.
 *
 * Cold start, from starting the process to the last byte of its first response, in CPU time (which other programs do not lengthen) and by the
 * clock; memory after one response, and after a load; what installing it alone puts on the disk, without what the rows need.
 */
import { parseArgs } from 'node:util'
import { describeEnvironment, formatEnvironment, listVersions, resultsFolder } from './environment.mjs'
import { measureInstallSize } from './installSize.mjs'
import { sendOnce } from './load.mjs'
import { log, parseCount, stop } from './log.mjs'
import { selectFrameworks } from './options.mjs'
import { startLoad, startServer } from './processes.mjs'
import { formatTable, median } from './report.mjs'
import { writeResults } from './results.mjs'
import { workloads } from './workloads.mjs'

const defaults = { rounds: '9', requests: '20000' }
const connections = 50

/** What fills the memory. */
const kinds = /** @type {const} */ (['hello', 'marketing', 'users100'])

/** @param {import('./frameworks.mjs').Framework} framework */
async function measureOnce(load, framework, requests) {
  const began = performance.now()
  const server = await startServer(framework)
  try {
    const { status } = await sendOnce(server.port, workloads.hello.request)
    const clock = performance.now() - began
    const { cpu, rss } = await server.usage()
    if (status !== 200) stop(`${framework.name} sent ${status} to its first request`)
    await load.open(server.port, connections)
    for (const name of kinds) {
      const { request } = workloads[name]
      const { firstError } = await load.run({ name, request, status: 200, requests: requests / kinds.length })
      if (firstError !== null) stop(`${framework.name} failed a request of ${name}: ${firstError}`)
    }
    await load.close()
    const after = await server.usage()
    return { clock, cpu: (cpu.user + cpu.system) / 1_000, idle: rss / 2 ** 20, loaded: after.rss / 2 ** 20 }
  } finally {
    await server.stop()
  }
}

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: {
      servers: { type: string },
      rounds: { type: string, default: defaults.rounds },
      requests: { type: string, default: defaults.requests },
      results: { type: string },
    },
  })
  const frameworks = selectFrameworks(values.servers)
  const [rounds, requests] = [parseCount('rounds', values.rounds), parseCount('requests', values.requests)]
  const load = startLoad()
  const found = frameworks.map((framework) => ({ framework, samples: /** @type {any[]} */ ([]) }))
  try {
    for (let round = 0; round <= rounds; round += 1) {
      log(round === 0 ? 'once to fill the disk cache' : `round ${round} of ${rounds}`)
      for (const { framework, samples } of round % 2 === 0 ? found : [...found].reverse()) {
        const sample = await measureOnce(load, framework, round === 0 ? connections : requests)
        if (round > 0) samples.push(sample)
      }
    }
  } finally {
    load.stop()
  }

  const summary = found.map(({ framework, samples }) => {
    const of = (/** @type {string} */ field) => median(samples.map((sample) => sample[field]))
    const { packages, bytes } = measureInstallSize(framework.packages)
    return {
      ...{ server: framework.name, cpu: of('cpu'), clock: of('clock'), idle: of('idle'), loaded: of('loaded') },
      ...{ packages, installed: bytes / 2 ** 20 },
    }
  })
  const environment = describeEnvironment(listVersions([...frameworks.flatMap((one) => one.packages), 'bun']))
  process.stdout.write(formatEnvironment(environment))
  process.stdout.write(`medians of ${rounds} rounds; loaded: after ${requests} requests\n\n`)
  process.stdout.write(
    formatTable([
      ['server', 'packages', 'installed MB', 'cold start: CPU ms', 'by the clock', 'idle MB', 'loaded MB'],
      ...summary.map((one) => [
        ...[one.server, String(one.packages), one.installed.toFixed(1), one.cpu.toFixed(0), one.clock.toFixed(0)],
        ...[one.idle.toFixed(0), one.loaded.toFixed(0)],
      ]),
    ]),
  )
  const isDefault = values.servers === undefined && values.rounds === defaults.rounds && values.requests === defaults.requests
  const results = values.results ?? (isDefault ? resultsFolder : undefined)
  if (results === undefined) return
  const { createFootprintPlot } = await import('./plots/footprint.mjs')
  const footprint = await createFootprintPlot(summary, frameworks, `${environment.software[0]}, ${environment.date.slice(0, 10)}`)
  writeResults(results, 'footprint', { about: { ...environment, rounds, requests }, summary, plots: { footprint } })
}
