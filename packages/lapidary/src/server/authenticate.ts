/** Who may call an endpoint: the checks of auth schemes, looked at before anything else of a request is. */

import type { AuthScheme } from '../contract/auth.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { errors } from '../http/errors.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { isPromise, requireSync } from '../http/promises.ts'
import * as complaint from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'

/**
 * Says whose credentials these are: a user, or undefined where they are wrong. What it throws is answered as anywhere else:
 * `tooManyRequests()`, for one, goes out as 429, and an unexpected error as 500; the door never opens by accident.
 */
export type Verifier<User, Credentials> = (credentials: Credentials, incoming: HttpRequest) => User | undefined | Promise<User | undefined>

/** The function that verifies the credentials of a scheme. */
type SchemeVerifier<Scheme> = Scheme extends AuthScheme<infer User, infer Credentials> ? Verifier<User, Credentials> : never

/** A scheme with the function that verifies its credentials. */
export interface Authenticator {
  // biome-ignore lint/suspicious/noExplicitAny: any scheme is meant
  readonly scheme: AuthScheme<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: what the scheme reads is what its verify takes; check() sees to it
  readonly verify: Verifier<any, any>
}

/** Ties a scheme to its verification: `serve(api, handlers, { auth: [check(people, verify)] })`. */
// The scheme alone says who a user is: inferred from it, a role stays `'admin' | 'guest'` where `verify` writes one of the two.
// biome-ignore lint/suspicious/noExplicitAny: any scheme is meant
export const authenticate = <Scheme extends AuthScheme<any, any>>(scheme: Scheme, verify: SchemeVerifier<Scheme>): Authenticator =>
  Object.freeze({ scheme, verify })

/** The user of a request, or a promise of one. @throws HttpError 401 with the scheme's challenge. */
export type Guard = (incoming: HttpRequest) => unknown

/** Compiles the guard of an endpoint; undefined where it is open. @throws TypeError when its scheme has no check. */
export function createGuard(endpoint: AnyEndpoint, checks: readonly Authenticator[]): Guard | undefined {
  const { auth } = endpoint
  if (auth === undefined) return undefined
  const found = checks.find(({ scheme }) => scheme === auth)
  if (found === undefined) throw new TypeError(complaint.missingAuthenticator(endpoint.route, auth.name))
  const admitted = (user: unknown): unknown => {
    // Plain JavaScript may well say null, or false.
    if (user !== undefined && user !== null && user !== false) return user
    throw errors.unauthorized({ detail: problemDetail.noCredentials(auth.name), headers: { 'WWW-Authenticate': auth.challenge } })
  }
  return (incoming) => {
    const credentials = requireSync(
      auth.credentials((name) => incoming.header(name)),
      `The function "credentials" of the auth scheme "${auth.name}"`,
    )
    if (credentials === undefined) return admitted(undefined)
    const verdict = found.verify(credentials, incoming)
    return isPromise(verdict) ? Promise.resolve(verdict).then(admitted) : admitted(verdict)
  }
}
