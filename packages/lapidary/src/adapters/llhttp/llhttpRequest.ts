/** A request of the llhttp adapter as a kernel sees it: nothing is parsed or copied before it is asked for. */

import type { ErrorListener } from '../../http/errorReport.ts'
import { errors } from '../../http/errors.ts'
import { getHeader } from '../../http/headerFields.ts'
import type { HttpRequest, RequestEnd } from '../../http/httpHandler.ts'
import { problemDetail } from '../../messages/problemMessages.ts'
import { BaseRequest } from '../baseRequest.ts'
import type { Lifetime } from '../lifetime.ts'
import { toOriginForm } from '../node/nodeHttpRequest.ts'
import { readRequestFraming } from '../node/rejectMalformed.ts'
import { type ProtocolError, protocolErrors } from '../protocolErrors.ts'

// The body of a request on the llhttp adapter: kept until somebody asks for it, collected up to a limit, or dropped.

export const createBodyTooLargeError = (limit: number): Error => errors.contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })

const ignoreSettled = (): void => {}

/** One body, part by part. */
export class LlhttpRequestBody {
  /** How many bytes were dropped, since they are counted. */
  droppedBytes = 0
  /** Whether somebody has asked for it. */
  isRequested = false
  private chunks: Buffer[] = []
  private length = 0
  private isComplete = false
  private isDropping = false
  private limit = Number.POSITIVE_INFINITY
  private resolve: (bytes: Uint8Array) => void = ignoreSettled
  private reject: (error: Error) => void = ignoreSettled
  /** Called when nobody waits for it any more. */
  private onSettled: () => void = ignoreSettled

  /** How many bytes are here that nobody has asked for. */
  get bufferedBytes(): number {
    return this.isRequested ? 0 : this.length
  }

  push(part: Buffer): void {
    if (this.isDropping) {
      this.droppedBytes += part.length
      return
    }
    this.chunks.push(part)
    this.length += part.length
    if (this.length > this.limit) this.rejectTooLarge()
  }

  /** All of it is here. */
  finish(): void {
    this.isComplete = true
    if (this.isDropping) return
    if (!this.isRequested) return
    this.onSettled()
    this.resolve(this.concatenate())
  }

  /**
   * Resolves when all of it has come. Rejects with 413 as soon as more has come than the limit, with 400 when the connection ends before.
   * Either way it calls `settled` before that.
   */
  read(limit: number, settled: () => void): Promise<Uint8Array> {
    this.isRequested = true
    this.limit = limit
    if (this.isComplete && this.length <= limit) {
      settled()
      return Promise.resolve(this.concatenate())
    }
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      this.onSettled = settled
      if (this.length > limit) this.rejectTooLarge()
    })
  }

  /** Nobody wants the rest: it is read all the same, so that the client gets to read the answer, and its bytes are counted from here. */
  discard(): void {
    this.isDropping = true
    this.isRequested = true
    this.droppedBytes = 0
    this.chunks = []
    this.length = 0
  }

  /** The connection has ended. */
  abort(): void {
    if (!this.isComplete) this.fail(errors.badRequest({ detail: problemDetail.bodyCutOff() }))
  }

  private rejectTooLarge(): void {
    const error = createBodyTooLargeError(this.limit)
    this.discard()
    this.fail(error)
  }

  private fail(error: Error): void {
    this.onSettled()
    this.reject(error)
  }

  private concatenate(): Uint8Array {
    const { chunks: parts } = this
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }
}

/** What a request needs to know of its connection. */
export interface RequestConnection {
  readonly remote: string
  readonly lifetime: Lifetime
  /** Lets a client send its body that holds it back until it hears `100 Continue`. */
  sendContinue(): void
  /** Reads on, where reading was stopped until somebody wants the body. */
  updateReading(): void
}

type EndListener = (ending: RequestEnd) => void

const emptyLlhttpBody = Buffer.alloc(0)

function callEndListeners(incoming: LlhttpRequest, listeners: readonly EndListener[], ending: RequestEnd): void {
  for (const listener of listeners) incoming.callEndListener(listener, ending)
}

