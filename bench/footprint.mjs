/**
 * What a server costs besides requests: `npm run bench -- footprint [--servers bare,lapidary] [--rounds 9] [--requests 20000] [--results FOLDER]`.
 *
 * Cold start, from starting the process to the last byte of its first answer, in CPU time (which other programs do not lengthen) and by the
 * clock; memory when it has answered once, and after a load; what installing it alone puts on the disk, without what the rows need.
 */
import { parseArgs } from 'node:util'
import { chosenContestants } from './chosen.mjs'
import { circumstances, headOf, resultsFolder, versionsOf } from './circumstances.mjs'
import { installed } from './installed.mjs'
import { askOnce } from './load.mjs'
import { startLoad, startServer } from './processes.mjs'
import { median, table } from './report.mjs'
import { writeResults } from './results.mjs'
import { count, say, stop } from './say.mjs'
import { workloads } from './workloads.mjs'

const usual = { rounds: '9', requests: '20000' }
const connections = 50

/** What fills the memory. */
const kinds = /** @type {const} */ (['hello', 'marketing', 'users100'])

/** @param {import('./contestants.mjs').Contestant} contestant */
async function once(load, contestant, requests) {
  const began = performance.now()
  const server = await startServer(contestant)
  try {
    const { status } = await askOnce(server.port, workloads.hello.request)
    const clock = performance.now() - began
    const { cpu, rss } = await server.usage()
    if (status !== 200) stop(`${contestant.name} answered its first request with ${status}`)
    await load.open(server.port, connections)
    for (const name of kinds) {
      const { request } = workloads[name]
      const { complaint } = await load.run({ name, request, status: 200, requests: requests / kinds.length })
      if (complaint !== null) stop(`${contestant.name} failed a request of ${name}: ${complaint}`)
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
      rounds: { type: string, default: usual.rounds },
      requests: { type: string, default: usual.requests },
      results: { type: string },
    },
  })
  const contestants = chosenContestants(values.servers)
  const [rounds, requests] = [count('rounds', values.rounds), count('requests', values.requests)]
  const load = startLoad()
  const found = contestants.map((contestant) => ({ contestant, samples: /** @type {any[]} */ ([]) }))
  try {
    for (let round = 0; round <= rounds; round += 1) {
      say(round === 0 ? 'once to fill the disk cache' : `round ${round} of ${rounds}`)
      for (const { contestant, samples } of round % 2 === 0 ? found : [...found].reverse()) {
        const sample = await once(load, contestant, round === 0 ? connections : requests)
        if (round > 0) samples.push(sample)
      }
    }
  } finally {
    load.stop()
  }

  const measured = found.map(({ contestant, samples }) => {
    const of = (/** @type {string} */ field) => median(samples.map((sample) => sample[field]))
    const { packages, bytes } = installed(contestant.packages)
    return {
      ...{ server: contestant.name, cpu: of('cpu'), clock: of('clock'), idle: of('idle'), loaded: of('loaded') },
      ...{ packages, installed: bytes / 2 ** 20 },
    }
  })
  const where = circumstances(versionsOf([...contestants.flatMap((one) => one.packages), 'bun']))
  process.stdout.write(headOf(where))
  process.stdout.write(`medians of ${rounds} rounds; loaded: after ${requests} requests\n\n`)
  process.stdout.write(
    table([
      ['server', 'packages', 'installed MB', 'cold start: CPU ms', 'by the clock', 'idle MB', 'loaded MB'],
      ...measured.map((one) => [
        ...[one.server, String(one.packages), one.installed.toFixed(1), one.cpu.toFixed(0), one.clock.toFixed(0)],
        ...[one.idle.toFixed(0), one.loaded.toFixed(0)],
      ]),
    ]),
  )
  const isUsual = values.servers === undefined && values.rounds === usual.rounds && values.requests === usual.requests
  const results = values.results ?? (isUsual ? resultsFolder : undefined)
  if (results === undefined) return
  const { footprintPlot } = await import('./plots/footprint.mjs')
  const footprint = await footprintPlot(measured, contestants, `${where.software[0]}, ${where.date.slice(0, 10)}`)
  writeResults(results, 'footprint', { about: { ...where, rounds, requests }, summary: measured, plots: { footprint } })
}
