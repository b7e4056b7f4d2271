/** Starts the measured servers and the load as processes of their own, and exchanges messages with them. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** @typedef {import('./frameworks.mjs').Framework} Framework */

/**
 * @typedef {object} Server
 * @property {Framework} framework
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
export async function waitForEvent(child, emitter, event) {
  const abort = new AbortController()
  const ended = once(child, 'exit', { signal: abort.signal }).then(([code, signal]) => {
    throw new Error(`${child.spawnargs.at(-1)} ended with ${code ?? signal} before it was done`)
  })
  ended.catch(() => {})
  try {
    const [value] = await Promise.race([once(emitter, event, { signal: abort.signal }), ended])
    return value
  } finally {
    abort.abort()
  }
}

/** Sends one message and resolves to the reply. */
export function sendMessage(child, message) {
  const response = waitForEvent(child, child, 'message')
  child.send(message)
  return response
}

/**
 * Starts a server and waits until it listens.
 * @param {Framework} framework
 * @returns {Promise<Server>}
 */
export async function startServer(framework) {
  const execPath = runtimes[framework.runtime]()
  const child = fork(framework.file, framework.words ?? [], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'], execPath, execArgv: [] })
  const ended = once(child, 'exit').then(() => {})
  const text = await waitForEvent(child, createInterface({ input: child.stdout }), 'line')
  const { port, ...others } = JSON.parse(text)
  return {
    framework,
    child,
    port,
    others,
    usage: () => sendMessage(child, 'usage'),
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
    open: (port, connections) => sendMessage(child, { open: { port, connections } }),
    /** @param {import('./load.mjs').Job} job @returns {Promise<import('./load.mjs').Result>} */
    run: (job) => sendMessage(child, { run: job }),
    close: () => sendMessage(child, { close: true }),
    stop: () => child.kill(),
  }
}
