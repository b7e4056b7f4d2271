/** Authentication: the server checks the credentials of a request before its headers, its query and its body. */
import {
  formatAlternatives,
  hasCredentialText,
  isAuthOptional,
  listAuthSchemes,
  listCredentialAlternatives,
  type UserOf,
} from '../contract/auth/alternatives.ts'
import type { AnyAuthScheme, AuthAlternatives, AuthRequirement, AuthScheme } from '../contract/auth/authScheme.ts'
import { formatChallenges, formatScopeChallenge } from '../contract/auth/challenges.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { toolkitErrors } from '../http/errors.ts'
import { checkFunctions, requireFunction } from '../http/functions.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { forEachPair } from '../http/percentEncoding.ts'
import { type Awaitable, andThen, requireSync } from '../http/promises.ts'
import * as authErrors from '../messages/authErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { AuthenticationListener } from '../middleware/compose.ts'

/**
 * Returns the user that the credentials belong to, or undefined if they are wrong: then the response is 401. If it throws an error, the
 * server responds as to an error of a handler, for example with 429 for `errors.tooManyRequests()`. For an unexpected error it sends 500,
 * so that no failure lets a request pass. `rawBody` has the bytes of the body, for a check of their signature, if the endpoint declares
 * `rawBody`.
 */
export type Verifier<User, Credentials> = (
  credentials: Credentials,
  request: HttpRequest,
  rawBody?: Uint8Array,
) => User | undefined | Promise<User | undefined>

/** The verifier of a scheme. */
type SchemeVerifier<Scheme> = Scheme extends AuthScheme<infer User, infer Credentials> ? Verifier<User, Credentials> : never

/** How the server learns which scopes a user has. */
interface ScopeOptions<User> {
  /** Returns the scopes of a user; those that no endpoint needs are ignored. */
  readonly scopes: (user: User) => readonly string[]
}

/** The scopes that a scheme knows. */
type ScopeOf<Scheme extends AnyAuthScheme> = Parameters<Scheme['scopes']>[number]

/** The options of `authenticate`: a scheme with scopes needs them. */
type AuthenticateOptions<Scheme extends AnyAuthScheme> = [ScopeOf<Scheme>] extends [never]
  ? readonly []
  : string extends ScopeOf<Scheme>
    ? readonly [options?: Partial<ScopeOptions<UserOf<Scheme>>>]
    : readonly [options: ScopeOptions<UserOf<Scheme>>]

/** An auth scheme with its verifier. */
export interface Authenticator {
  readonly scheme: AnyAuthScheme
  // biome-ignore lint/suspicious/noExplicitAny: the signature of authenticate() has checked that it takes the credentials of the scheme
  readonly verify: Verifier<any, any>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly scopes?: ScopeOptions<any>['scopes'] | undefined
}

/**
 * Connects an auth scheme with the function that verifies its credentials: `serve(api, handlers, { auth: [authenticate(people, verify)]
 * })`.
 *
 * @param verify returns the user, or undefined for wrong credentials
 * @param options for a scheme with scopes: the function that returns the scopes of a user
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
export const authenticate = <Scheme extends AnyAuthScheme>(
  scheme: Scheme,
  verify: SchemeVerifier<Scheme>,
  ...[options]: AuthenticateOptions<Scheme>
): Authenticator => {
  const place = `authenticate("${scheme.name}")`
  requireFunction(`${place}: verify`, verify)
  checkFunctions(place, { scopes: options?.scopes })
  return Object.freeze({ scheme, verify, scopes: options?.scopes })
}

/** Returns the user of a request, or a promise of the user. @throws HttpError 401 with the challenges of the endpoint, 403 for scopes. */
type UserResolver = (request: HttpRequest, rawBody?: Uint8Array) => unknown

/** What a request shows no credentials for. Another alternative may have its own. */
const notShown = Symbol('not shown')

/** The values of a query parameter. In a query that is malformed those before the flaw: the request is then answered 400. */
function readQueryValues({ target }: HttpRequest, name: string): readonly string[] {
  const start = target.indexOf('?')
  const values: string[] = []
  if (start >= 0) forEachPair(target.slice(start + 1), (key, value) => void (key === name && values.push(value ?? '')))
  return values
}

