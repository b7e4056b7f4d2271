/** What the commands `account` and `colors` have in common. */
import { Command, CommanderError } from 'commander'
import { readSettings, SettingError } from './settings.ts'
import { OpenError, StoreUnavailable } from './store/errors.ts'
import { openStore, type Store, type StoreOptions } from './store/store.ts'

/** Ends a command. The message is a sentence for its user. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

export const printLine = (line: string): void => void process.stdout.write(`${line}\n`)
export const printError = (line: string): void => void process.stderr.write(`${line}\n`)

export function createProgram(name: string, description: string, options: StoreOptions = {}) {
  const program = new Command(name)
    .description(description)
    .option('--database-url <url>', 'where the service keeps everything (default: DATABASE_URL, or sqlite:data/service.db)')
    .exitOverride()
  /** Opens the database of the command line for one command, and closes it afterwards. Throws `SettingError` and `OpenError`. */
  const withStore = async (work: (store: Store) => Promise<void>): Promise<void> => {
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
  const run = async (): Promise<void> => {
    try {
      await program.parseAsync()
    } catch (error) {
      const isExpected = [CommandError, SettingError, OpenError, StoreUnavailable].some((type) => error instanceof type)
      if (isExpected) printError((error as Error).message)
      else if (!(error instanceof CommanderError)) throw error
      process.exitCode = error instanceof CommandError || error instanceof CommanderError ? error.exitCode : 1
    }
  }
  return { program, withStore, run }
}
