/** Sends a response on a stream of HTTP/2. */
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import { isHeaderName, isHeaderValue } from '../../http/headerFields.ts'
import { createProblem } from '../../http/httpError.ts'
import type { HttpResponse } from '../../http/httpHandler.ts'
import { assertFinalStatus, isAlwaysBodiless } from '../../http/status.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import { checkBodilessFraming, checkContentLength, checkStreamFraming, enforceContentLength } from '../contentLength.ts'
import type { Lifetime } from '../lifetime.ts'
import type { ProtocolError } from '../protocolErrors.ts'
import { StreamPump } from '../streamPump.ts'
import { BatchedWriter } from './batchedWriter.ts'
import type { Http2Request } from './http2Request.ts'

/** Headers of a connection of HTTP/1.1, which a response over HTTP/2 must not have (RFC 9113 §8.2.2). */
const connectionHeaderNames = new Set(['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'])

/** The objects of frozen header lists. An endpoint has the same list in each response. */
const headerObjectCache = new WeakMap<readonly string[], OutgoingHttpHeaders>()

/** Converts headers to the form of Node. @throws TypeError for a header that cannot be sent. */
function toHeaderObject(headers: readonly string[]): OutgoingHttpHeaders {
  const cached = headerObjectCache.get(headers)
  if (cached !== undefined) return cached
  const object: Record<string, string | string[]> = Object.create(null)
  for (let index = 0; index < headers.length; index += 2) {
    const name = String(headers[index]).toLowerCase()
    const value = headers[index + 1]
    if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(adapterErrors.unsendableHttp2Header(name))
    if (connectionHeaderNames.has(name)) continue
    const known = object[name]
    // Node refuses a second line of many names. A comma joins lines, but not those of cookies (RFC 9110 §5.3).
    if (known === undefined) object[name] = value as string
    else object[name] = name === 'set-cookie' ? [known, value as string].flat() : `${known}, ${value}`
  }
  if (Object.isFrozen(headers)) headerObjectCache.set(headers, object)
  return object
}

/** How many bytes of a whole body are written at once. Two parts wait for the client, so that one that reads nothing is noticed. */
const partSize = 32_768

/**
 * Sends a response.
 *
 * @param unreadLimit how many bytes of a request are read and discarded after its response
 * @throws TypeError, RangeError for a response that cannot be sent
 */
export function sendHttp2Response(response: HttpResponse, request: Http2Request, lifetime: Lifetime, unreadLimit: number): void {
  const { status, headers, body } = response
  const { stream } = request
  // The client has reset the stream, or the server has answered a request that was too slow.
  if (stream.destroyed || stream.closed || request.hasResponse) {
    lifetime.dropUnsentBody(response)
    return
  }
  assertFinalStatus(status)
  const isHead = request.method === 'HEAD'
  if (isAlwaysBodiless(status)) {
    checkBodilessFraming(status, headers)
    sendHead(response, request, undefined, true)
    endResponse(null, request, unreadLimit)
    lifetime.dropUnsentBody(response)
  } else if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' && body.length > partSize ? Buffer.from(body) : body
    const length = bytes === null ? 0 : Buffer.byteLength(bytes)
    const declared = checkContentLength(headers, body === null && isHead ? undefined : length)
    const isEnd = isHead || length === 0
    sendHead(response, request, declared === undefined ? length : undefined, isEnd)
    endResponse(isEnd ? null : bytes, request, unreadLimit)
  } else if (isHead) {
    checkStreamFraming(headers)
    sendHead(response, request, undefined, true)
    endResponse(null, request, unreadLimit)
    lifetime.dropStream(body)
  } else {
    // An invalid body must throw before the head is written.
    const iterator = enforceContentLength(body, headers)[Symbol.asyncIterator]()
    // After the head of the response it would be too late.
    request.sendContinue()
    sendHead(response, request, undefined, false)
    const pump = new StreamPump(iterator, request, new Http2StreamWriter(request, unreadLimit))
    stream.once('close', () => void pump.cancel())
    void pump.run()
  }
}

function sendHead({ status, headers }: HttpResponse, { stream }: Http2Request, length: number | undefined, endStream: boolean): void {
  const head: OutgoingHttpHeaders = { ...toHeaderObject(headers), ':status': status }
  if (length !== undefined) head['content-length'] = length
  stream.respond(head, { endStream })
}