/** Returns the credentials that a request shows for a scheme; undefined without any. */
const readCredentials = (scheme: AnyAuthScheme, request: HttpRequest): unknown =>
  requireSync(
    scheme.credentials(
      (name) => request.header(name),
      (name) => readQueryValues(request, name),
    ),
    `The function "credentials" of the auth scheme "${scheme.name}"`,
  )

/** The schemes by which a request is authenticated, where those that it shows may be others, with wrong credentials. */
const authenticatedSchemes = new WeakMap<HttpRequest, readonly string[]>()

/** Compiles a function that names the schemes by which a request is authenticated: those of the first alternative that it shows. */
export function createSchemeFinder({ auth = [], invalidCredentials }: AnyEndpoint): (request: HttpRequest) => readonly string[] {
  if (invalidCredentials === 'ignore') return (request) => authenticatedSchemes.get(request) ?? []
  const alternatives = listCredentialAlternatives(auth).map((requirements) => requirements.map(({ scheme }) => scheme))
  return (request) => {
    const shown = alternatives.find((schemes) => schemes.every((scheme) => readCredentials(scheme, request) !== undefined))
    return shown?.map(({ name }) => name) ?? []
  }
}

/** One scheme of an alternative. */
interface CompiledRequirement {
  readonly read: (request: HttpRequest) => unknown
  /** The user; `notShown` for wrong credentials that count as none. @throws HttpError 401 for others */
  readonly verify: (credentials: unknown, request: HttpRequest, rawBody: Uint8Array | undefined) => Awaitable<unknown>
  /** @throws HttpError 403; undefined if no scopes are needed. */
  readonly checkScopes: ((user: unknown) => void) | undefined
}

/** Compiles the check of the scopes of a user. @throws TypeError if the authenticator does not say which scopes a user has. */
function createScopeCheck(route: string, requirement: AuthRequirement, getScopes: Authenticator['scopes']): (user: unknown) => void {
  const { scheme, scopes } = requirement
  if (getScopes === undefined) throw new TypeError(authErrors.missingScopes(route, scheme.name))
  const headers = { 'WWW-Authenticate': formatScopeChallenge(requirement) }
  return (user) => {
    const known = requireSync(getScopes(user), `The function "scopes" of the auth scheme "${scheme.name}"`)
    // A text includes parts of its words as well.
    if (!Array.isArray(known)) throw new TypeError(authErrors.invalidUserScopes(scheme.name))
    if (!scopes.every((scope) => known.includes(scope)))
      throw toolkitErrors.forbidden({ detail: problemDetail.missingScopes(scopes), headers })
  }
}

function compileRequirement(
  { route, auth = [], invalidCredentials }: AnyEndpoint,
  requirement: AuthRequirement,
  authenticators: readonly Authenticator[],
  listeners: readonly AuthenticationListener[],
): CompiledRequirement {
  const { scheme, scopes } = requirement
  const authenticator = authenticators.find((candidate) => candidate.scheme === scheme)
  if (authenticator === undefined) throw new TypeError(authErrors.missingAuthenticator(route, scheme.name))
  const reject = createRejection(auth, scheme)
  const requireUser = (user: unknown): unknown => {
    // Plain JavaScript can return null or false.
    if (user !== undefined && user !== null && user !== false) return user
    if (invalidCredentials === 'ignore') return notShown
    throw reject()
  }
  const verify: CompiledRequirement['verify'] = (credentials, request, rawBody) =>
    andThen(authenticator.verify(credentials, request, rawBody), requireUser)
  const tellListeners = (user: unknown, request: HttpRequest, from = 0): Awaitable<unknown> => {
    const listener = user === notShown ? undefined : listeners[from]
    return listener === undefined ? user : andThen(listener(scheme, user, request), () => tellListeners(user, request, from + 1))
  }
  return {
    read: (request) => readCredentials(scheme, request),
    // Middleware has not added its listeners yet.
    verify: (credentials, request, rawBody) =>
      listeners.length === 0
        ? verify(credentials, request, rawBody)
        : andThen(verify(credentials, request, rawBody), (user) => tellListeners(user, request)),
    checkScopes: scopes.length === 0 ? undefined : createScopeCheck(route, requirement, authenticator.scopes),
  }
}

