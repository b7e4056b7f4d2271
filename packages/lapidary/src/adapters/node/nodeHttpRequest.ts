/** The request of node:http as a handler sees it. Nothing is parsed or copied before the handler asks for it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { ChunkList } from '../../http/chunks.ts'
import type { ErrorListener } from '../../http/errorReport.ts'
import { toolkitErrors } from '../../http/errors.ts'
import { getHeader } from '../../http/headerFields.ts'
import type { HttpRequest } from '../../http/httpHandler.ts'
import { getEssence, isJsonEssence } from '../../http/mediaTypes.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { adapterDetail } from '../../messages/problemMessages.ts'
import { BaseRequest, createBodyCutOffError, createBodyTooLargeError, type EndListener } from '../baseRequest.ts'
import { BodyQueue } from '../bodyQueue.ts'
import type { Lifetime } from '../lifetime.ts'
import { setBodyPaused } from './bodyPauses.ts'
import { listenToBody } from './internals.ts'
import { toOriginForm } from './requestFraming.ts'

export class NodeHttpRequest extends BaseRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly incomingMessage: IncomingMessage
  readonly serverResponse: ServerResponse
  /** How many bytes of the response body have been sent. */
  bytesSent: number
  /** Whether the server has ended the connection early. */
  isAborted: boolean
  /** Whether there is a whole response. What is left of the body is discarded, and nothing reads it any more. */
  hasResponse: boolean
  /** Whether a mounted listener writes the response. */
  isHandedOver: boolean
  private readonly hasBody: boolean
  /** Whether the client still waits for `100 Continue` before it sends the body. */
  private expectsContinue: boolean
  private readonly serverLifetime: Lifetime
  /** What waits for the end. Undefined where nothing does. */
  private endListeners: (() => void)[] | undefined
  /** Ends the reading of the body early. Undefined where nothing reads it. */
  private cutBodyOff: (() => void) | undefined

  constructor(
    incomingMessage: IncomingMessage,
    serverResponse: ServerResponse,
    hasBody: boolean,
    expectsContinue: boolean,
    onError: ErrorListener,
    serverLifetime: Lifetime,
  ) {
    super(onError)
    this.method = incomingMessage.method ?? 'GET'
    this.target = toOriginForm(incomingMessage.url ?? '/')
    this.incomingMessage = incomingMessage
    this.serverResponse = serverResponse
    this.bytesSent = 0
    this.isAborted = false
    this.hasResponse = false
    this.isHandedOver = false
    this.hasBody = hasBody
    this.expectsContinue = expectsContinue
    this.serverLifetime = serverLifetime
    this.endListeners = undefined
    this.cutBodyOff = undefined
  }

  /** Express and Connect take the path of a mount off `url`, and keep all of it here. */
  get originalTarget(): string | undefined {
    const { originalUrl } = this.incomingMessage as IncomingMessage & { readonly originalUrl?: unknown }
    return typeof originalUrl === 'string' ? toOriginForm(originalUrl) : undefined
  }

  get rawHeaders(): readonly string[] {
    return this.incomingMessage.rawHeaders
  }

  override get lifetime(): Lifetime {
    return this.serverLifetime
  }

  protected override getPeerAddress(): string {
    return this.incomingMessage.socket.remoteAddress ?? ''
  }

  protected override watchDisconnect(): void {
    const { serverResponse } = this
    if (serverResponse.destroyed && !this.isSent) this.abortOnDisconnect()
    else serverResponse.once('close', () => this.isSent || this.abortOnDisconnect())
  }

  /** Reads the raw headers, since Node's `headers` drop the second line of some names. */
  header(name: string): string | undefined {
    return getHeader(this.incomingMessage.rawHeaders, name)
  }

  override onEnd(listener: EndListener): void {
    const { incomingMessage, serverResponse } = this
    const notify = (): void => {
      const outcome = this.isSent ? 'completed' : this.isAborted ? 'failed' : 'aborted'
      // The connection has closed while the response waited behind another one.
      const isUnsent = serverResponse.socket === null && outcome !== 'completed'
      const status = serverResponse.headersSent && !isUnsent ? serverResponse.statusCode : 0
      this.callEndListener(listener, { status, bytes: isUnsent ? 0 : this.bytesSent, outcome })
    }
    if (serverResponse.closed || (serverResponse.socket === null && incomingMessage.socket.closed && !this.isSent)) notify()
    else if (this.endListeners !== undefined) this.endListeners.push(notify)
    else {
      const notifyAll = [notify]
      this.endListeners = notifyAll
      // One listener of Node's for all of them: it warns of more than ten.
      serverResponse.once('close', () => {
        for (const notifyOne of notifyAll) notifyOne()
      })
    }
  }

  /** Whether the operating system has the whole response. Node calls a response finished even if its connection was destroyed before. */
  private get isSent(): boolean {
    const { socket } = this.incomingMessage
    return this.serverResponse.writableFinished && (!socket.destroyed || socket.writableFinished)
  }

  /** Whether a part of the body has not arrived yet. */
  get hasUnreadBody(): boolean {
    return this.hasBody && !this.incomingMessage.complete
  }

  /** Whether the client waits for `100 Continue` and the handler has not asked for the body. */
  get withholdsBody(): boolean {
    return this.expectsContinue && !this.isBodyRequested
  }

  /** Whether it is too late to read the body. */
  private get isBodyGone(): boolean {
    const { incomingMessage } = this
    return this.hasBody && (this.hasResponse || (incomingMessage.destroyed && !incomingMessage.complete))
  }

  /** Sends `100 Continue`, if the client waits for it. After the head of the response it would be a part of the body. */
  sendContinue(): void {
    if (!this.expectsContinue) return
    this.expectsContinue = false
    this.serverResponse.writeContinue()
  }

  get isBodyParsed(): boolean {
    const { readableDidRead, rawBody, body } = this.incomingMessage as ParsedRequest
    const hasBytes = [rawBody, body].some((kept) => kept instanceof Uint8Array)
    return readableDidRead && !this.isBodyRequested && !hasBytes && body !== undefined && typeof body !== 'string'
  }

  body(limit: number): Promise<Uint8Array> {
    const { incomingMessage } = this
    if (this.isBodyGone) return Promise.reject(createBodyCutOffError())
    // A stream that has ended does not end again.
    if (!this.hasBody) return Promise.resolve(new Uint8Array())
    if (!this.isBodyRequested && (incomingMessage.readableDidRead || incomingMessage.readableEnded)) return this.readParsedBody(limit)
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
      listenToBody(incomingMessage, onChunk, this.cutBodyOff)
    })
  }

  bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    const { incomingMessage } = this
    const isParsed = !this.isBodyRequested && (incomingMessage.readableDidRead || incomingMessage.readableEnded)
    if (isParsed && !this.isBodyGone) return this.streamParsedBody(limit)
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
        listenToBody(incomingMessage, onChunk, () => queue.cutOff())
        // After a response, nothing reads the rest.
        this.serverResponse.once('close', () => queue.cutOff())
      },
      setWaiting: (isWaiting) => this.setBodyWaiting(isWaiting),
      setPaused: (isPaused) => setBodyPaused(incomingMessage, isPaused),
    })
    this.cutBodyOff = () => queue.cutOff()
    return queue
  }

  private async *streamParsedBody(limit: number): AsyncGenerator<Uint8Array, undefined, undefined> {
    yield await this.readParsedBody(limit)
    return undefined
  }

  /** Ends the reading of the body, if it is still being read: the response does not wait for its reader. */
  endBody(): void {
    this.cutBodyOff?.()
  }

  /** Reads a body that middleware of Node has read before, such as `express.json()`. */
  private async readParsedBody(limit: number): Promise<Uint8Array> {
    if (!this.hasBody) return new Uint8Array()
    const bytes = recoverParsedBody(this.incomingMessage)
    if (bytes.length > limit) throw createBodyTooLargeError(limit)
    return bytes
  }
}

/** A request whose body a parser has left in `body`, or in `rawBody` where it keeps the bytes. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/** Replacer of JSON.stringify. A number too large for JSON.parse becomes infinite, which would be written as null. */
function keepFiniteNumber(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw toolkitErrors.badRequest({ detail: adapterDetail.numberTooLarge() })
  return value
}

/**
 * The bytes of a body that a parser has read: the original ones where it keeps them, otherwise the same JSON.
 *
 * @throws TypeError where the bytes are lost, as with a form
 */
function recoverParsedBody(incomingMessage: ParsedRequest): Uint8Array {
  const { rawBody, body } = incomingMessage
  if (rawBody instanceof Uint8Array) return rawBody
  if (body instanceof Uint8Array) return body
  const isJson = isJsonEssence(getEssence(getHeader(incomingMessage.rawHeaders, 'content-type') ?? ''))
  // A text is the original body, except for JSON: the parser may have removed the quotes of a string.
  if (typeof body === 'string' ? isJson : body === undefined || !isJson || !incomingMessage.readableEnded) {
    throw new TypeError(developerErrors.bodyAlreadyRead())
  }
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body, keepFiniteNumber))
}
