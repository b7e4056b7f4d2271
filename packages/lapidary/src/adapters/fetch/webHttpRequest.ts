/** A Request of the web as a kernel sees it: nothing is parsed or copied before it is asked for. */

import { concatBytes } from '../../http/chunks.ts'
import type { ErrorListener } from '../../http/errorReport.ts'
import { errors } from '../../http/errors.ts'
import { isHttpError } from '../../http/httpError.ts'
import type { HttpRequest, RequestEnd } from '../../http/httpHandler.ts'
import { encodeUtf8 } from '../../http/utf8.ts'
import { problemDetail } from '../../messages/problemMessages.ts'
import { BaseRequest } from '../baseRequest.ts'

/** The target in origin form; the URL of a Request is already normalized. Bun has no more than that where the Host cannot be part of a URL. */
function toRequestTarget(url: string): string {
  const start = url.charCodeAt(0) === 0x2f ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const hash = url.indexOf('#', start)
  return hash < 0 ? url.slice(start) : url.slice(start, hash)
}

/** A body that is there as a whole. */
export type WholeBody = string | Uint8Array | null

const getWholeBodyLength = (body: WholeBody): number => (typeof body === 'string' ? encodeUtf8(body) : (body ?? '')).length

const createWebBodyTooLargeError = (limit: number): Error => errors.contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })

async function readWebStream(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    length += part.value.byteLength
    if (length > limit) {
      reader.releaseLock()
      throw createWebBodyTooLargeError(limit)
    }
    chunks.push(part.value)
  }
  return concatBytes(chunks)
}

/** A whole body, not yet measured. One that says how long it is ends there, whoever carries it. */
function readWebBody(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const stated = request.headers.get('content-length')
  const length = Number(stated)
  if (length > limit) return Promise.reject(createWebBodyTooLargeError(limit))
  if (stated !== null && length <= limit) return request.arrayBuffer()
  return request.body === null ? Promise.resolve(new Uint8Array()) : readWebStream(request.body, limit)
}

/** One request of the web. */
export class WebHttpRequest extends BaseRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly request: Request
  private listeners: ((ending: RequestEnd) => void)[] | undefined
  private requestEnd: RequestEnd | undefined
  private isAnswered: boolean
  /** Of a whole answer, whose bytes nobody has counted yet. */
  private status: number
  private wholeBody: WholeBody | undefined

  constructor(request: Request, report: ErrorListener) {
    super(report)
    this.method = request.method
    this.target = toRequestTarget(request.url)
    this.request = request
    this.listeners = undefined
    this.requestEnd = undefined
    this.isAnswered = false
    this.status = 0
    this.wholeBody = undefined
  }

  get rawHeaders(): readonly string[] {
    return [...this.request.headers].flat()
  }

  /** Whoever reads the answer may cancel it as well, which is told by `leave`. */
  protected override watchDisconnect(): void {
    const { signal } = this.request
    if (signal.aborted) this.abortOnDisconnect()
    else signal.addEventListener('abort', () => this.abortOnDisconnect(), { once: true })
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined
  }

  body(limit: number): Promise<Uint8Array> {
    const { self } = this
    self.startBodyWait()
    self.onBodyRead(true)
    return readWebBody(self.request, limit).then(
      (whole) => {
        self.endBodyWait()
        self.onBodyRead(false)
        if (whole.byteLength > limit) throw createWebBodyTooLargeError(limit)
        return whole instanceof Uint8Array ? whole : new Uint8Array(whole)
      },
      (error: unknown) => {
        self.endBodyWait()
        self.onBodyRead(false)
        self.discardBody()
        // Ours are refusals; any other comes from below, where the body ended before its time.
        throw isHttpError(error) ? error : errors.badRequest({ detail: problemDetail.bodyCutOff() })
      },
    )
  }

  override onEnd(listener: (ending: RequestEnd) => void): void {
    const { self } = this
    const ending = self.getRequestEnd()
    if (ending !== undefined) {
      self.callEndListener(listener, ending)
      return
    }
    if (self.listeners === undefined) {
      self.listeners = []
      // What becomes of an answer is told by whoever sends it.
      const leave = (): void => {
        if (!self.isAnswered) self.setEnd({ status: 0, bytes: 0, outcome: 'aborted' })
      }
      self.request.signal.addEventListener('abort', leave, { once: true })
    }
    self.listeners.push(listener)
  }

  /** Whom the adapter knows the request to come from; nobody tells it with a Request of the web alone. */
  protected override getPeerAddress(): string {
    return ''
  }

  /** Told when what is still to come of the body is of no use. */
  protected discardBody(): void {
    this.request.body?.cancel().catch(() => {})
  }

  /** Told when the body is waited for, and when it is there. */
  protected onBodyRead(_isWaiting: boolean): void {}

  private getRequestEnd(): RequestEnd | undefined {
    if (this.requestEnd === undefined && this.wholeBody !== undefined) {
      this.requestEnd = {
        status: this.status,
        bytes: this.method === 'HEAD' ? 0 : getWholeBodyLength(this.wholeBody),
        outcome: 'completed',
      }
    }
    return this.requestEnd
  }

  /** Whether the client has left already. */
  get hasLeft(): boolean {
    return this.request.signal.aborted
  }

  /** An answer is on its way, piece by piece: how it ends is told by whoever sends it. */
  startStream(): void {
    this.isAnswered = true
  }

  /** An answer was handed over as a whole. Its bytes are counted when somebody asks. */
  setSent(status: number, body: WholeBody): void {
    this.isAnswered = true
    this.status = status
    this.wholeBody = body
    if (this.listeners !== undefined) this.setEnd(this.getRequestEnd() as RequestEnd)
  }

  /** The answer has ended so, unless it had ended before. */
  setEnd(ending: RequestEnd): void {
    this.isAnswered = true
    this.requestEnd ??= ending
    const { listeners = [] } = this
    this.listeners = undefined
    for (const listener of listeners) this.callEndListener(listener, ending)
  }
}
