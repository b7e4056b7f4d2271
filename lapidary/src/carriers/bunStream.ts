/** An answer that is made piece by piece, written to Bun's connection without another stream in between. */
import { incidentOf } from '../server/report.ts'
import { isReported } from '../server/stream.ts'
import type { BunIncoming } from './bunIncoming.ts'
import type { BunSink } from './bunRuntime.ts'
import type { Pieces } from './webStream.ts'

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** The pieces as one of Bun's direct streams: made while there is room, and no longer once the reader has gone. */
export function directed(pieces: Pieces, status: number, incoming: BunIncoming): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  let left = false
  const leave = async (): Promise<void> => {
    if (left) return
    left = true
    // The signal first: it wakes a producer that waits for something else than its reader.
    incoming.leave()
    incoming.end({ status, bytes, how: 'left' })
    await iterator.return?.()
  }
  const pull = async (sink: BunSink): Promise<void> => {
    try {
      for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
        bytes += typeof piece.value === 'string' ? Buffer.byteLength(piece.value) : piece.value.byteLength
        const taken = sink.write(piece.value)
        if (typeof taken === 'number' && taken > 0) continue
        // A producer may be silent for as long as it likes, a reader may not.
        incoming.hurried()
        await (typeof taken === 'number' ? sink.flush(true) : taken)
        incoming.unhurried()
      }
    } catch (error) {
      if (left) return
      if (!isReported(error)) incoming.report(error, incidentOf(incoming))
      incoming.end({ status, bytes, how: 'cut' })
      // What was made before leaves before the connection is cut.
      await sink.flush()
      await turn()
      throw error
    }
    if (left) return
    // A stream that was over before anything had left would go as a whole, with a length that HEAD of it cannot tell.
    await sink.flush()
    sink.end()
    incoming.end({ status, bytes, how: 'sent' })
  }
  incoming.begins()
  incoming.unhurried()
  // The types of the web do not know of such a stream.
  return new ReadableStream({ type: 'direct', pull, cancel: leave } as unknown as ConstructorParameters<
    typeof ReadableStream<Uint8Array>
  >[0])
}
