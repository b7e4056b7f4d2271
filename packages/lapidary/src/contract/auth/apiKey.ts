/** API keys: one text in a header, in a cookie or in the query. */
import { formatCookiePair, getCookie } from '../../http/cookies.ts'
import { isHeaderName } from '../../http/headerFields.ts'
import { percentEncode } from '../../http/percentEncoding.ts'
import * as authErrors from '../../messages/authErrors.ts'
import * as documentationTexts from '../../messages/documentationTexts.ts'
import { type AuthScheme, type AuthSchemeDefinition, authScheme } from './authScheme.ts'

/** Where a request has an API key. */
interface ApiKeyPlace {
  readonly in: 'header' | 'cookie' | 'query'
  /** The name of the header, the cookie or the query parameter, and of the scheme. */
  readonly name: string
}

type ApiKeyParts = Pick<AuthSchemeDefinition<string>, 'credentials' | 'headers' | 'query'>

/** How a key is read and written, by its place. */
const keyParts: Readonly<Record<ApiKeyPlace['in'], (name: string) => ApiKeyParts>> = {
  header: (name) => {
    const lower = name.toLowerCase()
    return { credentials: (header) => header(lower) || undefined, headers: (key) => ({ [name]: key }) }
  },
  cookie: (name) => ({
    credentials: (header) => getCookie(header('cookie') ?? '', name) || undefined,
    headers: (key) => ({ Cookie: formatCookiePair(name, key) }),
  }),
  query: (name) => ({
    credentials: (_, query) => {
      const [key = '', ...others] = query(name)
      // Two keys are no key: this server and one behind it could each take another.
      return key === '' || others.length > 0 ? undefined : key
    },
    query: (key) => ({ [name]: key }),
  }),
}

/**
 * A key in a header, in a cookie or in the query. The credentials are the key. To use a session, write a key in a cookie.
 *
 * A key in the query is part of the URL, which servers, proxies and browsers log: prefer a header.
 *
 * @throws TypeError for a name that a header or a cookie cannot have.
 * @example
 * ```ts
 * import { apiKey, endpoint, ok, text } from 'lapidary'
 *
 * const session = apiKey<{ readonly name: string }>({ in: 'cookie', name: 'session' })
 * const me = endpoint('GET /me', { auth: session, response: ok(text) })
 * ```
 */
export function apiKey<User>({ in: place, name }: ApiKeyPlace): AuthScheme<User, string> {
  const isName = place === 'query' ? typeof name === 'string' && name !== '' : isHeaderName(name)
  if (!Object.hasOwn(keyParts, place) || !isName) throw new TypeError(authErrors.invalidApiKey(place, name))
  return authScheme({
    name,
    // RFC 9110 (§15.5.2) wants a challenge in every 401, and no registered scheme is a key. This one names the place that the client has to
    // fill, and browsers, which do not know it, open no login window.
    challenge: `ApiKey in="${place}", name="${place === 'query' ? percentEncode(name) : name}"`,
    ...keyParts[place](name),
    description: documentationTexts.apiKeyText(place, name),
    example: 'key',
    openapi: { type: 'apiKey', in: place, name },
  })
}
