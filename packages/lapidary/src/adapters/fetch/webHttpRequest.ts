/** A Request of the web as a handler sees it. Nothing is parsed or copied before the handler asks for it. */
import { ChunkList } from '../../http/chunks.ts'
import { encodeUtf8 } from '../../http/encodings.ts'
import type { ErrorListener } from '../../http/errorReport.ts'
import { isHttpError } from '../../http/httpError.ts'
import type { HttpRequest, RequestEnd } from '../../http/httpHandler.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import { BaseRequest, createBodyCutOffError, createBodyTooLargeError, type EndListener } from '../baseRequest.ts'

/** Cuts the target in origin form out of a URL. Bun has only the target where the Host cannot be part of a URL. */
function toRequestTarget(url: string): string {
  const start = url.charCodeAt(0) === 0x2f ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const hash = url.indexOf('#', start)
  return hash < 0 ? url.slice(start) : url.slice(start, hash)
}

/** A response body that is not a stream. */
type WholeBody = string | Uint8Array | null

const getWholeBodyLength = (body: WholeBody): number => (typeof body === 'string' ? encodeUtf8(body) : (body ?? '')).length

async function readWebStream(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks = new ChunkList()
  const reader = body.getReader()
  for (let chunk = await reader.read(); chunk.value !== undefined; chunk = await reader.read()) {
    chunks.push(chunk.value)
    if (chunks.length <= limit) continue
    reader.releaseLock()
    throw createBodyTooLargeError(limit)
  }
  return chunks.take()
}

/** Reads a whole body, whose length the caller checks. A body with a Content-Length ends there on every platform. */
function readWebBody(webRequest: Request, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const declared = webRequest.headers.get('content-length')
  const length = Number(declared)
  if (length > limit) return Promise.reject(createBodyTooLargeError(limit))
  if (declared !== null && length <= limit) return webRequest.arrayBuffer()
  return webRequest.body === null ? Promise.resolve(new Uint8Array()) : readWebStream(webRequest.body, limit)
}

/** The targets of the requests that `fromFetch` has made of a mount's: their URLs are without the prefix. */
export const originalTargets: WeakMap<Request, string> = new WeakMap()

/** The addresses of the clients of requests, where the adapter that has made the Request knows them. */
export const peerAddresses: WeakMap<Request, string> = new WeakMap()

