/** Serves a handler on the web's Request and Response: Deno, workers, and tests without a socket. */

import { encodeUtf8 } from '../../http/encodings.ts'
import { createErrorListener, createInternalErrorResponse, type ErrorListener } from '../../http/errorReport.ts'
import { checkFunctions, requireFunction } from '../../http/functions.ts'
import { isHost } from '../../http/headerFields.ts'
import type { HttpHandler, HttpResponse } from '../../http/httpHandler.ts'
import { isPromise } from '../../http/promises.ts'
import { isResponseStream } from '../../http/responseStream.ts'
import { assertFinalStatus, isAlwaysBodiless, isNullBodyStatus } from '../../http/status.ts'
import { checkBodilessFraming, checkContentLength, checkStreamFraming, enforceContentLength } from '../contentLength.ts'
import { protocolErrors, toProtocolErrorResponse } from '../protocolErrors.ts'
import { toWebHeaders } from './webHeaders.ts'
import { WebHttpRequest } from './webHttpRequest.ts'
import { toWebStream } from './webStream.ts'

/** A web-standard server: takes a Request and resolves to its Response. */
export type FetchHandler = (request: Request) => Promise<Response>

/** How `toFetch` reports errors. */
interface ToFetchOptions {
  /**
   * Called with errors of middleware and of responses that cannot be sent. In both cases the client gets 500.
   *
   * @default console.error
   */
  readonly onError?: ErrorListener
}

/**
 * Creates a web-standard server from a handler.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { serve, toFetch } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * export default { fetch: toFetch(server) }
 * ```
 */
export const toFetch = (handler: HttpHandler, options: ToFetchOptions = {}): FetchHandler => {
  requireFunction('toFetch(): handler', handler)
  checkFunctions('toFetch()', { onError: options.onError })
  const onError = createErrorListener(options.onError)
  const fail = (error: unknown, request: WebHttpRequest): Response =>
    toWebResponse(createInternalErrorResponse(error, request, onError), request)
  return (webRequest) => {
    const request = new WebHttpRequest(webRequest, onError)
    if (!isHost(webRequest.headers.get('host') ?? '')) {
      return Promise.resolve(toWebResponse(toProtocolErrorResponse(protocolErrors.host), request))
    }
    try {
      const result = handler(request)
      if (!isPromise(result)) return Promise.resolve(toWebResponse(result, request))
      return Promise.resolve(result)
        .then((response) => toWebResponse(response, request))
        .catch((error) => fail(error, request))
    } catch (error) {
      return Promise.resolve(fail(error, request))
    }
  }
}

/** @throws TypeError, RangeError for a response that cannot be sent. */
function toWebResponse(response: HttpResponse, request: WebHttpRequest): Response {
  try {
    return buildWebResponse(response, request)
  } catch (error) {
    request.lifetime.dropUnsentBody(response)
    throw error
  }
}

function buildWebResponse({ status, reason, headers: flat, body }: HttpResponse, request: WebHttpRequest): Response {
  assertFinalStatus(status)
  const headers = toWebHeaders(flat)
  // Cloudflare's workers would encode a body that is encoded already.
  const encoding = headers.has('content-encoding') ? { encodeBody: 'manual' } : {}
  const init = { status, headers, ...encoding, ...(reason !== undefined && { statusText: reason }) }
  const isHead = request.method === 'HEAD'
  if (!isResponseStream(body)) {
    const bytes = typeof body === 'string' ? encodeUtf8(body) : body
    if (isAlwaysBodiless(status)) checkBodilessFraming(status, flat)
    else checkContentLength(flat, bytes?.byteLength ?? (isHead ? undefined : 0))
    if (bytes !== null) headers.set('content-length', `${bytes.byteLength}`)
    else if (!isNullBodyStatus(status) && !headers.has('content-length')) headers.set('content-length', '0')
    // No adapter uses shared memory, which a Response would not accept.
    const webResponse = new Response(isHead ? null : (bytes as Uint8Array<ArrayBuffer> | null), init)
    request.setSent(status, bytes)
    return webResponse
  }
  // Headers that cannot be sent must throw before the stream is started.
  const head = new Response(null, init)
  const isBodyless = isHead || isNullBodyStatus(status)
  if (isAlwaysBodiless(status)) checkBodilessFraming(status, flat)
  else checkStreamFraming(flat)
  if (!isBodyless && !request.hasLeft) return new Response(toWebStream(enforceContentLength(body, flat), status, request), init)
  request.lifetime.dropStream(body)
  if (isBodyless) request.setSent(status, null)
  else request.setEnd({ status: 0, bytes: 0, outcome: 'aborted' })
  return head
}
