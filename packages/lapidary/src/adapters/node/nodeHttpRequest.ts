/** A request of node:http as a kernel sees it: nothing is parsed or copied before it is asked for. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ErrorListener } from '../../http/errorReport.ts'
import { errors } from '../../http/errors.ts'
import { getHeader } from '../../http/headerFields.ts'
import type { HttpRequest, HttpResponse, RequestEnd } from '../../http/httpHandler.ts'
import * as complaint from '../../messages/developerErrors.ts'
import { adapterDetail, problemDetail } from '../../messages/problemMessages.ts'
import { BaseRequest } from '../baseRequest.ts'
import type { Lifetime } from '../lifetime.ts'
import { listenToBody } from './internals.ts'

// A body that was read before its request came here, by a parser such as `express.json()`: what that has left of it.

/** As parsers leave it; `rawBody` by the convention of those that keep the bytes. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

const jsonMediaTypePattern = /^application\/(?:[\w.!#$&^-]+\+)?json[\t ]*(?:;|$)/i

/** A number that JSON.parse could not keep becomes infinite, which JSON would write as null. */
function keepFiniteNumber(_name: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw errors.badRequest({ detail: adapterDetail.numberTooLarge() })
  return value
}

/**
 * The bytes of a body that was read before: as they came where the parser has kept them, and those of the same JSON where it has made a value of it.
 *
 * @throws TypeError with the cure where they are lost: of a form for example no parser tells what was sent
 */
export function recoverParsedBody(request: ParsedRequest): Uint8Array {
  const { rawBody, body } = request
  if (rawBody instanceof Uint8Array) return rawBody
  if (body instanceof Uint8Array) return body
  const isJson = jsonMediaTypePattern.test(getHeader(request.rawHeaders, 'content-type') ?? '')
  // A text is what was sent, unless it is a JSON value: then nobody knows whether the parser has taken the quotes off.
  if (typeof body === 'string' ? isJson : body === undefined || !isJson || !request.readableEnded)
    throw new TypeError(complaint.bodyAlreadyRead())
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body, keepFiniteNumber))
}

const emptyNodeBody = new Uint8Array()

/** Stands for an answer that a Node listener gives by itself. */
export const alreadySent: HttpResponse = Object.freeze({ status: 0, headers: Object.freeze([]), body: null })

/** Bytes outside ASCII, which node hands over as Latin-1; percent-encoded they are read as UTF-8, or refused. */
const nonAsciiPattern = /[\x80-\xff]/
const nonAsciiCharacters = new RegExp(nonAsciiPattern, 'g')
const encodeLatin1Byte = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** `http://host/path` (RFC 9112 §3.2.2) and `/path` are the same resource here. */
const absoluteFormPrefix = /^https?:\/\/[^/?#]*/i

/** A target as a kernel sees it. */
export function toOriginForm(target: string): string {
  let path = target
  if (path.charCodeAt(0) !== 0x2f) {
    path = path.replace(absoluteFormPrefix, '')
    if (path.charCodeAt(0) !== 0x2f) path = path.startsWith('?') || path === '' ? `/${path}` : path
  }
  return nonAsciiPattern.test(path) ? path.replace(nonAsciiCharacters, encodeLatin1Byte) : path
}

/** One request on node:http. */
export class NodeHttpRequest extends BaseRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Bytes of the body of the answer, so far. */
  bytesSent: number
  /** Whether it is us who ended the connection. */
  isAborted: boolean
  /** Whether a body belongs to it. */
  private readonly hasBody: boolean
  /** Whether the client waits for `100 Continue` before it sends the body. */
  private readonly expectsContinue: boolean
  private readonly serverLifetime: Lifetime

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    hasBody: boolean,
    waits: boolean,
    report: ErrorListener,
    server: Lifetime,
  ) {
    super(report)
    this.method = request.method ?? 'GET'
    this.target = toOriginForm(request.url ?? '/')
    this.request = request
    this.response = response
    this.bytesSent = 0
    this.isAborted = false
    this.hasBody = hasBody
    this.expectsContinue = waits
    this.serverLifetime = server
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders
  }

  override get lifetime(): Lifetime {
    return this.serverLifetime
  }

  protected override getPeerAddress(): string {
    return this.request.socket.remoteAddress ?? ''
  }

  protected override watchDisconnect(): void {
    const { response } = this
    if (response.destroyed && !this.isSent) this.abortOnDisconnect()
    else response.once('close', () => this.isSent || this.abortOnDisconnect())
  }

  /** Looks at the lines as they came: node's own `headers` would drop the second line of some names in silence. */
  header(name: string): string | undefined {
    return getHeader(this.request.rawHeaders, name)
  }

  override onEnd(listener: (ending: RequestEnd) => void): void {
    const { request, response } = this
    const tell = (): void => {
      const how = this.isSent ? 'completed' : this.isAborted ? 'failed' : 'aborted'
      // Where it has waited behind another until the connection closed, nothing of it was sent.
      const isUnsent = response.socket === null && how !== 'completed'
      const status = response.headersSent && !isUnsent ? response.statusCode : 0
      this.callEndListener(listener, { status, bytes: isUnsent ? 0 : this.bytesSent, outcome: how })
    }
    if (response.closed || (response.socket === null && request.socket.closed && !this.isSent)) tell()
    else response.once('close', tell)
  }

  /** Whether all of the answer was handed to the system. Of one whose connection was destroyed before, node says that it has finished, too. */
  private get isSent(): boolean {
    const { socket } = this.request
    return this.response.writableFinished && (!socket.destroyed || socket.writableFinished)
  }

  /** Whether some of the request is still on its way. */
  get hasUnreadBody(): boolean {
    return this.hasBody && !this.request.complete
  }

  /** Whether the client holds its body back, and nobody has asked for it. */
  get withholdsBody(): boolean {
    return this.expectsContinue && !this.isBodyRequested
  }

  /** Lets a client send its body that holds it back until it hears `100 Continue`. */
  sendContinue(): void {
    if (this.expectsContinue) this.response.writeContinue()
  }

  body(limit: number): Promise<Uint8Array> {
    const { request, self } = this
    if (!this.isBodyRequested && (request.readableDidRead || request.readableEnded)) return this.readParsedBody(limit)
    return new Promise((resolve, reject) => {
      const tooLarge = (): Error => errors.contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })
      // Nothing is read of a body that says itself that it is too large; a client that waits for 100 Continue need not even send it.
      if (Number(this.header('content-length')) > limit) return reject(tooLarge())
      this.sendContinue()
      self.startBodyWait()
      const fail = (error: Error): void => {
        self.endBodyWait()
        reject(error)
      }
      const chunks: Buffer[] = []
      let length = 0
      const take = (chunk: Buffer | null): void => {
        if (chunk === null) {
          self.endBodyWait()
          resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
          return
        }
        length += chunk.length
        if (length <= limit) return void chunks.push(chunk)
        // What is still to come is read and dropped, so that the client gets to read the answer.
        chunks.length = 0
        fail(tooLarge())
      }
      listenToBody(request, take, () => fail(errors.badRequest({ detail: problemDetail.bodyCutOff() })))
    })
  }

  /** Of a body that a parser in front of us has read: its end does not come twice. */
  private async readParsedBody(limit: number): Promise<Uint8Array> {
    if (!this.hasBody) return emptyNodeBody
    const bytes = recoverParsedBody(this.request)
    if (bytes.length > limit) throw errors.contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })
    return bytes
  }
}
