/** The built service as a process for all rows. It reports its state. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { hashPassword } from '../../src/accounts/password.ts'
import { normalizeText } from '../../src/accounts/rules.ts'
import { openStore } from '../../src/store/store.ts'

import { adapter, program, temporaryFolder } from '../support/service.ts'
import { ann, token } from './authentication.ts'
import { layOut } from './staticFiles.ts'

/** How the process is. Sizes are in bytes, times in milliseconds. */
export interface Health {
  readonly descriptors: number
  readonly sockets: number
  readonly heap: number
  readonly resident: number
  /** What it has worked so far. */
  readonly cpu: number
  /** The longest that the event loop was held up since this was asked before. */
  readonly delay: number
}

/** The service under test. */
export interface Child {
  readonly pid: number
  readonly port: number
  readonly url: string
  readonly folder: string
  /** `thorough` collects its garbage first. */
  readonly health: (thorough?: boolean) => Promise<Health>
  /** Each line of its standard output so far; a line that is no JSON is itself. */
  readonly lines: readonly (Readonly<Record<string, unknown>> | string)[]
  readonly isAlive: () => boolean
  /** Ends it, and removes its folder. */
  readonly close: () => Promise<void>
}

const watch = fileURLToPath(new URL('watch.mjs', import.meta.url))

function lineOf(text: string): Readonly<Record<string, unknown>> | string {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>
  } catch {
    return text
  }
}

export interface ChildOptions {
  /** Further settings by their variables. */
  readonly environment?: Readonly<Record<string, string>>
  /** Whether a line of its log is worth keeping. Default: all are. */
  readonly keeps?: (line: Child['lines'][number]) => boolean
}

/** Starts `main` with an account, a token and files, on a database of its own. */
export async function child({ environment = {}, keeps = () => true }: ChildOptions = {}): Promise<Child> {
  const { path: folder, remove } = temporaryFolder()
  layOut(folder)
  const database = `sqlite:${join(folder, 'service.db')}`
  const { PATH = '' } = process.env
  const preset = {
    ...adapter,
    ...{ PATH, PORT: '0', DATABASE_URL: database, SECRET_TOKEN: token, TRUSTED_PROXIES: '127.0.0.1/32', SHUTDOWN_GRACE_MS: '20' },
    // However slow the machine is.
    MAX_WAIT_MS: '60000',
  }
  const started = spawn(process.execPath, ['--import', watch, program, 'main'], {
    cwd: folder,
    env: { ...preset, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ended = once(started, 'close')
  const lines: (Readonly<Record<string, unknown>> | string)[] = []
  const url = await new Promise<string>((resolve, reject) => {
    // The pipe of standard output is there, since it was asked for.
    createInterface({ input: started.stdout as NonNullable<typeof started.stdout> }).on('line', (text) => {
      const line = lineOf(text)
      if (keeps(line)) lines.push(line)
      if (typeof line === 'object' && line['event'] === 'listening') resolve(String(line['url']))
    })
    void ended.then(() => reject(new Error(`The service ended: ${JSON.stringify(lines)}`)))
  })
  const store = await openStore(database)
  await store.accounts.put(normalizeText(ann.name), await hashPassword(ann.password))
  await store.close()
  const health = async (thorough = false): Promise<Health> => {
    const message = once(started, 'message')
    started.send({ thorough })
    const [how] = await message
    return how as Health // watch.mjs says no more than that
  }
  const close = async (): Promise<void> => {
    started.kill('SIGKILL')
    await ended
    remove()
  }
  return {
    pid: started.pid ?? 0,
    port: Number(new URL(url).port),
    url,
    folder,
    health,
    lines,
    isAlive: () => started.exitCode === null && started.signalCode === null,
    close,
  }
}
