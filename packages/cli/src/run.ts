/** Runs the command line, in a process or in a test. */
import { escapeControls } from '@lapidary/testing/internal'
import { Command, CommanderError } from 'commander'
import { cliVersion } from './cliVersion.ts'
import { addCallCommand } from './commands/call.ts'
import { addCheckCommand } from './commands/check.ts'
import { addDiffCommand, addManifestCommand } from './commands/diff.ts'
import { addImportCommand } from './commands/import.ts'
import { addLimitsCommand } from './commands/limits.ts'
import { addMarkdownCommand } from './commands/markdown.ts'
import { addMigrateCommand } from './commands/migrate.ts'
import { addMockCommand } from './commands/mock.ts'
import { addOpenApiCommand } from './commands/openapi.ts'
import { addRoutesCommand } from './commands/routes.ts'
import { type CliContext, CliError, isPipeClosed, writeChunk } from './context.ts'

/** Converts a message of commander to sentences: "error: unknown option '--jsn'\n(Did you mean --json?)". */
const toSentence = (text: string): string =>
  text
    .trim()
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\.?(?:\n|$)/, '. ')
    .trim()

function createProgram(context: CliContext): Command {
  const { output, errors } = context
  const program = new Command('lapidary')
    .description('Documents, checks, mocks and calls an HTTP API, from its description: a module, or an OpenAPI document.')
    .version(cliVersion, '-V, --version', 'prints the version')
    .helpOption('-h, --help', 'prints this help')
    .helpCommand('help [command]', 'Prints the help of a command.')
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
  addRoutesCommand(program, context)
  addMarkdownCommand(program, context)
  addOpenApiCommand(program, context)
  addCallCommand(program, context)
  addManifestCommand(program, context)
  addDiffCommand(program, context)
  addCheckCommand(program, context)
  addMockCommand(program, context)
  addImportCommand(program, context)
  addLimitsCommand(program, context)
  addMigrateCommand(program, context)
  return program
}

/**
 * Runs a command.
 *
 * @param words the arguments after the name of the program
 * @returns the exit code: 0 for success, 1 if the command failed, 2 if it was used wrongly
 */
export async function runCli(words: readonly string[], context: CliContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (isPipeClosed(error)) return 0
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CliError)) throw error
    await writeChunk(context.errors, `${escapeControls(error.message)}\n`)
    return error.exitCode
  }
}
