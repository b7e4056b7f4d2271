/** Starts the service for tests, in this process or its own, on free ports, with a temporary folder and database. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { bundledProgram } from '../../../scripts/bundle.mjs'
import { createLog } from '../../src/log.ts'
import { type Deployment, deployments, readSettings } from '../../src/settings.ts'
import { type RunningService, startService } from '../../src/start.ts'
import { forget } from '../specification/send.ts'
import { type Database, database, hasTwins } from './databases/database.ts'
import { both, pair } from './databases/twins.ts'

type Environment = Readonly<Record<string, string>>

/** A service that runs in this process, without its log. */
export interface Service {
  /** The URL of each deployment: `http://127.0.0.1:54321`. */
  readonly main: string
  readonly pagination: string
  readonly docs: string
  /** Its working directory. */
  readonly folder: string
  /** Its database. With a twin, the databases of both. */
  readonly database: Database
  /** Stops it and removes its folder. */
  readonly close: () => Promise<void>
}

export interface ServiceOptions {
  /** Settings by their variables. */
  readonly environment?: Environment
  /** The files of the working directory by their paths. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

/** A whole run may use another adapter: `ADAPTER=llhttp npx vitest run …`. */
export const adapter: Environment = { ADAPTER: process.env['ADAPTER'] ?? '' }

/** A whole run may go over TLS and HTTP/2: `PROTOCOL=h2`. */
const certificate = (name: string): string => fileURLToPath(new URL(`tls/first.${name}.pem`, import.meta.url))
const protocol: Environment = process.env['PROTOCOL'] === 'h2' ? { TLS_KEY: certificate('key'), TLS_CERT: certificate('cert') } : {}

/** Settings for tests: free ports, and an end that does not wait for clients. */
const testSettings: Environment = {
  ...adapter,
  ...protocol,
  HOST: '127.0.0.1',
  PORT: '0',
  PAGINATION_PORT: '0',
  DOCS_PORT: '0',
  SHUTDOWN_GRACE_MS: '20',
  // Long, because the machine may be busy. A test of a slow database sets its own.
  DATABASE_TIMEOUT_MS: '5000',
  // Long for the same reason.
  MAX_WAIT_MS: '60000',
  HANDLER_TIMEOUT_MS: '60000',
  // A connection may be idle during another long test, and must not close at the moment of the next request.
  KEEP_ALIVE_TIMEOUT_MS: '60000',
}

/** A temporary folder. The caller removes it. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'lapidary-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Starts every deployment in this process, on the database of the test project. The caller closes it: `afterAll(service.close)`.
 * On PostgreSQL a twin on SQLite runs as well, and must give the same responses to the same requests.
 */
export async function service({ environment = {}, files = {} }: ServiceOptions = {}): Promise<Service> {
  const { path: folder, remove } = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  const own = await database(folder)
  const twin = hasTwins && environment['DATABASE_URL'] === undefined ? await database(folder, 'sqlite') : undefined
  const begin = (url: string): Promise<RunningService> =>
    startService(
      readSettings({ ...testSettings, WORKING_DIR: folder, DATABASE_URL: url, ...environment }, {}, deployments),
      createLog('silent'),
    )
  const all: RunningService[] = []
  const close = async (): Promise<void> => {
    await Promise.all(all.map((one) => one.close()))
    for (const { urls } of all) Object.values(urls).forEach(forget)
    await own.remove()
    remove()
  }
  try {
    for (const { url } of twin === undefined ? [own] : [own, twin]) all.push(await begin(url))
  } catch (error) {
    await close()
    throw error
  }
  const [running, second] = all
  const url = (deployment: Deployment): string => running?.urls[deployment] ?? `no ${deployment}`
  for (const deployment of deployments) if (second) pair(url(deployment), second.urls[deployment] ?? `no ${deployment}`)
  return {
    main: url('main'),
    pagination: url('pagination'),
    docs: url('docs'),
    folder,
    database: twin === undefined ? own : both(own, twin),
    close,
  }
}

/** Starts the service for one test, and closes it when the test ends. */
export async function serviceOfTest(options?: ServiceOptions): Promise<Service> {
  const started = await service(options)
  onTestFinished(started.close)
  return started
}

/** A temporary folder for one test. */
export function folderOfTest(): string {
  const { path, remove } = temporaryFolder()
  onTestFinished(remove)
  return path
}

/** How a process ended, and its output. */
export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly output: string
  readonly errors: string
}

/** The built service as a process of its own. */
export interface Process {
  readonly child: ChildProcess
  readonly pid: number
  /** The parsed lines of its standard output so far. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  /** The URL of each announced deployment. */
  readonly urls: Readonly<Partial<Record<Deployment, string>>>
  /** Resolves with the URL of a deployment once it listens. Rejects if the process ends first. */
  readonly listening: (deployment: Deployment) => Promise<string>
  /** Resolves with the first line for which the predicate holds. Rejects if the process ends first. */
  readonly line: (predicate: (line: Readonly<Record<string, unknown>>) => boolean) => Promise<Readonly<Record<string, unknown>>>
  /** Resolves when the process has ended. */
  readonly ended: Promise<Ended>
}

/** The built program that `npm start` runs. */
export const program: string = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/**
 * Starts the built service with these arguments and environment variables only. If it still runs at the end of the test, it is killed.
 * `folder` is its working directory. `node` is its Node.js, and `path` its program: a bundle of what `npm start` runs, which starts sooner.
 */
export function serviceProcess(
  args: readonly string[],
  environment: Environment,
  folder: string,
  { node = process.execPath, path = bundledProgram }: { readonly node?: string; readonly path?: string } = {},
): Process {
  if (!existsSync(path)) throw new Error(`There is no ${path}: \`npm test\` builds it.`)
  const { PATH = '' } = process.env
  const child = spawn(node, [path, ...args], {
    cwd: folder,
    env: { PATH, ...adapter, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: Record<string, unknown>[] = []
  const urls: Partial<Record<Deployment, string>> = {}
  const waiting = new Set<() => void>()
  let output = ''
  let errors = ''
  let hasEnded = false
  const notify = (): void => {
    for (const check of waiting) check()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = parseLine(text)
    lines.push(line)
    if (line['event'] === 'listening') urls[line['deployment'] as Deployment] = String(line['url'])
    notify()
  })
  const ended = once(child, 'close').then(([status, signal]): Ended => {
    hasEnded = true
    notify()
    return { status: status as Ended['status'], signal: signal as Ended['signal'], output, errors }
  })
  const line: Process['line'] = (predicate) =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const found = lines.find(predicate)
        if (found === undefined && !hasEnded) return
        waiting.delete(check)
        if (found === undefined) reject(new Error(`The process ended without this line. Its output: ${output}${errors}`))
        else resolve(found)
      }
      waiting.add(check)
      check()
    })
  const listening: Process['listening'] = async (deployment) =>
    String((await line((one) => one['event'] === 'listening' && one['deployment'] === deployment))['url'])
  return { child, pid: child.pid ?? 0, lines, urls, listening, line, ended }
}

/** The parsed line. Text that is not JSON stays visible in a member. */
function parseLine(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { unparsed: text }
  }
}
