/** A Request of the web as a kernel sees it: nothing is parsed or copied before it is asked for. */
import { concatBytes } from '../../http/chunks.js'
import { badRequest, contentTooLarge, HttpError } from '../../http/httpError.js'
import { encodeUtf8 } from '../../http/utf8.js'
import { problemDetail } from '../../messages/problemMessages.js'
import { BaseRequest } from '../baseRequest.js'

/** The target in origin form; the URL of a Request is already normalized. Bun has no more than that where the Host cannot be part of a URL. */
function toRequestTarget(url) {
  const start = url.charCodeAt(0) === 0x2f ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const hash = url.indexOf('#', start)
  return hash < 0 ? url.slice(start) : url.slice(start, hash)
}
const getWholeBodyLength = (body) => (typeof body === 'string' ? encodeUtf8(body) : (body ?? '')).length
const createWebBodyTooLargeError = (limit) => contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })
async function readWebStream(body, limit) {
  const chunks = []
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
function readWebBody(request, limit) {
  const stated = request.headers.get('content-length')
  const length = Number(stated)
  if (length > limit) return Promise.reject(createWebBodyTooLargeError(limit))
  if (stated !== null && length <= limit) return request.arrayBuffer()
  return request.body === null ? Promise.resolve(new Uint8Array()) : readWebStream(request.body, limit)
}
/** One request of the web. */
export class WebHttpRequest extends BaseRequest {
  method
  target
  request
  listeners
  requestEnd
  isAnswered
  /** Of a whole answer, whose bytes nobody has counted yet. */
  status
  wholeBody
  constructor(request, report) {
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
  get rawHeaders() {
    return [...this.request.headers].flat()
  }
  /** Whoever reads the answer may cancel it as well, which is told by `leave`. */
  watchDisconnect() {
    const { signal } = this.request
    if (signal.aborted) this.abortOnDisconnect()
    else signal.addEventListener('abort', () => this.abortOnDisconnect(), { once: true })
  }
  header(name) {
    return this.request.headers.get(name) ?? undefined
  }
  body(limit) {
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
      (error) => {
        self.endBodyWait()
        self.onBodyRead(false)
        self.discardBody()
        // Ours are refusals; any other comes from below, where the body ended before its time.
        throw error instanceof HttpError ? error : badRequest({ detail: problemDetail.bodyCutOff() })
      },
    )
  }
  onEnd(listener) {
    const { self } = this
    const ending = self.getRequestEnd()
    if (ending !== undefined) {
      self.callEndListener(listener, ending)
      return
    }
    if (self.listeners === undefined) {
      self.listeners = []
      // What becomes of an answer is told by whoever sends it.
      const leave = () => {
        if (!self.isAnswered) self.setEnd({ status: 0, bytes: 0, outcome: 'left' })
      }
      self.request.signal.addEventListener('abort', leave, { once: true })
    }
    self.listeners.push(listener)
  }
  /** Whom the adapter knows the request to come from; nobody tells it with a Request of the web alone. */
  getPeerAddress() {
    return ''
  }
  /** Told when what is still to come of the body is of no use. */
  discardBody() {
    this.request.body?.cancel().catch(() => {})
  }
  /** Told when the body is waited for, and when it is there. */
  onBodyRead(_isWaiting) {}
  getRequestEnd() {
    if (this.requestEnd === undefined && this.wholeBody !== undefined) {
      this.requestEnd = { status: this.status, bytes: this.method === 'HEAD' ? 0 : getWholeBodyLength(this.wholeBody), outcome: 'sent' }
    }
    return this.requestEnd
  }
  /** Whether the client has left already. */
  get hasLeft() {
    return this.request.signal.aborted
  }
  /** An answer is on its way, piece by piece: how it ends is told by whoever sends it. */
  startStream() {
    this.isAnswered = true
  }
  /** An answer was handed over as a whole. Its bytes are counted when somebody asks. */
  setSent(status, body) {
    this.isAnswered = true
    this.status = status
    this.wholeBody = body
    if (this.listeners !== undefined) this.setEnd(this.getRequestEnd())
  }
  /** The answer has ended so, unless it had ended before. */
  setEnd(ending) {
    this.isAnswered = true
    this.requestEnd ??= ending
    const { listeners = [] } = this
    this.listeners = undefined
    for (const listener of listeners) this.callEndListener(listener, ending)
  }
}
