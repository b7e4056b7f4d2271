/** The flags for credentials and further headers: `--user`, `--token`, `--api-key` and `-H`. */
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type WrittenCredentials, writeCredentials } from '@lapidary/testing/internal'
import { Option } from 'commander'
import { type AnyAuthScheme, type BasicCredentials, basic, bearer } from 'lapidary'
import { isHeaderName, isHeaderValue } from 'lapidary/internal'
import * as messages from './cliMessages.ts'
import { collectValues } from './command.ts'
import { type CliContext, CliError, convertTypeErrors, writeChunk } from './context.ts'

/** The values of the flags. */
export interface HeaderOptions {
  /** `name:password`, or a name alone. */
  readonly user?: string
  /** `true`: the flag has no token. */
  readonly token?: string | true
  /** Keys, with the names of their schemes where there are several: `session=42`. `true`: the flag has no key. */
  readonly apiKey?: readonly string[] | true
  /** Lines such as `X-Note: 42`. */
  readonly header?: readonly string[]
}

/** Creates the flags. */
export const createHeaderOptions = (): readonly Option[] => [
  new Option('--user <name:password>', 'Basic credentials; without a password, LAPIDARY_PASSWORD or a prompt'),
  new Option('--token [token]', 'a Bearer token; without a value, LAPIDARY_TOKEN or a prompt'),
  new Option('--api-key [key]', 'an API key, or name=key; without a value, LAPIDARY_API_KEY or a prompt; may be repeated').argParser(
    (value: string, values: unknown) => collectValues(value, Array.isArray(values) ? values : []),
  ),
  new Option('-H, --header <line>', 'a further header, "Name: value"; may be repeated').argParser(collectValues),
]

/** Prompts for a secret without an echo; `undefined` if the prompt is closed by Ctrl-C or Ctrl-D. */
async function promptSecret(question: string, { input, errors }: CliContext): Promise<string | undefined> {
  await writeChunk(errors, question)
  // readline echoes to its output, which is discarded here.
  const discard = new Writable({ write: (_chunk, _encoding, callback) => callback() })
  const lines = createInterface({ input, output: discard, terminal: true })
  try {
    return await new Promise((resolve) => {
      lines.once('line', resolve)
      lines.once('close', () => resolve(undefined))
    })
  } finally {
    lines.close()
    await writeChunk(errors, '\n')
  }
}

/** Reads a secret from an environment variable, or from a prompt on a terminal. @throws CliError if there is neither */
async function readSecret(title: string, variable: string, context: CliContext): Promise<string> {
  const secret = context.env[variable] ?? (context.input.isTTY ? await promptSecret(`The ${title}: `, context) : undefined)
  if (secret === undefined) throw new CliError(2, messages.missingSecret(title, variable))
  return secret
}

/** Reads the credentials of `--user`. */
export async function readBasicCredentials(user: string, context: CliContext): Promise<BasicCredentials> {
  const [username = '', given] = user.split(/:(.*)/s, 2)
  const password = given ?? (await readSecret(`password of ${username}`, 'LAPIDARY_PASSWORD', context))
  return { username, password }
}

/** Reads the token of `--token`. */
export const readBearerToken = (given: string | true, context: CliContext): string | Promise<string> =>
  given === true ? readSecret('token', 'LAPIDARY_TOKEN', context) : given

/** Whether a scheme is a key in a header, a cookie or the query. */
export const acceptsApiKey = ({ openapi }: AnyAuthScheme): boolean => openapi['type'] === 'apiKey'

/** Whether the key itself is sent. Credentials with several members are made of it: the id, the time and the signature of a webhook. */
const isSentApiKey = (scheme: AnyAuthScheme): boolean => acceptsApiKey(scheme) && typeof scheme.example !== 'object'

/**
 * Reads the keys of `--api-key`, by the names of these schemes. A key without a name is for all of them.
 *
 * @throws CliError if none of the schemes takes a key
 */
export async function readApiKeys(
  given: readonly string[] | true,
  schemes: readonly AnyAuthScheme[],
  context: CliContext,
  accepts: (scheme: AnyAuthScheme) => boolean = acceptsApiKey,
): Promise<Readonly<Record<string, string>>> {
  const names = schemes.filter(accepts).map(({ name }) => name)
  if (names.length === 0) throw new CliError(2, messages.missingAuthScheme('--api-key', schemes))
  const texts = given === true ? [await readSecret('API key', 'LAPIDARY_API_KEY', context)] : given
  const pairs = texts.flatMap((text) => {
    const named = names.find((name) => text.startsWith(`${name}=`))
    return named === undefined ? names.map((name) => [name, text] as const) : [[named, text.slice(named.length + 1)] as const]
  })
  return Object.fromEntries(pairs)
}

/**
 * Writes the keys of `--api-key` as requests have them, each as its scheme says.
 *
 * @throws CliError if none of the schemes takes a key, and for a key that cannot be sent
 */
export async function writeApiKeys(
  given: HeaderOptions['apiKey'],
  schemes: readonly AnyAuthScheme[],
  context: CliContext,
): Promise<readonly WrittenCredentials[]> {
  if (given === undefined) return []
  const keys = await readApiKeys(given, schemes, context, isSentApiKey)
  return convertTypeErrors(2, () =>
    schemes.flatMap((scheme) => (Object.hasOwn(keys, scheme.name) ? [writeCredentials(scheme, keys[scheme.name])] : [])),
  )
}

function parseHeaderLine(line: string): readonly [string, string] {
  const [name = '', value] = line.split(/:(.*)/s, 2).map((part) => part.trim())
  if (value === undefined || !isHeaderName(name) || !isHeaderValue(value)) throw new CliError(2, messages.invalidHeaderLine())
  return [name, value]
}

/** Reads the headers of the flags. @throws CliError for values that cannot be sent */
export async function readHeaderFlags(
  { user, token, header = [] }: HeaderOptions,
  context: CliContext,
): Promise<Readonly<Record<string, string>>> {
  if (user !== undefined && token !== undefined) throw new CliError(2, messages.conflictingCredentials())
  const credentials = user === undefined ? undefined : await readBasicCredentials(user, context)
  const bearerToken = token === undefined ? undefined : await readBearerToken(token, context)
  return convertTypeErrors(2, () => ({
    ...(credentials && basic('').headers?.(credentials)),
    ...(bearerToken !== undefined && bearer('').headers?.(bearerToken)),
    ...Object.fromEntries(header.map(parseHeaderLine)),
  }))
}
