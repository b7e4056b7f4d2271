/** Auth schemes: where a request has its credentials, and how a server asks for them. `authenticate` of `lapidary/server` verifies them. */

import { decodeUtf8, encodeUtf8 } from '../http/utf8.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'

/** The definition of an auth scheme. */
export interface AuthSchemeDefinition<Credentials> {
  /** The name in messages and documentation. */
  readonly name: string
  /** The `WWW-Authenticate` header of a 401: `Basic realm="people"`. */
  readonly challenge: string
  /** Returns the credentials of a request; undefined where it has none, or none that can be valid. `header` takes names in lower case. */
  readonly credentials: (header: (name: string) => string | undefined) => Credentials | undefined
  /** Returns the request headers with these credentials, for clients. Without it, only servers can use the scheme. */
  readonly headers?: (credentials: Credentials) => Readonly<Record<string, string>>
  /** One sentence for documentation: how credentials are written. */
  readonly description?: string
  /** Invented credentials to show in documentation. */
  readonly example?: Credentials
  /** The OpenAPI security scheme. */
  readonly openapi: Readonly<Record<string, unknown>>
}

/** An auth scheme: verified `Credentials` give a `User`. */
export interface AuthScheme<User, Credentials> extends AuthSchemeDefinition<Credentials> {
  /** Types only. */
  readonly '~user'?: User
}

/**
 * Makes an auth scheme: a cookie, an API key, a signature.
 *
 * @example
 * ```ts
 * import { authScheme, endpoint, ok, text } from 'lapidary'
 *
 * const keys = authScheme<{ readonly name: string }, string>({
 *   name: 'keys',
 *   challenge: 'ApiKey',
 *   credentials: (header) => header('x-api-key'),
 *   headers: (key) => ({ 'X-Api-Key': key }),
 *   openapi: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
 * })
 * const me = endpoint('GET /me', { auth: keys, response: ok(text) })
 * ```
 */
export const authScheme = <User, Credentials>(definition: AuthSchemeDefinition<Credentials>): AuthScheme<User, Credentials> =>
  Object.freeze({ ...definition })

/** A user name and a password (RFC 7617). */
export interface BasicCredentials {
  readonly username: string
  readonly password: string
}

const basicPattern = /^basic +([A-Za-z0-9+/]+={0,2})$/i

/** The bytes of a base64 text; undefined where the text is not base64. */
function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  try {
    const characters = atob(text)
    const bytes = new Uint8Array(characters.length)
    for (let index = 0; index < characters.length; index += 1) bytes[index] = characters.charCodeAt(index)
    return bytes
  } catch {
    return undefined
  }
}

/** RFC 7617 (§2) forbids control characters in names and passwords. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern has to find
const controlCharacters = /[\u0000-\u001f\u007f]/

function formatBasic({ username, password }: BasicCredentials): string {
  if (username.includes(':') || controlCharacters.test(username + password)) throw new TypeError(developerErrors.invalidBasicCredentials())
  return `Basic ${btoa(String.fromCharCode(...encodeUtf8(`${username}:${password}`)))}`
}

/**
 * HTTP Basic authentication (RFC 7617) in UTF-8.
 *
 * @param realm The realm of the challenge, and the name of the scheme.
 * @example
 * ```ts
 * import { basic, endpoint, noContent } from 'lapidary'
 *
 * const people = basic<{ readonly name: string }>('people')
 * const remove = endpoint('DELETE /account', { auth: people, response: noContent })
 * ```
 */
export const basic = <User>(realm: string): AuthScheme<User, BasicCredentials> =>
  authScheme({
    name: realm,
    challenge: `Basic realm="${realm}", charset="UTF-8"`,
    credentials: (header) => {
      const [, encoded] = basicPattern.exec(header('authorization') ?? '') ?? []
      const bytes = encoded === undefined ? undefined : decodeBase64(encoded)
      const pair = bytes === undefined ? undefined : decodeUtf8(bytes)
      // A password can contain colons, a user name cannot.
      const colon = pair?.indexOf(':') ?? -1
      return pair === undefined || colon < 0 ? undefined : { username: pair.slice(0, colon), password: pair.slice(colon + 1) }
    },
    headers: (credentials) => ({ Authorization: formatBasic(credentials) }),
    description: documentationTexts.basicAuthText(),
    example: { username: 'ann', password: 'secret' },
    openapi: { type: 'http', scheme: 'basic' },
  })

const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/**
 * Bearer tokens (RFC 6750) in the Authorization header; the credentials are the token.
 *
 * @param realm The realm of the challenge, and the name of the scheme.
 * @example
 * ```ts
 * import { bearer, endpoint, noContent } from 'lapidary'
 *
 * const clients = bearer<{ readonly id: number }>('clients')
 * const remove = endpoint('DELETE /account', { auth: clients, response: noContent })
 * ```
 */
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
