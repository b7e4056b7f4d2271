/** What a server that listens knows beside its connections: whether it closes, which requests want to hear of that, and which streams still run. */
import * as complaint from '../describe/complaint.ts'
import type { Ending, Outgoing, OutgoingBody } from '../server/kernel.ts'
import { headWait } from '../server/stream.ts'

/** What is made piece by piece. */
export type Pieces = Exclude<OutgoingBody, string | Uint8Array | null>

/** A request as it ends. */
interface Ended {
  onEnd(listener: (ending: Ending) => void): void
}

/** Resolves when the time, in milliseconds, is over. */
export const passed = (time: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, time))

/** For timers that are set in one turn and fire in another, in milliseconds. */
const margin = 10

export class Lifetime {
  isClosing = false
  /** How many requests have no answer yet. */
  pending = 0
  /** Those of requests that are under way. */
  private readonly controllers = new Set<AbortController>()
  /** How many streams have a producer that has not ended. */
  private running = 0
  /** Resolves the promise of `idle`. */
  private stopped: (() => void) | undefined = undefined

  /** Fires when the server begins to close. It is of this request alone: one for all would keep what listens to it for as long as the server. */
  shutdownOf(incoming: Ended): AbortSignal {
    const controller = new AbortController()
    if (this.isClosing) controller.abort()
    else {
      this.controllers.add(controller)
      incoming.onEnd(() => this.controllers.delete(controller))
    }
    return controller.signal
  }

  /** The server begins to close. */
  close(): void {
    this.isClosing = true
    for (const controller of this.controllers) controller.abort()
    this.controllers.clear()
  }

  /** A stream is walked. */
  begins(): void {
    this.running += 1
  }

  /** Its producer has ended. */
  ends(): void {
    this.running -= 1
    if (this.running === 0) this.stopped?.()
  }

  /** Ends a producer before its end. One that waits is told at once; what it says to that is nobody's business any more. */
  async leave(iterator: AsyncIterator<unknown>): Promise<void> {
    try {
      await iterator.return?.()
    } catch {
      // There is no answer any more that it could fail.
    } finally {
      this.ends()
    }
  }

  /** Ends a stream that nobody reads. */
  drop(pieces: Pieces): Promise<void> {
    // A body that is none is found out here.
    const iterator = pieces[Symbol.asyncIterator]()
    this.begins()
    return this.leave(iterator)
  }

  /** Ends the stream of an answer that cannot be sent. It has one unless the stream itself is why. */
  dropUnsent(outgoing: Outgoing | undefined): void {
    const body = outgoing?.body
    if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return
    try {
      this.drop(body)
    } catch {
      // No stream, then: its answer fails by that.
    }
  }

  /** @throws TypeError for what is no piece. Its producer, which knows nothing of that, is ended. */
  mustBePiece(piece: unknown, iterator: AsyncIterator<unknown>): void {
    if (typeof piece === 'string' || piece instanceof Uint8Array) return
    this.begins()
    this.leave(iterator)
    throw new TypeError(complaint.noPiece(typeof piece))
  }

  /** Resolves when every producer has ended, and after `limit` milliseconds at the latest: one may never. */
  async idle(limit: number): Promise<void> {
    // Those whose connection has just been cut are told of it in this turn.
    await passed(0)
    // So is a stream that has not begun, when it does.
    if (this.pending > 0) await passed(headWait + margin)
    if (this.running === 0) return
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, limit)
      this.stopped = () => {
        clearTimeout(late)
        resolve()
      }
    })
  }
}

/** Of a server that is not ours to close. */
export const everlasting: Lifetime = new Lifetime()
