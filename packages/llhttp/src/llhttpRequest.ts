/** The request of the llhttp adapter as a handler sees it, with its body. Nothing is parsed or copied before the handler asks for it. */

import {
  BaseRequest,
  BodyQueue,
  ChunkList,
  createBodyCutOffError,
  createBodyTooLargeError,
  type Lifetime,
  type ProtocolError,
  protocolErrors,
  readRequestFraming,
  toOriginForm,
} from 'lapidary/internal-node'
import { getHeader } from 'lapidary/middleware'
import type { ErrorListener, HttpRequest, RequestEnd } from 'lapidary/server'

/** What a request uses of its connection. */
export interface RequestConnection {
  readonly remoteAddress: string
  readonly lifetime: Lifetime
  /** Sends `100 Continue`. */
  sendContinue(): void
  /** Reads on, where reading was paused until the handler asks for the body. */
  updateReading(): void
}

type EndListener = Parameters<HttpRequest['onEnd']>[0]

const emptyBody = Buffer.alloc(0)

function callEndListeners(request: LlhttpRequest, listeners: readonly EndListener[], end: RequestEnd): void {
  for (const listener of listeners) request.callEndListener(listener, end)
}

/** One request, and the state of its response. */
export class LlhttpRequest extends BaseRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
  readonly connection: RequestConnection
  /** Whether the client allows another request on the connection. */
  mayKeepAlive: boolean
  /** Whether the client still waits for `100 Continue` before it sends the body. */
  expectsContinue: boolean
  /** Why the request must not be answered by the handler. */
  protocolError: ProtocolError | undefined
  /** Undefined where the request has no body. */
  requestBody: LlhttpRequestBody | undefined
  /** Whether all of the request has arrived. */
  isComplete: boolean
  /** Whether the handler has been called. */
  isStarted: boolean
  /** The status of the response; 0 before there is one. */
  status: number
  /** How many bytes of the response body have been sent. */
  bytesSent: number
  /** Whether the response is sent in chunks. */
  isChunked: boolean
  /** Whether the response is the last of its connection. */
  isLast: boolean
  /** Whether the operating system has the whole response. */
  hasResponse: boolean
  /** Whether the server has ended the connection early. */
  isAborted: boolean
  /** Undefined before the end. */
  outcome: RequestEnd['outcome'] | undefined
  /** The request after it on its connection. */
  nextRequest: LlhttpRequest | undefined
  /** Called when the connection ends before the response does. */
  stopStream: (() => void) | undefined
  private listeners: EndListener[] | undefined

  constructor(
    connection: RequestConnection,
    method: string,
    target: string,
    rawHeaders: readonly string[],
    httpVersion: string,
    mayKeepAlive: boolean,
    onError: ErrorListener,
  ) {
    super(onError)
    this.method = method
    this.target = toOriginForm(target)
    this.rawHeaders = rawHeaders
    this.httpVersion = httpVersion
    this.connection = connection
    this.mayKeepAlive = mayKeepAlive
    this.expectsContinue = false
    this.protocolError = undefined
    this.requestBody = undefined
    this.isComplete = false
    this.isStarted = false
    this.status = 0
    this.bytesSent = 0
    this.isChunked = false
    this.isLast = false
    this.hasResponse = false
    this.isAborted = false
    this.outcome = undefined
    this.nextRequest = undefined
    this.stopStream = undefined
    this.listeners = undefined
  }

  override get lifetime(): Lifetime {
    return this.connection.lifetime
  }

  protected override getPeerAddress(): string {
    return this.connection.remoteAddress
  }

  protected override watchDisconnect(): void {
    if (this.outcome !== undefined && this.outcome !== 'completed') this.abortOnDisconnect()
  }

  header(name: string): string | undefined {
    return getHeader(this.rawHeaders, name)
  }

  override onEnd(listener: EndListener): void {
    if (this.outcome !== undefined) this.callEndListener(listener, this.createEnd(this.outcome))
    else if (this.listeners === undefined) this.listeners = [listener]
    else this.listeners.push(listener)
  }

  async body(limit: number): Promise<Uint8Array> {
    const { requestBody } = this
    if (requestBody === undefined) return emptyBody
    if (this.isFullyWritten) throw createBodyCutOffError()
    // A client that waits for `100 Continue` need not even send a body that is too large by its Content-Length.
    if (Number(this.header('content-length')) > limit) throw createBodyTooLargeError(limit)
    this.takeBody()
    this.sendContinue()
    this.startBodyWait()
    const bytes = requestBody.read(limit, () => this.endBodyWait())
    this.connection.updateReading()
    return bytes
  }

  bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    if (Number(this.header('content-length')) > limit) throw createBodyTooLargeError(limit)
    if (this.requestBody !== undefined) this.takeBody()
    const queue = new BodyQueue(limit, {
      start: () => {
        if (!this.isFullyWritten) this.sendContinue()
        this.startBodyWait()
        this.endBodyWait()
        if (this.requestBody === undefined) return queue.end()
        if (this.isFullyWritten) return queue.cutOff()
        this.requestBody.readStream(queue)
        this.connection.updateReading()
      },
      setWaiting: (isWaiting) => this.setBodyWaiting(isWaiting),
      setPaused: (isPaused) => {
        this.requestBody?.setPaused(isPaused)
        this.connection.updateReading()
      },
    })
    return queue
  }

  /** Whether the response has been written. Nothing reads the body any more. */
  private get isFullyWritten(): boolean {
    return this.status !== 0 && this.stopStream === undefined
  }

  /** Whether the client waits for `100 Continue` and the handler has not asked for the body. */
  get withholdsBody(): boolean {
    return this.expectsContinue && this.requestBody?.isRequested === false
  }

  /** Sends `100 Continue`, if the client waits for it. After the head of the response it would be a part of the body. */
  sendContinue(): void {
    if (!this.expectsContinue) return
    this.expectsContinue = false
    this.connection.sendContinue()
  }

  /** Sets the outcome, unless there is one already, and calls the listeners. */
  end(outcome: RequestEnd['outcome']): void {
    if (this.outcome !== undefined) return
    this.outcome = outcome
    this.nextRequest = undefined
    if (outcome !== 'completed') {
      this.requestBody?.abort()
      this.abortOnDisconnect()
      this.stopStream?.()
    }
    // Listeners run outside of the call that ends the request.
    if (this.listeners !== undefined) process.nextTick(callEndListeners, this, this.listeners, this.createEnd(outcome))
  }

  private createEnd(outcome: RequestEnd['outcome']): RequestEnd {
    return { status: this.status, bytes: this.bytesSent, outcome }
  }
}

