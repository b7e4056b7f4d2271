/** The part of a request that is the same on every adapter: identity, remote address, body wait, abort and shutdown signals. */
import { type ErrorListener, toErrorContext } from '../http/errorReport.ts'
import { errors } from '../http/errors.ts'
import type { HttpError } from '../http/httpError.ts'
import type { RequestEnd } from '../http/httpHandler.ts'
import { isPromise } from '../http/promises.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { detachedLifetime, type Lifetime } from './lifetime.ts'

/** Called once, with the outcome of a request. */
export type EndListener = (end: RequestEnd) => void

/** Creates the error of a body with more bytes than the handler accepts. */
export const createBodyTooLargeError = (limit: number): HttpError => errors.contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })

/** Creates the error of a body whose connection has ended before it was complete. */
export const createBodyCutOffError = (): HttpError => errors.badRequest({ detail: problemDetail.bodyCutOff() })

/** The base class of each adapter's request. Its fields are plain rather than `#private`, so that a mount can show the request under another target. */
export abstract class BaseRequest {
  abstract readonly method: string
  abstract readonly target: string
  id: string | undefined
  /** Reports errors that occur outside of the server. It never throws. */
  readonly onError: ErrorListener
  /** The object that holds the state. An object derived from it, which shows another target, has no state of its own. */
  protected readonly self: this
  private controller: AbortController | undefined
  private shutdownSignal: AbortSignal | undefined
  /** The address that middleware has set. */
  private remoteOverride: string | undefined
  /** When reading the body began and ended. Two numbers rather than an object, which would cost an allocation for each request. */
  private waitStart: number | undefined
  private waitEnd: number | undefined

  constructor(onError: ErrorListener) {
    this.id = undefined
    this.onError = onError
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
    const { waitStart, waitEnd } = this.self
    return waitStart === undefined ? 0 : (waitEnd ?? performance.now()) - waitStart
  }

  /** Marks the moment when the handler asks for the body. */
  protected startBodyWait(): void {
    const { self } = this
    self.waitStart = performance.now()
    self.waitEnd = undefined
  }

  /** Marks the moment when the body has arrived or failed. */
  protected endBodyWait(): void {
    this.self.waitEnd ??= performance.now()
  }

  /** Whether the handler has asked for the body. */
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

  /** Fires `signal`, if it is in use, because the client has disconnected. */
  abortOnDisconnect(): void {
    this.self.controller?.abort()
  }

  /** Calls a listener with the outcome. An error in the listener is reported and does not affect other listeners. */
  callEndListener(listener: EndListener, end: RequestEnd): void {
    const fail = (error: unknown): void => this.onError(error, toErrorContext(this))
    try {
      const result: unknown = listener(end)
      if (isPromise(result)) Promise.resolve(result).catch(fail)
    } catch (error) {
      fail(error)
    }
  }

  /** The lifetime of the server that received the request. */
  get lifetime(): Lifetime {
    return detachedLifetime
  }

  abstract onEnd(listener: EndListener): void

  /** The address of the peer, as the connection knows it. */
  protected abstract getPeerAddress(): string

  /** Called when `signal` is first used: arranges that `abortOnDisconnect` is called when the client disconnects, or calls it if it has already. */
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
