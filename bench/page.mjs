/**
 * Measures a page of 100 colours of the service, over a socket, against what it cannot do without: the query by hand on the same SQLite, and
 * JSON.stringify. `npm run bench -- page [--rows 1000000] [--rounds 9] [--requests 2000]`. CPU time of one process, in slices that take turns.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { log, parseCount, stop } from './log.mjs'
import { sendMessage, startLoad, startServer } from './processes.mjs'
import { listMiddleValues } from './ranges/pages.mjs'
import { median } from './report.mjs'
import { get } from './workloads.mjs'

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: {
      rows: { type: string, default: '1000000' },
      rounds: { type: string, default: '9' },
      requests: { type: string, default: '2000' },
    },
  })
  const [rows, rounds, requests] = [
    parseCount('rows', values.rows),
    parseCount('rounds', values.rounds),
    parseCount('requests', values.requests),
  ]
  const file = fileURLToPath(new URL('page/server.mjs', import.meta.url))
  log(`filling in ${rows} colours`)
  const server = await startServer({ name: 'page', file, runtime: 'node', words: [`${rows}`] })
  const load = startLoad()
  const [name = ''] = listMiddleValues(rows, 'name')
  const request = get('/colors', `Range: name ${encodeURIComponent(name)}; limit 100; order asc\r\n`)
  try {
    const [whole, bare, ratios] = [[], [], []]
    for (let round = 0; round <= rounds; round += 1) {
      log(`round ${round} of ${rounds}`)
      const before = await sendMessage(server.child, { bare: requests })
      await load.open(server.port, 50)
      const usageBefore = await server.usage()
      const { errors, firstError } = await load.run({ name: 'colours', request, status: 206, requests })
      const usageAfter = await server.usage()
      await load.close()
      if (errors > 0) stop(firstError)
      const after = await sendMessage(server.child, { bare: requests })
      // The first warms it up.
      if (round === 0) continue
      whole.push((usageAfter.cpu.user + usageAfter.cpu.system - usageBefore.cpu.user - usageBefore.cpu.system) / requests)
      bare.push((before.each + after.each) / 2)
      ratios.push(whole[whole.length - 1] / bare[bare.length - 1])
    }
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} in ${rounds} rounds`
    process.stdout.write(
      `a page of 100 of ${rows} colours: ${median(whole).toFixed(1)} us; its query and JSON.stringify ${median(bare).toFixed(1)} us; ${median(ratios).toFixed(3)} times as much (${range})\n`,
    )
  } finally {
    load.stop()
    await server.stop()
  }
}
