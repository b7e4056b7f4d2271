/** The flags of a call: one for each capture, query parameter, header and cookie of the endpoint, and the general ones. */
import { quoteForShell } from '@lapidary/testing/internal'
import { type Command, Option } from 'commander'
import { type AnyEndpoint, type AnyParameter, isParseError } from 'lapidary'
import { joinValues, type ParameterValues, toInputParameter } from 'lapidary/internal'
import * as messages from '../cliMessages.ts'
import { type ApiOptions, collectValues, createExportOption } from '../command.ts'
import { CliError } from '../context.ts'
import { createHeaderOptions, type HeaderOptions } from '../credentials.ts'
import { toKebabCase } from '../names.ts'
import { labelType } from '../routeSummary.ts'

type RequestPart = 'params' | 'query' | 'headers' | 'cookies'

/** The values of a call, by the part of the request. */
export type CallInput = Readonly<Record<RequestPart, ParameterValues>>

/** A flag of an endpoint, without hyphens: `x-depth`. */
interface CallFlag {
  readonly flag: string
  /** Other spellings, which the help does not show: `user-id` of `user_id`. */
  readonly aliases: readonly string[]
  readonly part: RequestPart
  readonly name: string
  readonly parameter: AnyParameter
}

/** The values of the general flags. */
export interface CallOptions extends ApiOptions, HeaderOptions {
  readonly base?: string
  readonly body?: string
  readonly form?: readonly string[]
  readonly verbose?: true
}

/** The server of a call without `--base` and LAPIDARY_BASE. */
export const defaultBase = 'http://127.0.0.1:8081'

/** Creates the general flags. An option belongs to one command, so each command needs its own. */
export const createCallOptions = (): readonly Option[] => [
  new Option('--body <text>', 'the body: a text, @ and a file, or - for standard input'),
  new Option('-F, --form <part>', 'a part of a form: name=text, or name=@file for a file; may be repeated').argParser(collectValues),
  new Option('--base <url>', `the URL of the server (default: LAPIDARY_BASE, or the first server of a document, or ${defaultBase})`),
  ...createHeaderOptions(),
  new Option('-v, --verbose', 'shows both heads on standard error, without credentials'),
  createExportOption(),
]

const prefixes: Readonly<Record<RequestPart, string>> = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie' }
const titles: Readonly<Record<RequestPart, string>> = {
  params: 'Captures:',
  query: 'Query parameters:',
  headers: 'Headers:',
  cookies: 'Cookies:',
}

/** Whether a parameter takes no value, because its presence is the value. */
export function isSwitch(parameter: AnyParameter): boolean {
  const value: unknown = parameter.read({ values: [], isPresent: true })
  return value !== undefined && !isParseError(value) && parameter.write(value).length === 1 && parameter.write(value)[0] === ''
}

/** Whether the name of a parameter can be a flag as it is. */
const isFlagName = (name: string): boolean => /^\p{L}[\p{L}\p{N}_-]*$/u.test(name)

/** The name of a flag: that of the parameter, as the description has it. The case of a header does not count. */
const toFlagName = (part: RequestPart, name: string): string => {
  const own = part === 'headers' ? name.toLowerCase() : name
  return isFlagName(own) ? own : toKebabCase(name)
}

/** Lists the flags of an endpoint. A name that is reserved, or not unique, gets the part of the request as a prefix: `--query-range`. */
export function listFlags(endpoint: AnyEndpoint, options: readonly Option[]): readonly CallFlag[] {
  const reserved = ['help', ...options.map((option) => option.name())]
  const all = (['params', 'query', 'headers', 'cookies'] as const).flatMap((part) =>
    Object.entries<AnyParameter>(endpoint[part]).map(([name, parameter]) => ({ part, name, parameter, short: toKebabCase(name) })),
  )
  const used = new Set(reserved)
  return all.map(({ part, name, parameter, short }) => {
    // Commander reads `--no-cache` as the opposite of `--cache`.
    const needsPrefix = /^(?:no-|$)/.test(short) || reserved.includes(short) || all.filter((other) => other.short === short).length > 1
    let flag = needsPrefix ? [prefixes[part], short].filter(Boolean).join('-') : toFlagName(part, name)
    while (used.has(flag)) flag += '-2'
    used.add(flag)
    const aliases = needsPrefix ? [] : [...new Set([short, name])].filter((other) => isFlagName(other) && !used.has(other))
    for (const alias of aliases) used.add(alias)
    return { flag, aliases, part, name, parameter }
  })
}

/** Refuses words that are no flags: `user_id=7`, where `--user_id 7` is meant. @throws CliError if there is one */
export function rejectArguments([word]: readonly string[], endpoint: AnyEndpoint, flags: readonly CallFlag[]): void {
  if (word === undefined) return
  const [, name = '', text = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? []
  const meant = name === '' ? undefined : flags.find((flag) => toKebabCase(flag.name) === toKebabCase(name))
  if (meant === undefined)
    throw new CliError(
      2,
      messages.unexpectedArgument(
        endpoint.route,
        word,
        flags.map(({ flag }) => flag),
      ),
    )
  throw new CliError(2, messages.valueWithoutFlag(meant.flag, /^[\w@%+:,./-]+$/.test(text) ? text : quoteForShell(text)))
}

/** Adds flags to a command. The returned function reads their values, and throws a CliError with a line for each that its codec refuses. */
export function addFlags(command: Command, endpoint: AnyEndpoint, flags: readonly CallFlag[]): () => CallInput {
  const texts = new Map<string, readonly string[]>()
  for (const { flag, aliases, part, parameter } of flags) {
    const { description, required, repeats } = parameter
    const notes = [isSwitch(parameter) ? '' : labelType(parameter), required ? 'required' : '', repeats ? 'may be repeated' : '']
    const help = [description, `(${notes.filter(Boolean).join(', ')})`].filter((text) => text && text !== '()').join(' ')
    const createOption = (name: string): Option =>
      new Option(isSwitch(parameter) ? `--${name}` : `--${name} <value>`, help).helpGroup(titles[part])
    command.addOption(createOption(flag))
    for (const alias of aliases) command.addOption(createOption(alias).hideHelp())
    for (const name of [flag, ...aliases])
      command.on(`option:${name}`, (text?: string) => texts.set(flag, text === undefined ? [] : collectValues(text, texts.get(flag))))
  }
  return () => {
    const input: Record<RequestPart, Record<string, unknown>> = { params: {}, query: {}, headers: {}, cookies: {} }
    const problems = flags.flatMap(({ flag, part, name, parameter }) => {
      const given = { values: texts.get(flag) ?? [], isPresent: texts.has(flag) }
      const value: unknown = parameter.read(given)
      input[part][name] = toInputParameter(parameter).read(given)
      return isParseError(value) ? value.issues.map(({ detail }) => `--${flag}: ${detail}`) : []
    })
    if (problems.length > 0) throw new CliError(2, problems.join('\n'))
    const { parameterGroups } = endpoint
    const parts = Object.entries(input).map(([part, values]) => [part, joinValues(parameterGroups[part as RequestPart], values)])
    return Object.fromEntries(parts) as CallInput
  }
}
