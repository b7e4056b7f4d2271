/** `cors(options)`: lets pages of other origins call an API and read its responses, as its description allows (Fetch §3.2). */
import { dedupeNames, isHeaderName, vary } from '../http/headerFields.ts'
import { type HttpRequest, type HttpResponse, isAlreadySent } from '../http/httpHandler.ts'
import { requireInteger } from '../http/limits.ts'
import { andThen } from '../http/promises.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import { listExposedHeaders, type Middleware } from './compose.ts'
import { checkMiddlewareOptions } from './options.ts'
import { withTraits } from './order.ts'
import { checkOrigins } from './origins.ts'
import { createPathIndex, getExposedHeaders, type PathInfo } from './pathInfo.ts'

/** Which pages may call the API, and which headers they may send and read. */
export interface CorsOptions {
  /** The allowed origins, exactly as browsers write them: `['https://example.org']`; `*` for every page. */
  readonly origins: '*' | readonly string[]
  /** Whether browsers may send cookies, and the Basic credentials that they remember. @default false */
  readonly credentials?: boolean
  /** How long a browser may remember a preflight, in seconds. @default 600 */
  readonly maxAge?: number
  /** Request headers that pages may send besides those of the description, for example one that other middleware reads. @default none */
  readonly allowHeaders?: readonly string[]
  /** Response headers that pages may read besides those of the description. @default none */
  readonly exposeHeaders?: readonly string[]
  /** Whether pages of the public internet may call this server in a private network (Private Network Access). @default false */
  readonly privateNetwork?: boolean
}

const corsOptionNames = ['origins', 'credentials', 'maxAge', 'allowHeaders', 'exposeHeaders', 'privateNetwork']

/** @throws TypeError for options that would allow nothing, or could not be sent. */
function checkCorsOptions({ origins, maxAge = 0, allowHeaders = [], exposeHeaders = [] }: CorsOptions): void {
  if (origins !== '*') checkOrigins('cors()', origins, 'To allow every page, write origins: "*".')
  // Browsers take -1 for a preflight that they do not remember.
  requireInteger('cors(): maxAge', maxAge, -1)
  for (const [option, names] of Object.entries({ allowHeaders, exposeHeaders }))
    for (const name of names) if (!isHeaderName(name)) throw new TypeError(middlewareErrors.unsendableHeaderName(`cors(): ${option}`, name))
}

/** Returns the headers that allow a preflight its method and headers. A mount allows every method. */
function getPreflightHeaders({ methods, headers }: PathInfo, request: HttpRequest, allowHeaders: readonly string[]): readonly string[] {
  const method = request.header('access-control-request-method') ?? ''
  return [
    ...['Access-Control-Allow-Methods', methods === 'any' ? method : methods.join(', ')],
    ...['Access-Control-Allow-Headers', dedupeNames([...headers, ...allowHeaders]).join(', ')],
  ]
}

/**
 * Lets pages of other origins call an API, and read its responses.
 *
 * A preflight is answered before credentials or anything else is checked: with the methods of its path, and the request headers that its
 * endpoints declare. Every other response, an error too, gets the headers that let an allowed page read it, and that let the page read the
 * response headers of the API. An origin that is not allowed gets no such headers. A response that depends on the origin has `Vary:
 * Origin`, also for a request without one.
 *
 * Put it before middleware that sends responses which pages must read, such as `timeout`.
 *
 * @throws TypeError for `credentials` together with all origins, and for an origin that no browser sends.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { cors } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [cors({ origins: ['https://example.org'] })] })
 * ```
 */
export function cors(options: CorsOptions): Middleware {
  checkMiddlewareOptions('cors()', options, corsOptionNames)
  const { origins, credentials = false, maxAge = 600, allowHeaders = [], exposeHeaders = [], privateNetwork = false } = options
  checkCorsOptions(options)
  if (credentials && origins === '*') throw new TypeError(middlewareErrors.credentialsWithAnyOrigin())
  const allowedOrigins = new Set(origins)
  const credentialsHeaders = credentials ? ['Access-Control-Allow-Credentials', 'true'] : []

  /** Returns the headers by which a page can read the response; undefined for an origin that is not allowed. */
  const getOriginHeaders = (origin: string | undefined): readonly string[] | undefined => {
    if (origins === '*') return ['Access-Control-Allow-Origin', '*']
    return origin !== undefined && allowedOrigins.has(origin) ? ['Access-Control-Allow-Origin', origin, ...credentialsHeaders] : undefined
  }

  function addOriginHeaders(response: HttpResponse, origin: string | undefined, exposedHeaders: readonly string[]): HttpResponse {
    if (isAlreadySent(response)) return response
    const originHeaders = getOriginHeaders(origin)
    const headers = origins === '*' ? response.headers : vary(response.headers, 'Origin')
    return { ...response, headers: originHeaders === undefined ? headers : [...headers, ...originHeaders, ...exposedHeaders] }
  }

  function createPreflightResponse(request: HttpRequest, pathInfo: PathInfo): HttpResponse {
    const originHeaders = getOriginHeaders(request.header('origin'))
    const headers = ['Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers', ...pathInfo.responseHeaders]
    if (originHeaders === undefined) return { status: 204, headers, body: null }
    const isPrivateNetwork = privateNetwork && request.header('access-control-request-private-network') === 'true'
    headers.push(
      ...originHeaders,
      ...getPreflightHeaders(pathInfo, request, allowHeaders),
      ...['Access-Control-Max-Age', `${maxAge}`],
      ...(isPrivateNetwork ? ['Access-Control-Allow-Private-Network', 'true'] : []),
    )
    return { status: 204, headers, body: null }
  }

  const middleware: Middleware = (next, context) => {
    const { api } = context
    const findPathInfo = createPathIndex(api)
    const exposed = dedupeNames([...exposeHeaders, ...getExposedHeaders(api), ...listExposedHeaders(context)])
    const exposedHeaders = ['Access-Control-Expose-Headers', exposed.join(', ')]
    return (request) => {
      const origin = request.header('origin')
      const isPreflight =
        request.method === 'OPTIONS' && origin !== undefined && request.header('access-control-request-method') !== undefined
      // A preflight of an unknown path is answered like any other request for it.
      const pathInfo = isPreflight ? findPathInfo(request.target) : undefined
      if (pathInfo !== undefined) return createPreflightResponse(request, pathInfo)
      return andThen(next(request), (response) => addOriginHeaders(response, origin, exposedHeaders))
    }
  }
  return withTraits('cors', middleware)
}
