/** `cacheControl(value)`: says who may keep a response, and for how long (RFC 9111). */
import { isMount, operations } from '../contract/api.ts'
import { getCredentialPlace, isAuthOptional, listAuthSchemes } from '../contract/auth/alternatives.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { findHeaderName } from '../contract/endpointParts.ts'
import { isHealthCheck } from '../contract/healthEndpoints.ts'
import { checkFunctions } from '../http/functions.ts'
import { hasHeader, splitHeaderList, vary } from '../http/headerFields.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { memoizeFrozen } from '../http/memoize.ts'
import { andThen } from '../http/promises.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import { hasCookieParameters } from './ambientCredentials.ts'
import type { Middleware } from './compose.ts'
import { checkMiddlewareOptions, refuseHandler } from './options.ts'
import { withTraits } from './order.ts'

/** Which endpoints have another `Cache-Control`. */
export interface CacheControlOptions {
  /**
   * Called at the start, once for each endpoint. Returns its `Cache-Control`, `false` for an endpoint that is left alone, or undefined for the usual one.
   *
   * @default none
   */
  readonly select?: (endpoint: AnyEndpoint) => string | false | undefined
}

/** Directives of responses (RFC 9111 §5.2.2, RFC 5861, RFC 8246), by whether seconds stand after them. */
const directives: Readonly<Record<string, boolean>> = {
  ...{ 'max-age': true, 's-maxage': true, 'stale-while-revalidate': true, 'stale-if-error': true },
  ...{ public: false, private: false, 'no-cache': false, 'no-store': false, 'no-transform': false, immutable: false },
  ...{ 'must-revalidate': false, 'proxy-revalidate': false, 'must-understand': false },
}

/** Directives of which each says the opposite of the other. */
const oppositeDirectives = [
  ['public', 'private'],
  ['public', 'no-store'],
  ['private', 's-maxage'],
  ['no-store', 's-maxage'],
  ['no-store', 'immutable'],
] as const

/** Returns the names of the directives. @throws TypeError for a value that is not valid. */
function parseDirectives(place: string, value: unknown): ReadonlySet<string> {
  const elements = typeof value === 'string' ? splitHeaderList(value) : []
  if (elements.length === 0) throw new TypeError(middlewareErrors.expectedCacheControl(place, value))
  const names = elements.map((element) => {
    const [, name = '', seconds] = /^([a-z-]+)(?:=(\d{1,10}))?$/i.exec(element) ?? []
    const hasSeconds = Object.hasOwn(directives, name.toLowerCase()) ? directives[name.toLowerCase()] : undefined
    if (hasSeconds !== (seconds !== undefined)) throw new TypeError(middlewareErrors.invalidDirective(place, element, hasSeconds))
    return name.toLowerCase()
  })
  const opposites = oppositeDirectives.find((pair) => pair.every((name) => names.includes(name)))
  if (opposites !== undefined) throw new TypeError(middlewareErrors.conflictingDirectives(place, opposites))
  return new Set(names)
}

type HeaderChange = (headers: readonly string[]) => readonly string[]

/** @param personalValue of a response that sets a cookie: a shared cache would give it to other clients */
const createHeaderChange = (value: string, personalValue = value, varyNames: readonly string[] = []): HeaderChange =>
  memoizeFrozen((headers) => {
    const kept = vary(headers, ...varyNames)
    if (hasHeader(headers, 'cache-control')) return kept
    return [...kept, 'Cache-Control', hasHeader(headers, 'set-cookie') ? personalValue : value]
  })

/** The value for one client alone. */
const createPersonalValue = (value: string, names: ReadonlySet<string>): string =>
  names.has('private') || names.has('no-store')
    ? value
    : ['private', ...splitHeaderList(value).filter((element) => !/^(?:public$|s-maxage=)/i.test(element))].join(', ')

/** What the responses of an endpoint get. */
type CachePolicy = (request: HttpRequest) => HeaderChange

