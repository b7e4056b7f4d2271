/** Sends an answer over node:http: its head in one call, its body in one write, or piece by piece at the reader's pace. */
import { toErrorContext } from '../../http/errorReport.js'
import { isReported, maxHeadWait, StartedStream } from '../../http/responseStream.js'
import { isNullBodyStatus } from '../../http/status.js'
import { checkContentLength, enforceContentLength } from '../contentLength.js'
import { listenToBody } from './internals.js'
import { formatSimpleHead } from './responseHead.js'

// Sends a stream over node:http, at the reader's pace.
/** Resolves when the reader has taken what was written, or has gone. A reader that takes nothing for so long is cut: node sees to that. */
const waitForDrain = (response, idle) =>
  new Promise((resolve) => {
    const { socket } = response
    const go = () => {
      response.off('drain', go)
      response.off('close', go)
      // A producer may be silent for as long as it likes.
      socket?.setTimeout(0)
      resolve()
    }
    socket?.setTimeout(idle)
    response.on('drain', go)
    response.on('close', go)
  })
/** Ends a connection behind what was written, without the last chunk, by which the client can tell that something is missing. */
function endBrokenConnection(socket, idle) {
  // No more of it is answered. Unread it would reset the connection, and the reset may overtake what was written.
  socket.removeAllListeners('data')
  socket.on('data', () => {})
  socket.resume()
  socket.setTimeout(idle)
  socket.destroySoon()
}
/** Texts of more characters than this are not kept for those that follow. */
const maxNodeWriteBatch = 16_384
/**
 * Writes the pieces as they are made, waiting whenever the reader is slow. The first leaves by itself, at once; the head does without it after a while.
 * Small texts that are made in one go are written in one: node would write the size of each, and the line behind it, apart. Nothing waits for longer
 * than until the producer does. A producer that fails, or a reader that leaves, ends both.
 */
export async function pumpNodeStream(iterator, incoming, response, idle) {
  const { lifetime } = incoming
  // The client may have gone before there was anything to send; then nothing will tell us so any more.
  let left = response.destroyed
  lifetime.startStream()
  if (left) return lifetime.returnIterator(iterator)
  const waiting = iterator instanceof StartedStream ? undefined : setTimeout(() => response.flushHeaders(), maxHeadWait)
  const leave = () => {
    if (left) return
    left = true
    clearTimeout(waiting)
    lifetime.returnIterator(iterator)
  }
  response.once('close', leave)
  /** All ASCII. */
  let unsent = ''
  let hasBegun = false
  const flush = () => {
    const text = unsent
    unsent = ''
    if (text !== '' && !left) response.write(text, 'latin1')
  }
  const put = (piece) => {
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
    incoming.bytesSent += length
    if (typeof piece === 'string' && piece.length === length) {
      if (unsent === '') process.nextTick(flush)
      unsent += piece
      if (unsent.length >= maxNodeWriteBatch) flush()
      return
    }
    flush()
    // With a text beyond ASCII node would encode the head as well, whose values are Latin-1.
    response.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
  }
  /** Node keeps what is written until there is nothing else to do; a producer may do much before it waits. */
  const begin = (piece) => {
    clearTimeout(waiting)
    if (piece.length === 0) response.flushHeaders()
    else {
      hasBegun = true
      put(piece)
      flush()
      response.socket?.uncork()
    }
  }
  try {
    for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
      lifetime.assertChunk(piece.value, iterator)
      if (hasBegun) put(piece.value)
      else begin(piece.value)
      if (response.writableNeedDrain) await waitForDrain(response, idle)
    }
    if (left) return
    flush()
    response.end()
  } catch (error) {
    if (left) return
    if (!isReported(error)) incoming.onError(error, toErrorContext(incoming))
    flush()
    incoming.isAborted = true
    const { socket } = response
    if (socket !== null) endBrokenConnection(socket, idle)
    // Others are still answered before it on its connection. What was written is handed on behind this event.
    else response.once('socket', (its) => process.nextTick(endBrokenConnection, its, idle))
  }
  clearTimeout(waiting)
  response.off('close', leave)
  lifetime.endStream()
}
// What is left of a request when its answer is made: read and dropped, so that a client which still sends gets to read the answer, up to a limit.
/**
 * Ends an answer, of which all has been written, when its request has been read to the end. Closing earlier would reset a connection on which
 * there are unread bytes, and the reset may overtake the answer. Who sends more than `most` bytes further is cut; so is, by the time-out of
 * requests, who never comes to an end.
 */
export function endWhenRequestIsRead(incoming, response, most) {
  let length = 0
  listenToBody(incoming.request, (chunk) => {
    if (chunk === null) return void response.end()
    length += chunk.length
    if (length <= most) return
    incoming.isAborted = true
    response.destroy()
  })
}
function writeNodeHead(response, { status, reason }, headers) {
  // Node's types want a mutable list, but it only reads.
  if (reason === undefined) response.writeHead(status, headers)
  else response.writeHead(status, reason, headers)
}
/** Writes a body that is there as a whole, and ends the answer. */
function writeWholeBody(body, incoming, response, { readerTimeout: idle, unreadLimit: unread }) {
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
function startReaderTimeout({ request }, { socket }, idle) {
  if (socket === null || socket.writableLength > 0) request.socket.setTimeout(idle)
}
/**
 * Writes a whole answer as one text, head and body together, which takes node one write of the system in place of a list of them.
 *
 * @param text all ASCII
 * @returns false where that cannot be, and nothing has been done
 */
function sendInOneWrite({ status, headers }, text, incoming, response, options) {
  const { keepAliveLine: keepAlive, readerTimeout: idle } = options
  if (keepAlive === undefined || !response.shouldKeepAlive || incoming.request.httpVersionMinor !== 1 || incoming.hasUnreadBody)
    return false
  const bodiless = status === 204 || status === 304
  const head = formatSimpleHead(status, headers, bodiless ? undefined : text.length, keepAlive)
  if (head === undefined) return false
  const isSent = !bodiless && incoming.method !== 'HEAD'
  if (isSent) incoming.bytesSent = text.length
  response.statusCode = status
  const headed = response
  headed._header = isSent ? head + text : head
  headed._headerSent = false
  headed._hasBody = false
  response.end()
  // All of it is on its way; a response that lives on until it is there need not keep it.
  headed._header = head
  startReaderTimeout(incoming, response, idle)
  return true
}
/** Sends an answer; `closing` asks the client not to come back on this connection. */
export function sendNodeResponse(outgoing, incoming, response, closing, options) {
  const { status, reason, body } = outgoing
  const length = typeof body === 'string' ? Buffer.byteLength(body) : 0
  // As many bytes as characters: all ASCII.
  const isPlain = body === null || (typeof body === 'string' && body.length === length)
  if (isPlain && !closing && reason === undefined && sendInOneWrite(outgoing, body ?? '', incoming, response, options)) return
  const headers = closing ? [...outgoing.headers, 'Connection', 'close'] : outgoing.headers
  const withLength = (bytes) => (checkContentLength(headers, bytes) === undefined ? [...headers, 'Content-Length', `${bytes}`] : headers)
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
