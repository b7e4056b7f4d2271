/** `run(words, surroundings)`: the command line, in a process or in a test. */
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { printable } from '../describe/printable.ts'
import { call } from './call.ts'
import { check } from './check.ts'
import { diff } from './diff.ts'
import { manifest } from './manifest.ts'
import { markdown } from './markdown.ts'
import { Mistake } from './mistake.ts'
import { mock } from './mock.ts'
import { openapi } from './openapi.ts'
import { routes } from './routes.ts'
import { isReaderGone, type Surroundings, written } from './surroundings.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }

/** What commander says, as sentences: "error: unknown option '--jsn'\n(Did you mean --json?)" has none of their signs. */
const sentence = (text: string): string =>
  text
    .trim()
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\.?(?:\n|$)/, '. ')
    .trim()

function program(surroundings: Surroundings): Command {
  const { output, errors } = surroundings
  const command = new Command('lapidary')
    .description('Documents, describes and calls an HTTP API, from the module that exports its description.')
    .version(version, '-V, --version', 'prints the version')
    .helpOption('-h, --help', 'prints this')
    .helpCommand('help [command]', 'Prints what a command does.')
    .exitOverride()
    .enablePositionalOptions()
    .configureOutput({
      writeOut: (text) => void output.write(text),
      writeErr: (text) => void errors.write(printable(text)),
      outputError: (text, write) => write(`${sentence(text)}\n`),
      getOutHelpWidth: () => output.columns ?? 80,
      getErrHelpWidth: () => errors.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  routes(command, surroundings)
  markdown(command, surroundings)
  openapi(command, surroundings)
  call(command, surroundings)
  manifest(command, surroundings)
  diff(command, surroundings)
  check(command, surroundings)
  mock(command, surroundings)
  return command
}

/**
 * Runs the command that the words make.
 *
 * @returns the exit code: 0 where all is well, 1 where it failed, 2 where the command was used wrongly.
 */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  try {
    await program(surroundings).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (isReaderGone(error)) return 0
    // Commander has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof Mistake)) throw error
    await written(surroundings.errors, `${printable(error.message)}\n`)
    return error.exitCode
  }
}
