/** Reads the command line of the service: which deployments to start, and settings that win over environment variables. */

import { Command, CommanderError, Option } from 'commander'
import { BadSetting } from './badSetting.ts'
import { type Deployment, deployments } from './deployment.ts'
import { flagOf, type VariableName, variableNames, variables } from './variables.ts'

/** Settings as text, as the command line gave them. */
export type Flags = Readonly<Partial<Record<VariableName, string>>>

export interface CommandLine {
  /** What to start, in the order of `deployments`; all of them when none was named. */
  readonly deployments: readonly Deployment[]
  readonly flags: Flags
}

/** The variable that holds the port of a deployment. */
export const portOf: Readonly<Record<Deployment, 'PORT' | 'PAGINATION_PORT' | 'DOCS_PORT'>> = Object.freeze({
  main: 'PORT',
  pagination: 'PAGINATION_PORT',
  docs: 'DOCS_PORT',
})

/** What the help says of a setting. */
function option(name: VariableName): Option {
  const { meaning, preset } = variables[name]
  if (name === 'PORT') return new Option('--port <number>', 'port of the deployment, when exactly one is named')
  return new Option(`${flagOf(name)} <value>`, `${name}: ${meaning}${preset === undefined ? '' : ` (default ${preset})`}`)
}

function program(): Command {
  const command = new Command('npm start --')
    .description('Starts the service. Every option is an environment variable as well; an option wins.')
    .argument('[deployments...]', `what to start: ${deployments.join(', ')} (default: all)`)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  for (const name of variableNames) command.addOption(option(name))
  return command
}

function named(words: readonly string[]): readonly Deployment[] {
  for (const [index, word] of words.entries()) {
    if (!deployments.some((deployment) => deployment === word)) throw new BadSetting('The deployment', word, deployments.join(', '))
    if (words.indexOf(word) < index) throw new BadSetting('The deployment', word, 'each deployment to be named once')
  }
  return words.length === 0 ? deployments : deployments.filter((deployment) => words.includes(deployment))
}

/** `--port` is that of the one deployment named. */
function flagsOf(values: Readonly<Record<string, string>>, words: readonly string[], started: readonly Deployment[]): Flags {
  const flags: Partial<Record<VariableName, string>> = {}
  for (const name of variableNames) {
    const value = values[new Option(`${flagOf(name)} <value>`).attributeName()]
    if (value !== undefined && name !== 'PORT') flags[name] = value
  }
  const { port } = values
  if (port !== undefined) {
    const [only] = started
    if (words.length !== 1 || only === undefined)
      throw new BadSetting('--port', port, `exactly one deployment beside it (${deployments.join(', ')})`)
    if (variables.PORT.read(port) === undefined) throw new BadSetting('--port', port, variables.PORT.expected)
    flags[portOf[only]] = port
  }
  return Object.freeze(flags)
}

/** `words` are those behind the program's name. Throws `BadSetting`; for `--help`, prints it and ends the process. */
export function commandLine(words: readonly string[]): CommandLine {
  const command = program()
  try {
    command.parse(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) process.exit(0)
    // commander's own sentence, "error: unknown option '--prot'", with its guess on a second line.
    throw new BadSetting('The command line', words.join(' '), `known options with their values, and found ${found(error.message)}`)
  }
  const started = named(command.args)
  return Object.freeze({ deployments: started, flags: flagsOf(command.opts(), command.args, started) })
}

const found = (message: string): string => message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
