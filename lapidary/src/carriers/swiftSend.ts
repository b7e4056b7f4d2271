/** Sends an answer of the swift carrier: head and body in one write where they are there as a whole, or piece by piece at the reader's pace. */
import type { Socket } from 'node:net'
import type { Outgoing } from '../server/kernel.ts'
import { incidentOf } from '../server/report.ts'
import { Begun, headWait, isReported } from '../server/stream.ts'
import type { Lifetime } from './lifetime.ts'
import { ofStatedLength, statedLength } from './statedLength.ts'
import { type Framing, headOf } from './swiftHead.ts'
import type { SwiftIncoming } from './swiftIncoming.ts'
import type { SwiftWriting } from './swiftWriting.ts'

/** A connection as an answer needs it. */
export interface Sending {
  readonly socket: Socket
  readonly writing: SwiftWriting
  /** All of the answer has been written. */
  written(incoming: SwiftIncoming): void
  /** No more of it will be: the connection ends behind what was written. */
  cut(incoming: SwiftIncoming): void
}

/** What a server says in every answer. */
export interface Saying {
  /** Of a server that closes clients are asked not to come back on their connections. */
  readonly lifetime: Lifetime
  /** The Keep-Alive line, or nothing. */
  readonly keepAlive: string
}

/** Pieces of more bytes than this are written as they are, without being copied. */
const mostCopied = 4_096

/** Bytes as text, a character each. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Writes one piece, behind the head if that is still to be sent. False: the reader is behind. */
function writePiece({ socket, writing }: Sending, head: string, piece: string | Uint8Array, length: number, chunked: boolean): boolean {
  const before = chunked && length > 0 ? `${head}${length.toString(16)}\r\n` : head
  const after = chunked && length > 0 ? '\r\n' : ''
  // As many bytes as characters: all ASCII, which needs no encoding.
  if (typeof piece === 'string' && piece.length === length) return writing.put(before + piece + after)
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  if (length <= mostCopied) return writing.put(before + latin1(bytes) + after)
  writing.put(before)
  writing.flush()
  socket.write(bytes)
  return writing.put(after)
}

/**
 * Writes the pieces as they are made, waiting whenever the reader is slow. The first leaves by itself, at once; the head does without it after a while.
 * A producer that fails, or a reader that leaves, ends both.
 */
async function pump(iterator: AsyncIterator<string | Uint8Array>, incoming: SwiftIncoming, sending: Sending, head: string): Promise<void> {
  const { chunked, lifetime } = incoming
  const { writing } = sending
  let left = false
  let hasBegun = false
  /** Goes with the first piece, or with the end, or alone. */
  let unsent = head
  const begin = (): void => {
    writing.put(unsent)
    unsent = ''
  }
  const waiting = iterator instanceof Begun ? undefined : setTimeout(begin, headWait)
  lifetime.begins()
  incoming.stop = () => {
    left = true
    clearTimeout(waiting)
    lifetime.leave(iterator)
  }
  try {
    for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
      lifetime.mustBePiece(piece.value, iterator)
      const length = typeof piece.value === 'string' ? Buffer.byteLength(piece.value) : piece.value.byteLength
      incoming.bytes += length
      const room = writePiece(sending, unsent, piece.value, length, chunked)
      unsent = ''
      if (!hasBegun) {
        clearTimeout(waiting)
        hasBegun = length > 0
        writing.flush()
      }
      if (!room) await writing.drained()
    }
    if (left) return
    incoming.stop = undefined
    const rest = chunked ? `${unsent}0\r\n\r\n` : unsent
    if (rest !== '') writing.put(rest)
    writing.flush()
    sending.written(incoming)
  } catch (error) {
    // Without the last chunk the client can tell that something is missing.
    if (left) return
    if (!isReported(error)) incoming.report(error, incidentOf(incoming))
    incoming.stop = undefined
    sending.cut(incoming)
  }
  clearTimeout(waiting)
  lifetime.ends()
}

/** Writes head and body: as one text where all of it is Latin-1, since that needs no copy of the body. */
function writeWhole(socket: Socket, head: string, body: string | Uint8Array, length: number): void {
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
const isSilent = (status: number): boolean => status === 204 || status === 304 || status < 200

/** Sends an answer. @throws TypeError, RangeError for one that cannot be sent. */
export function send(outgoing: Outgoing, incoming: SwiftIncoming, sending: Sending, saying: Saying): void {
  const { status, reason, headers, body } = outgoing
  const { socket } = sending
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  // Nobody is there any more.
  if (incoming.how !== undefined || !socket.writable) {
    if (body !== null && !isWhole) saying.lifetime.drop(body)
    return
  }
  const head = (framing: Framing): string => {
    const text = headOf(incoming, status, reason, headers, framing, saying.lifetime.isClosing, saying.keepAlive)
    incoming.status = status
    return text
  }
  const mute = incoming.method === 'HEAD' || isSilent(status)
  // To HEAD an answer may say how long that to GET would be.
  if (body === null) socket.write(head(isSilent(status) || (mute && statedLength(headers, undefined) !== undefined) ? 'none' : 0), 'latin1')
  else if (isWhole) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    if (mute) socket.write(head(length), 'latin1')
    else {
      const text = head(length)
      incoming.bytes = length
      writeWhole(socket, text, body, length)
    }
  } else if (mute) {
    socket.write(head('none'), 'latin1')
    saying.lifetime.drop(body)
  } else {
    // A body that is none is found out before its head has left.
    const iterator = ofStatedLength(body, headers)[Symbol.asyncIterator]()
    return void pump(iterator, incoming, sending, head('stream'))
  }
  sending.written(incoming)
}
