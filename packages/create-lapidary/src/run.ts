/** The command `create-lapidary`: reads the flags, asks for the rest, writes the project and installs its packages. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, relative, resolve } from 'node:path'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { Command, CommanderError, Option } from 'commander'
import { type Extra, extras, findRefusal, type Host, hosts, type SchemaLibrary, schemaLibraries, toPackageName } from './choices.ts'
import { createProject, writeProject } from './createProject.ts'
import { CancelledError, type Choices, type GivenChoices, promptChoices } from './prompts.ts'

/** The surroundings of the command, in a process or in a test. */
export interface CreateContext {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
  readonly errors: Writable
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** A mistake of the user, shown as one sentence. */
class UsageError extends Error {
  override readonly name = 'UsageError'
}

interface Flags {
  readonly schema?: SchemaLibrary
  readonly host?: Host
  readonly page?: boolean
  readonly postgres?: boolean
  readonly docker?: boolean
  readonly install?: boolean
  readonly yes?: true
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { readonly version: string }

const listValues = <Value extends string>(choices: readonly { readonly value: Value }[]): readonly Value[] =>
  choices.map(({ value }) => value)

function createProgram({ output, errors }: CreateContext): Command {
  return new Command('create-lapidary')
    .description('Makes a project: an HTTP API with tests, documentation, checks and a CI workflow. Asks for what the flags do not say.')
    .version(version, '-V, --version', 'prints the version')
    .helpOption('-h, --help', 'prints this help')
    .argument('[folder]', 'the folder of the project, empty or new (default: my-api)')
    .addOption(new Option('--schema <library>', 'the schema library (default: zod)').choices(listValues(schemaLibraries)))
    .addOption(new Option('--host <host>', 'where it runs (default: node; bun if Bun runs this command)').choices(listValues(hosts)))
    .option('--page', 'adds a page, with Vite and the light client')
    .option('--no-page', 'adds no page')
    .option('--postgres', 'keeps the data in PostgreSQL, by Kysely; the default is in memory')
    .option('--no-postgres', 'keeps the data in memory')
    .option('--docker', 'adds a Dockerfile')
    .option('--no-docker', 'adds no Dockerfile')
    .option('--install', 'installs the packages (the default)')
    .option('--no-install', 'installs no packages')
    .option('-y, --yes', 'asks nothing: the defaults stand for what the flags do not say')
    .exitOverride()
    .configureOutput({ writeOut: (text) => void output.write(text), writeErr: (text) => void errors.write(text) })
}

const valueFlags: Readonly<Record<string, readonly string[]>> = { schema: listValues(schemaLibraries), host: listValues(hosts) }
const switchFlags: readonly string[] = [...listValues(extras), 'install']

/**
 * The command that was meant, where npm took flags for its own settings: those before `--`. It passes them on as variables of the
 * environment, `true` for one without a value, empty for `--no-page`.
 */
function findIntendedCommand(words: readonly string[], env: CreateContext['env']): string | undefined {
  if (env['npm_config_user_agent']?.startsWith('npm/') !== true) return undefined
  const switches = switchFlags.flatMap((name) => {
    const value = env[`npm_config_${name}`]
    return value === undefined ? [] : [value === 'true' ? `--${name}` : `--no-${name}`]
  })
  const values = Object.entries(valueFlags).flatMap(([name, choices]) => {
    const value = env[`npm_config_${name}`]
    // Of `--schema valibot`, npm passes the value on as an argument.
    return value === undefined
      ? []
      : [`--${name} ${value === 'true' ? (words.find((word) => choices.includes(word)) ?? choices[0]) : value}`]
  })
  const taken = [...values, ...switches]
  if (taken.length === 0) return undefined
  const choices = Object.values(valueFlags).flat()
  const folder = words.find((word) => !word.startsWith('-') && !choices.includes(word)) ?? 'my-api'
  return ['npm create lapidary', quote(folder), '--', ...taken, ...words.filter((word) => word.startsWith('-'))].join(' ')
}

/** The extras of the flags; undefined where no flag says anything about them. */
function readExtras(flags: Flags): readonly Extra[] | undefined {
  const names = listValues(extras)
  if (names.every((name) => flags[name] === undefined)) return undefined
  return names.filter((name) => flags[name] === true)
}

/** @throws UsageError for a folder that cannot be read or written, such as one below a file */
function useFolder<Value>(folder: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error
    throw new UsageError(`The project cannot be made in ${folder}: ${error.message}.`)
  }
}

/** @throws UsageError for a folder with files, and for an extra that the host does not take */
function checkChoices(folder: string, choices: Choices): void {
  const names = useFolder(folder, () => (existsSync(folder) ? readdirSync(folder) : []))
  const files = names.filter((name) => name !== '.git')
  if (files.length > 0) throw new UsageError(`The folder ${choices.folder} has files (${files[0]}, …). Name an empty folder, or a new one.`)
  for (const extra of choices.extras) {
    const refusal = findRefusal(choices.host, extra)
    if (refusal !== undefined) throw new UsageError(`--${extra} is not for --host ${choices.host}. ${refusal}`)
  }
}

/** @throws UsageError if the packages cannot be installed: the project is there */
async function installPackages(program: string, folder: string, { output, env }: CreateContext): Promise<void> {
  const words = program === 'npm' ? ['install', '--no-audit', '--no-fund', '--loglevel=error'] : ['install']
  output.write(`Installing the packages (${program} install) …\n`)
  const shell = process.platform === 'win32'
  const child = spawn(program, words, { cwd: folder, shell, env: { ...env }, stdio: ['ignore', 'ignore', 'inherit'] })
  const failure = await once(child, 'close').then(
    ([status]) => (status === 0 ? undefined : `"${program} install" failed.`),
    () => `This machine has no program ${program}.`,
  )
  if (failure !== undefined) throw new UsageError(`${failure} The project is in ${folder}: install its packages there.`)
}

/** A folder as a word of a shell. Quotes in it differ from shell to shell, and are rare. */
const quote = (folder: string): string => (/^[\w./\\:@-]+$/.test(folder) ? folder : `"${folder}"`)

/** What to do next. */
function formatNextSteps({ host, install, extras: chosen }: Choices, folder: string): string {
  const manager = host === 'bun' ? 'bun' : 'npm'
  const lines = [
    ...(folder === '' ? [] : [[`cd ${quote(folder)}`, '']]),
    ...(install ? [] : [[`${manager} install`, '']]),
    ...(chosen.includes('postgres') ? [['docker compose up --detach --wait', 'the database']] : []),
    [
      `${manager} run dev`,
      chosen.includes('page') ? 'http://127.0.0.1:5173, the API at http://127.0.0.1:3000/stones' : 'http://127.0.0.1:3000/stones',
    ],
    [`${manager} run check`, 'in another terminal: is the server what its description says?'],
  ]
  const width = Math.max(...lines.map(([command = '']) => command.length))
  return lines.map(([command = '', comment = '']) => `  ${`${command.padEnd(width)}  ${comment}`.trimEnd()}\n`).join('')
}

/**
 * Runs the command.
 *
 * @param words the arguments after the name of the program
 * @returns the exit code: 0 for success, 1 if the command failed or was left, 2 if it was used wrongly
 */
export async function runCreate(words: readonly string[], context: CreateContext): Promise<number> {
  const { input, output, errors, cwd, env } = context
  const intended = findIntendedCommand(words, env)
  if (intended !== undefined) {
    errors.write(`npm takes the flags before "--" for its own. Run: ${intended}\n`)
    return 2
  }
  try {
    const program = createProgram(context).parse(words, { from: 'user' })
    const flags = program.opts<Flags>()
    const isBun = env['npm_config_user_agent']?.startsWith('bun') === true
    const defaults: Choices = { folder: 'my-api', schema: 'zod', host: isBun ? 'bun' : 'node', extras: [], install: true }
    const given: GivenChoices = {
      folder: program.args[0],
      schema: flags.schema,
      host: flags.host,
      extras: readExtras(flags),
      install: flags.install,
    }
    const isInteractive = input.isTTY === true && flags.yes !== true
    const choices: Choices = isInteractive
      ? await promptChoices(given, defaults, { input, output })
      : {
          folder: given.folder ?? defaults.folder,
          schema: given.schema ?? defaults.schema,
          host: given.host ?? defaults.host,
          extras: given.extras ?? defaults.extras,
          install: given.install ?? defaults.install,
        }
    const folder = resolve(cwd, choices.folder)
    checkChoices(folder, choices)
    const project = createProject({ ...choices, name: toPackageName(basename(folder)) })
    useFolder(folder, () => writeProject(folder, project))
    output.write(`The project is in ${folder}.\n`)
    if (choices.install) await installPackages(choices.host === 'bun' ? 'bun' : 'npm', folder, context)
    output.write(`\n${formatNextSteps(choices, relative(cwd, folder))}\nREADME.md has the commands and the files.\n`)
    return 0
  } catch (error) {
    // Commander has written its message already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (error instanceof CancelledError) return 1
    if (!(error instanceof UsageError)) throw error
    errors.write(`${error.message}\n`)
    return 1
  }
}
