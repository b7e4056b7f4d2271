/** Sends a response on node:http: a whole body in one write, a stream at the pace of the client. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { forEachHeader } from '../../http/headerFields.ts'
import type { HttpResponse } from '../../http/httpHandler.ts'
import { assertFinalStatus, isAlwaysBodiless } from '../../http/status.ts'
import {
  checkBodilessFraming,
  checkContentLength,
  checkStreamFraming,
  enforceContentLength,
  removeTransferEncoding,
} from '../contentLength.ts'
import type { Lifetime } from '../lifetime.ts'
import { StreamPump } from '../streamPump.ts'
import { BatchedWriter } from './batchedWriter.ts'
import { endWithText, listenToBody } from './internals.ts'
import type { NodeHttpRequest } from './nodeHttpRequest.ts'
import { startReaderTimeout, whenOnSocket } from './readerTimeout.ts'
import { formatSimpleHead } from './responseHead.ts'

/** How responses are sent, and what a slow client may cost. */
export interface NodeSendOptions {
  /** How long a client may read nothing before it is disconnected, in milliseconds. */
  readonly readerTimeout: number
  /** How many bytes of a request are read and discarded after its response. */
  readonly unreadLimit: number
  readonly lifetime: Lifetime
  /** The server's `Keep-Alive` line, or an empty text; undefined where `internals.ts` must not be used to send. */
  readonly keepAliveLine: string | undefined
}

/**
 * Sends a response.
 *
 * @param isLast whether to end the connection after it
 * @throws TypeError, RangeError for a response that cannot be sent
 */
export function sendNodeResponse(response: HttpResponse, request: NodeHttpRequest, isLast: boolean, options: NodeSendOptions): void {
  const { status, reason, body } = response
  const { serverResponse } = request
  assertFinalStatus(status)
  const length = typeof body === 'string' ? Buffer.byteLength(body) : 0
  // As many bytes as characters means ASCII.
  const isAscii = body === null || (typeof body === 'string' && body.length === length)
  if (isAscii && !isLast && reason === undefined && sendInOneWrite(response, body ?? '', request, options)) return
  const headers = isLast ? [...response.headers, 'Connection', 'close'] : response.headers
  const withLength = (bytes: number): readonly string[] =>
    checkContentLength(headers, bytes) === undefined ? [...headers, 'Content-Length', `${bytes}`] : headers
  if (isAlwaysBodiless(status)) {
    checkBodilessFraming(status, headers)
    writeNodeHead(serverResponse, response, headers)
    writeWholeBody(null, request, options)
    options.lifetime.dropUnsentBody(response)
  } else if (body === null) {
    const hasLength = checkContentLength(headers, request.method === 'HEAD' ? undefined : 0) !== undefined
    writeNodeHead(serverResponse, response, hasLength ? headers : [...headers, 'Content-Length', '0'])
    writeWholeBody(null, request, options)
  } else if (typeof body === 'string') {
    writeNodeHead(serverResponse, response, withLength(length))
    // Node would encode the head like a text beyond ASCII, but header values are Latin-1. So it gets bytes.
    writeWholeBody(isAscii ? body : Buffer.from(body), request, options)
  } else if (body instanceof Uint8Array) {
    writeNodeHead(serverResponse, response, withLength(body.byteLength))
    writeWholeBody(body, request, options)
  } else if (request.method === 'HEAD') {
    checkStreamFraming(headers)
    writeStreamHead(response, headers, request)
    writeWholeBody(null, request, options)
    options.lifetime.dropStream(body)
  } else {
    // An invalid body must throw before the head is written.
    const iterator = enforceContentLength(body, headers)[Symbol.asyncIterator]()
    // The producer may ask for the body after the head, which is too late to call for it.
    request.sendContinue()
    writeStreamHead(response, headers, request)
    pumpNodeStream(iterator, request, options.readerTimeout)
  }
}

/**
 * Sends a simple response as one text, head and body together. Node would make several writes of it.
 *
 * @param body ASCII
 * @returns false where that is not possible; nothing has been sent then
 */
