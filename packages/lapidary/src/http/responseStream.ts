/** Response streams: how long the head waits for the first chunk, and which failures are reported. */
import type { HttpRequest, ResponseBody, ResponseStream } from './httpHandler.ts'

/** A chunk of a stream: text is sent in UTF-8. */
export type StreamChunk = string | Uint8Array
type NextChunk = Promise<IteratorResult<StreamChunk>>

/** Whether a body is made while it is sent, and not there as a whole. Anything else of plain JavaScript passes, and fails when it is read. */
export const isResponseStream = (body: ResponseBody): body is ResponseStream =>
  body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)

/** How long the head of a response waits for the first chunk of its body, in milliseconds. */
export const maxHeadWait = 100

/** Whether the client has left. `signal` has another reason if the response only took too long. */
export const hasClientLeft = ({ signal }: Pick<HttpRequest, 'signal'>): boolean => signal.aborted && signal.reason?.name === 'AbortError'

/** Receives the failure of a stream whose head is sent. */
type StreamErrorListener = (error: unknown) => void

/** Ends a producer that nothing reads any more. Its own failure on the way out is ignored. */
export function releaseIterator(iterator: AsyncIterator<unknown>): void {
  try {
    Promise.resolve(iterator.return?.()).catch(() => {})
  } catch {
    // The producer threw before it could return a promise.
  }
}

/** Ends the stream of a response that is not sent, if it has one. */
export function releaseBody(body: ResponseBody): void {
  if (!isResponseStream(body)) return
  try {
    releaseIterator(body[Symbol.asyncIterator]())
  } catch {
    // A stream that fails at once has ended.
  }
}

/** Stream failures that were reported. The adapter, which receives them next and cuts the connection, does not report them again. */
const reportedErrors = new WeakSet<object>()

/** Whether the failure of a stream was reported at its source. */
export const isReported = (error: unknown): boolean => typeof error === 'object' && error !== null && reportedErrors.has(error)

/**
 * Reports the failure of a stream, unless its client has left.
 *
 * @throws the failure itself, or an Error in place of a value that is no object, because only objects can be recognized later.
 */
function reportAndThrow(error: unknown, hasLeft: boolean, onError: StreamErrorListener): never {
  if (!hasLeft) onError(error)
  const thrown = typeof error === 'object' && error !== null ? error : new Error(String(error))
  reportedErrors.add(thrown)
  throw thrown
}

/** Returns the same stream; a failure is reported unless the reader has left before. */
export function reportStreamErrors(stream: ResponseStream, onError: StreamErrorListener): ResponseStream {
  const iterator = stream[Symbol.asyncIterator]()
  let hasLeft = false
  const observed: AsyncIterator<StreamChunk> = {
    next: async () => {
      try {
        return await iterator.next()
      } catch (error) {
        return reportAndThrow(error, hasLeft, onError)
      }
    },
    return: async () => {
      hasLeft = true
      await iterator.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => observed }
}

/** A stream whose first chunk was requested. If that chunk is late, an empty chunk comes first: it makes the adapter send the head. */
export class StartedStream implements AsyncIterator<StreamChunk> {
  private readonly iterator: AsyncIterator<StreamChunk>
  private readonly request: HttpRequest
  private readonly onError: StreamErrorListener
  private first: NextChunk | undefined
  private isLate = false
  private hasLeft = false

  constructor(iterator: AsyncIterator<StreamChunk>, request: HttpRequest, onError: StreamErrorListener) {
    this.iterator = iterator
    this.request = request
    this.onError = onError
    this.first = iterator.next()
  }

  /**
   * Waits until the head can be sent: the first chunk is there, or `maxHeadWait` is over. An atomic stream has no time limit; there the
   * wait ends when the client leaves.
   *
   * @throws the failure of the producer, if it fails before that.
   */
  waitForHead(isAtomic: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const onFirstChunk = (): void => {
        clearTimeout(timer)
        resolve()
      }
      const onTimeout = (): void => {
        this.isLate = true
        resolve()
      }
      const timer = isAtomic ? undefined : setTimeout(onTimeout, maxHeadWait)
      // Only the client can end a request that has no response yet. The adapter then ends the producer.
      if (isAtomic) this.request.onEnd(onFirstChunk)
      this.first?.then(onFirstChunk, (error: unknown) => {
        clearTimeout(timer)
        if (hasClientLeft(this.request)) resolve()
        else reject(error)
      })
    })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): NextChunk {
    if (this.isLate) {
      this.isLate = false
      return Promise.resolve({ done: false, value: '' })
    }
    const chunk = this.first ?? this.iterator.next()
    this.first = undefined
    return chunk.then(undefined, this.fail)
  }

  async return(): Promise<IteratorResult<StreamChunk>> {
    this.hasLeft = true
    // The signal wakes a producer that waits. It would not notice the end of a response to HEAD otherwise.
    this.request.abort(undefined)
    await this.iterator.return?.()
    return { done: true, value: undefined }
  }

  private readonly fail = (error: unknown): never => {
    return reportAndThrow(error, this.hasLeft || this.request.signal.aborted, this.onError)
  }
}

/**
 * Starts a stream, and waits until its head can be sent. A producer that fails before that gets an error response with a status of its own.
 * A later failure is reported, unless the client has left, and thrown to the adapter, which cuts the connection.
 *
 * @param isAtomic whether a client can use no part of the body before its end: then the head waits for the first chunk without a time limit
 */
export async function awaitFirstChunk(
  stream: ResponseStream,
  isAtomic: boolean,
  request: HttpRequest,
  onError: StreamErrorListener,
): Promise<ResponseStream> {
  const started = new StartedStream(stream[Symbol.asyncIterator](), request, onError)
  await started.waitForHead(isAtomic)
  return started
}