export class WebHttpRequest extends BaseRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly webRequest: Request
  private listeners: EndListener[] | undefined
  private requestEnd: RequestEnd | undefined
  private hasResponse: boolean
  /** The status and body of a whole response, whose bytes are counted only if its end is watched. */
  private status: number
  private wholeBody: WholeBody | undefined

  constructor(webRequest: Request, onError: ErrorListener) {
    super(onError)
    this.method = webRequest.method
    this.target = toRequestTarget(webRequest.url)
    this.webRequest = webRequest
    this.listeners = undefined
    this.requestEnd = undefined
    this.hasResponse = false
    this.status = 0
    this.wholeBody = undefined
  }

  get originalTarget(): string | undefined {
    return originalTargets.get(this.webRequest)
  }

  get rawHeaders(): readonly string[] {
    return [...this.webRequest.headers].flat()
  }

  /** A reader of the response may cancel it as well, which calls `abortOnDisconnect` directly. */
  protected override watchDisconnect(): void {
    const { signal } = this.webRequest
    if (signal.aborted) this.abortOnDisconnect()
    else signal.addEventListener('abort', () => this.abortOnDisconnect(), { once: true })
  }

  header(name: string): string | undefined {
    return this.webRequest.headers.get(name) ?? undefined
  }

  body(limit: number): Promise<Uint8Array> {
    if (this.isBodyGone) return Promise.reject(createBodyCutOffError())
    try {
      this.takeBody()
    } catch (error) {
      return Promise.reject(error)
    }
    this.startBodyWait()
    this.onBodyRead(true)
    return readWebBody(this.webRequest, limit).then(
      (body) => {
        this.endBodyWait()
        this.onBodyRead(false)
        if (body.byteLength > limit) throw createBodyTooLargeError(limit)
        return body instanceof Uint8Array ? body : new Uint8Array(body)
      },
      (error: unknown) => {
        this.endBodyWait()
        this.onBodyRead(false)
        this.discardBody()
        // An HttpError is ours. Any other error means that the body has ended early.
        throw isHttpError(error) ? error : createBodyCutOffError()
      },
    )
  }

  bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    if (Number(this.header('content-length')) > limit) throw createBodyTooLargeError(limit)
    this.takeBody()
    return this.readChunks(limit)
  }

  private async *readChunks(limit: number): AsyncGenerator<Uint8Array, undefined, undefined> {
    if (this.isBodyGone) throw createBodyCutOffError()
    let length = 0
    let isComplete = false
    const reader = this.webRequest.body?.getReader()
    try {
      while (reader !== undefined) {
        this.setBodyWaiting(true)
        this.onBodyRead(true)
        const { value } = await reader
          .read()
          .catch(() => {
            throw createBodyCutOffError()
          })
          .finally(() => {
            this.setBodyWaiting(false)
            this.onBodyRead(false)
          })
        isComplete = value === undefined
        if (value === undefined) break
        length += value.length
        if (length > limit) throw createBodyTooLargeError(limit)
        yield value
      }
    } finally {
      reader?.releaseLock()
      if (!isComplete) this.discardBody()
    }
    return undefined
  }

  override onEnd(listener: EndListener): void {
    const end = this.getRequestEnd()
    if (end !== undefined) {
      this.callEndListener(listener, end)
      return
    }
    if (this.listeners === undefined) {
      this.listeners = []
      // Once there is a response, its sender reports the end.
      const onAbort = (): void => {
        if (!this.hasResponse) this.setEnd({ status: 0, bytes: 0, outcome: 'aborted' })
      }
      this.webRequest.signal.addEventListener('abort', onAbort, { once: true })
    }
    this.listeners.push(listener)
  }

  protected override getPeerAddress(): string {
    return peerAddresses.get(this.webRequest) ?? ''
  }

  protected override takeBody(): void {
    const { webRequest } = this
    if (webRequest.body === null) return
    super.takeBody()
    if (webRequest.bodyUsed) throw new TypeError(adapterErrors.requestAlreadyRead())
  }

  /** Called when the rest of the body is of no use. */
  protected discardBody(): void {
    this.webRequest.body?.cancel().catch(() => {})
  }

  /** Called when reading the body begins, and when it ends. */
  protected onBodyRead(_isReading: boolean): void {}

  private getRequestEnd(): RequestEnd | undefined {
    if (this.requestEnd === undefined && this.wholeBody !== undefined) {
      const bytes = this.method === 'HEAD' ? 0 : getWholeBodyLength(this.wholeBody)
      this.requestEnd = { status: this.status, bytes, outcome: 'completed' }
    }
    return this.requestEnd
  }

  /** Whether it is too late to read the body: the response is there, or the client has left. */
  private get isBodyGone(): boolean {
    return this.wholeBody !== undefined || this.hasLeft
  }

  /** Whether the client has disconnected already. */
  get hasLeft(): boolean {
    return this.webRequest.signal.aborted
  }

  /** Marks the response as a stream, whose sender calls `setEnd`. */
  startStream(): void {
    this.hasResponse = true
  }

  /** Records a whole response, which has been handed over. */
  setSent(status: number, body: WholeBody): void {
    this.hasResponse = true
    this.status = status
    this.wholeBody = body
    if (this.listeners !== undefined) this.setEnd(this.getRequestEnd() as RequestEnd)
  }

  /** Sets the outcome, unless there is one already, and calls the listeners. */
  setEnd(end: RequestEnd): void {
    this.hasResponse = true
    this.requestEnd ??= end
    const { listeners = [] } = this
    this.listeners = undefined
    for (const listener of listeners) this.callEndListener(listener, end)
  }
}