function sendInOneWrite(
  { status, headers }: HttpResponse,
  body: string,
  request: NodeHttpRequest,
  { keepAliveLine, readerTimeout }: NodeSendOptions,
): boolean {
  const { serverResponse } = request
  if (keepAliveLine === undefined || !serverResponse.shouldKeepAlive) return false
  if (request.incomingMessage.httpVersionMinor !== 1 || request.hasUnreadBody) return false
  const isBodyless = isAlwaysBodiless(status)
  const head = formatSimpleHead(status, headers, isBodyless ? undefined : body.length, keepAliveLine)
  if (head === undefined) return false
  const isBodySent = !isBodyless && request.method !== 'HEAD'
  if (isBodySent) request.bytesSent = body.length
  serverResponse.statusCode = status
  request.hasResponse = true
  endWithText(serverResponse, head, isBodySent ? body : '')
  watchReader(serverResponse, readerTimeout)
  return true
}

/** Headers that a server around this one and the response may both have. */
const sharedHeaderNames = new Set(['set-cookie', 'vary'])

/**
 * Sets headers on a response that has some already, of middleware such as Express. `writeHead` would keep only the last line of a name.
 *
 * @throws TypeError for a header that cannot be sent; the response then has the headers that it had
 */
function mergeHeaders(serverResponse: ServerResponse, headers: readonly string[]): void {
  const before = Object.entries(serverResponse.getHeaders())
  try {
    forEachHeader(headers, (name) => sharedHeaderNames.has(name.toLowerCase()) || serverResponse.removeHeader(name))
    forEachHeader(headers, (name, value) => serverResponse.appendHeader(name, value))
  } catch (error) {
    for (const name of serverResponse.getHeaderNames()) serverResponse.removeHeader(name)
    for (const [name, value] of before) serverResponse.setHeader(name, value as string)
    throw error
  }
}

function writeNodeHead(serverResponse: ServerResponse, { status, reason }: HttpResponse, headers: readonly string[]): void {
  if (serverResponse.getHeaderNames().length > 0) {
    mergeHeaders(serverResponse, headers)
    serverResponse.writeHead(status, reason)
    return
  }
  // Node's type is a mutable list, but Node only reads it.
  if (reason === undefined) serverResponse.writeHead(status, headers as string[])
  else serverResponse.writeHead(status, reason, headers as string[])
}

/** Writes the head of a stream. HTTP/1.0 has no chunks, but Node would send them to a client whose `TE` names them. */
function writeStreamHead(response: HttpResponse, headers: readonly string[], { incomingMessage, serverResponse }: NodeHttpRequest): void {
  const hasChunks = incomingMessage.httpVersionMinor === 1
  if (!hasChunks) serverResponse.useChunkedEncodingByDefault = false
  writeNodeHead(serverResponse, response, hasChunks ? headers : removeTransferEncoding(headers))
}

/** Writes a body that is not a stream, and ends the response. */
function writeWholeBody(body: string | Uint8Array | null, request: NodeHttpRequest, { readerTimeout, unreadLimit }: NodeSendOptions): void {
  const { serverResponse } = request
  request.hasResponse = true
  if (body !== null && request.method !== 'HEAD') request.bytesSent = body.length
  // A text is ASCII here, and Node need not encode it.
  const encoding = typeof body === 'string' ? 'latin1' : 'utf8'
  // A client that has not got `100 Continue` may send its body nevertheless (RFC 9110 §10.1.1), so Node closes the connection after the response.
  if (!request.hasUnreadBody || request.withholdsBody) {
    if (body === null) serverResponse.end()
    else serverResponse.end(body, encoding)
  } else {
    serverResponse.cork()
    // A write to a response to HEAD is ignored and would hold back the head.
    if (body === null || request.method === 'HEAD') serverResponse.flushHeaders()
    else serverResponse.write(body, encoding)
    serverResponse.uncork()
    endWhenRequestIsRead(request, unreadLimit)
  }
  watchReader(serverResponse, readerTimeout)
}

