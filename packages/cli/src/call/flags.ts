/** The flags of an endpoint: one for each capture, query parameter and header. */

import { Command, Option } from 'commander'
import { type AnyEndpoint, type Mount, text } from 'lapidary'
import type { AnyParameter } from 'lapidary/internal'
import type { ApiOptions } from '../command.ts'
import { formatRouteLine } from '../commands/routes.ts'
import type { HeaderOptions } from '../credentials.ts'
import { labelType, summarizeRoute } from '../routeSummary.ts'
import type { BodyOptions } from './request.ts'
import { isParseErrorLike } from './response.ts'
import type { Target } from './target.ts'

/** Where in a request a value stands. */
export type RequestPart = 'params' | 'query' | 'headers'

/** A flag, and what it is for. */
export interface CallFlag {
  /** Without its hyphens: `x-depth`. */
  readonly flag: string
  readonly part: RequestPart
  readonly name: string
  readonly parameter: AnyParameter
  /** Whether it takes no value: that it is there says it all. */
  readonly isSwitch: boolean
}

/** `userId`, `user_id` and `User-Id` are all `user-id`. */
const toKebabCase = (name: string): string =>
  name
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1-')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase()

/** What a part is called in front of a name that is not clear by itself. */
const partPrefixes: Readonly<Record<RequestPart, string>> = { params: 'path', query: 'query', headers: 'header' }

/** Its name alone has a meaning, and is written without a value. */
function isSwitchParameter(parameter: AnyParameter): boolean {
  const alone: unknown = parameter.read({ values: [], isPresent: true })
  return alone !== undefined && !isParseErrorLike(alone) && parameter.write(alone).join('\n') === '' && parameter.write(alone).length === 1
}

/**
 * The flags of an endpoint. A name that stands for two things, or for one of the `taken` flags, says which part it is of: `--query-range` and
 * `--header-range`.
 */
export function listFlags(endpoint: AnyEndpoint, taken: readonly string[]): readonly CallFlag[] {
  const parts: readonly RequestPart[] = ['params', 'query', 'headers']
  const named = parts.flatMap((part) =>
    Object.entries<AnyParameter>(endpoint[part]).map(([name, parameter]) => ({ part, name, parameter, short: toKebabCase(name) })),
  )
  const used = new Set(taken)
  return named.map(({ part, name, parameter, short }) => {
    // Commander takes `--no-cache` for the opposite of `--cache`.
    const isClear =
      short !== '' && !short.startsWith('no-') && !taken.includes(short) && named.filter((other) => other.short === short).length === 1
    let flag = isClear ? short : [partPrefixes[part], short].filter((word) => word !== '').join('-')
    while (used.has(flag)) flag += '-2'
    used.add(flag)
    return { flag, part, name, parameter, isSwitch: isSwitchParameter(parameter) }
  })
}

// The flags of calls, whatever the endpoint.

/** Their values. */
export interface CallOptions extends ApiOptions, BodyOptions, HeaderOptions {
  readonly base?: string
  readonly timeout?: string
  readonly verbose?: true
}

/** Where servers of the toolkit's examples listen. */
export const defaultBase = 'http://127.0.0.1:8081'

const optionGroup = 'Options:'

/** The flags for a body, made anew: an option belongs to one command. */
export const createBodyOptions = (): readonly Option[] => [
  new Option('--body <text>', 'the body: a text, @ and a file, or - for standard input').helpGroup('Body:'),
  new Option('--type <type>', 'in which type it is, such as form (default: the first that the endpoint takes)').helpGroup('Body:'),
]

/** The flags that every call has, made anew. */
export const createCallOptions = (): readonly Option[] => [
  new Option('--base <url>', `where the server is (default: LAPIDARY_BASE, or ${defaultBase})`).helpGroup(optionGroup),
  new Option('--user <name:password>', 'Basic credentials; without the password, LAPIDARY_PASSWORD or a question').helpGroup(optionGroup),
  new Option('--token [token]', 'a Bearer token; without it, LAPIDARY_TOKEN or a question').helpGroup(optionGroup),
  new Option('-H, --header <line>', 'a further header, "Name: value"; may be repeated')
    .argParser((line: string, lines: readonly string[] = []) => [...lines, line])
    .helpGroup(optionGroup),
  new Option('--timeout <seconds>', 'for how long to wait for the whole answer (default: for as long as it takes)').helpGroup(optionGroup),
  new Option('-v, --verbose', 'shows the headers of both sides on standard error, credentials masked').helpGroup(optionGroup),
  new Option('--export <name>', 'which export is the api (default: "api", the default export, or the only one)').helpGroup(optionGroup),
]

// The command line of one endpoint: its flags, with their types and descriptions, beside those of every call.

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
