/** Runs the command line, in a process or in a test. */
import { escapeControls, escapeWorkflowCommands } from '@lapidary/testing/internal'
import { Command, CommanderError } from 'commander'
import { cliVersion } from './cliVersion.ts'
import { type CliContext, CliError, isPipeClosed, writeChunk } from './context.ts'

/** Converts a message of commander to sentences: "error: unknown option '--jsn'\n(Did you mean --json?)". */
const toSentence = (text: string): string =>
  text
    .trim()
    .replace(/^error: (.)/, (_, first: string) => first.toUpperCase())
    .replace(/\.?(?:\n|$)/, '. ')
    .trim()

/** Loads each command and adds it, in the order of the help. */
const commands: Readonly<Record<string, (program: Command, context: CliContext) => Promise<void>>> = {
  routes: async (...args) => (await import('./commands/routes.ts')).addRoutesCommand(...args),
  markdown: async (...args) => (await import('./commands/markdown.ts')).addMarkdownCommand(...args),
  openapi: async (...args) => (await import('./commands/openapi.ts')).addOpenApiCommand(...args),
  call: async (...args) => (await import('./commands/call.ts')).addCallCommand(...args),
  manifest: async (...args) => (await import('./commands/manifest.ts')).addManifestCommand(...args),
  diff: async (...args) => (await import('./commands/diff.ts')).addDiffCommand(...args),
  check: async (...args) => (await import('./commands/check.ts')).addCheckCommand(...args),
  mock: async (...args) => (await import('./commands/mock.ts')).addMockCommand(...args),
  import: async (...args) => (await import('./commands/import.ts')).addImportCommand(...args),
  limits: async (...args) => (await import('./commands/limits.ts')).addLimitsCommand(...args),
  migrate: async (...args) => (await import('./commands/migrate.ts')).addMigrateCommand(...args),
}

/** Creates the program with one command, or with all. To load all takes longer than most commands run. */
async function createProgram(name: string | undefined, context: CliContext): Promise<Command> {
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
  const add = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined
  // Help and the suggestions for a wrong name have all names in them.
  for (const addCommand of add === undefined ? Object.values(commands) : [add]) await addCommand(program, context)
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
    const program = await createProgram(words[0], context)
    await program.parseAsync(words, { from: 'user' })
    return 0
  } catch (error) {
    if (isPipeClosed(error)) return 0
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof CliError)) throw error
    await writeChunk(context.errors, `${escapeWorkflowCommands(escapeControls(error.message))}\n`)
    return error.exitCode
  }
}
