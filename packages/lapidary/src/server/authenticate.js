/** Who may call an endpoint: the checks of auth schemes, looked at before anything else of a request is. */
import { unauthorized } from '../http/httpError.js'
import { isPromise, requireSync } from '../http/promises.js'
import * as complaint from '../messages/developerErrors.js'
import { problemDetail } from '../messages/problemMessages.js'
/** Ties a scheme to its verification: `serve(api, handlers, { auth: [check(people, verify)] })`. */
// The scheme alone says who a user is: inferred from it, a role stays `'admin' | 'guest'` where `verify` writes one of the two.
// biome-ignore lint/suspicious/noExplicitAny: any scheme is meant
export const authenticate = (scheme, verify) => Object.freeze({ scheme, verify })
/** Compiles the guard of an endpoint; undefined where it is open. @throws TypeError when its scheme has no check. */
export function createGuard(endpoint, checks) {
  const { auth } = endpoint
  if (auth === undefined) return undefined
  const found = checks.find(({ scheme }) => scheme === auth)
  if (found === undefined) throw new TypeError(complaint.missingAuthenticator(endpoint.route, auth.name))
  const admitted = (user) => {
    // Plain JavaScript may well say null, or false.
    if (user !== undefined && user !== null && user !== false) return user
    throw unauthorized({ detail: problemDetail.noCredentials(auth.name), headers: { 'WWW-Authenticate': auth.challenge } })
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
