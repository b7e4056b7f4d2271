/** Starts the measured servers and the load as processes of their own, and talks to them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./contestants.mjs').Contestant} Contestant */

/**
 * @typedef {object} Server
 * @property {Contestant} contestant
 * @property {import('node:child_process').ChildProcess} child
 * @property {number} port
 * @property {Readonly<Record<string, number>>} others  further ports, by their names
 * @property {() => Promise<{ cpu: { user: number, system: number }, rss: number }>} usage  microseconds and bytes
 * @property {() => Promise<void>} stop
 */

const runtimes = {
  node: () => process.execPath,
  // npm's package puts the program of this machine into that place, under that name on every system.
  bun: () => join(dirname(createRequire(import.meta.url).resolve('bun/package.json')), 'bin', 'bun.exe'),
}

/**
 * Waits for `event`, unless the process ends first.
 * @param {import('node:child_process').ChildProcess} child
 * @param {import('node:events').EventEmitter} emitter
 * @param {string} event
 */
export async function eventually(child, emitter, event) {
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
export function exchange(child, message) {
  const answer = eventually(child, child, 'message')
  child.send(message)
  return answer
}

/**
 * Starts a server and waits until it listens.
 * @param {Contestant} contestant
 * @returns {Promise<Server>}
 */
export async function startServer(contestant) {
  const execPath = runtimes[contestant.runtime]()
  const child = fork(contestant.file, contestant.words ?? [], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execPath, execArgv: [] })
  const ended = once(child, 'exit').then(() => {})
  const text = await eventually(child, createInterface({ input: child.stdout }), 'line')
  const { port, ...others } = JSON.parse(text)
  return {
    contestant,
    child,
    port,
    others,
    usage: () => exchange(child, 'usage'),
    stop: () => {
      // Without its parent it ends at once, and takes what it has written with it.
      child.disconnect()
      return ended
    },
  }
}

/** Starts the load. Connections are opened before and closed after what is measured: keep-alive connections cost nothing while they last. */
export function startLoad() {
  const child = fork(fileURLToPath(new URL('load.mjs', import.meta.url)), { execArgv: [] })
  return {
    /** @param {number} port @param {number} connections */
    open: (port, connections) => exchange(child, { open: { port, connections } }),
    /** @param {import('./load.mjs').Job} job @returns {Promise<import('./load.mjs').Result>} */
    run: (job) => exchange(child, { run: job }),
    close: () => exchange(child, { close: true }),
    stop: () => child.kill(),
  }
}
