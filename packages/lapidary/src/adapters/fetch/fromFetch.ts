/** Mounts a web-standard server, which takes a Request and returns a Response. */
import { iterateWebStream } from '../../http/chunks.ts'
import { toolkitErrors } from '../../http/errors.ts'
import { requireFunction } from '../../http/functions.ts'
import { isHost } from '../../http/headerFields.ts'
import type { HttpHandler, HttpRequest } from '../../http/httpHandler.ts'
import { type ByteSize, requireByteSize } from '../../http/limits.ts'
import { percentEncodeByte } from '../../http/percentEncoding.ts'
import { adapterDetail } from '../../messages/problemMessages.ts'
import { toWebHeaders } from './webHeaders.ts'
import { originalTargets } from './webHttpRequest.ts'

/**
 * Whether a header frames a Response on the connection that it came over, which `fetch` has decoded. A 204 has no length (RFC 9110 §8.6),
 * though many servers send one.
 */
const isFramingOf = ({ status }: Response, name: string): boolean =>
  name === 'transfer-encoding' || (status === 204 && name === 'content-length')

/** Methods that a Request of the web may not have (Fetch §2.2.1). */
const forbiddenFetchMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * Creates a handler from a web-standard server such as Hono, to mount it. The adapter reads each request body as a whole, up to
 * `maxBodySize`: a number of bytes, or a size such as `'5 MB'`.
 *
 * The URL of a Request is always in its normal form. If the normal form would change the target or the Host of a request (dot segments,
 * encoded or not, a backslash, a fragment), the response is 400, because middleware before the mount has seen another path. The response to
 * TRACE and CONNECT is 501, because a Request cannot have these methods.
 *
 * @example
 * ```ts
 * import { mount } from 'lapidary'
 * import { fromFetch, serve } from 'lapidary/server'
 *
 * const other = (request: Request): Response => new Response(`You asked for ${request.url}`)
 * serve({ other: mount('/other') }, { other: fromFetch(other) })
 * ```
 */
export function fromFetch(
  fetchHandler: (request: Request) => Response | Promise<Response>,
  { maxBodySize = 1_048_576 }: { readonly maxBodySize?: ByteSize } = {},
): HttpHandler {
  requireFunction('fromFetch(): fetchHandler', fetchHandler)
  const limit = requireByteSize('fromFetch()', 'maxBodySize', maxBodySize)
  return async (request) => {
    const { method, signal } = request
    if (forbiddenFetchMethods.has(method)) throw toolkitErrors.notImplemented({ detail: adapterDetail.noSuchMethod(method) })
    const url = toRequestUrl(request)
    const headers = toWebHeaders(request.rawHeaders)
    const body = method === 'GET' || method === 'HEAD' ? null : ((await request.body(limit)) as Uint8Array<ArrayBuffer>)
    const webRequest = new Request(url, { method, headers, body, signal })
    if (request.originalTarget !== undefined) originalTargets.set(webRequest, request.originalTarget)
    const response = await fetchHandler(webRequest)
    return {
      status: response.status,
      reason: response.statusText || undefined,
      headers: [...response.headers].filter(([name]) => !isFramingOf(response, name)).flat(),
      body: response.body && iterateWebStream(response.body),
    }
  }
}

/** Characters that a URL percent-encodes in its query. Many clients send them as they are, and both forms mean the same. */
const unencodedQueryCharacters = /["'<>]/g

/**
 * The URL for the Request.
 *
 * @throws HttpError 400 where the Request would have another one: middleware in front of the mount has checked the path as it came, and
 * `/public/%2e%2e/admin` becomes `/admin` in a URL
 */
function toRequestUrl(request: HttpRequest): string {
  const { target } = request
  const host = request.header('host') ?? ''
  const queryStart = target.indexOf('?')
  const path = queryStart < 0 ? target : target.slice(0, queryStart)
  const query = queryStart < 0 ? '' : target.slice(queryStart).replace(unencodedQueryCharacters, percentEncodeByte)
  const authority = host === '' ? 'localhost' : host.toLowerCase().replace(/:(?:80)?$/, '')
  // A target that is no path, such as `*`, must not become a part of the authority.
  const url = `http://${authority}${path.startsWith('/') ? path : `/${path}`}${query}`
  if (isHost(host) && !url.includes('#') && URL.canParse(url) && new URL(url).href === url) return url
  throw toolkitErrors.badRequest({ detail: isHost(host) ? adapterDetail.notNormal() : adapterDetail.oneHost() })
}
