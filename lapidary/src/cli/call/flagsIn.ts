/** The command line of one endpoint: its flags, with their types and descriptions, beside those of every call. */
import { Command, Option } from 'commander'
import type { AnyEndpoint } from '../../describe/endpoint.ts'
import type { Mount } from '../../describe/mount.ts'
import { text } from '../../describe/text.ts'
import { summarizeRoute } from '../row.ts'
import { formatRouteLine } from '../table.ts'
import { labelType } from '../typeWord.ts'
import { type CallFlag, listFlags, type RequestPart } from './flag.ts'
import { type CallOptions, createBodyOptions, createCallOptions } from './options.ts'
import type { Target } from './target.ts'

const flagGroups: Readonly<Record<RequestPart, string>> = { params: 'Captures:', query: 'Query parameters:', headers: 'Headers:' }

/** The names of the flags that are every call's. */
const reservedFlags: readonly string[] = ['help', ...[...createBodyOptions(), ...createCallOptions()].map((option) => option.name())]

/** `what to order by (required, such as 42)` */
function describeFlag({ parameter, isSwitch }: CallFlag): string {
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
function describeTarget(name: string, operation: AnyEndpoint | Mount): string {
  const line = formatRouteLine({ ...summarizeRoute({ path: [], name, operation }), captures: [], query: [], headers: [] })
  const words = operation['~kind'] === 'endpoint' ? [operation.summary, operation.description] : [operation.description]
  return [line, ...words].filter((part) => part !== undefined).join('\n\n')
}

/** The flags that an endpoint has, and what was given. */
export interface ParsedCall {
  /** What whoever calls has written so far: `lapidary call ./src/api.ts position`. */
  readonly command: string
  readonly flags: readonly CallFlag[]
  /** The texts by the flag. */
  readonly texts: ReadonlyMap<string, readonly string[]>
  readonly options: CallOptions
}

/**
 * Reads the words behind the target.
 *
 * @throws CommanderError for a flag that the endpoint has not, and after its help was printed.
 */
export function parseFlags(parent: Command, module: string, { name, target, spelling, rest }: Target): ParsedCall {
  const operation = 'endpoint' in target ? target.endpoint : target.mount
  const flags = 'endpoint' in target ? listFlags(target.endpoint, reservedFlags) : []
  const takesBody = 'mount' in target || target.endpoint.body !== undefined
  const terms = new Map<Option, string>()
  const texts = new Map<string, readonly string[]>()
  const command = new Command(`lapidary call ${module} ${spelling}`)
    .copyInheritedSettings(parent)
    .usage('[flags]')
    .description(describeTarget(name, operation))
    .allowExcessArguments(false)
    .configureHelp({ optionTerm: (option) => terms.get(option) ?? option.flags })
  for (const flag of flags) {
    // What stands in the brackets is for commander, which reads more into some signs; people are shown the type.
    const option = new Option(flag.isSwitch ? `--${flag.flag}` : `--${flag.flag} <value>`, describeFlag(flag)).helpGroup(
      flagGroups[flag.part],
    )
    if (!flag.isSwitch) terms.set(option, `--${flag.flag} <${labelType(flag.parameter)}>`)
    command.addOption(option)
    command.on(`option:${flag.flag}`, (given?: string) => {
      texts.set(flag.flag, [...(texts.get(flag.flag) ?? []), ...(given === undefined ? [] : [given])])
    })
  }
  for (const option of [...createBodyOptions().map((one) => one.hideHelp(!takesBody)), ...createCallOptions()]) command.addOption(option)
  command.parse(rest, { from: 'user' })
  return { command: command.name(), flags, texts, options: command.opts<CallOptions>() }
}
