/** HTTP Basic authentication (RFC 7617). */
import { decodeExactUtf8, encodeUtf8, fromBase64 } from '../../http/encodings.ts'
import { escapeQuoted } from '../../http/headerFields.ts'
import * as authErrors from '../../messages/authErrors.ts'
import * as documentationTexts from '../../messages/documentationTexts.ts'
import { type AuthScheme, authScheme } from './authScheme.ts'

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
    return fromBase64(text)
  } catch {
    return undefined
  }
}

/** RFC 7617 (§2) forbids control characters in names and passwords. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern has to find
const controlCharacters = /[\u0000-\u001f\u007f]/

function formatBasic({ username, password }: BasicCredentials): string {
  if (username.includes(':') || controlCharacters.test(username + password)) throw new TypeError(authErrors.invalidBasicCredentials())
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
    challenge: `Basic realm="${escapeQuoted(realm)}", charset="UTF-8"`,
    credentials: (header) => {
      const [, encoded] = basicPattern.exec(header('authorization') ?? '') ?? []
      const bytes = encoded === undefined ? undefined : decodeBase64(encoded)
      const pair = bytes === undefined ? undefined : decodeExactUtf8(bytes)
      // A password can contain colons, a user name cannot.
      const colon = pair?.indexOf(':') ?? -1
      return pair === undefined || colon < 0 ? undefined : { username: pair.slice(0, colon), password: pair.slice(colon + 1) }
    },
    headers: (credentials) => ({ Authorization: formatBasic(credentials) }),
    description: documentationTexts.basicAuthText(),
    example: { username: 'ann', password: 'secret' },
    openapi: { type: 'http', scheme: 'basic' },
  })
