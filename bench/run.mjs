/**
 * Measures the servers in `servers/` against each other: CPU time a request, in interleaved rounds with all of them running, and cold start.
 *
 *   npm run bench -- [--quick] [--only hello,position] [--rounds 5] [--requests 40000] [--connections 50] [--servers bare,lapidary] [--json FILE]
 *
 * The first of `--servers` is the yardstick. `--servers bare,bare` shows the noise of the machine. `npm run bench -- ranges` and
 * `npm run bench -- overload` are other programs, in files of these names.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { parseArgs } from 'node:util'
import { coldStart, startLoad, startServer } from './processes.mjs'
import { coldStartTable, median, summaryOf, throughputTable } from './report.mjs'
import { count, say, stop } from './say.mjs'
import { workloads } from './workloads.mjs'

function settings() {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: string, default: Object.keys(workloads).join() },
      servers: { type: string, default: 'bare,lapidary' },
      rounds: { type: string },
      requests: { type: string },
      connections: { type: string, default: '50' },
      json: { type: string },
    },
  })
  const names = values.only.split(',')
  for (const name of names)
    if (!Object.hasOwn(workloads, name)) stop(`--only ${name}: expected one of ${Object.keys(workloads).join(', ')}`)
  return {
    names,
    servers: values.servers.split(','),
    rounds: count('rounds', values.rounds ?? (values.quick ? '2' : '5')),
    requests: count('requests', values.requests ?? (values.quick ? '5000' : '40000')),
    connections: count('connections', values.connections),
    starts: values.quick ? 3 : 5,
    json: values.json,
  }
}

/** The same file may be started more than once; then the copies are told apart by a number. @param {readonly string[]} names */
const labels = (names) => names.map((name, index) => (names.indexOf(name) === index ? name : `${name}#${index + 1}`))

/**
 * A shared machine changes its speed from one moment to the next, so servers take turns after so many requests. Of 500, 1,000, 2,500 and
 * 5,000 this gave the least noise, with the median of the ratios of slices that lay beside each other.
 */
const sliceSize = 1_000

/**
 * One server under one workload for a moment.
 * @param {ReturnType<typeof startLoad>} load
 * @param {import('./processes.mjs').Server} server
 */
async function slice(load, server, name, requests, connections) {
  await load.open(server.port, connections)
  const before = await server.usage()
  const result = await load.run({ workload: workloads[name], requests })
  const after = await server.usage()
  await load.close()
  if (result.errors > 0) stop(`${server.name} failed ${result.errors} requests of ${name}; the first: ${result.complaint}`)
  const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  return { ...result, cpu, rss: after.rss }
}

/** @param {readonly number[]} numbers */
const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)

/** Slices in turn, there and back (a, b, b, a), so that what changes evenly over time weighs on each server alike. */
async function round(load, servers, name, number, requests, connections) {
  const slices = servers.map(() => [])
  const turns = Math.ceil(requests / sliceSize)
  for (let turn = 0; turn < turns; turn += 1) {
    const order = servers.map((_, index) => ((turn + number) % 2 === 0 ? index : servers.length - 1 - index))
    for (const index of order) slices[index].push(await slice(load, servers[index], name, Math.ceil(requests / turns), connections))
  }
  return slices.map((own) => ({
    workload: name,
    round: number,
    cpu: sum(own.map(({ cpu }) => cpu)) / sum(own.map((one) => one.requests)),
    ratio: median(own.map(({ cpu }, turn) => slices[0][turn].cpu / cpu)),
    throughput: sum(own.map((one) => one.requests)) / sum(own.map(({ seconds }) => seconds)),
    p50: median(own.map(({ p50 }) => p50)),
    p99: median(own.map(({ p99 }) => p99)),
    rss: Math.max(...own.map(({ rss }) => rss)),
  }))
}

/** Fresh processes for each round, all of them running at once: two processes of one program are not equally fast either. */
async function roundOfAll(load, number, { names, servers: files, requests, connections }) {
  const servers = []
  try {
    // Whoever starts first may be at an advantage, so that it is another one each time.
    const order = files.map((_, index) => (index + number) % files.length)
    for (const index of order) servers[index] = await startServer(files[index])
    for (const name of names) {
      for (const index of order) await slice(load, servers[index], name, Math.min(requests, 20_000), connections)
    }
    const samples = []
    for (const name of names) {
      const found = await round(load, servers, name, number, requests, connections)
      samples.push(...found.map((sample, index) => ({ server: labels(files)[index], ...sample })))
      say(`${name}: ${found.map(({ cpu, ratio }) => `${cpu.toFixed(2)} us (${ratio.toFixed(3)})`).join('  ')}`)
    }
    return samples
  } finally {
    for (const server of servers) server?.stop()
  }
}

async function measure(options) {
  const load = startLoad()
  try {
    const samples = []
    for (let number = 1; number <= options.rounds; number += 1) {
      say(`round ${number} of ${options.rounds}`)
      samples.push(...(await roundOfAll(load, number, options)))
    }
    const place = (/** @type {{ workload: string }} */ { workload }) => options.names.indexOf(workload)
    return samples.sort((one, other) => place(one) - place(other))
  } finally {
    load.stop()
  }
}

async function coldStarts({ servers: files, starts }) {
  const found = labels(files).map((server) => ({ server, milliseconds: /** @type {number[]} */ ([]) }))
  for (let number = 0; number <= starts; number += 1) {
    say(number === 0 ? 'cold start: once to fill the disk cache' : `cold start ${number} of ${starts}`)
    for (const [index, file] of files.entries()) {
      const milliseconds = await coldStart(file, workloads.hello)
      if (number > 0) found[index].milliseconds.push(milliseconds)
    }
  }
  return found
}

async function run() {
  const options = settings()
  const samples = await measure(options)
  const starts = await coldStarts(options)
  const summary = summaryOf(samples)
  const machine = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, ${process.platform} ${process.arch}`
  const date = new Date().toISOString()
  process.stdout.write(`${date}, Node ${process.versions.node}, ${machine}\n`)
  process.stdout.write(
    `${options.rounds} rounds of ${options.requests} requests over ${options.connections} connections; ratio: CPU time of ${options.servers[0]} divided by that of the server\n\n`,
  )
  process.stdout.write(`${throughputTable(summary)}\n${coldStartTable(starts)}`)
  if (options.json !== undefined) {
    const { json, ...setup } = options
    writeFileSync(json, `${JSON.stringify({ date, node: process.versions.node, machine, setup, summary, starts, samples }, null, 2)}\n`)
  }
}

try {
  const [, , program = ''] = process.argv
  if (['ranges', 'overload'].includes(program)) await import(`./${program}.mjs`)
  else await run()
} catch (failure) {
  stop(failure instanceof Error ? failure.message : String(failure))
}
