/** Moves a response stream from its producer to a connection, at the pace of the client. Each adapter supplies only the writer. */
import { toErrorContext } from '../http/errorReport.ts'
import { runInNextTurn } from '../http/nextTurn.ts'
import { isReported, maxHeadWait, StartedStream } from '../http/responseStream.ts'
import type { BaseRequest } from './baseRequest.ts'

/** How many characters of small text chunks an adapter collects within one turn of the event loop, before it writes them. */
export const maxWriteBatch = 16_384

/** Returned by a writer that wants no further chunk until `run` is called again. */
export const pausePump: unique symbol = Symbol('pause')

/**
 * How long streams may write without a turn of the event loop, in milliseconds. A producer that never waits, with a client that is as fast,
 * would stop everything else in the process.
 */
const maxStreamTurnTime = 16

/**
 * How many chunks a fast producer may write between two looks at the clock: a look takes as long as to write a small chunk. Where chunks take
 * longer than `fastLookTime` (in milliseconds), each is followed by a look.
 */
const maxChunksPerLook = 64
const fastLookTime = 1

/** When streams last let the event loop turn, by `performance.now()`. All streams share one turn. */
let lastTurn = 0

/** Resolves in the next turn of the event loop. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    runInNextTurn(() => {
      lastTurn = performance.now()
      resolve()
    })
  })

/** Writes the chunks of one stream to a connection. */
export interface StreamWriter {
  /**
   * Writes a chunk, which may be empty. Returns a promise while the client is behind, and `pausePump` to stop until the next call of `run`.
   */
  write(chunk: string | Uint8Array): Promise<unknown> | typeof pausePump | undefined
  /** Sends the head alone, when the first chunk takes too long. Absent where the head has left already, or cannot leave alone. */
  writeHead?(): void
  /** Hands on what was written, before the end. */
  flush?(): Promise<unknown>
  /** The stream is complete. */
  end(): void
  /** The producer has failed: the connection must end so that the client notices. */
  fail(error: unknown): void | Promise<void>
}

/**
 * One stream on its way. When the producer fails, the writer aborts the response; when the client leaves, `cancel` stops the producer. The
 * head of the response waits for the first chunk for a limited time.
 */
export class StreamPump {
  private readonly iterator: AsyncIterator<string | Uint8Array>
  private readonly request: BaseRequest
  private readonly writer: StreamWriter
  private headTimer: ReturnType<typeof setTimeout> | undefined
  private readonly start = performance.now()
  private lastLook = this.start
  private chunksPerLook = 1
  private chunksToLook = 1
  private isCancelled = false
  private isDone = false

  constructor(iterator: AsyncIterator<string | Uint8Array>, request: BaseRequest, writer: StreamWriter) {
    this.iterator = iterator
    this.request = request
    this.writer = writer
    this.headTimer = undefined
    request.lifetime.startStream()
    // A StartedStream asks for the head itself, by an empty chunk.
    if (writer.writeHead === undefined || iterator instanceof StartedStream) return
    this.headTimer = setTimeout(() => writer.writeHead?.(), maxHeadWait)
  }

  /** Writes chunks until the stream ends, fails or is cancelled, or the writer pauses. Rejects only where `fail` does. */
  async run(): Promise<void> {
    const { iterator, writer } = this
    const { lifetime } = this.request
    try {
      for (let next = await iterator.next(); next.done !== true && !this.isCancelled; next = await iterator.next()) {
        lifetime.assertChunk(next.value, iterator)
        if (this.headTimer !== undefined) this.stopHeadTimer()
        const room = writer.write(next.value)
        if (room !== undefined && room !== pausePump) await room
        // A wait that ends at once is no turn of the event loop.
        if (this.needsTurn()) await nextTurn()
        if (room === pausePump || this.isCancelled) return
      }
      if (this.isCancelled) return
      if (writer.flush !== undefined) await writer.flush()
      if (this.isCancelled) return
      this.finish()
      writer.end()
    } catch (error) {
      if (this.isCancelled) return
      this.finish()
      if (!isReported(error)) this.request.onError(error, toErrorContext(this.request))
      return writer.fail(error)
    }
  }

  /** Stops the producer, because the client has left. Does nothing once the stream has ended. */
  async cancel(): Promise<void> {
    if (this.isOver) return
    this.isCancelled = true
    this.stopHeadTimer()
    await this.request.lifetime.returnIterator(this.iterator)
  }

  /** Whether the stream has ended, failed or been cancelled. */
  get isOver(): boolean {
    return this.isDone || this.isCancelled
  }

  /** Whether streams have written for long without a turn of the event loop, as far as the last look at the clock tells. */
  private needsTurn(): boolean {
    this.chunksToLook -= 1
    if (this.chunksToLook > 0) return false
    const now = performance.now()
    this.chunksPerLook = now - this.lastLook < fastLookTime ? Math.min(2 * this.chunksPerLook, maxChunksPerLook) : 1
    this.chunksToLook = this.chunksPerLook
    this.lastLook = now
    return now - Math.max(lastTurn, this.start) > maxStreamTurnTime
  }

  private finish(): void {
    if (this.isDone) return
    this.isDone = true
    this.stopHeadTimer()
    this.request.lifetime.endStream()
  }

  private stopHeadTimer(): void {
    clearTimeout(this.headTimer)
    this.headTimer = undefined
  }
}
