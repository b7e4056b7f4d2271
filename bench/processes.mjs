/** Starts the measured servers and the load as processes of their own, and talks to them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { faultOf, openLane } from './load.mjs'

/**
 * @typedef {object} Server
 * @property {string} name
 * @property {number} port
 * @property {() => Promise<{ cpu: { user: number, system: number }, rss: number }>} usage  microseconds and bytes
 * @property {() => void} stop
 */

const path = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url))

/**
 * Waits for `event`, unless the process ends first.
 * @param {import('node:child_process').ChildProcess} child
 * @param {import('node:events').EventEmitter} emitter
 * @param {string} event
 */
async function eventually(child, emitter, event) {
  const over = new AbortController()
  const ended = once(child, 'exit', { signal: over.signal }).then(([code, signal]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code ?? signal} before it was done`)
  })
  ended.catch(() => {})
  try {
    const [value] = await Promise.race([once(emitter, event, { signal: over.signal }), ended])
    return value
  } finally {
    over.abort()
  }
}

/** Sends one message and waits for the one that answers it. */
function exchange(child, message) {
  const answer = eventually(child, child, 'message')
  child.send(message)
  return answer
}

/**
 * Starts `servers/NAME.mjs` and waits until it listens.
 * @param {string} name
 * @returns {Promise<Server>}
 */
export async function startServer(name) {
  const child = fork(path(`servers/${name}.mjs`), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execArgv: [] })
  const text = await eventually(child, createInterface({ input: child.stdout }), 'line')
  return { name, port: JSON.parse(text).port, usage: () => exchange(child, 'usage'), stop: () => child.kill() }
}

/**
 * Starts the load. Connections are opened before and closed after what is measured: keep-alive connections cost nothing while they last.
 */
export function startLoad() {
  const child = fork(path('load.mjs'), { execArgv: [] })
  return {
    /** @param {number} port @param {number} connections */
    open: (port, connections) => exchange(child, { open: { port, connections } }),
    /** @param {import('./load.mjs').Job} job @returns {Promise<import('./load.mjs').Result>} */
    run: (job) => exchange(child, { run: job }),
    close: () => exchange(child, { close: true }),
    stop: () => child.kill(),
  }
}

/**
 * Milliseconds from starting the process of a server to the last byte of its first answer.
 * @param {string} name
 * @param {import('./workloads.mjs').Workload} workload
 */
export async function coldStart(name, workload) {
  const began = performance.now()
  const server = await startServer(name)
  try {
    const lane = await openLane(server.port)
    const answer = await lane.ask(Buffer.from(workload.request))
    const milliseconds = performance.now() - began
    lane.close()
    const fault = faultOf(answer, workload, true)
    if (fault !== undefined) throw new Error(`${name} answered its first request with ${fault}`)
    return milliseconds
  } finally {
    server.stop()
  }
}
