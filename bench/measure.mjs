/** Measures servers against each other in interleaved rounds, with all of them running. */

import { log, stop } from './log.mjs'
import { startLoad, startServer } from './processes.mjs'
import { median } from './report.mjs'
import { createWorkloadRequest } from './workloadRequest.mjs'
import { workloads } from './workloads.mjs'

/** @typedef {import('./frameworks.mjs').Framework} Framework */

/**
 * @typedef {object} MeasureOptions
 * @property {readonly string[]} names               of the workloads
 * @property {readonly Framework[]} frameworks     the first is the baseline
 * @property {number} rounds
 * @property {number} requests                       of a workload of weight 1 to each server in each round
 * @property {number} connections
 */

/**
 * A shared machine changes its speed from one moment to the next, so servers take turns after so many greetings, or what costs as much. Of
 * 500, 1,000, 2,500 and 5,000 this gave the least noise, with the median of the ratios of slices that lay beside each other.
 */
const sliceSize = 1_000

/**
 * Before each slice so much of it, without being measured: what is opened for the slice, and what a server that has waited for the others finds no more
 * in the caches of the processor, is not what a request costs.
 */
const runUp = 0.3

/** How many greetings warm a server up, at most; and how many requests a slice has, at least: of the dearest workload, fewer than there are connections. */
const warmUp = 10_000
const minRequests = 10

/** How many slices a round has, and how many requests a slice. @param {string} name of the workload @param {number} greetings in all */
function planSlices(name, greetings) {
  const { weight } = workloads[name]
  const requests = Math.max(minRequests, Math.ceil(Math.min(greetings, sliceSize) / weight))
  return { requests, turns: Math.max(2, Math.round(greetings / weight / requests)) }
}

/**
 * One server under one workload for a moment.
 * @param {ReturnType<typeof startLoad>} load
 * @param {import('./processes.mjs').Server} server
 */
async function measureSlice(load, server, workloadRequest, requests, connections) {
  await load.open(server.port, connections)
  await load.run({ ...workloadRequest, requests: Math.ceil(runUp * requests) })
  const before = await server.usage()
  const result = await load.run({ ...workloadRequest, requests })
  const after = await server.usage()
  await load.close()
  if (result.errors > 0)
    stop(`${server.framework.name} failed ${result.errors} requests of ${workloadRequest.name}; the first: ${result.firstError}`)
  const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  return { ...result, cpu, each: cpu / result.requests, rss: after.rss }
}

/** @param {readonly number[]} numbers */
const addUp = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** Slices in turn, there and back (a, b, b, a), so that what changes evenly over time weighs on each server alike. */
async function measureRound(load, servers, name, number, { requests: greetings, connections }) {
  const workloadRequests = []
  for (const server of servers) workloadRequests.push(await createWorkloadRequest(server, name))
  const slices = servers.map(() => [])
  const { requests, turns } = planSlices(name, greetings)
  for (let turn = 0; turn < turns; turn += 1) {
    const order = servers.map((_, index) => ((turn + number) % 2 === 0 ? index : servers.length - 1 - index))
    for (const index of order) slices[index].push(await measureSlice(load, servers[index], workloadRequests[index], requests, connections))
  }
  return slices.map((own) => ({
    workload: name,
    round: number,
    cpu: addUp(own.map(({ cpu }) => cpu)) / addUp(own.map((one) => one.requests)),
    ratio: median(own.map(({ each }, turn) => slices[0][turn].each / each)),
    throughput: addUp(own.map((one) => one.requests)) / addUp(own.map(({ seconds }) => seconds)),
    p50: median(own.map(({ p50 }) => p50)),
    p99: median(own.map(({ p99 }) => p99)),
    rss: Math.max(...own.map(({ rss }) => rss)),
  }))
}

/** Fresh processes for each round, all of them running at once: two processes of one program are not equally fast either. */
async function measureServers(load, number, options) {
  const { names, frameworks, requests, connections } = options
  /** @type {import('./processes.mjs').Server[]} */
  const servers = []
  try {
    // The first to start may have an advantage, so each round starts with another one.
    const order = frameworks.map((_, index) => (index + number) % frameworks.length)
    for (const index of order) servers[index] = await startServer(frameworks[index])
    const listServers = (/** @type {string} */ name) => servers.filter(({ framework }) => !Object.hasOwn(framework.without, name))
    for (const name of names) {
      log(`warming up for ${name}`)
      const plan = planSlices(name, Math.min(requests, warmUp))
      for (const server of listServers(name))
        await measureSlice(load, server, await createWorkloadRequest(server, name), plan.requests * plan.turns, connections)
    }
    const samples = []
    for (const name of names) {
      const found = await measureRound(load, listServers(name), name, number, options)
      samples.push(...found.map((sample, index) => ({ server: listServers(name)[index].framework.name, ...sample })))
      log(
        `${name}: ${samples
          .slice(-found.length)
          .map(({ server, cpu, ratio }) => `${server} ${cpu.toFixed(1)} us (${ratio.toFixed(2)})`)
          .join('  ')}`,
      )
    }
    return samples
  } finally {
    for (const server of servers) await server?.stop()
  }
}

/**
 * @param {MeasureOptions} options
 * @returns {Promise<import('./report.mjs').Sample[]>} by workload
 */
export async function measure(options) {
  const load = startLoad()
  try {
    const samples = []
    for (let number = 1; number <= options.rounds; number += 1) {
      log(`round ${number} of ${options.rounds}`)
      samples.push(...(await measureServers(load, number, options)))
    }
    const indexOf = (/** @type {{ workload: string }} */ { workload }) => options.names.indexOf(workload)
    return samples.sort((one, other) => indexOf(one) - indexOf(other))
  } finally {
    load.stop()
  }
}
