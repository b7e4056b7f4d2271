/** An answer that is made piece by piece, as a stream of the web. */
import { utf8Encoded } from '../describe/utf8.ts'
import { incidentOf } from '../server/report.ts'
import { isReported } from '../server/stream.ts'
import type { Pieces } from './lifetime.ts'
import type { WebIncoming } from './webIncoming.ts'

/** The pieces of a web stream. Its own iterator would hear that its reader has left only behind the next piece. */
export const piecesOf = (stream: ReadableStream<Uint8Array>): Pieces => ({
  [Symbol.asyncIterator]: () => {
    const reader = stream.getReader()
    return {
      // Undefined is the value of the end, and of nothing else.
      next: () => reader.read() as Promise<IteratorResult<Uint8Array, undefined>>,
      return: async () => {
        await reader.cancel()
        return { done: true, value: undefined }
      },
    }
  },
})

/** The pieces as a web stream: made when they are pulled, and no longer once the reader has cancelled. */
export function streamed(pieces: Pieces, status: number, incoming: WebIncoming): ReadableStream<Uint8Array> {
  const { lifetime } = incoming
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  let left = false
  const next = async (): Promise<IteratorResult<string | Uint8Array>> => {
    const piece = await iterator.next()
    if (piece.done !== true) lifetime.mustBePiece(piece.value, iterator)
    return piece
  }
  incoming.begins()
  lifetime.begins()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        let piece = await next()
        // An empty piece asks for the head, which has left; as a piece of its own it would tell its reader nothing.
        while (piece.done !== true && piece.value.length === 0) piece = await next()
        if (left) return
        if (piece.done === true) {
          controller.close()
          incoming.end({ status, bytes, how: 'sent' })
        } else {
          const whole = typeof piece.value === 'string' ? utf8Encoded(piece.value) : piece.value
          bytes += whole.byteLength
          controller.enqueue(whole)
          return
        }
      } catch (error) {
        if (left) return
        if (!isReported(error)) incoming.report(error, incidentOf(incoming))
        incoming.end({ status, bytes, how: 'cut' })
        controller.error(error)
      }
      lifetime.ends()
    },
    cancel: async () => {
      left = true
      // The signal first: it wakes a producer that waits for something else than its reader.
      incoming.leave()
      incoming.end({ status, bytes, how: 'left' })
      await lifetime.leave(iterator)
    },
  })
}
