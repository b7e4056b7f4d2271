/** An answer that is made piece by piece, as a stream of the web. */

import { toErrorContext } from '../../http/errorReport.ts'
import { isReported } from '../../http/responseStream.ts'
import { encodeUtf8 } from '../../http/utf8.ts'
import type { BodyStream } from '../lifetime.ts'
import type { WebHttpRequest } from './webHttpRequest.ts'

/** The pieces of a web stream. Its own iterator would hear that its reader has left only behind the next piece. */
export const iterateWebStream = (stream: ReadableStream<Uint8Array>): BodyStream => ({
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
export function toWebStream(pieces: BodyStream, status: number, incoming: WebHttpRequest): ReadableStream<Uint8Array> {
  const { lifetime } = incoming
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  let left = false
  const next = async (): Promise<IteratorResult<string | Uint8Array>> => {
    const piece = await iterator.next()
    if (piece.done !== true) lifetime.assertChunk(piece.value, iterator)
    return piece
  }
  incoming.startStream()
  lifetime.startStream()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        let piece = await next()
        // An empty piece asks for the head, which has left; as a piece of its own it would tell its reader nothing.
        while (piece.done !== true && piece.value.length === 0) piece = await next()
        if (left) return
        if (piece.done === true) {
          controller.close()
          incoming.setEnd({ status, bytes, outcome: 'completed' })
        } else {
          const whole = typeof piece.value === 'string' ? encodeUtf8(piece.value) : piece.value
          bytes += whole.byteLength
          controller.enqueue(whole)
          return
        }
      } catch (error) {
        if (left) return
        if (!isReported(error)) incoming.onError(error, toErrorContext(incoming))
        incoming.setEnd({ status, bytes, outcome: 'failed' })
        controller.error(error)
      }
      lifetime.endStream()
    },
    cancel: async () => {
      left = true
      // The signal first: it wakes a producer that waits for something else than its reader.
      incoming.abortOnDisconnect()
      incoming.setEnd({ status, bytes, outcome: 'aborted' })
      await lifetime.returnIterator(iterator)
    },
  })
}
