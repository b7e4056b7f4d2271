/** Sends an answer of the swift carrier: head and body in one write where they are there as a whole, or piece by piece at the reader's pace. */
import type { Socket } from 'node:net'
import type { HttpResponse } from '../server/kernel.ts'
import { toErrorContext } from '../server/report.ts'
import { isReported, maxHeadWait, StartedStream } from '../server/stream.ts'
import type { Lifetime } from './lifetime.ts'
import { checkContentLength, enforceContentLength } from './statedLength.ts'
import { formatLlhttpHead, type ResponseFraming } from './swiftHead.ts'
import type { LlhttpRequest } from './swiftIncoming.ts'
import type { ConnectionWriter } from './swiftWriting.ts'

/** A connection as an answer needs it. */
export interface ResponseConnection {
  readonly socket: Socket
  readonly writer: ConnectionWriter
  /** All of the answer has been written. */
  onResponseWritten(incoming: LlhttpRequest): void
  /** No more of it will be: the connection ends behind what was written. */
  abortResponse(incoming: LlhttpRequest): void
}

/** What a server says in every answer. */
export interface KeepAliveState {
  /** Of a server that closes clients are asked not to come back on their connections. */
  readonly lifetime: Lifetime
  /** The Keep-Alive line, or nothing. */
  readonly keepAliveLine: string
}

/** Pieces of more bytes than this are written as they are, without being copied. */
const maxCopiedBytes = 4_096

/** Bytes as text, a character each. */
const toLatin1Text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Writes one piece, behind the head if that is still to be sent. False: the reader is behind. */
function writeBodyChunk(
  { socket, writer: writing }: ResponseConnection,
  head: string,
  piece: string | Uint8Array,
  length: number,
  chunked: boolean,
): boolean {
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
async function pumpLlhttpStream(
  iterator: AsyncIterator<string | Uint8Array>,
  incoming: LlhttpRequest,
  sending: ResponseConnection,
  head: string,
): Promise<void> {
  const { isChunked: chunked, lifetime } = incoming
  const { writer: writing } = sending
  let left = false
  let hasBegun = false
  /** Goes with the first piece, or with the end, or alone. */
  let unsent = head
  const begin = (): void => {
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
function writeHeadAndBody(socket: Socket, head: string, body: string | Uint8Array, length: number): void {
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
const isAlwaysBodiless = (status: number): boolean => status === 204 || status === 304 || status < 200

/** Sends an answer. @throws TypeError, RangeError for one that cannot be sent. */
export function sendLlhttpResponse(
  outgoing: HttpResponse,
  incoming: LlhttpRequest,
  sending: ResponseConnection,
  saying: KeepAliveState,
): void {
  const { status, reason, headers, body } = outgoing
  const { socket } = sending
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  // Nobody is there any more.
  if (incoming.outcome !== undefined || !socket.writable) {
    if (body !== null && !isWhole) saying.lifetime.dropStream(body)
    return
  }
  const head = (framing: ResponseFraming): string => {
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