/** Compiles the policy of an endpoint. @throws TypeError for a value that is not valid. */
function createPolicy(endpoint: AnyEndpoint, value: string): CachePolicy {
  const { route, auth, responseHeaders } = endpoint
  const names = parseDirectives(`cacheControl(), at ${route}`, value)
  const personalValue = createPersonalValue(value, names)
  const share = createHeaderChange(value, personalValue)
  if (auth === undefined && !hasCookieParameters(endpoint)) return () => share
  const shared = ['public', 's-maxage'].find((name) => names.has(name))
  const hasOwn = findHeaderName([responseHeaders], new Set(['cache-control'])) !== undefined
  if (shared !== undefined && !hasOwn) throw new TypeError(middlewareErrors.sharedCredentials(route, shared))
  const personal = createHeaderChange(personalValue)
  if (auth !== undefined && !isAuthOptional(auth)) return () => personal

  const places = listAuthSchemes(auth).map(({ openapi }) => getCredentialPlace(openapi))
  const isCookieRead = hasCookieParameters(endpoint) || places.some((place) => place?.in === 'cookie')
  const headers = [...(isCookieRead ? ['cookie'] : []), ...places.flatMap((place) => (place?.in === 'header' ? [place.name] : []))]
  // A shared cache would give a client with credentials the response to one without them. Keys in other headers are in `Vary` by the description.
  const varyNames = ['Authorization', 'Cookie'].filter((name) => headers.includes(name.toLowerCase()))
  const sharedChange = createHeaderChange(value, personalValue, varyNames)
  const personalChange = createHeaderChange(personalValue, personalValue, varyNames)
  const isAlwaysPersonal = places.some((place) => place === undefined || place.in === 'query')
  return (request) => (isAlwaysPersonal || headers.some((name) => request.header(name) !== undefined) ? personalChange : sharedChange)
}

const forbidStorage = createHeaderChange('no-store')

/**
 * Adds `Cache-Control` to responses of GET and HEAD that have none: `value` to a success and to 304, `no-store` to an error. An endpoint declares its
 * own by `responseHeaders`. Health checks get `no-store`. Mounts speak for themselves: `serveStatic` has the option `cacheControl`.
 *
 * The description says whose responses depend on credentials, and these get `private` as well. Where credentials or cookies are optional, only the
 * responses to requests that have some get it, and `Vary` keeps the two apart. A response that sets a cookie gets it in place of `public`.
 *
 * @param value directives of RFC 9111, such as `'max-age=60'`. Without `public`, caches may keep a response for all clients as well, if no credentials
 * belong to it. Default: `'no-cache'`, so that a copy is kept and revalidated before each use
 * @throws TypeError for an unknown or malformed directive, for two that say opposite things, and for `public` or `s-maxage` of an endpoint that
 * takes credentials or reads cookies.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { cacheControl } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * declare module 'lapidary' {
 *   interface EndpointMeta {
 *     readonly cacheControl?: string
 *   }
 * }
 * const api = {
 *   news: endpoint('GET /news', { response: ok(text) }),
 *   logo: endpoint('GET /logo', { response: ok(text), meta: { cacheControl: 'public, max-age=86400, immutable' } }),
 * }
 * const middleware = [cacheControl('max-age=60', { select: ({ meta }) => meta?.cacheControl })]
 * const server = serve(api, { news: () => 'News', logo: () => 'Logo' }, { middleware })
 * ```
 */
export function cacheControl(value = 'no-cache', options: CacheControlOptions = {}): Middleware {
  refuseHandler('cacheControl()', value)
  checkMiddlewareOptions('cacheControl()', options, ['select'])
  const { select } = options
  checkFunctions('cacheControl()', { select })
  parseDirectives('cacheControl()', value)
  const middleware: Middleware = (next, { api }) => {
    const policies = new Map<string, CachePolicy>()
    for (const { operation } of operations(api)) {
      if (isMount(operation)) continue
      // A kept answer would say that a process is ready which is not.
      const selected = select?.(operation) ?? (isHealthCheck(operation) ? 'no-store' : value)
      if (operation.method === 'GET' && selected !== false) policies.set(operation.route, createPolicy(operation, selected))
    }
    function addCacheControl(response: HttpResponse, request: HttpRequest): HttpResponse {
      const { status, route, headers } = response
      const policy = policies.get(route ?? '')
      const isSuccess = (status >= 200 && status < 300) || status === 304
      if (isSuccess && policy !== undefined) return { ...response, headers: policy(request)(headers) }
      // A request that matches nothing has no route.
      return status >= 400 && (policy !== undefined || route === undefined) ? { ...response, headers: forbidStorage(headers) } : response
    }
    return (request) =>
      request.method === 'GET' || request.method === 'HEAD'
        ? andThen(next(request), (response) => addCacheControl(response, request))
        : next(request)
  }
  return withTraits('cacheControl', middleware)
}
