/** A request of the swift carrier as a kernel sees it: nothing is parsed or copied before it is asked for. */
import type { HttpRequest, RequestEnd } from '../server/kernel.ts'
import type { ErrorListener } from '../server/report.ts'
import { BaseRequest } from './carried.ts'
import { getHeader } from './headerLines.ts'
import type { Lifetime } from './lifetime.ts'
import { toOriginForm } from './nodeIncoming.ts'
import { createBodyTooLargeError, type LlhttpRequestBody } from './swiftBody.ts'
import type { ProtocolError } from './unsound.ts'

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
    if (this.outcome === 'left' || this.outcome === 'cut') this.abortOnDisconnect()
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
    if (how !== 'sent') {
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
