/**
 * Opens many streams of events, and prints what they cost the server: `npm run bench -- events [--streams 10000] [--seconds 8] [--heartbeat 5000]`.
 * The clients are in this process, the server in another one. Each needs a file descriptor a stream: `ulimit -n 20000`.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { log, parseCount } from './log.mjs'
import { formatTable } from './report.mjs'

const publications = 5

/** @param {readonly string[]} words */
export async function run(words) {
  const string = /** @type {const} */ ('string')
  const { values } = parseArgs({
    args: [...words],
    options: {
      streams: { type: string, default: '10000' },
      seconds: { type: string, default: '8' },
      heartbeat: { type: string, default: '5000' },
    },
  })
  const streams = parseCount('streams', values.streams)
  const seconds = parseCount('seconds', values.seconds)
  const child = fork(fileURLToPath(new URL('events/server.mjs', import.meta.url)), [values.heartbeat], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  try {
    const [line] = await once(/** @type {import('node:stream').Readable} */ (child.stdout), 'data')
    const { port } = JSON.parse(String(line))
    /** What the server has used. @param {boolean} publish @returns {Promise<{ open: number, rss: number, heap: number, cpu: number }>} */
    const requestUsage = async (publish = false) => {
      child.send({ publish })
      const [usage] = await once(child, 'message')
      return usage
    }

    const before = await requestUsage()
    let events = 0
    let comments = 0
    log(`${streams} streams`)
    const sockets = []
    while (sockets.length < streams) {
      const group = Array.from({ length: Math.min(200, streams - sockets.length) }, () => connect(port, '127.0.0.1'))
      await Promise.all(group.map((socket) => once(socket, 'connect')))
      for (const socket of group) {
        socket.write('GET /changes HTTP/1.1\r\nHost: a\r\n\r\n')
        socket.on('data', (chunk) => {
          const text = chunk.toString('latin1')
          events += text.split('event: cut').length - 1
          comments += text.split('\r\n:\n\r\n').length - 1
        })
      }
      sockets.push(...group)
      await Promise.all(group.map((socket) => once(socket, 'data')))
    }
    const open = await requestUsage()
    log('silence')
    comments = 0
    await sleep(1_000 * seconds)
    const idle = await requestUsage()
    const beats = comments
    log('events')
    events = 0
    const started = performance.now()
    for (let number = 1; number <= publications; number += 1) {
      await requestUsage(true)
      for (const end = performance.now() + 30_000; events < number * streams && performance.now() < end; ) await sleep(5)
    }
    const milliseconds = (performance.now() - started) / publications
    const busy = await requestUsage()
    for (const socket of sockets) socket.destroy()
    await sleep(2_000)
    const after = await requestUsage()

    const megabytes = (/** @type {number} */ bytes) => (bytes / 2 ** 20).toFixed(0)
    const rows = [
      ['open streams', `${open.open}`],
      [
        'memory a stream',
        `${((open.rss - before.rss) / streams / 1_024).toFixed(1)} KiB, of it heap ${((open.heap - before.heap) / streams / 1_024).toFixed(1)} KiB`,
      ],
      [
        'memory of the server',
        `${megabytes(before.rss)} MiB before, ${megabytes(open.rss)} MiB open, ${megabytes(busy.rss)} MiB after events`,
      ],
      ['CPU to open a stream', `${(((open.cpu - before.cpu) * 1_000) / streams).toFixed(0)} us`],
      ['CPU in silence', `${((idle.cpu - open.cpu) / seconds / 10).toFixed(2)} % of a core, with ${beats} comments in ${seconds} s`],
      ['CPU of an event to a client', `${(((busy.cpu - idle.cpu) * 1_000) / publications / streams).toFixed(1)} us`],
      ['an event reaches all clients in', `${milliseconds.toFixed(0)} ms; ${events} of ${publications * streams} arrived`],
      ['after all have left', `${after.open} streams, heap ${megabytes(after.heap)} MiB (${megabytes(before.heap)} MiB before)`],
    ]
    process.stdout.write(formatTable([['10,000 open event streams'.replace('10,000', streams.toLocaleString('en')), ''], ...rows], 2))
  } finally {
    child.kill()
  }
}
