/** What a server that listens knows beside its connections: whether it closes, which requests want to hear of that, and which streams still run. */
import { maxHeadWait } from '../http/responseStream.js'
import * as complaint from '../messages/developerErrors.js'
/** Resolves when the time, in milliseconds, is over. */
export const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time))
/** For timers that are set in one turn and fire in another, in milliseconds. */
const timerTolerance = 10
export class Lifetime {
  isClosing = false
  /** How many requests have no answer yet. */
  pendingResponses = 0
  /** Those of requests that are under way. */
  shutdownControllers = new Set()
  /** How many streams have a producer that has not ended. */
  runningStreams = 0
  /** Resolves the promise of `idle`. */
  resolveIdle = undefined
  /** Fires when the server begins to close. It is of this request alone: one for all would keep what listens to it for as long as the server. */
  createShutdownSignal(incoming) {
    const controller = new AbortController()
    if (this.isClosing) controller.abort()
    else {
      this.shutdownControllers.add(controller)
      incoming.onEnd(() => this.shutdownControllers.delete(controller))
    }
    return controller.signal
  }
  /** The server begins to close. */
  close() {
    this.isClosing = true
    for (const controller of this.shutdownControllers) controller.abort()
    this.shutdownControllers.clear()
  }
  /** A stream is walked. */
  startStream() {
    this.runningStreams += 1
  }
  /** Its producer has ended. */
  endStream() {
    this.runningStreams -= 1
    if (this.runningStreams === 0) this.resolveIdle?.()
  }
  /** Ends a producer before its end. One that waits is told at once; what it says to that is nobody's business any more. */
  async returnIterator(iterator) {
    try {
      await iterator.return?.()
    } catch {
      // There is no answer any more that it could fail.
    } finally {
      this.endStream()
    }
  }
  /** Ends a stream that nobody reads. */
  dropStream(pieces) {
    // A body that is none is found out here.
    const iterator = pieces[Symbol.asyncIterator]()
    this.startStream()
    return this.returnIterator(iterator)
  }
  /** Ends the stream of an answer that cannot be sent. It has one unless the stream itself is why. */
  dropUnsentBody(outgoing) {
    const body = outgoing?.body
    if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return
    try {
      this.dropStream(body)
    } catch {
      // No stream, then: its answer fails by that.
    }
  }
  /** @throws TypeError for what is no piece. Its producer, which knows nothing of that, is ended. */
  assertChunk(piece, iterator) {
    if (typeof piece === 'string' || piece instanceof Uint8Array) return
    this.startStream()
    this.returnIterator(iterator)
    throw new TypeError(complaint.invalidStreamChunk(typeof piece))
  }
  /** Resolves when every producer has ended, and after `limit` milliseconds at the latest: one may never. */
  async waitForStreams(limit) {
    // Those whose connection has just been cut are told of it in this turn.
    await sleep(0)
    // So is a stream that has not begun, when it does.
    if (this.pendingResponses > 0) await sleep(maxHeadWait + timerTolerance)
    if (this.runningStreams === 0) return
    await new Promise((resolve) => {
      const late = setTimeout(resolve, limit)
      this.resolveIdle = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }
}
/** Of a server that is not ours to close. */
export const detachedLifetime = new Lifetime()
