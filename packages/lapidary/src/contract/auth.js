/** Auth schemes: how credentials stand in a request, and how to ask for them. Whether they are right is for the server's check. */
import { decodeUtf8, encodeUtf8 } from '../http/utf8.js'
import * as complaint from '../messages/developerErrors.js'
import * as documentation from '../messages/documentationTexts.js'
/** A scheme of one's own: a cookie, an API key, a signature. */
export const authScheme = (definition) => Object.freeze({ ...definition })
const basicPattern = /^basic +([A-Za-z0-9+/]+={0,2})$/i
/** What base64 spells; undefined where it is not base64. */
function decodeBase64(text) {
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
function formatBasic({ username, password }) {
  if (username.includes(':') || controlCharacters.test(username + password)) throw new TypeError(complaint.invalidBasicCredentials())
  return `Basic ${btoa(String.fromCharCode(...encodeUtf8(`${username}:${password}`)))}`
}
/** HTTP Basic authentication (RFC 7617) with UTF-8: `basic<Account>('people')`. */
export const basic = (realm) =>
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
    description: documentation.basicAuthText(),
    example: { username: 'ann', password: 'secret' },
    openapi: { type: 'http', scheme: 'basic' },
  })
const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i
/** A bearer token (RFC 6750) in the Authorization header; the check gets the token: `bearer<Client>('secret')`. */
export const bearer = (realm) =>
  authScheme({
    name: realm,
    challenge: `Bearer realm="${realm}"`,
    credentials: (header) => bearerPattern.exec(header('authorization') ?? '')?.[1],
    headers: (token) => {
      if (!bearerPattern.test(`Bearer ${token}`)) throw new TypeError(complaint.invalidBearerToken())
      return { Authorization: `Bearer ${token}` }
    },
    description: documentation.bearerAuthText(),
    example: 'token',
    openapi: { type: 'http', scheme: 'bearer' },
  })
