/** Sends an answer over node:http: its head in one call, its body in one write, or piece by piece at the reader's pace. */
import type { ServerResponse } from 'node:http'
import { isNullBodyStatus } from '../describe/status.ts'
import type { HttpResponse } from '../server/kernel.ts'
import type { Lifetime } from './lifetime.ts'
import { formatSimpleHead } from './nodeHead.ts'
import type { NodeHttpRequest } from './nodeIncoming.ts'
import { pumpNodeStream } from './nodePump.ts'
import { endWhenRequestIsRead } from './nodeUnread.ts'
import { checkContentLength, enforceContentLength } from './statedLength.ts'

function writeNodeHead(response: ServerResponse, { status, reason }: HttpResponse, headers: readonly string[]): void {
  // Node's types want a mutable list, but it only reads.
  if (reason === undefined) response.writeHead(status, headers as string[])
  else response.writeHead(status, reason, headers as string[])
}

/** Writes a body that is there as a whole, and ends the answer. */
function writeWholeBody(
  body: string | Uint8Array | null,
  incoming: NodeHttpRequest,
  response: ServerResponse,
  { readerTimeout: idle, unreadLimit: unread }: NodeSendOptions,
): void {
  if (body !== null && incoming.method !== 'HEAD') incoming.bytesSent = body.length
  // As many bytes as characters: all ASCII, which is written without being encoded.
  const encoding = typeof body === 'string' ? 'latin1' : 'utf8'
  // Whether a client that was never told to go on sends its body all the same, nobody knows (RFC 9110 §10.1.1): node closes behind the answer.
  if (!incoming.hasUnreadBody || incoming.withholdsBody) {
    if (body === null) response.end()
    else response.end(body, encoding)
  } else {
    response.cork()
    // An answer to HEAD ignores what is written, and would keep its head until the end.
    if (body === null || incoming.method === 'HEAD') response.flushHeaders()
    else response.write(body, encoding)
    response.uncork()
    endWhenRequestIsRead(incoming, response, unread)
  }
  startReaderTimeout(incoming, response, idle)
}

/** What the system did not take at once waits for the reader; behind another answer on its connection it always does. */
function startReaderTimeout({ request }: NodeHttpRequest, { socket }: ServerResponse, idle: number): void {
  if (socket === null || socket.writableLength > 0) request.socket.setTimeout(idle)
}

/** What node keeps of the head of an answer. Whatever stands there is what it sends; its names have been these since its first years. */
interface HeadInternals {
  _header: string | null
  _headerSent: boolean
  _hasBody: boolean
}

/**
 * Writes a whole answer as one text, head and body together, which takes node one write of the system in place of a list of them.
 *
 * @param text all ASCII
 * @returns false where that cannot be, and nothing has been done
 */
function sendInOneWrite(
  { status, headers }: HttpResponse,
  text: string,
  incoming: NodeHttpRequest,
  response: ServerResponse,
  options: NodeSendOptions,
): boolean {
  const { keepAliveLine: keepAlive, readerTimeout: idle } = options
  if (keepAlive === undefined || !response.shouldKeepAlive || incoming.request.httpVersionMinor !== 1 || incoming.hasUnreadBody)
    return false
  const bodiless = status === 204 || status === 304
  const head = formatSimpleHead(status, headers, bodiless ? undefined : text.length, keepAlive)
  if (head === undefined) return false
  const isSent = !bodiless && incoming.method !== 'HEAD'
  if (isSent) incoming.bytesSent = text.length
  response.statusCode = status
  const headed = response as ServerResponse & HeadInternals
  headed._header = isSent ? head + text : head
  headed._headerSent = false
  headed._hasBody = false
  response.end()
  // All of it is on its way; a response that lives on until it is there need not keep it.
  headed._header = head
  startReaderTimeout(incoming, response, idle)
  return true
}

/** How answers are sent, and what a client may cost that does not keep up. */
export interface NodeSendOptions {
  /** A reader that takes nothing for this long is cut, in milliseconds. */
  readonly readerTimeout: number
  /** So many bytes of a request are read and dropped behind its answer. */
  readonly unreadLimit: number
  readonly lifetime: Lifetime
  /** The Keep-Alive line of the server, or nothing, where answers may be written at once; undefined where node is to write them. */
  readonly keepAliveLine: string | undefined
}

/** Sends an answer; `closing` asks the client not to come back on this connection. */
export function sendNodeResponse(
  outgoing: HttpResponse,
  incoming: NodeHttpRequest,
  response: ServerResponse,
  closing: boolean,
  options: NodeSendOptions,
): void {
  const { status, reason, body } = outgoing
  const length = typeof body === 'string' ? Buffer.byteLength(body) : 0
  // As many bytes as characters: all ASCII.
  const isPlain = body === null || (typeof body === 'string' && body.length === length)
  if (isPlain && !closing && reason === undefined && sendInOneWrite(outgoing, body ?? '', incoming, response, options)) return
  const headers = closing ? [...outgoing.headers, 'Connection', 'close'] : outgoing.headers
  const withLength = (bytes: number): readonly string[] =>
    checkContentLength(headers, bytes) === undefined ? [...headers, 'Content-Length', `${bytes}`] : headers
  if (body === null) {
    const isSilent = incoming.method === 'HEAD' || isNullBodyStatus(status)
    const bare = checkContentLength(headers, isSilent ? undefined : 0) !== undefined || isNullBodyStatus(status)
    writeNodeHead(response, outgoing, bare ? headers : [...headers, 'Content-Length', '0'])
    writeWholeBody(null, incoming, response, options)
  } else if (typeof body === 'string') {
    writeNodeHead(response, outgoing, withLength(length))
    // Of texts beyond ASCII Node would encode the head as well, whose values are Latin-1, so they are given to it as bytes.
    writeWholeBody(isPlain ? body : Buffer.from(body), incoming, response, options)
  } else if (body instanceof Uint8Array) {
    writeNodeHead(response, outgoing, withLength(body.byteLength))
    writeWholeBody(body, incoming, response, options)
  } else if (incoming.method === 'HEAD') {
    writeNodeHead(response, outgoing, headers)
    writeWholeBody(null, incoming, response, options)
    options.lifetime.dropStream(body)
  } else {
    // A body that is none is found out before its head has left.
    const iterator = enforceContentLength(body, headers)[Symbol.asyncIterator]()
    writeNodeHead(response, outgoing, headers)
    void pumpNodeStream(iterator, incoming, response, options.readerTimeout)
  }
}
