/** The headers of a call that are given by hand: those of `--user` and `--token`, and those of `-H`. */

import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { type BasicCredentials, basic, bearer } from 'lapidary'
import { isHeaderName, isHeaderValue } from 'lapidary/internal'
import * as usage from './cliMessages.ts'
import { type CliContext, CliError, convertTypeErrors, writeChunk } from './context.ts'

// Gets a secret that is not on the command line: from the environment, or asked for without an echo on a terminal.

/** @throws Mistake where nothing is answered, or nobody is there to answer. */
async function promptSecret(question: string, { input, errors }: CliContext): Promise<string | undefined> {
  await writeChunk(errors, question)
  // readline echoes what is typed to its output: this one shows nothing.
  const nothing = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nothing, terminal: true })
  try {
    return await new Promise((answered) => {
      lines.once('line', answered)
      // Ctrl-C or Ctrl-D: closed without a line.
      lines.once('close', () => answered(undefined))
    })
  } finally {
    lines.close()
    await writeChunk(errors, '\n')
  }
}

/** The secret that is called `what`: that of the environment variable, else the one that is typed. @throws Mistake when there is none. */
export async function readSecret(what: string, variable: string, surroundings: CliContext): Promise<string> {
  const known = surroundings.env[variable]
  const found = known ?? (surroundings.input.isTTY ? await promptSecret(`The ${what}: `, surroundings) : undefined)
  if (found === undefined) throw new CliError(2, usage.missingSecret(what, variable))
  return found
}

/** What the command line says of who is calling, and of further headers. */
export interface HeaderOptions {
  /** `name:password`, or a name alone. */
  readonly user?: string
  /** true: the flag stands there without its token. */
  readonly token?: string | true
  /** Lines, such as `X-Api-Key: 42`. */
  readonly header?: readonly string[]
}

type CredentialHeaders = Readonly<Record<string, string>>

/** What `--user` says; a password that it leaves out is asked for. */
export async function readBasicCredentials(user: string, surroundings: CliContext): Promise<BasicCredentials> {
  const [username = '', given] = user.split(/:(.*)/s, 2)
  const password = given ?? (await readSecret(`password of ${username}`, 'LAPIDARY_PASSWORD', surroundings))
  return { username, password }
}

/** What `--token` says; one that it leaves out is asked for. */
export const readBearerToken = (given: string | true, surroundings: CliContext): string | Promise<string> =>
  given === true ? readSecret('token', 'LAPIDARY_TOKEN', surroundings) : given

async function readBasicHeaders(user: string, surroundings: CliContext): Promise<CredentialHeaders> {
  const credentials = await readBasicCredentials(user, surroundings)
  return convertTypeErrors(2, () => basic('').headers?.(credentials) ?? {})
}

async function readBearerHeaders(given: string | true, surroundings: CliContext): Promise<CredentialHeaders> {
  const token = await readBearerToken(given, surroundings)
  return convertTypeErrors(2, () => bearer('').headers?.(token) ?? {})
}

function parseHeaderLine(line: string): readonly [string, string] {
  const [name = '', value] = line.split(/:(.*)/s, 2).map((part) => part.trim())
  if (value === undefined || !isHeaderName(name) || !isHeaderValue(value)) throw new CliError(2, usage.invalidHeaderLine())
  return [name, value]
}

/** The headers that were given by hand. @throws Mistake for what cannot be sent. */
export async function readHeaderFlags({ user, token, header = [] }: HeaderOptions, surroundings: CliContext): Promise<CredentialHeaders> {
  if (user !== undefined && token !== undefined) throw new CliError(2, usage.conflictingCredentials())
  return {
    ...(user === undefined ? {} : await readBasicHeaders(user, surroundings)),
    ...(token === undefined ? {} : await readBearerHeaders(token, surroundings)),
    ...Object.fromEntries(header.map(parseHeaderLine)),
  }
}
