/** Auth schemes: where a request has its credentials, and how a server asks for them. `authenticate` of `lapidary/server` verifies them. */
import { checkFunctions, requireFunction } from '../../http/functions.ts'
import * as authErrors from '../../messages/authErrors.ts'

/** Who may call an endpoint: what its `auth` takes. The handler gets a `User`. */
export interface Auth<User> {
  readonly '~kind': 'auth'
  /** Types only. */
  readonly '~types'?: { readonly user: User } | undefined
}

/** Returns the value of a request header, by its name in lower case. */
export type HeaderReader = (name: string) => string | undefined

/** Returns the values of a query parameter, decoded, in their order. */
export type QueryParameterReader = (name: string) => readonly string[]

/** The definition of an auth scheme. */
export interface AuthSchemeDefinition<Credentials> {
  /** The name in messages and documentation. */
  readonly name: string
  /** The `WWW-Authenticate` header of a 401: `Basic realm="people"`. */
  readonly challenge: string
  /**
   * Returns the credentials of a request; undefined if the request has no credentials, or none that can be valid. `header` takes names in
   * lower case.
   */
  readonly credentials: (header: HeaderReader, query: QueryParameterReader) => Credentials | undefined
  /** Returns the request headers with these credentials, for clients. Without `headers` and `query`, only servers can use the scheme. */
  readonly headers?: (credentials: Credentials) => Readonly<Record<string, string>>
  /** Returns the query parameters with these credentials, for clients. */
  readonly query?: (credentials: Credentials) => Readonly<Record<string, string>>
  /**
   * For credentials that are a signature of the body: returns the id of what is sent, which is the same if the sender sends it again. Then
   * the handler runs once, and a further request with the same id gets the first response of success. An endpoint with such a scheme needs
   * `rawBody: true`.
   *
   * @default each request is one of its own
   */
  readonly requestId?: (header: HeaderReader) => string | undefined
  /** One sentence for documentation: how credentials are written. */
  readonly description?: string
  /** Invented credentials to show in documentation. */
  readonly example?: Credentials
  /** The OpenAPI security scheme. */
  readonly openapi: Readonly<Record<string, unknown>>
}

/** An auth scheme: verified `Credentials` give a `User`, who may have scopes. */
export interface AuthScheme<User, Credentials, Scope extends string = never> extends Auth<User>, AuthSchemeDefinition<Credentials> {
  /**
   * The same scheme, for users who have all of these scopes. Others get 403.
   *
   * @throws TypeError for a scope that RFC 6749 (§3.3) does not allow.
   */
  readonly scopes: (...scopes: readonly [Scope, ...Scope[]]) => Auth<User>
}

/** An auth scheme of any types. */
// biome-ignore lint/suspicious/noExplicitAny: credentials are the argument of `headers`, so only `any` accepts every scheme
export type AnyAuthScheme = AuthScheme<any, any>

/** One scheme of an alternative, and the scopes that its user needs. */
export interface AuthRequirement {
  readonly scheme: AnyAuthScheme
  readonly scopes: readonly string[]
}

/**
 * The alternatives of an endpoint, as the security requirements of OpenAPI: a request needs one of them, and all requirements of it. One
 * without requirements is the last, and means that a request needs no credentials.
 */
export type AuthAlternatives = readonly (readonly AuthRequirement[])[]

/** What becomes of a request whose credentials are wrong, where credentials are optional: it gets 401, or is served as one without any. */
export type InvalidCredentials = 'reject' | 'ignore'

/** Several schemes, or one with scopes. */
export interface CombinedAuth<User> extends Auth<User> {
  readonly alternatives: AuthAlternatives
  readonly invalid: InvalidCredentials
}

export const createCombinedAuth = <User>(alternatives: AuthAlternatives, invalid: InvalidCredentials = 'reject'): CombinedAuth<User> =>
  Object.freeze({ '~kind': 'auth', alternatives, invalid })

/** A scope of OAuth 2.0 (RFC 6749 §3.3): no space, quote or backslash. */
const scopePattern = /^[!#-[\]-~]+$/

/**
 * Makes an auth scheme, for example for a signature, or for credentials in a special header.
 *
 * @example
 * ```ts
 * import { authScheme, endpoint, ok, text } from 'lapidary'
 *
 * const signatures = authScheme<{ readonly name: string }, string>({
 *   name: 'signatures',
 *   challenge: 'Signature realm="signatures"',
 *   credentials: (header) => header('x-signature'),
 *   headers: (signature) => ({ 'X-Signature': signature }),
 *   openapi: { type: 'apiKey', in: 'header', name: 'X-Signature' },
 * })
 * const me = endpoint('GET /me', { auth: signatures, response: ok(text) })
 * ```
 */
export function authScheme<User, Credentials, Scope extends string = never>(
  definition: AuthSchemeDefinition<Credentials>,
): AuthScheme<User, Credentials, Scope> {
  const { name, credentials, headers, query, requestId } = definition
  requireFunction(`authScheme("${name}"): credentials`, credentials)
  checkFunctions(`authScheme("${name}")`, { headers, query, requestId })
  const scheme: AuthScheme<User, Credentials, Scope> = Object.freeze({
    ...definition,
    '~kind': 'auth' as const,
    scopes: (...scopes: readonly [Scope, ...Scope[]]) => {
      const wrong = scopes.find((scope) => !scopePattern.test(scope))
      if (wrong !== undefined || scopes.length === 0) throw new TypeError(authErrors.invalidScope(name, wrong))
      return createCombinedAuth<User>([[{ scheme, scopes: Object.freeze([...new Set(scopes)]) }]])
    },
  })
  return scheme
}
