/** What a request is on every adapter: who asks, what logs call it, how long its body was waited for, and how a handler hears that nobody waits any more. */

import { type ErrorListener, toErrorContext } from '../http/errorReport.ts'
import type { RequestEnd } from '../http/httpHandler.ts'
import { isPromise } from '../http/promises.ts'
import { detachedLifetime, type Lifetime } from './lifetime.ts'

/** Plain fields rather than `#private` ones, so that a mount can see a request through another target. */
export abstract class BaseRequest {
  abstract readonly method: string
  abstract readonly target: string
  id: string | undefined
  /** Told of what fails outside of any server; it never throws. */
  readonly onError: ErrorListener
  /** Where its state is: an object around it, which shows another target, has none of its own. */
  protected readonly self: this
  private controller: AbortController | undefined
  private shutdownSignal: AbortSignal | undefined
  /** As somebody has set it. */
  private remoteOverride: string | undefined
  /** Of the wait for the body, once somebody asks for it; two numbers, since an object for each request is felt. */
  private waitStart: number | undefined
  private waitEnd: number | undefined

  constructor(report: ErrorListener) {
    this.id = undefined
    this.onError = report
    this.self = this
    this.controller = undefined
    this.shutdownSignal = undefined
    this.remoteOverride = undefined
    this.waitStart = undefined
    this.waitEnd = undefined
  }

  get remoteAddress(): string {
    return this.self.remoteOverride ?? this.getPeerAddress()
  }

  set remoteAddress(address: string) {
    this.self.remoteOverride = address
  }

  get bodyWait(): number {
    const { waitStart: waitBegan, waitEnd: waitEnded } = this.self
    return waitBegan === undefined ? 0 : (waitEnded ?? performance.now()) - waitBegan
  }

  /** Somebody asks for the body. */
  protected startBodyWait(): void {
    const { self } = this
    self.waitStart = performance.now()
    self.waitEnd = undefined
  }

  /** It is there, or will not come. */
  protected endBodyWait(): void {
    this.self.waitEnd ??= performance.now()
  }

  /** Whether somebody has asked for the body. */
  protected get isBodyRequested(): boolean {
    return this.self.waitStart !== undefined
  }

  get signal(): AbortSignal {
    return this.getAbortController().signal
  }

  abort(reason: unknown): void {
    this.getAbortController().abort(reason)
  }

  get shutdown(): AbortSignal {
    const { self } = this
    self.shutdownSignal ??= self.lifetime.createShutdownSignal(self)
    return self.shutdownSignal
  }

  /** Fires the signal, if anybody has asked for it: the client has left. */
  abortOnDisconnect(): void {
    this.self.controller?.abort()
  }

  /** Tells a listener how the answer has ended. What it throws is reported, and keeps nobody else from hearing of it. */
  callEndListener(listener: (ending: RequestEnd) => void, ending: RequestEnd): void {
    const fail = (error: unknown): void => this.onError(error, toErrorContext(this))
    try {
      const made: unknown = listener(ending)
      if (isPromise(made)) Promise.resolve(made).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Of the server that it came to. */
  get lifetime(): Lifetime {
    return detachedLifetime
  }

  abstract onEnd(listener: (ending: RequestEnd) => void): void

  /** Whom the adapter knows the request to come from. */
  protected abstract getPeerAddress(): string

  /** Somebody asks for the signal for the first time: sees to it that `leave` is called when the client leaves, or at once when it has left. */
  protected abstract watchDisconnect(): void

  private getAbortController(): AbortController {
    const { self } = this
    if (self.controller === undefined) {
      self.controller = new AbortController()
      self.watchDisconnect()
    }
    return self.controller
  }
}
