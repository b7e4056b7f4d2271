/** An answer that is made piece by piece, as a stream of the web. */
import { toErrorContext } from '../../http/errorReport.js'
import { isReported } from '../../http/responseStream.js'
import { encodeUtf8 } from '../../http/utf8.js'
/** The pieces of a web stream. Its own iterator would hear that its reader has left only behind the next piece. */
export const iterateWebStream = (stream) => ({
  [Symbol.asyncIterator]: () => {
    const reader = stream.getReader()
    return {
      // Undefined is the value of the end, and of nothing else.
      next: () => reader.read(),
      return: async () => {
        await reader.cancel()
        return { done: true, value: undefined }
      },
    }
  },
})
/** The pieces as a web stream: made when they are pulled, and no longer once the reader has cancelled. */
export function toWebStream(pieces, status, incoming) {
  const { lifetime } = incoming
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  let left = false
  const next = async () => {
    const piece = await iterator.next()
    if (piece.done !== true) lifetime.assertChunk(piece.value, iterator)
    return piece
  }
  incoming.startStream()
  lifetime.startStream()
  return new ReadableStream({
    pull: async (controller) => {
      try {
        let piece = await next()
        // An empty piece asks for the head, which has left; as a piece of its own it would tell its reader nothing.
        while (piece.done !== true && piece.value.length === 0) piece = await next()
        if (left) return
        if (piece.done === true) {
          controller.close()
          incoming.setEnd({ status, bytes, outcome: 'sent' })
        } else {
          const whole = typeof piece.value === 'string' ? encodeUtf8(piece.value) : piece.value
          bytes += whole.byteLength
          controller.enqueue(whole)
          return
        }
      } catch (error) {
        if (left) return
        if (!isReported(error)) incoming.onError(error, toErrorContext(incoming))
        incoming.setEnd({ status, bytes, outcome: 'cut' })
        controller.error(error)
      }
      lifetime.endStream()
    },
    cancel: async () => {
      left = true
      // The signal first: it wakes a producer that waits for something else than its reader.
      incoming.abortOnDisconnect()
      incoming.setEnd({ status, bytes, outcome: 'left' })
      await lifetime.returnIterator(iterator)
    },
  })
}
