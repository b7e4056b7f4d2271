/** Sends an answer of the llhttp adapter: head and body in one write where they are there as a whole, or piece by piece at the reader's pace. */
import { STATUS_CODES } from 'node:http'
import { toErrorContext } from '../../http/errorReport.js'
import { isHeaderName, isHeaderValue } from '../../http/headerFields.js'
import { isReported, maxHeadWait, StartedStream } from '../../http/responseStream.js'
import * as complaint from '../../messages/developerErrors.js'
import { checkContentLength, enforceContentLength } from '../contentLength.js'
import { formatSimpleHead, getDateLine } from '../node/responseHead.js'

const closeTokenPattern = /(?:^|\W)close(?:$|\W)/i
const chunkedTokenPattern = /(?:^|\W)chunked(?:$|\W)/i
function formatUnusualStatusLine(status, reason) {
  if (!Number.isInteger(status) || status < 100 || status > 999) throw new RangeError(complaint.unsendableStatus(status))
  const phrase = reason ?? STATUS_CODES[status] ?? 'unknown'
  if (!isHeaderValue(phrase)) throw new TypeError(complaint.unsendableHeader('the reason'))
  return `HTTP/1.1 ${status} ${phrase}\r\n`
}
const connectionHeaderNames = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])
/** @throws TypeError for a name or a value that would be more than that. */
function readHeaderBlock(headers) {
  const values = new Map()
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]
    const value = headers[index + 1]
    if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(complaint.unsendableHeader(name))
    lines += `${name}: ${value}\r\n`
    const lower = name.toLowerCase()
    if (connectionHeaderNames.has(lower)) values.set(lower, value)
  }
  return { lines, values }
}
/**
 * The head, its empty line included. Tells `incoming` whether its answer goes out in chunks, and whether it is the last of its connection.
 *
 * @throws TypeError, RangeError for what cannot be sent.
 */
export function formatLlhttpHead(incoming, status, reason, headers, framing, closing, keepAlive) {
  // Whether a client that was never told to go on sends its body all the same, nobody knows (RFC 9110 §10.1.1).
  const mayStay = incoming.mayKeepAlive && !incoming.expectsContinue && !closing
  const isRecent = incoming.httpVersion === '1.1'
  if (mayStay && isRecent && reason === undefined && framing !== 'stream') {
    const usual = formatSimpleHead(status, headers, framing === 'none' ? undefined : framing, keepAlive)
    if (usual !== undefined) return usual
  }
  const { lines, values } = readHeaderBlock(headers)
  const connection = values.get('connection')
  const coding = values.get('transfer-encoding')
  const stated = checkContentLength(headers, typeof framing === 'number' ? framing : undefined)
  const isFramed = typeof framing === 'number' || stated !== undefined
  if (framing === 'stream' && !isFramed) incoming.isChunked = coding === undefined ? isRecent : chunkedTokenPattern.test(coding)
  // An older client can stay only where it is told the length.
  incoming.isLast = connection === undefined ? !(mayStay && (isFramed || isRecent)) : closing || closeTokenPattern.test(connection)
  let text = formatUnusualStatusLine(status, reason) + lines
  if (typeof framing === 'number' && stated === undefined) text += `Content-Length: ${framing}\r\n`
  if (!values.has('date')) text += getDateLine()
  if (incoming.isLast && !closeTokenPattern.test(connection ?? '')) text += 'Connection: close\r\n'
  else if (connection === undefined) text += `Connection: keep-alive\r\n${values.has('keep-alive') ? '' : keepAlive}`
  return `${text}${incoming.isChunked && coding === undefined ? 'Transfer-Encoding: chunked\r\n' : ''}\r\n`
}
/** Pieces of more bytes than this are written as they are, without being copied. */
const maxCopiedBytes = 4_096
/** Bytes as text, a character each. */
const toLatin1Text = (bytes) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
/** Writes one piece, behind the head if that is still to be sent. False: the reader is behind. */
function writeBodyChunk({ socket, writer: writing }, head, piece, length, chunked) {
  const before = chunked && length > 0 ? `${head}${length.toString(16)}\r\n` : head
  const after = chunked && length > 0 ? '\r\n' : ''
  // As many bytes as characters: all ASCII, which needs no encoding.
  if (typeof piece === 'string' && piece.length === length) return writing.write(before + piece + after)
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  if (length <= maxCopiedBytes) return writing.write(before + toLatin1Text(bytes) + after)
  writing.write(before)
  writing.flush()
  socket.write(bytes)
  return writing.write(after)
}
/**
 * Writes the pieces as they are made, waiting whenever the reader is slow. The first leaves by itself, at once; the head does without it after a while.
 * A producer that fails, or a reader that leaves, ends both.
 */
