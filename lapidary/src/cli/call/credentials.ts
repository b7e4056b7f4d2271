/** The headers of a call that are given by hand: those of `--user` and `--token`, and those of `-H`. */
import { type BasicCredentials, basic, bearer } from '../../describe/auth.ts'
import { isHeaderName, isHeaderText } from '../../describe/headerField.ts'
import * as usage from '../../describe/usage.ts'
import { complained, Mistake } from '../mistake.ts'
import type { Surroundings } from '../surroundings.ts'
import { secret } from './secret.ts'

/** What the command line says of who is calling, and of further headers. */
export interface HeaderOptions {
  /** `name:password`, or a name alone. */
  readonly user?: string
  /** true: the flag stands there without its token. */
  readonly token?: string | true
  /** Lines, such as `X-Api-Key: 42`. */
  readonly header?: readonly string[]
}

type Headers = Readonly<Record<string, string>>

/** What `--user` says; a password that it leaves out is asked for. */
export async function basicCredentials(user: string, surroundings: Surroundings): Promise<BasicCredentials> {
  const [username = '', given] = user.split(/:(.*)/s, 2)
  const password = given ?? (await secret(`password of ${username}`, 'LAPIDARY_PASSWORD', surroundings))
  return { username, password }
}

/** What `--token` says; one that it leaves out is asked for. */
export const bearerToken = (given: string | true, surroundings: Surroundings): string | Promise<string> =>
  given === true ? secret('token', 'LAPIDARY_TOKEN', surroundings) : given

async function basicHeaders(user: string, surroundings: Surroundings): Promise<Headers> {
  const credentials = await basicCredentials(user, surroundings)
  return complained(2, () => basic('').headers?.(credentials) ?? {})
}

async function bearerHeaders(given: string | true, surroundings: Surroundings): Promise<Headers> {
  const token = await bearerToken(given, surroundings)
  return complained(2, () => bearer('').headers?.(token) ?? {})
}

function headerOf(line: string): readonly [string, string] {
  const [name = '', value] = line.split(/:(.*)/s, 2).map((part) => part.trim())
  if (value === undefined || !isHeaderName(name) || !isHeaderText(value)) throw new Mistake(2, usage.headerLine())
  return [name, value]
}

/** The headers that were given by hand. @throws Mistake for what cannot be sent. */
export async function handHeaders({ user, token, header = [] }: HeaderOptions, surroundings: Surroundings): Promise<Headers> {
  if (user !== undefined && token !== undefined) throw new Mistake(2, usage.oneCredential())
  return {
    ...(user === undefined ? {} : await basicHeaders(user, surroundings)),
    ...(token === undefined ? {} : await bearerHeaders(token, surroundings)),
    ...Object.fromEntries(header.map(headerOf)),
  }
}
