/** Sends a stream over node:http, at the reader's pace. */
import type { ServerResponse } from 'node:http'
import { incidentOf } from '../server/report.ts'
import { isReported, release } from '../server/stream.ts'
import type { NodeIncoming } from './nodeIncoming.ts'

/** Resolves when the reader has taken what was written, or has gone. A reader that takes nothing for so long is cut: node sees to that. */
const drained = (response: ServerResponse, idle: number): Promise<void> =>
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

/** Texts of more characters than this are not kept for those that follow. */
const together = 16_384

/**
 * Writes the pieces as they are made, waiting whenever the reader is slow. Small texts that are made in one go are written in one: node would write the
 * size of each, and the line behind it, apart. Nothing waits for longer than until the producer does. A producer that fails, or a reader that leaves,
 * ends both.
 */
export async function pump(
  iterator: AsyncIterator<string | Uint8Array>,
  incoming: NodeIncoming,
  response: ServerResponse,
  idle: number,
): Promise<void> {
  // The client may have gone before there was anything to send; then nothing will tell us so any more.
  let left = response.destroyed
  const leave = (): void => {
    left = true
    // A producer that waits is told at once; what it says to that is nobody's business any more.
    release(iterator)
  }
  if (left) return leave()
  response.once('close', leave)

  /** All ASCII. */
  let unsent = ''
  const flush = (): void => {
    const text = unsent
    unsent = ''
    if (text !== '' && !left) response.write(text, 'latin1')
  }
  const put = (piece: string | Uint8Array): void => {
    const length = typeof piece === 'string' ? Buffer.byteLength(piece) : piece.byteLength
    incoming.bytes += length
    if (typeof piece === 'string' && piece.length === length) {
      if (unsent === '') process.nextTick(flush)
      unsent += piece
      if (unsent.length >= together) flush()
      return
    }
    flush()
    // With a text beyond ASCII node would encode the head as well, whose values are Latin-1.
    response.write(typeof piece === 'string' ? Buffer.from(piece) : piece)
  }

  try {
    for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
      put(piece.value)
      if (response.writableNeedDrain) await drained(response, idle)
    }
    flush()
    response.off('close', leave)
    if (!left) response.end()
  } catch (error) {
    // Without the last chunk the client can tell that something is missing.
    if (!left && !isReported(error)) incoming.report(error, incidentOf(incoming))
    flush()
    response.off('close', leave)
    incoming.cut = true
    response.destroy()
  }
}
