/** A request of node:http as a kernel sees it: nothing is parsed or copied before it is asked for. */
import { getHeader } from '../../http/headerFields.js'
import { badRequest, contentTooLarge } from '../../http/httpError.js'
import * as complaint from '../../messages/developerErrors.js'
import { adapterDetail, problemDetail } from '../../messages/problemMessages.js'
import { BaseRequest } from '../baseRequest.js'
import { listenToBody } from './internals.js'

const jsonMediaTypePattern = /^application\/(?:[\w.!#$&^-]+\+)?json[\t ]*(?:;|$)/i
/** A number that JSON.parse could not keep becomes infinite, which JSON would write as null. */
function keepFiniteNumber(_name, value) {
  if (typeof value === 'number' && !Number.isFinite(value)) throw badRequest({ detail: adapterDetail.numberTooLarge() })
  return value
}
/**
 * The bytes of a body that was read before: as they came where the parser has kept them, and those of the same JSON where it has made a value of it.
 *
 * @throws TypeError with the cure where they are lost: of a form for example no parser tells what was sent
 */
export function recoverParsedBody(request) {
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
export const alreadySent = Object.freeze({ status: 0, headers: Object.freeze([]), body: null })
/** Bytes outside ASCII, which node hands over as Latin-1; percent-encoded they are read as UTF-8, or refused. */
const nonAsciiPattern = /[\x80-\xff]/
const nonAsciiCharacters = new RegExp(nonAsciiPattern, 'g')
const encodeLatin1Byte = (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`
/** `http://host/path` (RFC 9112 §3.2.2) and `/path` are the same resource here. */
const absoluteFormPrefix = /^https?:\/\/[^/?#]*/i
/** A target as a kernel sees it. */
export function toOriginForm(target) {
  let path = target
  if (path.charCodeAt(0) !== 0x2f) {
    path = path.replace(absoluteFormPrefix, '')
    if (path.charCodeAt(0) !== 0x2f) path = path.startsWith('?') || path === '' ? `/${path}` : path
  }
  return nonAsciiPattern.test(path) ? path.replace(nonAsciiCharacters, encodeLatin1Byte) : path
}
/** One request on node:http. */
export class NodeHttpRequest extends BaseRequest {
  method
  target
  request
  response
  /** Bytes of the body of the answer, so far. */
  bytesSent
  /** Whether it is us who ended the connection. */
  isAborted
  /** Whether a body belongs to it. */
  hasBody
  /** Whether the client waits for `100 Continue` before it sends the body. */
  expectsContinue
  serverLifetime
  constructor(request, response, hasBody, waits, report, server) {
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
  get rawHeaders() {
    return this.request.rawHeaders
  }
  get lifetime() {
    return this.serverLifetime
  }
  getPeerAddress() {
    return this.request.socket.remoteAddress ?? ''
  }
  watchDisconnect() {
    const { response } = this
    if (response.destroyed && !this.isSent) this.abortOnDisconnect()
    else response.once('close', () => this.isSent || this.abortOnDisconnect())
  }
  /** Looks at the lines as they came: node's own `headers` would drop the second line of some names in silence. */
  header(name) {
    return getHeader(this.request.rawHeaders, name)
  }
  onEnd(listener) {
    const { request, response } = this
    const tell = () => {
      const how = this.isSent ? 'sent' : this.isAborted ? 'cut' : 'left'
      // Where it has waited behind another until the connection closed, nothing of it was sent.
      const isUnsent = response.socket === null && how !== 'sent'
      const status = response.headersSent && !isUnsent ? response.statusCode : 0
      this.callEndListener(listener, { status, bytes: isUnsent ? 0 : this.bytesSent, outcome: how })
    }
    if (response.closed || (response.socket === null && request.socket.closed && !this.isSent)) tell()
    else response.once('close', tell)
  }
  /** Whether all of the answer was handed to the system. Of one whose connection was destroyed before, node says that it has finished, too. */
  get isSent() {
    const { socket } = this.request
    return this.response.writableFinished && (!socket.destroyed || socket.writableFinished)
  }
  /** Whether some of the request is still on its way. */
  get hasUnreadBody() {
    return this.hasBody && !this.request.complete
  }
  /** Whether the client holds its body back, and nobody has asked for it. */
  get withholdsBody() {
    return this.expectsContinue && !this.isBodyRequested
  }
  /** Lets a client send its body that holds it back until it hears `100 Continue`. */
  sendContinue() {
    if (this.expectsContinue) this.response.writeContinue()
  }
  body(limit) {
    const { request, self } = this
    if (!this.isBodyRequested && (request.readableDidRead || request.readableEnded)) return this.readParsedBody(limit)
    return new Promise((resolve, reject) => {
      const tooLarge = () => contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })
      // Nothing is read of a body that says itself that it is too large; a client that waits for 100 Continue need not even send it.
      if (Number(this.header('content-length')) > limit) return reject(tooLarge())
      this.sendContinue()
      self.startBodyWait()
      const fail = (error) => {
        self.endBodyWait()
        reject(error)
      }
      const chunks = []
      let length = 0
      const take = (chunk) => {
        if (chunk === null) {
          self.endBodyWait()
          resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
          return
        }
        length += chunk.length
        if (length <= limit) return void chunks.push(chunk)
        // What is still to come is read and dropped, so that the client gets to read the answer.
        chunks.length = 0
        fail(tooLarge())
      }
      listenToBody(request, take, () => fail(badRequest({ detail: problemDetail.bodyCutOff() })))
    })
  }
  /** Of a body that a parser in front of us has read: its end does not come twice. */
  async readParsedBody(limit) {
    if (!this.hasBody) return emptyNodeBody
    const bytes = recoverParsedBody(this.request)
    if (bytes.length > limit) throw contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })
    return bytes
  }
}
