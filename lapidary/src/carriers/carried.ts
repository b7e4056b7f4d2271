/** What a request is on every carrier: who asks, what logs call it, how long its body was waited for, and how a handler hears that nobody waits any more. */

import type { Ending } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { incidentOf, type Report } from '../server/report.ts'
import { everlasting, type Lifetime } from './lifetime.ts'

/** Plain fields rather than `#private` ones, so that a mount can see a request through another target. */
export abstract class Carried {
  abstract readonly method: string
  abstract readonly target: string
  id: string | undefined
  /** Told of what fails outside of any server; it never throws. */
  readonly report: Report
  /** Where its state is: an object around it, which shows another target, has none of its own. */
  protected readonly self: this
  private controller: AbortController | undefined
  private closing: AbortSignal | undefined
  /** As somebody has set it. */
  private peer: string | undefined
  /** Of the wait for the body, once somebody asks for it; two numbers, since an object for each request is felt. */
  private waitBegan: number | undefined
  private waitEnded: number | undefined

  constructor(report: Report) {
    this.id = undefined
    this.report = report
    this.self = this
    this.controller = undefined
    this.closing = undefined
    this.peer = undefined
    this.waitBegan = undefined
    this.waitEnded = undefined
  }

  get remote(): string {
    return this.self.peer ?? this.address()
  }

  set remote(address: string) {
    this.self.peer = address
  }

  get waited(): number {
    const { waitBegan, waitEnded } = this.self
    return waitBegan === undefined ? 0 : (waitEnded ?? performance.now()) - waitBegan
  }

  /** Somebody asks for the body. */
  protected waitBegins(): void {
    const { self } = this
    self.waitBegan = performance.now()
    self.waitEnded = undefined
  }

  /** It is there, or will not come. */
  protected waitEnds(): void {
    this.self.waitEnded ??= performance.now()
  }

  /** Whether somebody has asked for the body. */
  protected get isAsked(): boolean {
    return this.self.waitBegan !== undefined
  }

  get signal(): AbortSignal {
    return this.aborter().signal
  }

  abort(reason: unknown): void {
    this.aborter().abort(reason)
  }

  get shutdown(): AbortSignal {
    const { self } = this
    self.closing ??= self.lifetime.shutdownOf(self)
    return self.closing
  }

  /** Fires the signal, if anybody has asked for it: the client has left. */
  leave(): void {
    this.self.controller?.abort()
  }

  /** Tells a listener how the answer has ended. What it throws is reported, and keeps nobody else from hearing of it. */
  tell(listener: (ending: Ending) => void, ending: Ending): void {
    const fail = (error: unknown): void => this.report(error, incidentOf(this))
    try {
      const made: unknown = listener(ending)
      if (isPromise(made)) Promise.resolve(made).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Of the server that it came to. */
  get lifetime(): Lifetime {
    return everlasting
  }

  abstract onEnd(listener: (ending: Ending) => void): void

  /** Whom the carrier knows the request to come from. */
  protected abstract address(): string

  /** Somebody asks for the signal for the first time: sees to it that `leave` is called when the client leaves, or at once when it has left. */
  protected abstract watch(): void

  private aborter(): AbortController {
    const { self } = this
    if (self.controller === undefined) {
      self.controller = new AbortController()
      self.watch()
    }
    return self.controller
  }
}
