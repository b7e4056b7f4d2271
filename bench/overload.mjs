/**
 * Sends more requests to the built service than it can serve, and prints what becomes of them: `npm run bench -- overload [--times 4] [--seconds 8] [--connections 1000] [--target /colors]`.
 * By default each request is for 400 of 5,000 colours.
 *
 * Requests come at their own rate, whether the ones before got a response or not, as they do from many independent clients. First as many as are
 * served (each of a few connections sends the next request when it has its response), then so many times as many, then half.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openConnection } from './load.mjs'
import { log, parseCount } from './log.mjs'

/** @typedef {{ at: number, status: number, milliseconds: number }} Outcome  when it was due, and what came of it; status 0: nothing */

/** Opens a connection that sends one request again and again. `send` resolves to the status, or 0. @param {number} port @param {Buffer} request */
async function openRequestConnection(port, request) {
  const { send, close } = await openConnection(port)
  const sendRequest = () =>
    send(request).then(
      (response) => response.status,
      () => 0,
    )
  return { send: sendRequest, close }
}

/** Measures how many are served when each request waits for the response before it. @returns {Promise<number>} requests a second */
async function measureCapacity(connections, seconds) {
  const end = performance.now() + 1_000 * seconds
  let served = 0
  await Promise.all(
    connections.map(async ({ send }) => {
      while (performance.now() < end) if ((await send()) < 300) served += 1
    }),
  )
  return served / seconds
}

/** Sends requests at their own rate. @returns {Promise<Outcome[]>} */
async function sendAtRate(connections, rate, seconds) {
  const idle = [...connections]
  /** @type {Outcome[]} */
  const outcomes = []
  const pending = []
  const began = performance.now()
  for (let number = 0; ; ) {
    const now = performance.now() - began
    if (now > 1_000 * seconds) break
    for (; number < (now * rate) / 1_000; number += 1) {
      const at = (1_000 * number) / rate
      const one = idle.pop()
      // Every connection waits for a response: the service does not keep up with rejecting either.
      if (one === undefined) outcomes.push({ at, status: 0, milliseconds: 0 })
      else
        pending.push(
          one.send().then((status) => {
            outcomes.push({ at, status, milliseconds: performance.now() - began - at })
            idle.push(one)
          }),
        )
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(pending)
  return outcomes
}

/** Reads the CPU time of the service so far, of user and system, in seconds. @param {number | undefined} pid */
function readCpuTime(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** @param {readonly number[]} numbers @param {number} part */
const quantile = (numbers, part) => [...numbers].sort((one, other) => one - other)[Math.floor(part * (numbers.length - 1))] ?? Number.NaN
const formatTimes = (outcomes) => {
  const all = outcomes.map(({ milliseconds }) => milliseconds)
  return `p50 ${quantile(all, 0.5).toFixed(1)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms, longest ${quantile(all, 1).toFixed(1)} ms`
}

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: {
      times: { type: string, default: '4' },
      seconds: { type: string, default: '8' },
      connections: { type: string, default: '1000' },
      target: { type: string, default: '/colors?range=name%3B%20limit%20400' },
    },
  })
  const seconds = parseCount('seconds', values.seconds)
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-overload-'))
  const locateBuilt = (/** @type {string} */ name) => fileURLToPath(new URL(`../service/dist/${name}.js`, import.meta.url))
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: `sqlite:${join(folder, 'service.db')}` }
  spawnSync(process.execPath, [locateBuilt('colors'), 'load', '--count', '5000'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const service = spawn(process.execPath, [locateBuilt('main'), 'main'], {
    cwd: folder,
    env: { ...env, PORT: '0', LOG_LEVEL: 'warn', KEEP_ALIVE_TIMEOUT_MS: '600000' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let port = 0
    for await (const line of createInterface({ input: service.stdout })) {
      const { event, url } = JSON.parse(line)
      if (event !== 'listening') continue
      port = Number(new URL(url).port)
      break
    }
    service.stdout.resume()
    const request = Buffer.from(`GET ${values.target} HTTP/1.1\r\nHost: a\r\n\r\n`)
    const few = await Promise.all(Array.from({ length: 8 }, () => openRequestConnection(port, request)))
    log('warming up')
    await measureCapacity(few, 3)
    log('as many as are served')
    const began = readCpuTime(service.pid)
    const before = await measureCapacity(few, seconds)
    const each = (readCpuTime(service.pid) - began) / (before * seconds)
    log(`${values.times} times as many`)
    // Now, since a connection that is silent for long is closed.
    const connections = [...few]
    while (connections.length < parseCount('connections', values.connections)) connections.push(await openRequestConnection(port, request))
    const rate = before * parseCount('times', values.times)
    const workBefore = readCpuTime(service.pid)
    const outcomes = await sendAtRate(connections, rate, seconds)
    const work = readCpuTime(service.pid) - workBefore
    log('half as many')
    const calm = await sendAtRate(connections, before / 2, 4)
    log('once more as many as are served')
    const after = await measureCapacity(few, seconds)
    for (const { close } of connections) close()

    const meanCapacity = (before + after) / 2
    // The last requests are served when no more arrive.
    const steady = outcomes.filter(({ at }) => at > 1_000)
    const of = (status) => steady.filter((outcome) => outcome.status === status)
    const unexpected = [...outcomes, ...calm].filter(({ status }) => status !== 200 && status !== 206 && status !== 503)
    const good = [...of(200), ...of(206)]
    const late = calm.filter(({ status, milliseconds }) => status === 503 || milliseconds > 100).map(({ at }) => at)
    const all = outcomes.filter(({ status }) => status === 200 || status === 206).length
    process.stdout.write(
      [
        `${new Date().toISOString()}, Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
        `GET ${values.target} over ${connections.length} connections`,
        `capacity           ${before.toFixed(0)} requests a second before, ${after.toFixed(0)} after`,
        `sent               ${rate.toFixed(0)} a second`,
        `served             ${(good.length / (seconds - 1)).toFixed(0)} a second: goodput ${(good.length / (seconds - 1) / meanCapacity).toFixed(2)} (${formatTimes(good)})`,
        `of its CPU time    ${((100 * all * each) / work).toFixed(0)} % was spent on responses, ${((1e6 * (work - all * each)) / of(503).length).toFixed(0)} us on each rejection; a response takes ${(1e6 * each).toFixed(0)} us without overload`,
        `rejected           ${of(503).length} with 503 (${formatTimes(of(503))})`,
        `neither            ${unexpected.length}`,
        `recovery           ${late.length === 0 ? 'at once' : `${Math.max(...late).toFixed(0)} ms until no request was rejected or waited for over 100 ms`}`,
        '',
      ].join('\n'),
    )
  } finally {
    service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
