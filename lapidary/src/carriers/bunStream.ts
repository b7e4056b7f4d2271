/** An answer that is made piece by piece, written to Bun's connection without another stream in between. */
import { toErrorContext } from '../server/report.ts'
import { isReported } from '../server/stream.ts'
import type { BunHttpRequest } from './bunIncoming.ts'
import type { BunSink } from './bunRuntime.ts'
import { type BodyStream, sleep } from './lifetime.ts'

/** For so long a reader may take what was made before its connection is cut, in milliseconds: Bun resets it, and what is still on its way is lost. */
const bunResetDelay = 250

/** The pieces as one of Bun's direct streams: made while there is room, and no longer once the reader has gone. */
export function createDirectStream(pieces: BodyStream, status: number, incoming: BunHttpRequest): ReadableStream<Uint8Array> {
  const { lifetime } = incoming
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  /** The reader has, or there is no more to come. */
  let left = false
  const leave = async (): Promise<void> => {
    if (left) return
    left = true
    // The signal first: it wakes a producer that waits for something else than its reader.
    incoming.abortOnDisconnect()
    incoming.setEnd({ status, bytes, outcome: 'left' })
    await lifetime.returnIterator(iterator)
  }
  /** Waits for the reader. A producer may be silent for as long as it likes, a reader may not. */
  const taken = async (room: number | Promise<number>): Promise<void> => {
    incoming.startIdleTimeout()
    await room
    incoming.stopIdleTimeout()
  }
  const pull = async (sink: BunSink): Promise<void> => {
    let hasBegun = false
    try {
      for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
        lifetime.assertChunk(piece.value, iterator)
        // It asks for the head, whose end Bun sends with the first byte.
        if (piece.value.length === 0) continue
        bytes += typeof piece.value === 'string' ? Buffer.byteLength(piece.value) : piece.value.byteLength
        const room = sink.write(piece.value)
        if (typeof room !== 'number') await taken(room)
        else if (room <= 0) await taken(sink.flush(true))
        // The first leaves by itself.
        else if (!hasBegun) sink.flush()
        hasBegun = true
      }
    } catch (error) {
      if (left) return
      left = true
      if (!isReported(error)) incoming.onError(error, toErrorContext(incoming))
      incoming.setEnd({ status, bytes, outcome: 'cut' })
      lifetime.endStream()
      // What was made before leaves before the connection is cut.
      await taken(sink.flush(true))
      await sleep(bunResetDelay)
      throw error
    }
    if (left) return
    // A stream that was over before anything had left would go as a whole, with a length that HEAD of it cannot tell.
    await sink.flush()
    if (left) return
    left = true
    sink.end()
    incoming.setEnd({ status, bytes, outcome: 'sent' })
    lifetime.endStream()
  }
  lifetime.startStream()
  incoming.startStream()
  incoming.stopIdleTimeout()
  // The types of the web do not know of such a stream.
  return new ReadableStream({ type: 'direct', pull, cancel: leave } as unknown as ConstructorParameters<
    typeof ReadableStream<Uint8Array>
  >[0])
}
