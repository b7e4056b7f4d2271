/** Sends a stream over node:http, at the reader's pace. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toErrorContext } from '../server/report.ts'
import { isReported, maxHeadWait, StartedStream } from '../server/stream.ts'
import type { NodeHttpRequest } from './nodeIncoming.ts'

/** Resolves when the reader has taken what was written, or has gone. A reader that takes nothing for so long is cut: node sees to that. */
const waitForDrain = (response: ServerResponse, idle: number): Promise<void> =>
  new Promise((resolve) => {
    const { socket } = response
    const go = (): void => {
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
function endBrokenConnection(socket: Socket, idle: number): void {
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
export async function pumpNodeStream(
  iterator: AsyncIterator<string | Uint8Array>,
  incoming: NodeHttpRequest,
  response: ServerResponse,
  idle: number,
): Promise<void> {
  const { lifetime } = incoming
  // The client may have gone before there was anything to send; then nothing will tell us so any more.
  let left = response.destroyed
  lifetime.startStream()
  if (left) return lifetime.returnIterator(iterator)
  const waiting = iterator instanceof StartedStream ? undefined : setTimeout(() => response.flushHeaders(), maxHeadWait)
  const leave = (): void => {
    if (left) return
    left = true
    clearTimeout(waiting)
    lifetime.returnIterator(iterator)
  }
  response.once('close', leave)

  /** All ASCII. */
  let unsent = ''
  let hasBegun = false
  const flush = (): void => {
    const text = unsent
    unsent = ''
    if (text !== '' && !left) response.write(text, 'latin1')
  }
  const put = (piece: string | Uint8Array): void => {
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
  const begin = (piece: string | Uint8Array): void => {
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
    else response.once('socket', (its: Socket) => process.nextTick(endBrokenConnection, its, idle))
  }
  clearTimeout(waiting)
  response.off('close', leave)
  lifetime.endStream()
}
