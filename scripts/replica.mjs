// Runs the built service as a process that can be killed and restarted on the same ports.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findFreePort } from './ports.mjs'

const program = fileURLToPath(new URL('../service/dist/main.js', import.meta.url))

/** The deployments of one process, with the variables of their ports. */
const variables = { main: 'PORT', pagination: 'PAGINATION_PORT', docs: 'DOCS_PORT' }

/**
 * Prepares a replica on this database, without starting it. `environment` has further settings by their variables.
 * Returns `urls`, `start()`, `end(signal)`, which resolves to its exit, and `remove()`, which ends it for good.
 */
export async function createReplica(database, environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-replica-'))
  const ports = {}
  const urls = {}
  for (const [deployment, variable] of Object.entries(variables)) {
    const port = await findFreePort()
    ports[variable] = String(port)
    urls[deployment] = `http://127.0.0.1:${port}`
  }
  const { PATH = '' } = process.env
  // Its proxy is on this machine.
  const fixed = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', TRUSTED_PROXIES: '127.0.0.1' }
  const settings = { PATH, ...fixed, ...ports, DATABASE_URL: database, ...environment }
  let child
  let exit
  let output = ''
  let removed = false

  async function start() {
    if (removed) throw new Error('This replica has ended for good.')
    output = ''
    // A process group of its own: an interrupt from the keyboard reaches only the program that started it, which stops it in order.
    const started = spawn(process.execPath, [program], { cwd: folder, env: settings, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    child = started
    exit = new Promise((done) => {
      started.once('error', (error) => done({ status: null, signal: null, output: error.message }))
      started.once('close', (status, signal) => done({ status, signal, output }))
    })
    const missing = new Set(Object.keys(variables))
    const keep = (text) => {
      output = `${output}${text}`.slice(-10_000)
    }
    started.stdout.on('data', keep)
    started.stderr.on('data', keep)
    const listening = new Promise((done) => {
      createInterface({ input: started.stdout }).on('line', (line) => {
        const found = line.match(/^\{"event":"listening","deployment":"(\w+)"/)
        if (found !== null && missing.delete(found[1]) && missing.size === 0) done()
      })
    })
    const early = exit.then(({ output: text }) => {
      throw new Error(`A replica did not start: ${text}`)
    })
    await Promise.race([listening, early])
    early.catch(() => {})
  }

  /** By default it finishes the requests that it has. */
  async function end(signal = 'SIGTERM') {
    child?.kill(signal)
    return exit
  }

  const cleanUp = () => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', cleanUp)

  async function remove(signal = 'SIGKILL') {
    removed = true
    process.off('exit', cleanUp)
    await end(signal)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  return Object.freeze({ urls: Object.freeze(urls), pid: () => child?.pid, start, end, remove })
}
