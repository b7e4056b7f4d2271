/** `csrf(options)`: refuses requests that a page of another site makes with the credentials of its visitor (cross-site request forgery). */
import { isMount, operations } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { toolkitErrors } from '../http/errors.ts'
import { isSetCookie } from '../http/headerFields.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { readsAmbientCredentials } from './ambientCredentials.ts'
import type { Middleware } from './compose.ts'
import { checkMiddlewareOptions } from './options.ts'
import { withTraits } from './order.ts'
import { checkOrigins } from './origins.ts'

/** Which pages of other origins may make such requests. */
export interface CsrfOptions {
  /** Origins that are allowed, exactly as browsers write them: `['https://app.example.org']`. @default none */
  readonly origins?: readonly string[]
}

/** Methods that change nothing (RFC 9110, §9.2.1; QUERY). */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY'])

/** Whether an endpoint sets a cookie: a page of another site could log its visitor in under another account. */
const setsCookie = ({ responses }: AnyEndpoint): boolean => responses.some(({ headers }) => Object.keys(headers).some(isSetCookie))

/** Whether a browser adds something to a request that the endpoint acts on. */
const actsOnBrowser = (endpoint: AnyEndpoint): boolean => readsAmbientCredentials(endpoint) || setsCookie(endpoint)

/** Whether a request comes from a page of this origin, or from no page. */
function isOfThisOrigin(request: HttpRequest): boolean {
  const site = request.header('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  // Browsers before 2023, and pages without TLS, send the origin alone.
  const origin = request.header('origin')
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === request.header('host')?.toLowerCase()
}

/**
 * Refuses requests that a page of another site makes with the credentials of its visitor: 403. A browser says where a request comes from, by
 * `Sec-Fetch-Site`, and older ones by `Origin`. A request with neither comes from no page, and passes. So there is no token to keep.
 *
 * The description says which endpoints need it: those whose credentials a browser adds by itself (cookies, `basic`), those that read cookies,
 * and those that set one. All others pass, such as those with `bearer`, as do the methods GET, HEAD, OPTIONS and QUERY. So an endpoint with a
 * GET must not change anything. Requests to a mount need it always.
 *
 * Put it after `cors`, so that an allowed page can read the 403.
 *
 * @throws TypeError for an origin that no browser sends.
 * @example
 * ```ts
 * import { apiKey, endpoint, noContent } from 'lapidary'
 * import { csrf } from 'lapidary/middleware'
 * import { authenticate, serve } from 'lapidary/server'
 *
 * const session = apiKey<string>({ in: 'cookie', name: '__Host-session' })
 * const api = { close: endpoint('DELETE /account', { auth: session, response: noContent }) }
 * const server = serve(api, { close: () => {} }, { auth: [authenticate(session, () => undefined)], middleware: [csrf()] })
 * ```
 */
export function csrf(options: CsrfOptions = {}): Middleware {
  checkMiddlewareOptions('csrf()', options, ['origins'])
  const { origins = [] } = options
  checkOrigins('csrf()', origins)
  const allowedOrigins = new Set(origins)
  const middleware: Middleware = (next, { api, findEndpoint }) => {
    /** The endpoints that need no protection. */
    const others = new Set(operations(api).flatMap(({ operation }) => (isMount(operation) || actsOnBrowser(operation) ? [] : operation)))
    return (request) => {
      if (safeMethods.has(request.method) || allowedOrigins.has(request.header('origin') ?? '') || isOfThisOrigin(request))
        return next(request)
      const endpoint = findEndpoint(request)
      if (endpoint !== undefined && others.has(endpoint)) return next(request)
      throw toolkitErrors.forbidden({ detail: problemDetail.crossSite() })
    }
  }
  return withTraits('csrf', middleware)
}
