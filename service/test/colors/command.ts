/** Runs `npm run colors` on the database of a test. */

import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Color } from '../../src/api/colors.ts'
import type { Store } from '../../src/store/store.ts'
import { type Ended, run, start } from '../store/process.ts'
import { databaseOfTest, folder, openedAt } from '../store/scratch.ts'
import type { Database } from '../support/databases/database.ts'

const program = '../../dist/colors.js'

export interface Command {
  readonly database: Database
  /** Runs the command to its end. */
  readonly colors: (...own: string[]) => Promise<Ended>
  /** Starts it. */
  readonly begin: (...own: string[]) => ChildProcess
  /** Opens its database. */
  readonly store: () => Promise<Store>
  /** Writes a file for it, and answers its path. */
  readonly file: (name: string, content: string | Uint8Array) => string
}

/** `environment` is what its processes find besides our own. */
export async function command(environment: Readonly<Record<string, string>> = {}): Promise<Command> {
  const database = await databaseOfTest()
  const files = folder()
  // No other setting is in the way.
  const env = { ...process.env, DATABASE_URL: database.url, PORT: 'nonsense', ...environment }
  return {
    database,
    colors: (...own) => run(program, own, '', { env }),
    begin: (...own) => start(program, own, { env }),
    store: () => openedAt(database.url),
    file: (name, content) => {
      const path = join(files, name)
      writeFileSync(path, content)
      return path
    },
  }
}

/** Resolves when the standard error of a process matches, with a function that returns all of it so far. */
export function waitForErrorOutput(child: ChildProcess, wanted: RegExp): Promise<() => string> {
  let text = ''
  return new Promise((found, failed) => {
    child.once('exit', () => failed(new Error(`It ended without saying ${wanted}: ${text}`)))
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      if (wanted.test(text)) found(() => text)
    })
  })
}

/** Waits for the end of a process, and answers how it ended. */
export async function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  const [status, signal] =
    child.exitCode === null && child.signalCode === null ? await once(child, 'close') : [child.exitCode, child.signalCode]
  return status ?? signal
}

/** Every colour, by name. */
export async function all({ colors }: Store): Promise<readonly Color[]> {
  return colors.page({ field: 'name', order: 'asc', offset: 0, limit: Number.MAX_SAFE_INTEGER })
}
