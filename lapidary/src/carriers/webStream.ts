/** An answer that is made piece by piece, as a stream of the web. */
import { utf8Encoded } from '../describe/utf8.ts'
import type { OutgoingBody } from '../server/kernel.ts'
import { incidentOf } from '../server/report.ts'
import { isReported, release } from '../server/stream.ts'
import type { WebIncoming } from './webIncoming.ts'

/** What is made piece by piece. */
export type Pieces = Exclude<OutgoingBody, string | Uint8Array | null>

/** Ends a producer that nobody reads; what it says to that is nobody's business any more. */
export function ended(pieces: Pieces): void {
  release(pieces[Symbol.asyncIterator]())
}

/** The pieces as a web stream: made when they are pulled, and no longer once the reader has cancelled. */
export function streamed(pieces: Pieces, status: number, incoming: WebIncoming): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  let left = false
  incoming.begins()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await iterator.next()
        if (done === true) {
          controller.close()
          incoming.end({ status, bytes, how: 'sent' })
        } else {
          const piece = typeof value === 'string' ? utf8Encoded(value) : value
          bytes += piece.byteLength
          controller.enqueue(piece)
        }
      } catch (error) {
        if (!left && !isReported(error)) incoming.report(error, incidentOf(incoming))
        incoming.end({ status, bytes, how: 'cut' })
        throw error
      }
    },
    cancel: async () => {
      left = true
      // The signal first: it wakes a producer that waits for something else than its reader.
      incoming.leave()
      incoming.end({ status, bytes, how: 'left' })
      await iterator.return?.()
    },
  })
}
