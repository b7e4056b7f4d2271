/** Sends response streams as streams of the web. */
import { encodeUtf8 } from '../../http/encodings.ts'
import type { ResponseStream } from '../../http/httpHandler.ts'
import { pausePump, StreamPump } from '../streamPump.ts'
import type { WebHttpRequest } from './webHttpRequest.ts'

/** Creates a web stream of a response stream. It produces chunks on demand, and stops the producer when its reader cancels. */
export function toWebStream(stream: ResponseStream, status: number, request: WebHttpRequest): ReadableStream<Uint8Array> {
  let controller: ReadableStreamDefaultController<Uint8Array>
  let bytes = 0
  const pump = new StreamPump(stream[Symbol.asyncIterator](), request, {
    write: (chunk) => {
      // An empty chunk asks for the head, which has left already. A reader would learn nothing from it.
      if (chunk.length === 0) return undefined
      const encoded = typeof chunk === 'string' ? encodeUtf8(chunk) : chunk
      bytes += encoded.byteLength
      controller.enqueue(encoded)
      return pausePump
    },
    end: () => {
      controller.close()
      request.setEnd({ status, bytes, outcome: 'completed' })
    },
    fail: (error) => {
      request.setEnd({ status, bytes, outcome: 'failed' })
      controller.error(error)
    },
  })
  request.startStream()
  return new ReadableStream<Uint8Array>({
    start: (created) => {
      controller = created
    },
    pull: () => pump.run(),
    cancel: async () => {
      // The signal comes first: it wakes a producer that waits for something other than its reader.
      request.abortOnDisconnect()
      request.setEnd({ status, bytes, outcome: 'aborted' })
      await pump.cancel()
    },
  })
}
