/** Authentication: the server checks the credentials of a request before anything else in it. */
import type { AuthScheme } from '../contract/auth.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import type { AnyAuthScheme } from '../contract/endpointTypes.ts'
import { errors } from '../http/errors.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { andThen, requireSync } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'

/**
 * Returns the user that the credentials belong to, or undefined if they are wrong: then the response is 401. An error that it throws is
 * answered like one of a handler, for example 429 for `errors.tooManyRequests()`; an unexpected one is answered 500, so that no failure
 * lets a request pass.
 */
export type Verifier<User, Credentials> = (credentials: Credentials, request: HttpRequest) => User | undefined | Promise<User | undefined>

/** The verifier of a scheme. */
type SchemeVerifier<Scheme> = Scheme extends AuthScheme<infer User, infer Credentials> ? Verifier<User, Credentials> : never

/** An auth scheme with its verifier. */
export interface Authenticator {
  readonly scheme: AnyAuthScheme
  // biome-ignore lint/suspicious/noExplicitAny: the signature of authenticate() has checked that it takes the credentials of the scheme
  readonly verify: Verifier<any, any>
}

/**
 * Ties an auth scheme to the function that verifies its credentials: `serve(api, handlers, { auth: [authenticate(people, verify)] })`.
 *
 * @param verify returns the user, or undefined for wrong credentials
 * @example
 * ```ts
 * import { basic } from 'lapidary'
 * import { authenticate } from 'lapidary/server'
 *
 * interface Person {
 *   readonly name: string
 * }
 * const people = basic<Person>('people')
 * const authenticator = authenticate(people, ({ username, password }) =>
 *   username === 'ann' && password === 'secret' ? { name: 'Ann' } : undefined,
 * )
 * ```
 */
// Only the scheme says what a user is: its role stays `'admin' | 'guest'` even if `verify` returns just one of them.
export const authenticate = <Scheme extends AnyAuthScheme>(scheme: Scheme, verify: SchemeVerifier<Scheme>): Authenticator =>
  Object.freeze({ scheme, verify })

/** Returns the user of a request, or a promise of the user. @throws HttpError 401 with the challenge of the scheme. */
export type UserResolver = (request: HttpRequest) => unknown

/**
 * Compiles the authentication of an endpoint; undefined if it needs no credentials.
 *
 * @throws TypeError if its scheme has no authenticator.
 */
export function createUserResolver(endpoint: AnyEndpoint, authenticators: readonly Authenticator[]): UserResolver | undefined {
  const { auth: scheme } = endpoint
  if (scheme === undefined) return undefined
  const authenticator = authenticators.find((candidate) => candidate.scheme === scheme)
  if (authenticator === undefined) throw new TypeError(developerErrors.missingAuthenticator(endpoint.route, scheme.name))
  const requireUser = (user: unknown): unknown => {
    // Plain JavaScript can return null or false.
    if (user !== undefined && user !== null && user !== false) return user
    throw errors.unauthorized({ detail: problemDetail.noCredentials(scheme.name), headers: { 'WWW-Authenticate': scheme.challenge } })
  }
  return (request) => {
    const credentials = requireSync(
      scheme.credentials((name) => request.header(name)),
      `The function "credentials" of the auth scheme "${scheme.name}"`,
    )
    if (credentials === undefined) return requireUser(undefined)
    return andThen(authenticator.verify(credentials, request), requireUser)
  }
}
