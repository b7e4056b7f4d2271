/**
 * Measures what Basic authentication costs, once the credentials are remembered, and what it costs together with a line in a log file and metrics for
 * each request: `npm run bench -- authentication [--rounds 9] [--requests 5000]`. CPU time of one process for a request with them, divided by that of
 * the same request without, in slices that take turns.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { log, parseCount, stop } from './log.mjs'
import { startLoad, startServer } from './processes.mjs'
import { median } from './report.mjs'

const credentials = `Authorization: Basic ${btoa('ann:correct horse battery staple')}\r\n`

/** @param {string} path @param {string} headers */
const get = (path, headers = '') => `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n${headers}\r\n`

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: { rounds: { type: string, default: '9' }, requests: { type: string, default: '5000' } },
  })
  const rounds = parseCount('rounds', values.rounds)
  const requests = parseCount('requests', values.requests)
  const file = fileURLToPath(new URL('authentication/server.mjs', import.meta.url))
  const server = await startServer({ name: 'authentication', file, runtime: 'node' })
  const load = startLoad()
  try {
    /** @param {string} name @param {string} request @param {number} port */
    const measureSlice = async (name, request, port = server.port) => {
      await load.open(port, 50)
      const before = await server.usage()
      const { errors, firstError } = await load.run({ name, request, status: 200, requests })
      const after = await server.usage()
      await load.close()
      if (errors > 0) stop(`${name}: ${firstError}`)
      return (after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system) / requests
    }
    for (const name of ['hello', 'sqlite']) {
      const [openTimes, authenticatedRatios, observedRatios] = [[], [], []]
      for (let round = 0; round <= rounds; round += 1) {
        log(`${name}: round ${round} of ${rounds}`)
        const before = await measureSlice(name, get(`/${name}`))
        const within = await measureSlice(name, get(`/people/${name}`, credentials))
        const all = await measureSlice(name, get(`/people/${name}`, credentials), server.others.observed)
        const open = (before + (await measureSlice(name, get(`/${name}`)))) / 2
        // The first warms it up.
        if (round === 0) continue
        openTimes.push(open)
        authenticatedRatios.push(within / open)
        observedRatios.push(all / open)
      }
      const format = (/** @type {number[]} */ ratios) =>
        `${median(ratios).toFixed(3)} times as much (${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`
      process.stdout.write(
        `${name}: ${median(openTimes).toFixed(1)} us without; with authentication ${format(authenticatedRatios)}; with a log and metrics as well ${format(observedRatios)}; ${rounds} rounds\n`,
      )
    }
  } finally {
    load.stop()
    await server.stop()
  }
}
