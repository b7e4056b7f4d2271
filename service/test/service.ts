/** The service as tests meet it: in this process or in one of its own, on free ports, in a folder and on a database that go away with it. */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { createLog } from '../src/log.ts'
import { type Deployment, deployments, readSettings } from '../src/settings.ts'
import { type RunningService, startService } from '../src/start.ts'

import { type Database, database, hasTwins } from './databases/database.ts'
import { both, pair } from './databases/twins.ts'
import { forget } from './specification/ask.ts'

type Environment = Readonly<Record<string, string>>

/** A service that runs in this process, with everything but its log. */
export interface Service {
  /** Where each deployment answers: `http://127.0.0.1:54321`. */
  readonly main: string
  readonly pagination: string
  readonly docs: string
  /** Its working directory. */
  readonly folder: string
  /** Its database; where it has a twin, the databases of both. */
  readonly database: Database
  /** Stops it and removes its folder. */
  readonly close: () => Promise<void>
}

export interface ServiceOptions {
  /** Settings by their variables. */
  readonly environment?: Environment
  /** The files of the working directory: their paths and what they hold. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>
}

/** A whole run may use another adapter: `ADAPTER=llhttp npx vitest run …`. */
export const adapter: Environment = { ADAPTER: process.env['ADAPTER'] ?? '' }

/** Ports that are free, and an end that does not wait for clients to go. */
const harmless: Environment = {
  ...adapter,
  HOST: '127.0.0.1',
  PORT: '0',
  PAGINATION_PORT: '0',
  DOCS_PORT: '0',
  SHUTDOWN_GRACE_MS: '20',
  // Who asks what a database does that is late says so; everybody else has time, however busy the machine is.
  DATABASE_TIMEOUT_MS: '5000',
  // Nor refuses it what has to wait.
  MAX_WAIT_MS: '60000',
  // A connection that is kept may be used again after a long test of something else: it must not end in the moment of a request.
  KEEP_ALIVE_TIMEOUT_MS: '60000',
}

/** A temporary folder. The caller removes it. */
export function temporaryFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'lapidary-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/**
 * Starts every deployment in this process, on the database that the run is about. The caller closes it: `afterAll(service.close)`.
 * On PostgreSQL a twin on SQLite runs beside it, and has to give the same responses to the same requests.
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
      readSettings({ ...harmless, WORKING_DIR: folder, DATABASE_URL: url, ...environment }, {}, deployments),
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

/** The same for one test, which closes it when it ends. */
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

/** How a process ended, and all that it said. */
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
  /** The lines of its standard output so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[]
  /** The URL of each deployment that has announced itself. */
  readonly urls: Readonly<Partial<Record<Deployment, string>>>
  /** Resolves with the URL of a deployment, once it listens. Rejects when the process ends first. */
  readonly listening: (deployment: Deployment) => Promise<string>
  /** Resolves as soon as a line of standard output is one of these. */
  readonly line: (wanted: (line: Readonly<Record<string, unknown>>) => boolean) => Promise<Readonly<Record<string, unknown>>>
  /** Resolves when the process is gone. */
  readonly ended: Promise<Ended>
}

/** `npm start` without npm: what `tsc --build` has made of the sources. */
export const program: string = fileURLToPath(new URL('../dist/main.js', import.meta.url))

/**
 * Starts the built service with these words and variables, and none of this process's own. It is killed with the test, if it still runs.
 * `folder` is the directory that it starts in, `node` the Node.js that runs it.
 */
export function serviceProcess(
  words: readonly string[],
  environment: Environment,
  folder: string,
  node: string = process.execPath,
): Process {
  if (!existsSync(program)) throw new Error(`There is no ${program}: build it with "npx tsc --build".`)
  const { PATH = '' } = process.env
  const child = spawn(node, [program, ...words], {
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
  let gone = false
  const told = (): void => {
    for (const look of waiting) look()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = parsed(text)
    lines.push(line)
    if (line['event'] === 'listening') urls[line['deployment'] as Deployment] = String(line['url'])
    told()
  })
  const ended = once(child, 'close').then(([status, signal]): Ended => {
    gone = true
    told()
    return { status: status as Ended['status'], signal: signal as Ended['signal'], output, errors }
  })
  const line: Process['line'] = (wanted) =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = lines.find(wanted)
        if (found === undefined && !gone) return
        waiting.delete(look)
        if (found === undefined) reject(new Error(`The process ended before it said that. It said: ${output}${errors}`))
        else resolve(found)
      }
      waiting.add(look)
      look()
    })
  const listening: Process['listening'] = async (deployment) =>
    String((await line((one) => one['event'] === 'listening' && one['deployment'] === deployment))['url'])
  return { child, pid: child.pid ?? 0, lines, urls, listening, line, ended }
}

/** What is no JSON object stays visible, as one of its own. */
function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return { unparsed: text }
  }
}
