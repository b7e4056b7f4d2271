/** The flags of calls, whatever the endpoint. */
import { Option } from 'commander'
import type { ApiOptions } from '../command.ts'
import type { BodyOptions } from './body.ts'
import type { HeaderOptions } from './credentials.ts'

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