/** Starts the timeout of a client, unless the operating system has taken the whole response at once. */
function watchReader(serverResponse: ServerResponse, readerTimeout: number): void {
  const { socket } = serverResponse
  if (socket !== null && socket.writableLength === 0) return
  whenOnSocket(serverResponse, (assigned) => {
    if (assigned.writableLength > 0 && !serverResponse.closed) serverResponse.once('close', startReaderTimeout(assigned, readerTimeout))
  })
}

/**
 * Ends a response, all of which has been written, when its request has been read to the end. Closing a socket with unread bytes resets the
 * connection, and the reset may overtake the response. A client that sends more than `unreadLimit` bytes is disconnected; one that never
 * ends its request runs into the timeout of requests.
 */
function endWhenRequestIsRead(request: NodeHttpRequest, unreadLimit: number): void {
  const { serverResponse } = request
  let length = 0
  request.endBody()
  listenToBody(request.incomingMessage, (chunk) => {
    if (chunk === null) return void serverResponse.end()
    length += chunk.length
    if (length <= unreadLimit) return
    request.isAborted = true
    serverResponse.destroy()
  })
}

/** Sends a stream, whose head is written but not sent. */
function pumpNodeStream(iterator: AsyncIterator<string | Uint8Array>, request: NodeHttpRequest, readerTimeout: number): void {
  const { serverResponse } = request
  const writer = new NodeStreamWriter(request, readerTimeout)
  const pump = new StreamPump(iterator, request, writer)
  // A response that is closed already does not emit `close` again.
  if (serverResponse.destroyed) {
    void pump.cancel()
    return
  }
  serverResponse.once('close', () => void pump.cancel())
  void pump.run()
}

/** Writes the chunks of a stream. The first chunk is sent at once. */
class NodeStreamWriter extends BatchedWriter {
  private readonly serverResponse: ServerResponse
  private readonly readerTimeout: number
  private hasStarted = false

  constructor(request: NodeHttpRequest, readerTimeout: number) {
    super(request, request.serverResponse)
    this.serverResponse = request.serverResponse
    this.readerTimeout = readerTimeout
  }

  writeHead(): void {
    this.serverResponse.flushHeaders()
  }

  override write(chunk: string | Uint8Array): Promise<void> | undefined {
    const { serverResponse } = this
    if (this.hasStarted) this.put(chunk)
    else if (chunk.length === 0) serverResponse.flushHeaders()
    else {
      this.hasStarted = true
      this.put(chunk)
      this.flushText()
      // Node holds back what is written until the end of the turn, which may be far away.
      serverResponse.socket?.uncork()
    }
    return serverResponse.writableNeedDrain ? this.waitForDrain() : undefined
  }

  override fail(): void {
    this.flushText()
    this.request.isAborted = true
    const { serverResponse, readerTimeout } = this
    // The responses in front of it are still sent.
    whenOnSocket(serverResponse, (socket) => endBrokenConnection(socket, readerTimeout))
  }

  /** Resolves when the client has read what was written, or has disconnected. A client that reads nothing runs into its timeout. */
  private waitForDrain(): Promise<void> {
    return new Promise((resolve) => {
      const { serverResponse, readerTimeout } = this
      let stopTimeout: (() => void) | undefined
      let isSettled = false
      const settle = (): void => {
        isSettled = true
        serverResponse.off('drain', settle)
        serverResponse.off('close', settle)
        // The producer may take as long as it likes.
        stopTimeout?.()
        resolve()
      }
      serverResponse.on('drain', settle)
      serverResponse.on('close', settle)
      whenOnSocket(serverResponse, (socket) => {
        if (!isSettled) stopTimeout = startReaderTimeout(socket, readerTimeout)
      })
    })
  }
}

/** Ends a connection without the last chunk of its response, so that the client notices that something is missing. */
function endBrokenConnection(socket: Socket, readerTimeout: number): void {
  // Further requests are read and ignored: closing a socket with unread bytes resets the connection, and the reset may overtake the response.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  socket.once('close', startReaderTimeout(socket, readerTimeout))
  socket.destroySoon()
}
