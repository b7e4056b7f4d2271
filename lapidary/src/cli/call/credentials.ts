/** The headers of a call that are given by hand: those of `--user` and `--token`, and those of `-H`. */
import { type BasicCredentials, basic, bearer } from '../../describe/auth.ts'
import { isHeaderName, isHeaderValue } from '../../describe/headerField.ts'
import * as usage from '../../describe/usage.ts'
import { CliError, convertTypeErrors } from '../mistake.ts'
import type { CliContext } from '../surroundings.ts'
import { readSecret } from './secret.ts'

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
