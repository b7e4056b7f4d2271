/** A request body that is read chunk by chunk: what has arrived waits in a queue, and a full queue pauses the connection. */
import { ChunkList } from '../http/chunks.ts'
import { createBodyCutOffError, createBodyTooLargeError } from './baseRequest.ts'

/** What a queue needs of the request that it belongs to. */
interface BodySource {
  /** Begins to push chunks. Called once, when the first chunk is asked for. */
  readonly start: () => void
  /** Called when the handler begins to wait for the next chunk, and when it ends. */
  readonly setWaiting: (isWaiting: boolean) => void
  /** Called when the queue is full, and when there is room again. */
  readonly setPaused: (isPaused: boolean) => void
}

/** How many bytes may wait in a queue before the connection is paused. */
const maxQueuedBytes = 65_536

const endOfBody: IteratorResult<Uint8Array, undefined> = Object.freeze({ done: true, value: undefined })

/** The chunks of one body; those that wait for the reader become one. After an end, a failure or an early return, further chunks are dropped. */
export class BodyQueue implements AsyncIterableIterator<Uint8Array, undefined> {
  private readonly source: BodySource
  private readonly limit: number
  private readonly chunks = new ChunkList()
  private length = 0
  private isStarted = false
  private isPaused = false
  /** Whether no chunk is added any more. */
  private isClosed = false
  private failure: Error | undefined = undefined
  /** Settles the promise of a `next` that waits. */
  private waiting: ((result: IteratorResult<Uint8Array, undefined> | Promise<never>) => void) | undefined = undefined

  /** @param limit the largest size in bytes */
  constructor(limit: number, source: BodySource) {
    this.limit = limit
    this.source = source
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<Uint8Array, undefined>> {
    if (!this.isStarted) {
      this.isStarted = true
      this.source.start()
    }
    if (this.chunks.length > 0) {
      const value = this.chunks.take()
      this.setPaused(false)
      return Promise.resolve({ done: false, value })
    }
    const { failure } = this
    if (failure !== undefined) {
      // A failure is thrown once, as a generator throws it.
      this.failure = undefined
      return Promise.reject(failure)
    }
    if (this.isClosed) return Promise.resolve(endOfBody)
    if (this.waiting !== undefined) return this.waitInTurn()
    this.source.setWaiting(true)
    return new Promise((resolve) => {
      this.waiting = resolve
    })
  }

  /** A second `next` waits for the first one, as in a generator. */
  private async waitInTurn(): Promise<IteratorResult<Uint8Array, undefined>> {
    const settle = this.waiting
    await new Promise<void>((resolve) => {
      this.waiting = (result) => {
        settle?.(result)
        resolve()
      }
    })
    return this.next()
  }

  /** The handler has left before the end of the body: the rest is dropped. */
  return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.close(undefined)
    this.chunks.take()
    this.setPaused(false)
    return Promise.resolve(endOfBody)
  }

  /** Adds a chunk that has arrived. */
  push(chunk: Uint8Array): void {
    if (this.isClosed || chunk.length === 0) return
    this.length += chunk.length
    if (this.length > this.limit) {
      this.close(createBodyTooLargeError(this.limit))
      this.setPaused(false)
    } else if (this.waiting === undefined) {
      this.chunks.push(chunk)
      if (this.chunks.length > maxQueuedBytes) this.setPaused(true)
    } else this.settle({ done: false, value: chunk })
  }

  /** All of the body has arrived. */
  end(): void {
    this.close(undefined)
  }

  /** The connection, or the response, has ended before the body. Chunks that wait are read first. */
  cutOff(): void {
    if (!this.isClosed) this.close(createBodyCutOffError())
    this.setPaused(false)
  }

  private close(failure: Error | undefined): void {
    if (this.isClosed) return
    this.isClosed = true
    if (this.waiting === undefined) this.failure = failure
    else this.settle(failure === undefined ? endOfBody : Promise.reject(failure))
  }

  private settle(result: IteratorResult<Uint8Array, undefined> | Promise<never>): void {
    const { waiting } = this
    this.waiting = undefined
    this.source.setWaiting(false)
    waiting?.(result)
  }

  private setPaused(isPaused: boolean): void {
    if (isPaused === this.isPaused) return
    this.isPaused = isPaused
    this.source.setPaused(isPaused)
  }
}
