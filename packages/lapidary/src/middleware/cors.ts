/** `cors(kernel, api)`: lets pages of other origins call an API and read its answers, by what its description says (Fetch §3.2). */
import type { Api } from '../contract/api.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { isPromise } from '../http/promises.ts'
import * as complaint from '../messages/developerErrors.ts'
import { createPathIndex, getExposedHeaders, type PathInfo } from './pathInfo.ts'

/** Who may call, and with what. */
export interface CorsOptions {
  /** The origins whose pages may, exactly as browsers write them: `['https://example.org']`. `*` is every page there is. */
  readonly origins: '*' | readonly string[]
  /** Whether browsers may send cookies, and Basic credentials that they remember. Default: no. */
  readonly credentials?: boolean
  /** For how long a browser may remember a preflight, in seconds. Default: 600. */
  readonly maxAge?: number
  /** Request headers that pages may send besides those of the description, such as one that a kernel around this one reads. */
  readonly allowHeaders?: readonly string[]
  /** Response headers that pages may read besides those of the description. */
  readonly exposeHeaders?: readonly string[]
  /** Whether pages of the public internet may call this server in a private network (Private Network Access). Default: no. */
  readonly privateNetwork?: boolean
}

const getHeaderValue = ({ headers }: HttpResponse, name: string): string | undefined =>
  headers.find((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name)

/** The headers with one `Vary`, which says all that the answer depends on. */
function appendVary(outgoing: HttpResponse, name: string): readonly string[] {
  const own = getHeaderValue(outgoing, 'vary')
  if (own === undefined) return [...outgoing.headers, 'Vary', name]
  const others = outgoing.headers.filter((_, index, all) => all[index - (index % 2)]?.toLowerCase() !== 'vary')
  return [...others, 'Vary', own === '*' ? own : `${own}, ${name}`]
}

/** The methods and headers that a preflight is told. A mount takes whatever is asked for. */
function getPreflightHeaders({ methods, headers }: PathInfo, incoming: HttpRequest, allowed: readonly string[]): readonly string[] {
  const method = incoming.header('access-control-request-method') ?? ''
  return [
    ...['Access-Control-Allow-Methods', methods === 'any' ? method : methods.join(', ')],
    ...['Access-Control-Allow-Headers', [...headers, ...allowed].join(', ')],
  ]
}

/**
 * The same kernel, for pages of other origins as well. A preflight is answered here, before credentials or anything else is looked at: with the
 * methods that its path has, and the request headers that its endpoints declare. Every other answer, a refusal too, gets what lets an allowed
 * page read it, with the response headers that the API declares. An origin that is not allowed is told nothing. Answers that depend on the
 * origin say so (`Vary: Origin`), also to those who sent none.
 *
 * @throws TypeError when credentials are to go with origins that are not named.
 */
export function cors(kernel: HttpHandler, api: Api, options: CorsOptions): HttpHandler {
  const {
    origins,
    credentials = false,
    maxAge = 600,
    allowHeaders: allowed = [],
    exposeHeaders: exposed = [],
    privateNetwork = false,
  } = options
  if (credentials && origins === '*') throw new TypeError(complaint.credentialsWithAnyOrigin())
  const known = new Set(origins)
  const at = createPathIndex(api)
  const sharing = credentials ? ['Access-Control-Allow-Credentials', 'true'] : []
  const readable = ['Access-Control-Expose-Headers', [...new Set([...getExposedHeaders(api), ...exposed])].join(', ')]

  /** What lets this page read an answer; undefined: nothing does. */
  const admission = (origin: string | undefined): readonly string[] | undefined => {
    if (origins === '*') return ['Access-Control-Allow-Origin', '*']
    return origin !== undefined && known.has(origin) ? ['Access-Control-Allow-Origin', origin, ...sharing] : undefined
  }

  function shared(outgoing: HttpResponse, origin: string | undefined): HttpResponse {
    // A mounted Node listener answers by itself: there is nothing to add to.
    if (outgoing.status === 0) return outgoing
    const admitted = admission(origin)
    const headers = origins === '*' ? outgoing.headers : appendVary(outgoing, 'Origin')
    return { ...outgoing, headers: admitted === undefined ? headers : [...headers, ...admitted, ...readable] }
  }

  function preflight(incoming: HttpRequest, found: PathInfo): HttpResponse {
    const admitted = admission(incoming.header('origin'))
    const vary = ['Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers']
    const near = privateNetwork && incoming.header('access-control-request-private-network') === 'true'
    const answer = [
      ...(admitted ?? []),
      ...getPreflightHeaders(found, incoming, allowed),
      ...['Access-Control-Max-Age', `${maxAge}`],
      ...(near ? ['Access-Control-Allow-Private-Network', 'true'] : []),
    ]
    return { status: 204, headers: [...vary, ...found.constantHeaders, ...(admitted === undefined ? [] : answer)], body: null }
  }

  return (incoming) => {
    const origin = incoming.header('origin')
    const isPreflight =
      incoming.method === 'OPTIONS' && origin !== undefined && incoming.header('access-control-request-method') !== undefined
    // A path that the API does not have is refused as ever.
    const found = isPreflight ? at(incoming.target) : undefined
    if (found !== undefined) return preflight(incoming, found)
    const outgoing = kernel(incoming)
    return isPromise(outgoing) ? outgoing.then((late) => shared(late, origin)) : shared(outgoing, origin)
  }
}