async function pumpLlhttpStream(iterator, incoming, sending, head) {
  const { isChunked: chunked, lifetime } = incoming
  const { writer: writing } = sending
  let left = false
  let hasBegun = false
  /** Goes with the first piece, or with the end, or alone. */
  let unsent = head
  const begin = () => {
    writing.write(unsent)
    unsent = ''
  }
  const waiting = iterator instanceof StartedStream ? undefined : setTimeout(begin, maxHeadWait)
  lifetime.startStream()
  incoming.stopStream = () => {
    left = true
    clearTimeout(waiting)
    lifetime.returnIterator(iterator)
  }
  try {
    for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
      lifetime.assertChunk(piece.value, iterator)
      const length = typeof piece.value === 'string' ? Buffer.byteLength(piece.value) : piece.value.byteLength
      incoming.bytesSent += length
      const room = writeBodyChunk(sending, unsent, piece.value, length, chunked)
      unsent = ''
      if (!hasBegun) {
        clearTimeout(waiting)
        hasBegun = length > 0
        writing.flush()
      }
      if (!room) await writing.waitForDrain()
    }
    if (left) return
    incoming.stopStream = undefined
    const rest = chunked ? `${unsent}0\r\n\r\n` : unsent
    if (rest !== '') writing.write(rest)
    writing.flush()
    sending.onResponseWritten(incoming)
  } catch (error) {
    // Without the last chunk the client can tell that something is missing.
    if (left) return
    if (!isReported(error)) incoming.onError(error, toErrorContext(incoming))
    incoming.stopStream = undefined
    sending.abortResponse(incoming)
  }
  clearTimeout(waiting)
  lifetime.endStream()
}
/** Writes head and body: as one text where all of it is Latin-1, since that needs no copy of the body. */
function writeHeadAndBody(socket, head, body, length) {
  if (body.length === length && typeof body === 'string') {
    socket.write(head + body, 'latin1')
    return
  }
  socket.cork()
  socket.write(head, 'latin1')
  if (typeof body === 'string') socket.write(body)
  else socket.write(body)
  socket.uncork()
}
/** Whether an answer ends with its head, whatever that says. One of 205 has no body either, but has to say so (RFC 9110 §15.3.6). */
const isAlwaysBodiless = (status) => status === 204 || status === 304 || status < 200
/** Sends an answer. @throws TypeError, RangeError for one that cannot be sent. */
export function sendLlhttpResponse(outgoing, incoming, sending, saying) {
  const { status, reason, headers, body } = outgoing
  const { socket } = sending
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  // Nobody is there any more.
  if (incoming.outcome !== undefined || !socket.writable) {
    if (body !== null && !isWhole) saying.lifetime.dropStream(body)
    return
  }
  const head = (framing) => {
    const text = formatLlhttpHead(incoming, status, reason, headers, framing, saying.lifetime.isClosing, saying.keepAliveLine)
    incoming.status = status
    return text
  }
  const mute = incoming.method === 'HEAD' || isAlwaysBodiless(status)
  // To HEAD an answer may say how long that to GET would be.
  if (body === null)
    socket.write(head(isAlwaysBodiless(status) || (mute && checkContentLength(headers, undefined) !== undefined) ? 'none' : 0), 'latin1')
  else if (isWhole) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    if (mute) socket.write(head(length), 'latin1')
    else {
      const text = head(length)
      incoming.bytesSent = length
      writeHeadAndBody(socket, text, body, length)
    }
  } else if (mute) {
    socket.write(head('none'), 'latin1')
    saying.lifetime.dropStream(body)
  } else {
    // A body that is none is found out before its head has left.
    const iterator = enforceContentLength(body, headers)[Symbol.asyncIterator]()
    return void pumpLlhttpStream(iterator, incoming, sending, head('stream'))
  }
  sending.onResponseWritten(incoming)
}
// The writing side of a connection of the llhttp adapter: waits for a reader that is behind, and cuts one that takes nothing any more.
/** So much of what is written piece by piece goes out at once, at most, in bytes. */
const maxLlhttpWriteBatch = 16_384
const flushWriter = (writing) => void writing.flush()
export class ConnectionWriter {
  socket
  /** In milliseconds. */
  readerTimeout
  /** Resolves the promise of `drained`. */
  resolveDrain = undefined
  /** Of this turn: Latin-1, a character a byte. */
  unsentText = ''
  constructor(socket, readerTimeout) {
    this.socket = socket
    this.readerTimeout = readerTimeout
    socket.on('drain', () => this.resume())
    socket.on('timeout', () => socket.destroy())
  }
  /** Writes a little, together with what else is written in this turn. False: the reader is behind. */
  write(text) {
    if (this.unsentText === '') process.nextTick(flushWriter, this)
    this.unsentText += text
    if (this.unsentText.length >= maxLlhttpWriteBatch) this.flush()
    return !this.socket.writableNeedDrain
  }
  /** Hands on what has been put so far. */
  flush() {
    const { socket, unsentText: unsent } = this
    this.unsentText = ''
    if (unsent !== '' && socket.writable) socket.write(unsent, 'latin1')
  }
  /** Ends the connection behind what was written. */
  end() {
    this.flush()
    this.socket.setTimeout(this.readerTimeout)
    this.socket.destroySoon()
  }
  /** Calls it when the system has taken everything that was written. */
  onFlushed(then) {
    const { socket } = this
    socket.setTimeout(this.readerTimeout)
    socket.write('', () => {
      socket.setTimeout(0)
      then()
    })
  }
  /** Resolves when there is room for more, or nobody left to send it to. */
  waitForDrain() {
    if (this.socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      this.socket.setTimeout(this.readerTimeout)
      this.resolveDrain = resolve
    })
  }
  /** There is room, or nobody any more. */
  resume() {
    if (this.resolveDrain === undefined) return
    // A producer may be silent for as long as it likes.
    this.socket.setTimeout(0)
    this.resolveDrain()
    this.resolveDrain = undefined
  }
}
