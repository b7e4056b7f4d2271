/**
 * Measures compressed responses, against `@fastify/compress` and Hono's `compress` with the same codings and levels:
 * `npm run bench -- compression [--rounds 5] [--requests 2000]`. CPU time of the server for a request, on all of its threads, and the bytes of a
 * body; then the delay of each line of a stream. The servers take turns in each round.
 */
import { once } from 'node:events'
import { request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import { log, parseCount, stop } from './log.mjs'
import { startLoad, startServer } from './processes.mjs'
import { formatTable, median } from './report.mjs'

const names = ['lapidary', 'fastify', 'hono']
const codings = ['identity', 'gzip', 'br']
const lists = ['kilobyte', 'hundred', 'thousand']
const streamCount = 50

/** Sends a request for a body, and resolves to it as it was sent. @param {number} port @param {string} path @param {string} coding */
async function fetchRaw(port, path, coding) {
  const message = request({ port, path, headers: { 'Accept-Encoding': coding }, agent: false })
  message.end()
  const [response] = await once(message, 'response')
  const chunks = []
  for await (const chunk of response) chunks.push(chunk)
  return { coding: response.headers['content-encoding'] ?? 'identity', length: Buffer.concat(chunks).length }
}

/** Reads a stream of lines, and returns its bytes and the delay of each line in milliseconds. @param {number} port @param {string} path @param {string} coding */
async function readLines(port, path, coding) {
  const message = request({ port, path, headers: { 'Accept-Encoding': coding }, agent: false })
  message.end()
  const [response] = await once(message, 'response')
  const used = response.headers['content-encoding'] ?? 'identity'
  let bytes = 0
  response.on('data', (chunk) => {
    bytes += chunk.length
  })
  const decoders = {
    identity: () => response,
    gzip: () => response.pipe(createGunzip({ flush: constants.Z_SYNC_FLUSH })),
    br: () => response.pipe(createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH })),
  }
  const delays = []
  for await (const chunk of decoders[used]()) {
    const now = performance.timeOrigin + performance.now()
    for (const [, time] of String(chunk).matchAll(/"at":([\d.]+)/g)) delays.push(now - Number(time))
  }
  return { coding: used, bytes, delays }
}

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: { rounds: { type: string, default: '5' }, requests: { type: string, default: '2000' } },
  })
  const rounds = parseCount('rounds', values.rounds)
  const requests = parseCount('requests', values.requests)
  const file = fileURLToPath(new URL('compression/server.mjs', import.meta.url))
  const servers = await Promise.all(names.map((name) => startServer({ name, file, runtime: 'node', words: [name] })))
  const load = startLoad()
  /** @param {import('./processes.mjs').Server} server @param {() => Promise<unknown>} work @returns {Promise<number>} microseconds */
  const measure = async (server, work) => {
    const before = await server.usage()
    await work()
    const after = await server.usage()
    return after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
  }
  try {
    const rows = []
    for (const list of lists) {
      const count = list === 'thousand' ? Math.ceil(requests / 4) : requests
      for (const coding of codings) {
        /** @type {number[][]} */
        const times = names.map(() => [])
        const bodies = await Promise.all(servers.map(({ port }) => fetchRaw(port, `/${list}`, coding)))
        for (let round = 0; round <= rounds; round += 1) {
          log(`${list}, ${coding}: round ${round} of ${rounds}`)
          for (const [index, server] of servers.entries()) {
            if (bodies[index].coding !== coding) continue
            await load.open(server.port, 8)
            const text = `GET /${list} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: ${coding}\r\n\r\n`
            const time = await measure(server, async () => {
              const { errors, firstError } = await load.run({ name: `compressed ${list}`, request: text, status: 200, requests: count })
              if (errors > 0) stop(`${names[index]}: ${firstError}`)
            })
            await load.close()
            // The first round warms the server up.
            if (round > 0) times[index].push(time / count)
          }
        }
        for (const [index, name] of names.entries())
          if (bodies[index].coding === coding) rows.push([list, coding, name, `${bodies[index].length}`, median(times[index]).toFixed(0)])
      }
    }
    process.stdout.write(formatTable([['list', 'coding', 'server', 'bytes', 'us of CPU a request'], ...rows], 3))

    const streamRows = []
    for (const path of ['events', 'lines']) {
      for (const coding of codings) {
        for (const [index, server] of servers.entries()) {
          log(`${path}, ${coding}: ${names[index]}`)
          let read = []
          const time = await measure(server, async () => {
            read = await Promise.all(Array.from({ length: streamCount }, () => readLines(server.port, `/${path}`, coding)))
          })
          if (read[0].coding !== coding) continue
          const delays = read.flatMap((one) => one.delays).sort((one, other) => one - other)
          const bytes = read.reduce((sum, one) => sum + one.bytes, 0) / delays.length
          const worst = delays.at(-1) ?? Number.NaN
          const cells = [median(delays), worst].map((delay) => delay.toFixed(1))
          streamRows.push([path, coding, names[index], bytes.toFixed(0), (time / delays.length).toFixed(0), ...cells])
        }
      }
    }
    const head = ['stream', 'coding', 'server', 'bytes a line', 'us of CPU a line', 'delay (ms)', 'worst']
    process.stdout.write(`\n${formatTable([head, ...streamRows], 3)}`)
  } finally {
    load.stop()
    await Promise.all(servers.map((server) => server.stop()))
  }
}
