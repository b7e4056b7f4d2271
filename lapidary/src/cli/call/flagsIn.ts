/** The command line of one endpoint: its flags, with their types and descriptions, beside those of every call. */
import { Command, Option } from 'commander'
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import type { Mount } from '../../describe/mount.ts'
import { text } from '../../describe/text.ts'
import { rowOf } from '../row.ts'
import { rowLine } from '../table.ts'
import { typeWord } from '../typeWord.ts'
import { type Flag, flagsOf, type Part } from './flag.ts'
import { bodyOptions, type CallOptions, callOptions } from './options.ts'
import type { Target } from './target.ts'

const groups: Readonly<Record<Part, string>> = { params: 'Captures:', query: 'Query parameters:', headers: 'Headers:' }

/** The names of the flags that are every call's. */
const taken: readonly string[] = ['help', ...[...bodyOptions(), ...callOptions()].map((option) => option.name())]

/** `what to order by (required, such as 42)` */
function description({ parameter, isSwitch }: Flag): string {
  const { required, repeats, examples, jsonSchema } = parameter
  // Those of a choice stand in its type.
  const shown = isSwitch || jsonSchema.enum !== undefined ? [] : examples.filter((example) => !text.examples.includes(example))
  const traits = [
    ...(required ? ['required'] : []),
    ...(repeats ? ['one value each time, may be repeated'] : []),
    ...(shown.length > 0 ? [`such as ${shown.join(', ')}`] : []),
  ]
  return [parameter.description ?? '', traits.length > 0 ? `(${traits.join(', ')})` : ''].filter((part) => part !== '').join(' ')
}

/** The route and what it answers, then what its author says of it. What it takes, the flags tell. */
function aboutOf(name: string, operation: AnyEndpoint | Mount): string {
  const line = rowLine({ ...rowOf({ path: [], name, operation }), captures: [], query: [], headers: [] })
  const words = operation['~kind'] === 'endpoint' ? [operation.summary, operation.description] : [operation.description]
  return [line, ...words].filter((part) => part !== undefined).join('\n\n')
}

/** The flags that an endpoint has, and what was given. */
export interface Parsed {
  /** What whoever calls has written so far: `lapidary call ./src/api.ts position`. */
  readonly command: string
  readonly flags: readonly Flag[]
  /** The texts by the flag. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  readonly options: CallOptions
}

/**
 * Reads the words behind the target.
 *
 * @throws CommanderError for a flag that the endpoint has not, and after its help was printed.
 */
export function flagsIn(parent: Command, module: string, { name, target, spelling, rest }: Target): Parsed {
  const operation = 'endpoint' in target ? target.endpoint : target.mount
  const flags = 'endpoint' in target ? flagsOf(target.endpoint, taken) : []
  const takesBody = 'mount' in target || target.endpoint.body !== undefined
  const terms = new Map<Option, string>()
  const texts = new Map<string, readonly string[]>()
  const command = new Command(`lapidary call ${module} ${spelling}`)
    .copyInheritedSettings(parent)
    .usage('[flags]')
    .description(aboutOf(name, operation))
    .allowExcessArguments(false)
    .configureHelp({ optionTerm: (option) => terms.get(option) ?? option.flags })
  for (const flag of flags) {
    // What stands in the brackets is for commander, which reads more into some signs; people are shown the type.
    const option = new Option(flag.isSwitch ? `--${flag.flag}` : `--${flag.flag} <value>`, description(flag)).helpGroup(groups[flag.part])
    if (!flag.isSwitch) terms.set(option, `--${flag.flag} <${typeWord(flag.parameter)}>`)
    command.addOption(option)
    command.on(`option:${flag.flag}`, (given?: string) => {
      texts.set(flag.flag, [...(texts.get(flag.flag) ?? []), ...(given === undefined ? [] : [given])])
    })
  }
  for (const option of [...bodyOptions().map((one) => one.hideHelp(!takesBody)), ...callOptions()]) command.addOption(option)
  command.parse(rest, { from: 'user' })
  return { command: command.name(), flags, texts, options: command.opts<CallOptions>() }
}
