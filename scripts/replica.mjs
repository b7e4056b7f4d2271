// Runs the built service as a process that can be killed and restarted on the same ports.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { freePort } from './ports.mjs'

const program = fileURLToPath(new URL('../service/dist/main.js', import.meta.url))

/** The deployments of one process, with the variables of their ports. */
const variables = { main: 'PORT', pagination: 'PAGINATION_PORT', docs: 'DOCS_PORT' }

/**
 * Prepares a replica on this database, without starting it. `environment` has further settings by their variables.
 * Returns `urls`, `start()`, `end(signal)`, which resolves to its exit, and `remove()`, which ends it for good.
 */
export async function replica(database, environment = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-replica-'))
  const ports = {}
  const urls = {}
  for (const [deployment, variable] of Object.entries(variables)) {
    const port = await freePort()
    ports[variable] = String(port)
    urls[deployment] = `http://127.0.0.1:${port}`
  }
  const { PATH = '' } = process.env
  // Its proxy is on this machine.
  const fixed = { HOST: '127.0.0.1', LOG_LEVEL: 'warn', TRUSTED_PROXIES: '127.0.0.1' }
  const settings = { PATH, ...fixed, ...ports, DATABASE_URL: database, ...environment }
  let child
  let ended
  let said = ''
  let removed = false

  async function start() {
    if (removed) throw new Error('This replica has ended for good.')
    said = ''
    // A process group of its own: an interrupt from the keyboard reaches only the program that started it, which stops it in order.
    const began = spawn(process.execPath, [program], { cwd: folder, env: settings, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
    child = began
    ended = new Promise((done) => {
      began.once('error', (error) => done({ status: null, signal: null, said: error.message }))
      began.once('close', (status, signal) => done({ status, signal, said }))
    })
    const missing = new Set(Object.keys(variables))
    const keep = (text) => {
      said = `${said}${text}`.slice(-10_000)
    }
    began.stdout.on('data', keep)
    began.stderr.on('data', keep)
    const listening = new Promise((done) => {
      createInterface({ input: began.stdout }).on('line', (line) => {
        const found = line.match(/^\{"event":"listening","deployment":"(\w+)"/)
        if (found !== null && missing.delete(found[1]) && missing.size === 0) done()
      })
    })
    const early = ended.then(({ said: last }) => {
      throw new Error(`A replica did not start: ${last}`)
    })
    await Promise.race([listening, early])
    early.catch(() => {})
  }

  /** By default it finishes the requests that it has. */
  async function end(signal = 'SIGTERM') {
    child?.kill(signal)
    return ended
  }

  const last = () => {
    child?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', last)

  async function remove(signal = 'SIGKILL') {
    removed = true
    process.off('exit', last)
    await end(signal)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  return Object.freeze({ urls: Object.freeze(urls), pid: () => child?.pid, start, end, remove })
}
