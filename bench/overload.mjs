/**
 * Asks more of the built service than it can do, and says what becomes of it: `npm run bench -- overload [--times 4] [--seconds 8] [--connections 1000] [--target /colors]`.
 * Of 5,000 colours, 400 are asked for if nothing else is said.
 *
 * Requests come at their own rate, whether the ones before were answered or not, as they do from many clients who don't know of each other. First as
 * many as are answered (each of a few connections asks again when it has its answer), then so many times as many, then half.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openLane } from './load.mjs'
import { count, say } from './say.mjs'

/** @typedef {{ at: number, status: number, milliseconds: number }} Fate  when it was due, and what came of it; status 0: nothing */

/** One connection. @param {number} port @param {Buffer} request what it always asks; it hears the status, or 0 */
async function lane(port, request) {
  const { ask, close } = await openLane(port)
  const status = () =>
    ask(request).then(
      (answer) => answer.status,
      () => 0,
    )
  return { ask: status, close }
}

/** As many as are answered by turns. @returns {Promise<number>} requests a second */
async function capacity(lanes, seconds) {
  const end = performance.now() + 1_000 * seconds
  let answered = 0
  await Promise.all(
    lanes.map(async ({ ask }) => {
      while (performance.now() < end) if ((await ask()) < 300) answered += 1
    }),
  )
  return answered / seconds
}

/** Requests at their own rate. @returns {Promise<Fate[]>} */
async function flood(lanes, rate, seconds) {
  const idle = [...lanes]
  /** @type {Fate[]} */
  const fates = []
  const asked = []
  const began = performance.now()
  for (let number = 0; ; ) {
    const now = performance.now() - began
    if (now > 1_000 * seconds) break
    for (; number < (now * rate) / 1_000; number += 1) {
      const at = (1_000 * number) / rate
      const one = idle.pop()
      // Every connection waits for an answer: the service does not keep up with refusing either.
      if (one === undefined) fates.push({ at, status: 0, milliseconds: 0 })
      else
        asked.push(
          one.ask().then((status) => {
            fates.push({ at, status, milliseconds: performance.now() - began - at })
            idle.push(one)
          }),
        )
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(asked)
  return fates
}

/** What the service has worked so far, in seconds: its CPU time, of user and system. @param {number | undefined} pid */
function worked(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** @param {readonly number[]} numbers @param {number} part */
const quantile = (numbers, part) => [...numbers].sort((one, other) => one - other)[Math.floor(part * (numbers.length - 1))] ?? Number.NaN
const times = (fates) => {
  const all = fates.map(({ milliseconds }) => milliseconds)
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
  const seconds = count('seconds', values.seconds)
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-overload-'))
  const built = (/** @type {string} */ name) => fileURLToPath(new URL(`../service/dist/${name}.js`, import.meta.url))
  const env = { PATH: process.env['PATH'] ?? '', DATABASE_URL: `sqlite:${join(folder, 'service.db')}` }
  spawnSync(process.execPath, [built('colors'), 'load', '--count', '5000'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const service = spawn(process.execPath, [built('main'), 'main'], {
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
    const few = await Promise.all(Array.from({ length: 8 }, () => lane(port, request)))
    say('warming up')
    await capacity(few, 3)
    say('as many as are answered')
    const began = worked(service.pid)
    const before = await capacity(few, seconds)
    const each = (worked(service.pid) - began) / (before * seconds)
    say(`${values.times} times as many`)
    // Now, since a connection that says nothing for long is closed.
    const lanes = [...few]
    while (lanes.length < count('connections', values.connections)) lanes.push(await lane(port, request))
    const rate = before * count('times', values.times)
    const flooded = worked(service.pid)
    const fates = await flood(lanes, rate, seconds)
    const work = worked(service.pid) - flooded
    say('half as many')
    const calm = await flood(lanes, before / 2, 4)
    say('once more as many as are answered')
    const after = await capacity(few, seconds)
    for (const { close } of lanes) close()

    const usual = (before + after) / 2
    // What comes at the end is answered when nothing more comes.
    const steady = fates.filter(({ at }) => at > 1_000)
    const of = (status) => steady.filter((fate) => fate.status === status)
    const unexpected = [...fates, ...calm].filter(({ status }) => status !== 200 && status !== 206 && status !== 503)
    const good = [...of(200), ...of(206)]
    const late = calm.filter(({ status, milliseconds }) => status === 503 || milliseconds > 100).map(({ at }) => at)
    const all = fates.filter(({ status }) => status === 200 || status === 206).length
    process.stdout.write(
      [
        `${new Date().toISOString()}, Node ${process.versions.node}, ${cpus()[0]?.model.trim()}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1)}`,
        `GET ${values.target} over ${lanes.length} connections`,
        `capacity           ${before.toFixed(0)} requests a second before, ${after.toFixed(0)} after`,
        `asked              ${rate.toFixed(0)} a second`,
        `answered           ${(good.length / (seconds - 1)).toFixed(0)} a second: goodput ${(good.length / (seconds - 1) / usual).toFixed(2)} (${times(good)})`,
        `of its CPU time    ${((100 * all * each) / work).toFixed(0)} % was spent on answers, ${((1e6 * (work - all * each)) / of(503).length).toFixed(0)} us on each refusal; an answer takes ${(1e6 * each).toFixed(0)} us when there is no crowd`,
        `refused            ${of(503).length} with 503 (${times(of(503))})`,
        `neither            ${unexpected.length}`,
        `recovery           ${late.length === 0 ? 'at once' : `${Math.max(...late).toFixed(0)} ms until no request was refused or waited for over 100 ms`}`,
        '',
      ].join('\n'),
    )
  } finally {
    service.kill()
    rmSync(folder, { recursive: true, force: true })
  }
}
