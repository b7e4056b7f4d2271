/**
 * The state of a listening server beside its connections: whether it is closing, which requests watch for that, and which streams still
 * run.
 */
import type { HttpRequest, HttpResponse, ResponseStream } from '../http/httpHandler.ts'
import type { Awaitable } from '../http/promises.ts'
import { isResponseStream, maxHeadWait } from '../http/responseStream.ts'
import * as adapterErrors from '../messages/adapterErrors.ts'

/** Resolves after a time in milliseconds. */
export const sleep = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time))

/** Added to a time that another timer measures as well, so that the other one fires first. In milliseconds. */
const timerTolerance = 10

/** The state of one listening server. */
export class Lifetime {
  isClosing = false
  /** Whether the server accepts connections. Once it does not, each response ends its connection. */
  isListening = true
  /** How many requests have no response yet. */
  private pendingResponses = 0
  /** The shutdown controllers of the requests in progress. */
  private readonly shutdownControllers = new Set<AbortController>()
  /** How many streams have a producer that has not ended. */
  private runningStreams = 0
  /** Resolves the promise of `waitForStreams`. */
  private resolveIdle: (() => void) | undefined = undefined

  /**
   * Creates the signal that fires when the server begins to close. Each request has its own: listeners on a shared signal would stay in
   * memory for as long as the server runs.
   */
  createShutdownSignal(request: Pick<HttpRequest, 'onEnd'>): AbortSignal {
    const controller = new AbortController()
    if (this.isClosing) controller.abort()
    else {
      this.shutdownControllers.add(controller)
      request.onEnd(() => this.shutdownControllers.delete(controller))
    }
    return controller.signal
  }

  /** Begins to close. */
  close(): void {
    this.isClosing = true
    for (const controller of this.shutdownControllers) controller.abort()
    this.shutdownControllers.clear()
  }

  /** Waits for the response of a handler that has returned a promise. Neither function may throw. */
  awaitResponse<T>(
    pending: Promise<HttpResponse>,
    onResponse: (response: HttpResponse) => Awaitable<T>,
    onFailure: (error: unknown) => Awaitable<T>,
  ): Promise<T> {
    this.pendingResponses += 1
    return Promise.resolve(pending).then(
      (response) => {
        this.pendingResponses -= 1
        return onResponse(response)
      },
      (error: unknown) => {
        this.pendingResponses -= 1
        return onFailure(error)
      },
    )
  }

  /** Counts a stream that has started. */
  startStream(): void {
    this.runningStreams += 1
  }

  /** Counts a stream whose producer has ended. */
  endStream(): void {
    this.runningStreams -= 1
    if (this.runningStreams === 0) this.resolveIdle?.()
  }

  /**
   * Stops a started stream early. The producer is called at once, even while it waits, and its own failure is ignored: no response depends
   * on it.
   */
  async returnIterator(iterator: AsyncIterator<unknown>): Promise<void> {
    try {
      await iterator.return?.()
    } catch {
      // No response is left that this failure could affect.
    } finally {
      this.endStream()
    }
  }

  /** Stops a stream that will not be read. @throws for a body that is no stream. */
  dropStream(stream: ResponseStream): Promise<void> {
    const iterator = stream[Symbol.asyncIterator]()
    this.startStream()
    return this.returnIterator(iterator)
  }

  /** Stops the stream of a response that cannot be sent, if it has one. */
  dropUnsentBody(response: HttpResponse | undefined): void {
    const body = response?.body
    if (body === undefined || !isResponseStream(body)) return
    try {
      this.dropStream(body)
    } catch {
      // The body is no stream, which is why the response cannot be sent.
    }
  }

  /** Checks one chunk of a stream and stops the producer of an invalid one. @throws TypeError for anything but text and bytes. */
  assertChunk(chunk: unknown, iterator: AsyncIterator<unknown>): void {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) return
    this.startStream()
    this.returnIterator(iterator)
    throw new TypeError(adapterErrors.invalidStreamChunk(typeof chunk))
  }

  /** Resolves when every producer has ended, or after `limit` milliseconds, since a producer may never end. */
  async waitForStreams(limit: number): Promise<void> {
    // Streams of connections that have just been destroyed are stopped later in this turn.
    await sleep(0)
    // A response in progress may still start a stream.
    if (this.pendingResponses > 0) await sleep(maxHeadWait + timerTolerance)
    if (this.runningStreams === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limit)
      this.resolveIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

/** The lifetime of requests whose server is not ours to close, such as those of `toFetch`. */
export const detachedLifetime: Lifetime = new Lifetime()