const expectContinuePattern = /(?:^|\W)100-continue(?:$|\W)/i

/**
 * Creates a request of a head that the parser has read, and decides how its body is read and whether it breaks the rules of HTTP.
 *
 * @param method undefined for a method that HTTP does not have
 */
export function createLlhttpRequest(
  connection: RequestConnection,
  method: string | undefined,
  target: string,
  rawHeaders: readonly string[],
  httpVersion: string,
  mayKeepAlive: boolean,
  onError: ErrorListener,
): LlhttpRequest {
  const request = new LlhttpRequest(connection, method ?? '', target, rawHeaders, httpVersion, mayKeepAlive, onError)
  const { hasBody, protocolError } = readRequestFraming(request)
  request.protocolError = protocolError
  // A rejected request may have a body as well, which is counted while it is discarded.
  if (hasBody) request.requestBody = new LlhttpRequestBody()
  // An expectation of HTTP/1.0 is ignored (RFC 9110 §10.1.1).
  const expectation = httpVersion === '1.1' ? request.header('expect') : undefined
  if (expectation !== undefined && !expectContinuePattern.test(expectation)) request.protocolError ??= protocolErrors.expectation
  else request.expectsContinue = expectation !== undefined && hasBody
  return request
}

const ignoreSettled = (): void => {}

/** A request body: buffered until the handler asks for it, then collected up to a limit, or discarded. */
class LlhttpRequestBody {
  /** How many bytes were discarded. */
  droppedBytes = 0
  /** Whether the handler has asked for it. */
  isRequested = false
  private readonly chunks = new ChunkList()
  private isComplete = false
  private isDropping = false
  private queue: BodyQueue | undefined = undefined
  /** Whether the reader of the stream is slower than the client. */
  isPaused = false
  private limit = Number.POSITIVE_INFINITY
  private resolve: (bytes: Uint8Array) => void = ignoreSettled
  private reject: (error: Error) => void = ignoreSettled
  /** Called before the promise of `read` is settled. */
  private onSettled: () => void = ignoreSettled

  /** How many bytes are buffered for which the handler has not asked. */
  get bufferedBytes(): number {
    return this.isRequested ? 0 : this.chunks.length
  }

  /** Hands the chunks to a stream from now on. One that is answered already has none. */
  readStream(queue: BodyQueue): void {
    if (this.isDropping || this.isRequested) {
      queue.cutOff()
      return
    }
    this.isRequested = true
    this.queue = queue
    queue.push(this.chunks.take())
    if (this.isComplete) queue.end()
  }

  /** The handler is slower than the client, or has caught up with it. */
  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused
  }

  push(chunk: Buffer): void {
    if (this.isDropping) {
      this.droppedBytes += chunk.length
      return
    }
    if (this.queue !== undefined) {
      this.queue.push(chunk)
      return
    }
    this.chunks.push(chunk)
    if (this.chunks.length > this.limit) this.rejectTooLarge()
  }

  /** All of the body has arrived. */
  finish(): void {
    this.isComplete = true
    this.queue?.end()
    if (this.isDropping || !this.isRequested || this.queue !== undefined) return
    this.onSettled()
    this.resolve(this.chunks.take())
  }

  /**
   * Resolves when the whole body has arrived. Rejects with 413 as soon as it is longer than the limit, and with 400 when the connection
   * ends before.
   *
   * @param onSettled called before the promise is settled
   */
  read(limit: number, onSettled: () => void): Promise<Uint8Array> {
    if (this.isDropping) return Promise.reject(createBodyCutOffError())
    this.isRequested = true
    this.limit = limit
    if (this.isComplete && this.chunks.length <= limit) {
      onSettled()
      return Promise.resolve(this.chunks.take())
    }
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      this.onSettled = onSettled
      if (this.chunks.length > limit) this.rejectTooLarge()
    })
  }

  /** Discards the body. The rest is read and counted, so that the client can go on sending until it reads the response. */
  discard(): void {
    this.queue?.cutOff()
    if (!this.isComplete) this.fail(createBodyCutOffError())
    this.isDropping = true
    this.isRequested = true
    this.droppedBytes = 0
    this.chunks.take()
  }

  /** The connection has ended. */
  abort(): void {
    if (this.isComplete) this.queue?.cutOff()
    else this.discard()
  }

  private rejectTooLarge(): void {
    this.fail(createBodyTooLargeError(this.limit))
    this.discard()
  }

  private fail(error: Error): void {
    this.onSettled()
    this.reject(error)
  }
}