/** One request, and how far its answer has come. */
export class LlhttpRequest extends BaseRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
  readonly connection: RequestConnection
  /** Whether the client lets another request follow. */
  mayKeepAlive: boolean
  /** Whether the client waits for `100 Continue` before it sends the body, and has not heard it. */
  expectsContinue: boolean
  /** The status to refuse it with. */
  protocolError: ProtocolError | undefined
  /** Undefined where it has none. */
  requestBody: LlhttpRequestBody | undefined
  /** Whether all of it has come. */
  isComplete: boolean
  /** Whether the kernel has it. */
  isStarted: boolean
  /** The status of its answer; 0 before there is one. */
  status: number
  /** Bytes of the body of the answer, so far. */
  bytesSent: number
  /** Whether its answer goes out in chunks. */
  isChunked: boolean
  /** Whether its answer is the last of the connection. */
  isLast: boolean
  /** Whether all of its answer has been handed to the system. */
  isAnswered: boolean
  /** Whether it is us who ended the connection. */
  isAborted: boolean
  /** Undefined before the end. */
  outcome: RequestEnd['outcome'] | undefined
  /** The request behind it on its connection. */
  nextRequest: LlhttpRequest | undefined
  /** Called when the connection ends before the answer does. */
  stopStream: (() => void) | undefined
  private listeners: EndListener[] | undefined

  constructor(
    connection: RequestConnection,
    method: string,
    target: string,
    rawHeaders: readonly string[],
    httpVersion: string,
    keepAlive: boolean,
    report: ErrorListener,
  ) {
    super(report)
    this.method = method
    this.target = toOriginForm(target)
    this.rawHeaders = rawHeaders
    this.httpVersion = httpVersion
    this.connection = connection
    this.mayKeepAlive = keepAlive
    this.expectsContinue = false
    this.protocolError = undefined
    this.requestBody = undefined
    this.isComplete = false
    this.isStarted = false
    this.status = 0
    this.bytesSent = 0
    this.isChunked = false
    this.isLast = false
    this.isAnswered = false
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
    return this.connection.remote
  }

  protected override watchDisconnect(): void {
    if (this.outcome === 'aborted' || this.outcome === 'failed') this.abortOnDisconnect()
  }

  /** Looks at the lines as they came. */
  header(name: string): string | undefined {
    return getHeader(this.rawHeaders, name)
  }

  override onEnd(listener: EndListener): void {
    const { self } = this
    if (self.outcome !== undefined) self.callEndListener(listener, self.createEnd(self.outcome))
    else if (self.listeners === undefined) self.listeners = [listener]
    else self.listeners.push(listener)
  }

  async body(limit: number): Promise<Uint8Array> {
    const { self } = this
    const { requestBody: content } = self
    if (content === undefined) return emptyLlhttpBody
    // Nothing is read of a body that says itself that it is too large; a client that waits for 100 Continue need not even send it.
    if (Number(this.header('content-length')) > limit) throw createBodyTooLargeError(limit)
    self.sendContinue()
    self.startBodyWait()
    const bytes = content.read(limit, () => self.endBodyWait())
    self.connection.updateReading()
    return bytes
  }

  /** Whether the client holds its body back, and nobody has asked for it. */
  get withholdsBody(): boolean {
    return this.expectsContinue && this.requestBody?.isRequested === false
  }

  private sendContinue(): void {
    if (!this.expectsContinue) return
    this.expectsContinue = false
    this.connection.sendContinue()
  }

  /** Tells everybody how it ended; only the first word counts. */
  end(how: RequestEnd['outcome']): void {
    if (this.outcome !== undefined) return
    this.outcome = how
    this.nextRequest = undefined
    if (how !== 'completed') {
      this.requestBody?.abort()
      this.abortOnDisconnect()
      this.stopStream?.()
    }
    // Whoever listens is no part of this request any more.
    if (this.listeners !== undefined) process.nextTick(callEndListeners, this, this.listeners, this.createEnd(how))
  }

  private createEnd(how: RequestEnd['outcome']): RequestEnd {
    return { status: this.status, bytes: this.bytesSent, outcome: how }
  }
}

// Makes a request of a head that the llhttp adapter's parser has read: what decides how it is read, and whether it is one.

const expectContinuePattern = /(?:^|\W)100-continue(?:$|\W)/i

/** `method` is undefined for one that HTTP has not. */
export function createLlhttpRequest(
  connection: RequestConnection,
  method: string | undefined,
  target: string,
  lines: readonly string[],
  version: string,
  keepAlive: boolean,
  report: ErrorListener,
): LlhttpRequest {
  const incoming = new LlhttpRequest(connection, method ?? '', target, lines, version, keepAlive, report)
  const { hasBody, protocolError: refusal } = readRequestFraming(incoming)
  incoming.protocolError = refusal
  // What is refused may have a body as well, which is counted while it is dropped.
  if (hasBody) incoming.requestBody = new LlhttpRequestBody()
  // Those of older clients mean nothing (RFC 9110 §10.1.1).
  const expectation = version === '1.1' ? incoming.header('expect') : undefined
  if (expectation !== undefined && !expectContinuePattern.test(expectation)) incoming.protocolError ??= protocolErrors.expectation
  else {
    incoming.expectsContinue = expectation !== undefined && hasBody
  }
  return incoming
}
