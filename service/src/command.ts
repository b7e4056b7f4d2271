/** What the commands `account` and `colors` have in common. */

import { type Command, CommanderError } from 'commander'
import { readSettings, SettingError } from './settings.ts'
import { OpenError, StoreUnavailable } from './store/errors.ts'
import { openStore, type Store, type StoreOptions } from './store/store.ts'

/** Ends a command. The message is a sentence for its user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, options: ErrorOptions & { readonly exitCode?: number } = {}) {
    super(message, options)
    this.exitCode = options.exitCode ?? 1
  }
}

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
export const printError = (line: string): void => void process.stderr.write(`${line}\n`)

/** Adds what every command has: its database, and an end that leaves the exit code to `runProgram`. */
export const configureProgram = (program: Command): Command =>
  program
    .option('--database-url <url>', 'where the service keeps everything (default: DATABASE_URL, or sqlite:data/service.db)')
    .exitOverride()

/** Opens the database of the program for one command, and closes it afterwards. Throws `SettingError` and `OpenError`. */
export async function withStore(program: Command, options: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const { databaseUrl = process.env['DATABASE_URL'] } = program.opts<{ readonly databaseUrl?: string }>()
  // Reads no other setting, because an invalid one would stop the command.
  const store = await openStore(readSettings({ DATABASE_URL: databaseUrl }).databaseUrl, options)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

/** Runs the command line. Prints an expected failure as one line, and sets the exit code. */
export async function runProgram(program: Command): Promise<void> {
  try {
    await program.parseAsync()
  } catch (error) {
    if (error instanceof CommanderError) {
      process.exitCode = error.exitCode
      return
    }
    if (![CommandError, SettingError, OpenError, StoreUnavailable].some((type) => error instanceof type)) throw error
    printError((error as Error).message)
    process.exitCode = error instanceof CommandError ? error.exitCode : 1
  }
}
