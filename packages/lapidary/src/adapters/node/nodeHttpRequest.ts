/** The request of node:http as a handler sees it. Nothing is parsed or copied before the handler asks for it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorListener } from '../../http/errorReport.ts'
import { toolkitErrors } from '../../http/errors.ts'
import { getHeader } from '../../http/headerFields.ts'
import type { HttpRequest, RequestEnd } from '../../http/httpHandler.ts'
import { getEssence, isJsonEssence } from '../../http/mediaTypes.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import { adapterDetail } from '../../messages/problemMessages.ts'
import { createBodyTooLargeError } from '../baseRequest.ts'
import type { Lifetime } from '../lifetime.ts'
import { setBodyPaused } from './bodyPauses.ts'
import { listenToBody } from './internals.ts'
import { type BodyListener, NodeRequest } from './nodeRequest.ts'
import { toOriginForm } from './requestFraming.ts'

export class NodeHttpRequest extends NodeRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly incomingMessage: IncomingMessage
  readonly serverResponse: ServerResponse
  /** Whether a mounted listener writes the response. */
  isHandedOver: boolean

  constructor(
    incomingMessage: IncomingMessage,
    serverResponse: ServerResponse,
    hasBody: boolean,
    expectsContinue: boolean,
    onError: ErrorListener,
    serverLifetime: Lifetime,
  ) {
    super(hasBody, expectsContinue, onError, serverLifetime)
    this.method = incomingMessage.method ?? 'GET'
    this.target = toOriginForm(incomingMessage.url ?? '/')
    this.incomingMessage = incomingMessage
    this.serverResponse = serverResponse
    this.isHandedOver = false
  }

  /** Express and Connect take the path of a mount off `url`, and keep all of it here. */
  get originalTarget(): string | undefined {
    const { originalUrl } = this.incomingMessage as IncomingMessage & { readonly originalUrl?: unknown }
    return typeof originalUrl === 'string' ? toOriginForm(originalUrl) : undefined
  }

  get rawHeaders(): readonly string[] {
    return this.incomingMessage.rawHeaders
  }

  protected override getPeerAddress(): string {
    return this.incomingMessage.socket.remoteAddress ?? ''
  }

  /** Reads the raw headers, since Node's `headers` drop the second line of some names. */
  header(name: string): string | undefined {
    return getHeader(this.incomingMessage.rawHeaders, name)
  }

  protected override get output(): ServerResponse {
    return this.serverResponse
  }

  protected override getSent(outcome: RequestEnd['outcome']): Pick<RequestEnd, 'status' | 'bytes'> {
    const { serverResponse } = this
    // The connection has closed while the response waited behind another one.
    const isUnsent = serverResponse.socket === null && outcome !== 'completed'
    return { status: serverResponse.headersSent && !isUnsent ? serverResponse.statusCode : 0, bytes: isUnsent ? 0 : this.bytesSent }
  }

  protected override get isOver(): boolean {
    const { incomingMessage, serverResponse } = this
    return serverResponse.closed || (serverResponse.socket === null && incomingMessage.socket.closed && !this.isSent)
  }

  /** Node calls a response finished even if its connection was destroyed before. */
  protected override get isSent(): boolean {
    const { socket } = this.incomingMessage
    return this.serverResponse.writableFinished && (!socket.destroyed || socket.writableFinished)
  }

  override get hasUnreadBody(): boolean {
    return this.hasBody && !this.incomingMessage.complete
  }

  protected override get isCutOff(): boolean {
    return this.incomingMessage.destroyed && !this.incomingMessage.complete
  }

  protected override writeContinue(): void {
    this.serverResponse.writeContinue()
  }

  override listenToBody(listener: BodyListener, onCutOff?: () => void): void {
    listenToBody(this.incomingMessage, listener, onCutOff)
  }

  protected override setBodyPaused(isPaused: boolean): void {
    setBodyPaused(this.incomingMessage, isPaused)
  }

  get isBodyParsed(): boolean {
    const { readableDidRead, rawBody, body } = this.incomingMessage as ParsedRequest
    const hasBytes = [rawBody, body].some((kept) => kept instanceof Uint8Array)
    return readableDidRead && !this.isBodyRequested && !hasBytes && body !== undefined && typeof body !== 'string'
  }

  /** Whether a parser has read the body before. */
  private get wasBodyRead(): boolean {
    const { incomingMessage } = this
    return this.hasBody && !this.isBodyRequested && (incomingMessage.readableDidRead || incomingMessage.readableEnded)
  }

  override body(limit: number): Promise<Uint8Array> {
    return this.wasBodyRead && !this.isBodyGone ? this.readParsedBody(limit) : super.body(limit)
  }

  override bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    return this.wasBodyRead && !this.isBodyGone ? this.streamParsedBody(limit) : super.bodyStream(limit)
  }

  private async *streamParsedBody(limit: number): AsyncGenerator<Uint8Array, undefined, undefined> {
    yield await this.readParsedBody(limit)
    return undefined
  }

  /** Reads a body that middleware of Node has read before, such as `express.json()`. */
  private async readParsedBody(limit: number): Promise<Uint8Array> {
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
    throw new TypeError(adapterErrors.bodyAlreadyRead())
  }
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body, keepFiniteNumber))
}
