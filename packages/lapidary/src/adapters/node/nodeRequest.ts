/** The part of a request that is the same over HTTP/1.1 and HTTP/2: how its body is read, and how it ends. */
import type { Writable } from 'node:stream'
import { ChunkList } from '../../http/chunks.ts'
import type { ErrorListener } from '../../http/errorReport.ts'
import type { RequestEnd } from '../../http/httpHandler.ts'
import { BaseRequest, createBodyCutOffError, createBodyTooLargeError, type EndListener } from '../baseRequest.ts'
import { BodyQueue } from '../bodyQueue.ts'
import type { Lifetime } from '../lifetime.ts'

/** Called with each chunk of a request body, then with null. */
export type BodyListener = (chunk: Uint8Array | null) => void

/** What an adapter of Node is asked of each request. */
export abstract class NodeRequest extends BaseRequest {
  abstract readonly rawHeaders: readonly string[]
  /** How many bytes of the response body have been handed to the connection. */
  bytesSent: number
  /** Whether the server has ended the connection early. */
  isAborted: boolean
  /** Whether there is a whole response. What is left of the body is discarded, and nothing reads it any more. */
  hasResponse: boolean
  protected readonly hasBody: boolean
  /** Whether the client still waits for `100 Continue` before it sends the body. */
  private expectsContinue: boolean
  private readonly serverLifetime: Lifetime
  /** What waits for the end. Undefined where nothing does. */
  private endListeners: (() => void)[] | undefined
  /** Ends the reading of the body early. Undefined where nothing reads it. */
  private cutBodyOff: (() => void) | undefined

  constructor(hasBody: boolean, expectsContinue: boolean, onError: ErrorListener, serverLifetime: Lifetime) {
    super(onError)
    this.bytesSent = 0
    this.isAborted = false
    this.hasResponse = false
    this.hasBody = hasBody
    this.expectsContinue = expectsContinue
    this.serverLifetime = serverLifetime
    this.endListeners = undefined
    this.cutBodyOff = undefined
  }

  /** The response as Node writes it. It emits `close` once. */
  protected abstract readonly output: Writable
  /** Whether the operating system has the whole response. */
  protected abstract readonly isSent: boolean
  /** Whether the response emits `close` no more. */
  protected abstract readonly isOver: boolean
  /** Whether the connection was lost before the body had arrived. */
  protected abstract readonly isCutOff: boolean
  /** Whether a part of the body has not arrived yet. */
  abstract readonly hasUnreadBody: boolean
  abstract header(name: string): string | undefined
  /** What has been sent of the response. */
  protected abstract getSent(outcome: RequestEnd['outcome']): Pick<RequestEnd, 'status' | 'bytes'>
  /**
   * Sends the chunks of the body to a listener, in place of the previous one.
   *
   * @param onCutOff called when the connection ends before the body does
   */
  abstract listenToBody(listener: BodyListener, onCutOff?: () => void): void
  protected abstract setBodyPaused(isPaused: boolean): void
  protected abstract writeContinue(): void

  override get lifetime(): Lifetime {
    return this.serverLifetime
  }

  protected override watchDisconnect(): void {
    const { output } = this
    if (output.destroyed && !this.isSent) this.abortOnDisconnect()
    else output.once('close', () => this.isSent || this.abortOnDisconnect())
  }

  override onEnd(listener: EndListener): void {
    const notify = (): void => {
      const outcome = this.isSent ? 'completed' : this.isAborted ? 'failed' : 'aborted'
      this.callEndListener(listener, { ...this.getSent(outcome), outcome })
    }
    if (this.isOver) notify()
    else if (this.endListeners !== undefined) this.endListeners.push(notify)
    else {
      const notifyAll = [notify]
      this.endListeners = notifyAll
      // One listener of Node's for all of them: it warns of more than ten.
      this.output.once('close', () => {
        for (const notifyOne of notifyAll) notifyOne()
      })
    }
  }

  /** Whether the client waits for `100 Continue` and the handler has not asked for the body. */
  get withholdsBody(): boolean {
    return this.expectsContinue && !this.isBodyRequested
  }

  /** Whether it is too late to read the body. */
  protected get isBodyGone(): boolean {
    return this.hasBody && (this.hasResponse || this.isCutOff)
  }

  /** Sends `100 Continue`, if the client waits for it. After the head of the response it would be a part of the body. */
  sendContinue(): void {
    if (!this.expectsContinue) return
    this.expectsContinue = false
    this.writeContinue()
  }

  body(limit: number): Promise<Uint8Array> {
    if (this.isBodyGone) return Promise.reject(createBodyCutOffError())
    // A stream that has ended does not end again.
    if (!this.hasBody) return Promise.resolve(new Uint8Array())
    return new Promise((resolve, reject) => {
      // A client that waits for `100 Continue` need not even send a body that is too large by its Content-Length.
      if (Number(this.header('content-length')) > limit) return reject(createBodyTooLargeError(limit))
      this.takeBody()
      this.sendContinue()
      this.startBodyWait()
      const fail = (error: Error): void => {
        this.endBodyWait()
        reject(error)
      }
      const chunks = new ChunkList()
      let length = 0
      const onChunk = (chunk: Uint8Array | null): void => {
        if (chunk === null) {
          this.endBodyWait()
          resolve(chunks.take())
          return
        }
        length += chunk.length
        if (length <= limit) return void chunks.push(chunk)
        // The rest is read and discarded, so that the client can go on sending until it reads the response.
        chunks.take()
        fail(createBodyTooLargeError(limit))
      }
      this.cutBodyOff = () => fail(createBodyCutOffError())
      this.listenToBody(onChunk, this.cutBodyOff)
    })
  }

  bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    if (Number(this.header('content-length')) > limit) throw createBodyTooLargeError(limit)
    if (this.hasBody) this.takeBody()
    const queue = new BodyQueue(limit, {
      start: () => {
        if (!this.isBodyGone) this.sendContinue()
        this.startBodyWait()
        this.endBodyWait()
        if (!this.hasBody) return queue.end()
        if (this.isBodyGone) return queue.cutOff()
        const onChunk = (chunk: Uint8Array | null): void => (chunk === null ? queue.end() : queue.push(chunk))
        this.listenToBody(onChunk, () => queue.cutOff())
        // After a response, nothing reads the rest.
        this.output.once('close', () => queue.cutOff())
      },
      setWaiting: (isWaiting) => this.setBodyWaiting(isWaiting),
      setPaused: (isPaused) => this.setBodyPaused(isPaused),
    })
    this.cutBodyOff = () => queue.cutOff()
    return queue
  }

  /** Ends the reading of the body, if it is still being read: the response does not wait for its reader. */
  endBody(): void {
    this.cutBodyOff?.()
  }
}
