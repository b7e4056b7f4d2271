/** `runCli(words, surroundings)`: the command line, in a process or in a test. */
import { readFileSync } from 'node:fs'
import { escapeControls } from '@lapidary/testing/internal'
import { Command, CommanderError } from 'commander'
import { addCallCommand } from './commands/call.ts'
import { addCheckCommand } from './commands/check.ts'
import { addDiffCommand, addManifestCommand } from './commands/diff.ts'
import { addMarkdownCommand } from './commands/markdown.ts'
import { addMockCommand } from './commands/mock.ts'
import { addOpenApiCommand } from './commands/openapi.ts'
import { addRoutesCommand } from './commands/routes.ts'
import { type CliContext, CliError, isPipeClosed, writeChunk } from './context.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  readonly version: string
}

/** What commander says, as sentences: "error: unknown option '--jsn'\n(Did you mean --json?)" has none of their signs. */
const toSentence = (text: string): string =>
  text
    .trim()
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\.?(?:\n|$)/, '. ')
    .trim()

function createProgram(surroundings: CliContext): Command {
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
      writeErr: (text) => void errors.write(escapeControls(text)),
      outputError: (text, write) => write(`${toSentence(text)}\n`),
      getOutHelpWidth: () => output.columns ?? 80,
      getErrHelpWidth: () => errors.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
  addRoutesCommand(command, surroundings)
  addMarkdownCommand(command, surroundings)
  addOpenApiCommand(command, surroundings)
  addCallCommand(command, surroundings)
  addManifestCommand(command, surroundings)
  addDiffCommand(command, surroundings)
  addCheckCommand(command, surroundings)
  addMockCommand(command, surroundings)
  return command
}

/**
 * Runs the command that the words make.
 *
 * @returns the exit code: 0 where all is well, 1 where it failed, 2 where the command was used wrongly.
 */
export async function runCli(words: readonly string[], surroundings: CliContext): Promise<number> {
  try {
    await createProgram(surroundings).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (isPipeClosed(error)) return 0
    // Commander has said it already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CliError)) throw error
    await writeChunk(surroundings.errors, `${escapeControls(error.message)}\n`)
    return error.exitCode
  }
}
