/** Carries a kernel on the web's Request and Response: Deno, workers, and tests without a socket. */

import { createErrorListener, createInternalErrorResponse, type ErrorListener } from '../../http/errorReport.ts'
import { errors } from '../../http/errors.ts'
import { isHost } from '../../http/headerFields.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../../http/httpHandler.ts'
import { isPromise } from '../../http/promises.ts'
import { isNullBodyStatus } from '../../http/status.ts'
import { encodeUtf8 } from '../../http/utf8.ts'
import * as complaint from '../../messages/developerErrors.ts'
import { adapterDetail } from '../../messages/problemMessages.ts'
import { checkContentLength, enforceContentLength } from '../contentLength.ts'
import { protocolErrors, toProtocolErrorResponse } from '../protocolErrors.ts'
import { WebHttpRequest } from './webHttpRequest.ts'
import { iterateWebStream, toWebStream } from './webStream.ts'

/** A web-standard server: takes a Request, resolves to its Response. */
export type FetchHandler = (request: Request) => Promise<Response>

function buildWebResponse({ status, reason, headers: flat, body }: HttpResponse, incoming: WebHttpRequest): Response {
  if (typeof status !== 'number') throw new TypeError(complaint.unsendableStatus(status))
  const headers = new Headers()
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index] as string, flat[index + 1] as string)
  const init = reason === undefined ? { status, headers } : { status, headers, statusText: reason }
  const isHead = incoming.method === 'HEAD'
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    const whole = typeof body === 'string' ? encodeUtf8(body) : body
    checkContentLength(flat, whole?.byteLength ?? (isHead || isNullBodyStatus(status) ? undefined : 0))
    if (whole !== null) headers.set('content-length', `${whole.byteLength}`)
    else if (!isNullBodyStatus(status) && !headers.has('content-length')) headers.set('content-length', '0')
    const response = new Response(isHead ? null : (whole as Uint8Array<ArrayBuffer> | null), init) // no adapter shares its memory
    incoming.setSent(status, whole)
    return response
  }
  // What cannot be sent is found out before the stream is walked.
  const head = new Response(null, init)
  const isMute = isHead || isNullBodyStatus(status)
  if (!isMute && !incoming.hasLeft) return new Response(toWebStream(enforceContentLength(body, flat), status, incoming), head)
  incoming.lifetime.dropStream(body)
  if (isMute) incoming.setSent(status, null)
  else incoming.setEnd({ status: 0, bytes: 0, outcome: 'aborted' })
  return head
}

/** @throws TypeError, RangeError for an answer that cannot be sent. */
function toWebResponse(outgoing: HttpResponse, incoming: WebHttpRequest): Response {
  try {
    return buildWebResponse(outgoing, incoming)
  } catch (error) {
    incoming.lifetime.dropUnsentBody(outgoing)
    throw error
  }
}

/** How failures outside of any server are told. */
export interface ToFetchOptions {
  /** Told of middleware that throws and of answers that cannot be sent, which are answered 500. Default: `console.error`. */
  readonly onError?: ErrorListener
}

/** The web-standard face of a kernel: `export default { fetch: fetchOf(kernel) }`. */
export const toFetch = (kernel: HttpHandler, options: ToFetchOptions = {}): FetchHandler => {
  const report = createErrorListener(options.onError)
  const fail = (error: unknown, incoming: WebHttpRequest): Response =>
    toWebResponse(createInternalErrorResponse(error, incoming, report), incoming)
  return (request) => {
    const incoming = new WebHttpRequest(request, report)
    if (!isHost(request.headers.get('host') ?? ''))
      return Promise.resolve(toWebResponse(toProtocolErrorResponse(protocolErrors.host), incoming))
    try {
      const outgoing = kernel(incoming)
      if (!isPromise(outgoing)) return Promise.resolve(toWebResponse(outgoing, incoming))
      return Promise.resolve(outgoing)
        .then((late) => toWebResponse(late, incoming))
        .catch((error) => fail(error, incoming))
    } catch (error) {
      return Promise.resolve(fail(error, incoming))
    }
  }
}

/** What a URL holds percent-encoded in its query, and what many clients send there as it is. To whoever reads it, it is the same. */
const unencodedQueryCharacters = /["'<>]/g
const percentEncodeCharacter = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** No Request of the web may have these (Fetch §2.2.1). */
const forbiddenFetchMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])

/**
 * The URL by which a foreign handler knows a request.
 *
 * @throws HttpError 400 where that of its Request would be another one: what stands before the handler and lets a path pass has seen the path as
 * it came, and `/public/%2e%2e/admin` becomes `/admin` in a URL.
 */
function toRequestUrl(incoming: HttpRequest): string {
  const { target } = incoming
  const host = incoming.header('host') ?? ''
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark).replace(unencodedQueryCharacters, percentEncodeCharacter)
  const authority = host === '' ? 'localhost' : host.toLowerCase().replace(/:(?:80)?$/, '')
  const url = `http://${authority}${path.startsWith('/') ? path : `/${path}`}${query}`
  if (isHost(host) && !url.includes('#') && URL.canParse(url) && new URL(url).href === url) return url
  throw errors.badRequest({ detail: isHost(host) ? adapterDetail.notNormal() : adapterDetail.oneHost() })
}

/**
 * A foreign web-standard handler as a kernel, to be mounted: `fromFetch(hono.fetch)`. Its request bodies are read whole, up to `bodyLimit` bytes.
 *
 * The URL of a Request is always in its normal form. A request whose target or Host would be changed by that (dot segments, encoded or not, a
 * backslash, a fragment) is answered 400, since what stands before the handler has seen another one; TRACE and CONNECT, which no Request may have, 501.
 */
export const fromFetch =
  (
    handler: (request: Request) => Response | Promise<Response>,
    { bodyLimit = 1_048_576 }: { readonly bodyLimit?: number } = {},
  ): HttpHandler =>
  async (incoming) => {
    const { method, signal } = incoming
    if (forbiddenFetchMethods.has(method)) throw errors.notImplemented({ detail: adapterDetail.noSuchMethod(method) })
    const url = toRequestUrl(incoming)
    const headers = new Headers()
    for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
      headers.append(incoming.rawHeaders[index] as string, incoming.rawHeaders[index + 1] as string)
    }
    const body = method === 'GET' || method === 'HEAD' ? null : ((await incoming.body(bodyLimit)) as Uint8Array<ArrayBuffer>)
    const response = await handler(new Request(url, { method, headers, body, signal }))
    return {
      status: response.status,
      reason: response.statusText || undefined,
      headers: [...response.headers].flat(),
      body: response.body && iterateWebStream(response.body),
    }
  }
