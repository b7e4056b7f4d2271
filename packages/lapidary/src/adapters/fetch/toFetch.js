/** Carries a kernel on the web's Request and Response: Deno, workers, and tests without a socket. */
import { createErrorListener, createInternalErrorResponse } from '../../http/errorReport.js'
import { isHost } from '../../http/headerFields.js'
import { badRequest, notImplemented } from '../../http/httpError.js'
import { isPromise } from '../../http/promises.js'
import { isNullBodyStatus } from '../../http/status.js'
import { encodeUtf8 } from '../../http/utf8.js'
import * as complaint from '../../messages/developerErrors.js'
import { adapterDetail } from '../../messages/problemMessages.js'
import { checkContentLength, enforceContentLength } from '../contentLength.js'
import { protocolErrors, toProtocolErrorResponse } from '../protocolErrors.js'
import { WebHttpRequest } from './webHttpRequest.js'
import { iterateWebStream, toWebStream } from './webStream.js'

function buildWebResponse({ status, reason, headers: flat, body }, incoming) {
  if (typeof status !== 'number') throw new TypeError(complaint.unsendableStatus(status))
  const headers = new Headers()
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index], flat[index + 1])
  const init = reason === undefined ? { status, headers } : { status, headers, statusText: reason }
  const isHead = incoming.method === 'HEAD'
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    const whole = typeof body === 'string' ? encodeUtf8(body) : body
    checkContentLength(flat, whole?.byteLength ?? (isHead || isNullBodyStatus(status) ? undefined : 0))
    if (whole !== null) headers.set('content-length', `${whole.byteLength}`)
    else if (!isNullBodyStatus(status) && !headers.has('content-length')) headers.set('content-length', '0')
    const response = new Response(isHead ? null : whole, init) // no adapter shares its memory
    incoming.setSent(status, whole)
    return response
  }
  // What cannot be sent is found out before the stream is walked.
  const head = new Response(null, init)
  const isMute = isHead || isNullBodyStatus(status)
  if (!isMute && !incoming.hasLeft) return new Response(toWebStream(enforceContentLength(body, flat), status, incoming), head)
  incoming.lifetime.dropStream(body)
  if (isMute) incoming.setSent(status, null)
  else incoming.setEnd({ status: 0, bytes: 0, outcome: 'left' })
  return head
}
/** @throws TypeError, RangeError for an answer that cannot be sent. */
function toWebResponse(outgoing, incoming) {
  try {
    return buildWebResponse(outgoing, incoming)
  } catch (error) {
    incoming.lifetime.dropUnsentBody(outgoing)
    throw error
  }
}
/** The web-standard face of a kernel: `export default { fetch: fetchOf(kernel) }`. */
export const toFetch = (kernel, options = {}) => {
  const report = createErrorListener(options.onError)
  const fail = (error, incoming) => toWebResponse(createInternalErrorResponse(error, incoming, report), incoming)
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
const percentEncodeCharacter = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
/** No Request of the web may have these (Fetch §2.2.1). */
const forbiddenFetchMethods = new Set(['CONNECT', 'TRACE', 'TRACK'])
/**
 * The URL by which a foreign handler knows a request.
 *
 * @throws HttpError 400 where that of its Request would be another one: what stands before the handler and lets a path pass has seen the path as
 * it came, and `/public/%2e%2e/admin` becomes `/admin` in a URL.
 */
function toRequestUrl(incoming) {
  const { target } = incoming
  const host = incoming.header('host') ?? ''
  const mark = target.indexOf('?')
  const path = mark < 0 ? target : target.slice(0, mark)
  const query = mark < 0 ? '' : target.slice(mark).replace(unencodedQueryCharacters, percentEncodeCharacter)
  const authority = host === '' ? 'localhost' : host.toLowerCase().replace(/:(?:80)?$/, '')
  const url = `http://${authority}${path.startsWith('/') ? path : `/${path}`}${query}`
  if (isHost(host) && !url.includes('#') && URL.canParse(url) && new URL(url).href === url) return url
  throw badRequest({ detail: isHost(host) ? adapterDetail.notNormal() : adapterDetail.oneHost() })
}
/**
 * A foreign web-standard handler as a kernel, to be mounted: `fromFetch(hono.fetch)`. Its request bodies are read whole, up to `bodyLimit` bytes.
 *
 * The URL of a Request is always in its normal form. A request whose target or Host would be changed by that (dot segments, encoded or not, a
 * backslash, a fragment) is answered 400, since what stands before the handler has seen another one; TRACE and CONNECT, which no Request may have, 501.
 */
export const fromFetch =
  (handler, { bodyLimit = 1_048_576 } = {}) =>
  async (incoming) => {
    const { method, signal } = incoming
    if (forbiddenFetchMethods.has(method)) throw notImplemented({ detail: adapterDetail.noSuchMethod(method) })
    const url = toRequestUrl(incoming)
    const headers = new Headers()
    for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
      headers.append(incoming.rawHeaders[index], incoming.rawHeaders[index + 1])
    }
    const body = method === 'GET' || method === 'HEAD' ? null : await incoming.body(bodyLimit)
    const response = await handler(new Request(url, { method, headers, body, signal }))
    return {
      status: response.status,
      reason: response.statusText || undefined,
      headers: [...response.headers].flat(),
      body: response.body && iterateWebStream(response.body),
    }
  }
