/** The command line of the service: deployments, and flags that override environment variables. */

import { Command, CommanderError, Option } from 'commander'
import {
  type Deployment,
  deployments,
  flagOf,
  portVariable,
  SettingError,
  type VariableName,
  variableNames,
  variables,
} from './variables.ts'

/** Settings as text from the command line. */
export type Flags = Readonly<Partial<Record<VariableName, string>>>

export interface CommandLine {
  /** The deployments to start, in the order of `deployments`. All of them if the command line names none. */
  readonly deployments: readonly Deployment[]
  readonly flags: Flags
}

function flagOption(name: VariableName): Option {
  const { meaning, preset } = variables[name]
  if (name === 'PORT') return new Option('--port <number>', 'port of the deployment, when exactly one is named')
  return new Option(`${flagOf(name)} <value>`, `${name}: ${meaning}${preset === undefined ? '' : ` (default ${preset})`}`)
}

function createProgram(): Command {
  const program = new Command('npm start --')
    .description('Starts the service. Every option is an environment variable as well; an option wins.')
    .argument('[deployments...]', `what to start: ${deployments.join(', ')} (default: all)`)
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  for (const name of variableNames) program.addOption(flagOption(name))
  return program
}

function readDeployments(names: readonly string[]): readonly Deployment[] {
  for (const [index, name] of names.entries()) {
    if (!deployments.some((deployment) => deployment === name)) throw new SettingError('The deployment', name, deployments.join(', '))
    if (names.indexOf(name) < index) throw new SettingError('The deployment', name, 'each deployment to be named once')
  }
  return names.length === 0 ? deployments : deployments.filter((deployment) => names.includes(deployment))
}

/** `--port` sets the port of the only named deployment. */
function readFlags(values: Readonly<Record<string, string>>, named: readonly string[], started: readonly Deployment[]): Flags {
  const flags: Partial<Record<VariableName, string>> = {}
  for (const name of variableNames) {
    const value = values[flagOption(name).attributeName()]
    if (value !== undefined && name !== 'PORT') flags[name] = value
  }
  const { port } = values
  if (port !== undefined) {
    const [only] = started
    if (named.length !== 1 || only === undefined)
      throw new SettingError('--port', port, `exactly one deployment beside it (${deployments.join(', ')})`)
    if (variables.PORT.read(port) === undefined) throw new SettingError('--port', port, variables.PORT.expected)
    flags[portVariable[only]] = port
  }
  return Object.freeze(flags)
}

/** Reads the arguments after the name of the program. Prints the help and ends the process for `--help`. Throws `SettingError`. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const program = createProgram()
  try {
    program.parse(args, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) process.exit(0)
    // commander writes "error: unknown option '--prot'" and a suggestion on a second line.
    const problem = error.message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
    throw new SettingError('The command line', args.join(' '), `known options with their values, and found ${problem}`)
  }
  const started = readDeployments(program.args)
  return Object.freeze({ deployments: started, flags: readFlags(program.opts(), program.args, started) })
}