/** Compiles an error 401. @param rejected the scheme whose credentials are wrong; undefined where there are none */
function createRejection(alternatives: AuthAlternatives, rejected?: AnyAuthScheme): () => Error {
  const detail = problemDetail.noCredentials(formatAlternatives(alternatives))
  const headers = { 'WWW-Authenticate': formatChallenges(alternatives, rejected) }
  return () => toolkitErrors.unauthorized({ detail, headers })
}

/** Compiles an alternative: the user, or `notShown`. Of several schemes, it is the list of their users. */
function compileAlternative(requirements: readonly CompiledRequirement[]): UserResolver {
  const [only] = requirements
  if (only !== undefined && requirements.length === 1) {
    const { read, verify, checkScopes } = only
    return (request, rawBody) => {
      const credentials = read(request)
      if (credentials === undefined) return notShown
      const user = verify(credentials, request, rawBody)
      if (checkScopes === undefined) return user
      return andThen(user, (known) => {
        if (known !== notShown) checkScopes(known)
        return known
      })
    }
  }
  return (request, rawBody) => {
    const credentials = requirements.map(({ read }) => read(request))
    if (credentials.includes(undefined)) return notShown
    const verifyFrom = (index: number, users: readonly unknown[]): Awaitable<unknown> => {
      const requirement = requirements[index]
      if (requirement !== undefined)
        return andThen(requirement.verify(credentials[index], request, rawBody), (user) =>
          user === notShown ? notShown : verifyFrom(index + 1, [...users, user]),
        )
      // 403 comes after every 401.
      requirements.forEach(({ checkScopes }, at) => void checkScopes?.(users[at]))
      return users
    }
    return verifyFrom(0, [])
  }
}

/**
 * Compiles the authentication of an endpoint; undefined if it needs no credentials.
 *
 * @throws TypeError if one of its schemes has no authenticator, or one that does not know scopes.
 */
export function createUserResolver(
  endpoint: AnyEndpoint,
  authenticators: readonly Authenticator[],
  listeners: readonly AuthenticationListener[],
): UserResolver | undefined {
  const { auth, invalidCredentials } = endpoint
  if (auth === undefined) return undefined
  const alternatives = listCredentialAlternatives(auth)
  const resolvers = alternatives.map((requirements) =>
    compileAlternative(requirements.map((requirement) => compileRequirement(endpoint, requirement, authenticators, listeners))),
  )
  if (invalidCredentials === 'ignore') return createLenientResolver(alternatives, resolvers)
  const schemes = isAuthOptional(auth) ? listAuthSchemes(auth) : undefined
  const rejectMissing = createRejection(auth)
  return (request, rawBody) => {
    for (const resolve of resolvers) {
      const user = resolve(request, rawBody)
      if (user !== notShown) return user
    }
    // Credentials that cannot be valid are wrong.
    const isAnonymous = schemes?.every(
      (scheme) =>
        !hasCredentialText(
          scheme,
          (name) => request.header(name),
          (name) => readQueryValues(request, name),
        ),
    )
    if (isAnonymous !== true) throw rejectMissing()
    return undefined
  }
}

/** Compiles the authentication of an endpoint that takes wrong credentials as none: the next alternative is tried. */
function createLenientResolver(alternatives: AuthAlternatives, resolvers: readonly UserResolver[]): UserResolver {
  const resolveFrom = (index: number, request: HttpRequest, rawBody: Uint8Array | undefined): unknown => {
    const resolve = resolvers[index]
    if (resolve === undefined) return undefined
    return andThen(resolve(request, rawBody), (user) => {
      if (user === notShown) return resolveFrom(index + 1, request, rawBody)
      authenticatedSchemes.set(request, alternatives[index]?.map(({ scheme }) => scheme.name) ?? [])
      return user
    })
  }
  return (request, rawBody) => resolveFrom(0, request, rawBody)
}
