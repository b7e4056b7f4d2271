/** A response stream, compressed while it is made: what is made without a wait is compressed together, and all of it is handed on before a wait. */
import { ChunkList, concatBytes } from '../http/chunks.ts'
import { encodeUtf8 } from '../http/encodings.ts'
import type { ResponseStream } from '../http/httpHandler.ts'
import { runInNextTurn } from '../http/nextTurn.ts'
import type { StreamChunk } from '../http/responseStream.ts'
import type { StreamCompressor } from './contentCodings.ts'

/** How many bytes are compressed at once: each time has the costs of another thread. */
const batchSize = 16_384

const endOfStream: IteratorResult<StreamChunk, undefined> = Object.freeze({ done: true, value: undefined })

/** One stream. It can be iterated once, as what it is made of. */
export class CompressedStream implements AsyncIterableIterator<StreamChunk, undefined> {
  private readonly source: AsyncIterator<StreamChunk>
  private readonly createCompressor: () => StreamCompressor
  private readonly isFlushed: boolean
  private compressor: StreamCompressor | undefined
  /** What the source makes. */
  private pending: Promise<IteratorResult<StreamChunk>> | undefined
  /** Resolves in the next turn of the event loop: a source that has not made its chunk by then waits. */
  private turn: Promise<undefined> | undefined
  private readonly batch = new ChunkList()
  /** Whether some of what was written has not been handed on. */
  private isBehind = false
  private isOver = false

  /** @param isFlushed whether a reader needs what there is before the source waits. A file is read to its end. */
  constructor(stream: ResponseStream, createCompressor: () => StreamCompressor, isFlushed: boolean) {
    this.source = stream[Symbol.asyncIterator]()
    this.createCompressor = createCompressor
    this.isFlushed = isFlushed
    this.compressor = undefined
    this.pending = undefined
    this.turn = undefined
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<StreamChunk, undefined>> {
    try {
      while (!this.isOver) {
        const result = await this.awaitSource()
        if (this.isOver) break
        if (result !== undefined) this.pending = undefined
        if (result?.done === false) {
          const { value: chunk } = result
          // The adapter needs an empty chunk, and refuses what is no chunk.
          if (!(typeof chunk === 'string' || chunk instanceof Uint8Array) || chunk.length === 0) return result
          this.batch.push(typeof chunk === 'string' ? encodeUtf8(chunk) : chunk)
          this.isBehind = this.isFlushed
          if (this.batch.length < batchSize) continue
        }
        const value = await this.compress(result === undefined, result?.done === true)
        if (value.length > 0) return { done: false, value }
      }
      return endOfStream
    } catch (error) {
      this.end()
      throw error
    }
  }

  async return(): Promise<IteratorResult<StreamChunk, undefined>> {
    this.end()
    await this.source.return?.()
    return endOfStream
  }

  /** Resolves to undefined if the source waits while a reader could get something. */
  private awaitSource(): Promise<IteratorResult<StreamChunk> | undefined> {
    this.pending ??= Promise.resolve(this.source.next())
    if (!this.isBehind) return this.pending
    this.turn ??= new Promise((resolve) => {
      runInNextTurn(() => {
        this.turn = undefined
        resolve(undefined)
      })
    })
    return Promise.race([this.pending, this.turn])
  }

  /** Compresses what there is. */
  private async compress(isWaiting: boolean, isEnd: boolean): Promise<Uint8Array> {
    this.compressor ??= this.createCompressor()
    const { compressor, batch } = this
    const parts: Uint8Array[] = []
    if (batch.length > 0) parts.push(await compressor.write(batch.take()))
    if (isWaiting && !this.isOver) {
      this.isBehind = false
      parts.push(await compressor.flush())
    }
    if (isEnd && !this.isOver) {
      parts.push(await compressor.end())
      this.end()
    }
    return concatBytes(parts)
  }

  /** Frees the memory of the compressor. */
  private end(): void {
    this.isOver = true
    this.compressor?.destroy()
  }
}
