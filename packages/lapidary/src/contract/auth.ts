/** Auth schemes: how credentials stand in a request, and how to ask for them. Whether they are right is for the server's check. */

import { decodeUtf8, encodeUtf8 } from '../http/utf8.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'

/** What a scheme of one's own needs. */
export interface AuthSchemeDefinition<Credentials> {
  /** The name in complaints and documentation. */
  readonly name: string
  /** The WWW-Authenticate header of a 401: `Basic realm="people"`. */
  readonly challenge: string
  /** The credentials of a request, or undefined where there are none that could be right. Headers by their lower-case names. */
  readonly credentials: (header: (name: string) => string | undefined) => Credentials | undefined
  /** The request headers that show these credentials, for clients: the other way round. Left out: only servers can use the scheme. */
  readonly headers?: (credentials: Credentials) => Readonly<Record<string, string>>
  /** One sentence for documentation: how credentials are written. */
  readonly description?: string
  /** Credentials to show in documentation; nobody's, of course. */
  readonly example?: Credentials
  /** The OpenAPI security scheme. */
  readonly openapi: Readonly<Record<string, unknown>>
}

/** An auth scheme that produces a `User` once `Credentials` are verified. */
export interface AuthScheme<User, Credentials> extends AuthSchemeDefinition<Credentials> {
  /** Types only. */
  readonly '~user'?: User
}

/** A scheme of one's own: a cookie, an API key, a signature. */
export const authScheme = <User, Credentials>(definition: AuthSchemeDefinition<Credentials>): AuthScheme<User, Credentials> =>
  Object.freeze({ ...definition })

/** A user's name and password (RFC 7617). */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

const basicPattern = /^basic +([A-Za-z0-9+/]+={0,2})$/i

/** What base64 spells; undefined where it is not base64. */
function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  try {
    const signs = atob(text)
    const bytes = new Uint8Array(signs.length)
    for (let index = 0; index < signs.length; index += 1) bytes[index] = signs.charCodeAt(index)
    return bytes
  } catch {
    return undefined
  }
}

/** Control characters, which RFC 7617 (§2) keeps out of names and passwords. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const controlCharacters = /[\u0000-\u001f\u007f]/

function formatBasic({ username, password }: BasicCredentials): string {
  if (username.includes(':') || controlCharacters.test(username + password)) throw new TypeError(developerErrors.invalidBasicCredentials())
  return `Basic ${btoa(String.fromCharCode(...encodeUtf8(`${username}:${password}`)))}`
}

/** HTTP Basic authentication (RFC 7617) with UTF-8: `basic<Account>('people')`. */
export const basic = <User>(realm: string): AuthScheme<User, BasicCredentials> =>
  authScheme({
    name: realm,
    challenge: `Basic realm="${realm}", charset="UTF-8"`,
    credentials: (header) => {
      const [, encoded] = basicPattern.exec(header('authorization') ?? '') ?? []
      const bytes = encoded === undefined ? undefined : decodeBase64(encoded)
      const pair = bytes === undefined ? undefined : decodeUtf8(bytes)
      // The name has no colon; the password may have some.
      const colon = pair?.indexOf(':') ?? -1
      return pair === undefined || colon < 0 ? undefined : { username: pair.slice(0, colon), password: pair.slice(colon + 1) }
    },
    headers: (credentials) => ({ Authorization: formatBasic(credentials) }),
    description: documentationTexts.basicAuthText(),
    example: { username: 'ann', password: 'secret' },
    openapi: { type: 'http', scheme: 'basic' },
  })

const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** A bearer token (RFC 6750) in the Authorization header; the check gets the token: `bearer<Client>('secret')`. */
export const bearer = <User>(realm: string): AuthScheme<User, string> =>
  authScheme({
    name: realm,
    challenge: `Bearer realm="${realm}"`,
    credentials: (header) => bearerPattern.exec(header('authorization') ?? '')?.[1],
    headers: (token) => {
      if (!bearerPattern.test(`Bearer ${token}`)) throw new TypeError(developerErrors.invalidBearerToken())
      return { Authorization: `Bearer ${token}` }
    },
    description: documentationTexts.bearerAuthText(),
    example: 'token',
    openapi: { type: 'http', scheme: 'bearer' },
  })