/** Writes a body that is not a stream. */
function endResponse(body: string | Uint8Array | null, request: Http2Request, unreadLimit: number): void {
  const { stream } = request
  request.hasResponse = true
  if (typeof body === 'string') {
    request.bytesSent = Buffer.byteLength(body)
    stream.end(body)
  } else if (body !== null) {
    request.bytesSent = body.byteLength
    writeParts(body, request)
  }
  discardRequest(request, unreadLimit)
}

/** Writes a body in parts, as fast as the client takes them. */
function writeParts(body: Uint8Array, request: Http2Request): void {
  const { stream } = request
  let offset = 0
  const writeNext = (): void => {
    if (offset >= body.byteLength || stream.destroyed) return
    const part = body.subarray(offset, offset + partSize)
    offset += part.byteLength
    request.unwritten = body.byteLength - offset
    if (request.unwritten > 0) stream.write(part, writeNext)
    else stream.end(part)
  }
  writeNext()
  writeNext()
}

/**
 * Reads and discards what the client still sends after its response, so that it can go on sending until it has read it. One that sends more
 * than the limit has to stop (RFC 9113 §8.1); one that never ends its request runs into the timeout of requests.
 */
function discardRequest(request: Http2Request, unreadLimit: number): void {
  const { stream } = request
  if (!request.hasUnreadBody) {
    // What has arrived whole, and was not read, would keep the stream open.
    if (!stream.endAfterHeaders) stream.resume()
    return
  }
  request.endBody()
  if (request.withholdsBody) {
    closeAfterResponse(stream)
    return
  }
  let length = 0
  request.listenToBody((chunk) => {
    length += chunk?.length ?? 0
    if (length > unreadLimit) closeAfterResponse(stream)
  })
}

function closeStream(this: ServerHttp2Stream): void {
  this.close(constants.NGHTTP2_NO_ERROR)
}

/** Ends a stream whose request has not ended. It may be called again. */
export function closeAfterResponse(stream: ServerHttp2Stream): void {
  if (stream.writableFinished) closeStream.call(stream)
  else stream.off('finish', closeStream).once('finish', closeStream)
}

/** Resets a stream whose response cannot be completed. `close` of Node would mark it as complete first. */
export const abortStream = (stream: ServerHttp2Stream): void => void stream.destroy(new Error('The response cannot be completed.'))

/** Rejects a request that breaks the rules of HTTP, or is too slow. */
export function rejectStream(
  { status, detail }: Pick<ProtocolError, 'detail'> & { readonly status: number },
  stream: ServerHttp2Stream,
): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return
  stream.respond({ ':status': status, 'content-type': 'application/problem+json', 'x-content-type-options': 'nosniff' })
  stream.end(JSON.stringify(createProblem(status, { detail })))
  closeAfterResponse(stream)
}

/** How often a failed stream looks whether its client has what was written, in milliseconds. Node has no event for it. */
const sentCheckInterval = 10

/** Writes the chunks of a stream. Each head has left before. */
class Http2StreamWriter extends BatchedWriter {
  private readonly stream: ServerHttp2Stream
  private readonly ownRequest: Http2Request
  private readonly unreadLimit: number
  private hasStarted = false

  constructor(request: Http2Request, unreadLimit: number) {
    super(request, request.stream)
    this.stream = request.stream
    this.ownRequest = request
    this.unreadLimit = unreadLimit
  }

  override write(chunk: string | Uint8Array): Promise<void> | undefined {
    const { stream } = this
    if (chunk.length > 0) {
      this.put(chunk)
      if (!this.hasStarted) this.flushText()
      this.hasStarted = true
    }
    return stream.writableNeedDrain ? this.waitForDrain() : undefined
  }

  override end(): void {
    super.end()
    this.ownRequest.hasResponse = true
    discardRequest(this.ownRequest, this.unreadLimit)
  }

  /** Resets the stream after what was written, so that the client notices that something is missing. */
  override fail(): void {
    this.flushText()
    this.request.isAborted = true
    const { stream } = this
    const closeWhenSent = (): void => {
      if (stream.writableLength > 0 && !stream.destroyed) setTimeout(closeWhenSent, sentCheckInterval)
      else abortStream(stream)
    }
    closeWhenSent()
  }

  /** A client that reads nothing runs into the timeout that its connection checks. */
  private waitForDrain(): Promise<void> {
    return new Promise((resolve) => {
      const { stream } = this
      const settle = (): void => {
        stream.off('drain', settle)
        stream.off('close', settle)
        resolve()
      }
      stream.on('drain', settle)
      stream.on('close', settle)
    })
  }
}
