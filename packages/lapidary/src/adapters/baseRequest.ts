/** The part of a request that is the same on every adapter: identity, remote address, body wait, abort and shutdown signals. */
import { type ErrorListener, toErrorContext } from '../http/errorReport.ts'
import { toolkitErrors } from '../http/errors.ts'
import type { HttpError } from '../http/httpError.ts'
import type { RequestEnd } from '../http/httpHandler.ts'
import { isPromise } from '../http/promises.ts'
import * as adapterErrors from '../messages/adapterErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { detachedLifetime, type Lifetime } from './lifetime.ts'

/** Called once, with the outcome of a request. */
export type EndListener = (end: RequestEnd) => void

/** Creates the error of a body with more bytes than the handler accepts. */
export const createBodyTooLargeError = (limit: number): HttpError =>
  toolkitErrors.contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })

/** Creates the error of a body whose connection or whose request has ended before it was complete, or before it was asked for. */
export const createBodyCutOffError = (): HttpError => toolkitErrors.badRequest({ detail: problemDetail.bodyCutOff() })

/** The base class of each adapter's request. */
export abstract class BaseRequest {
  abstract readonly method: string
  abstract readonly target: string
  id: string | undefined
  /** Reports errors that occur outside of the server. It never throws. */
  readonly onError: ErrorListener
  private controller: AbortController | undefined
  private shutdownSignal: AbortSignal | undefined
  /** The address that middleware has set. */
  private remoteOverride: string | undefined
  /**
   * When reading the body began and ended. Two numbers rather than an object, which would cost an allocation for each request. A stream is
   * waited for several times: each start is put back by what was waited before.
   */
  private waitStart: number | undefined
  private waitEnd: number | undefined
  /** Whether something reads the body, or has read it. */
  private isBodyTaken: boolean

  constructor(onError: ErrorListener) {
    this.id = undefined
    this.onError = onError
    this.controller = undefined
    this.shutdownSignal = undefined
    this.remoteOverride = undefined
    this.waitStart = undefined
    this.waitEnd = undefined
    this.isBodyTaken = false
  }

  get remoteAddress(): string {
    return this.remoteOverride ?? this.getPeerAddress()
  }

  set remoteAddress(address: string) {
    this.remoteOverride = address
  }

  get bodyWait(): number {
    const { waitStart, waitEnd } = this
    return waitStart === undefined ? 0 : (waitEnd ?? performance.now()) - waitStart
  }

  /** Marks that something reads the body. @throws TypeError for a second reader: the first one has the bytes. */
  protected takeBody(): void {
    if (this.isBodyTaken) throw new TypeError(adapterErrors.bodyReadTwice())
    this.isBodyTaken = true
  }

  /** Marks the moment when the handler asks for the body, or for its next chunk. */
  protected startBodyWait(): void {
    this.waitStart = performance.now() - this.bodyWait
    this.waitEnd = undefined
  }

  /** Marks both moments of a wait for a chunk. */
  protected setBodyWaiting(isWaiting: boolean): void {
    if (isWaiting) this.startBodyWait()
    else this.endBodyWait()
  }

  /** Marks the moment when the body has arrived or failed. */
  protected endBodyWait(): void {
    this.waitEnd ??= performance.now()
  }

  /** Whether the handler has asked for the body. */
  protected get isBodyRequested(): boolean {
    return this.waitStart !== undefined
  }

  get signal(): AbortSignal {
    return this.getAbortController().signal
  }

  abort(reason: unknown): void {
    this.getAbortController().abort(reason)
  }

  get shutdown(): AbortSignal {
    this.shutdownSignal ??= this.lifetime.createShutdownSignal(this)
    return this.shutdownSignal
  }

  /** Fires `signal`, if it is in use, because the client has disconnected. */
  abortOnDisconnect(): void {
    this.controller?.abort()
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

  /**
   * Called when `signal` is first used: arranges that `abortOnDisconnect` is called when the client disconnects, or calls it if it has
   * already.
   */
  protected abstract watchDisconnect(): void

  private getAbortController(): AbortController {
    if (this.controller === undefined) {
      this.controller = new AbortController()
      this.watchDisconnect()
    }
    return this.controller
  }
}
