/**
 * Node's own HTTP parser (llhttp), as node:http uses it: the one place that knows its names, none of which Node promises to keep.
 *
 * What is touched of Node's inside, all of it tried by `swiftTrial.ts` before the first connection, and by a test for each name:
 *
 * - the module `_http_common` and its export `HTTPParser`;
 * - on the class: `REQUEST`, `kOnHeaders`, `kOnHeadersComplete`, `kOnBody`, `kOnMessageComplete`, `kOnExecute`, which are numbers;
 * - on a parser: `initialize(type, resource, maxHeaderSize, lenient)`, `execute(bytes)`, `finish()`, `consume(handle)`, `unconsume()`,
 *   `getCurrentBuffer()`, `duration()`, `headersCompleted()`, `close()`, and a function under each of the numbers above, called with the parser
 *   as its `this`: `(lines, target)`, `(major, minor, lines, method, target, status, reason, upgrade, keepAlive)`, `(bytes)`, `()`, `(result)`;
 * - of an error that it gives: `code`;
 * - on a socket: `_handle`, and on that `isStreamBase`, `reading`, `readStart()` and `readStop()`.
 */
import { createRequire } from 'node:module'
/** The handle of a socket; undefined where it has none any more, or none that a parser can read from. */
export const getSocketHandle = (socket) => {
  const handle = socket._handle
  return handle?.isStreamBase === true ? handle : undefined
}
/** Called for heads that come in pieces or have more than 32 lines, and for trailers. */
function onHeaders(lines, target) {
  this.lines.push(...lines)
  this.target += target
}
function onHeadersComplete(major, minor, lines, method, target, _status, _reason, upgrade, keepAlive) {
  if (lines === undefined) {
    this.listener.onHead(major, minor, this.lines, method, this.target, upgrade, keepAlive)
    this.lines = []
    this.target = ''
  } else this.listener.onHead(major, minor, lines, method, target ?? '', upgrade, keepAlive)
  // What follows is a body, or the next request.
  return 0
}
function onBody(bytes) {
  this.listener.onBodyChunk(bytes)
}
function onMessageComplete() {
  // Trailers: nobody here reads them.
  if (this.lines.length > 0) this.lines = []
  this.target = ''
  this.listener.onRequestEnd()
}
function onExecute(result) {
  this.listener.onExecuted(result)
}
/** A parser of requests that tells `owner`. Node's own limit of the head's size, as for node:http. */
export function createLlhttpParser(Class, owner, resource) {
  const parser = new Class()
  parser.initialize(Class.REQUEST, resource, 0, 0)
  parser.listener = owner
  parser.lines = []
  parser.target = ''
  const callbacks = parser
  callbacks[Class.kOnHeaders] = onHeaders
  callbacks[Class.kOnHeadersComplete] = onHeadersComplete
  callbacks[Class.kOnBody] = onBody
  callbacks[Class.kOnMessageComplete] = onMessageComplete
  callbacks[Class.kOnExecute] = onExecute
  return parser
}
/** Node's parser; undefined where there is none by its name, as on Bun and Deno, and perhaps on a later Node. */
export function findNodeParser() {
  try {
    return createRequire(import.meta.url)('_http_common').HTTPParser
  } catch {
    return undefined
  }
}
/** An idle connection is kept a little longer than its client is told, so that the client is the one who closes it. As node:http. */
const keepAliveMargin = 1_000
const hasTimedOut = (time, timeout) => timeout > 0 && time > timeout
/** Node's: what runs on behalf of a connection is told from others by it. */
class HttpIncomingResource {
  type = 'HTTPINCOMINGMESSAGE'
}
export class ConnectionReader {
  socket
  parser
  /** When the connection came, by `performance.now()`. */
  connectedAt = performance.now()
  /** When it was seen idle first, by the same clock; 0 while it is not. */
  idleSince = 0
  /** Whether any request has come. */
  hasHadRequest = false
  /** For how long the request that comes was kept waiting by us, in milliseconds. */
  forgivenTime = 0
  isPaused = false
  isReleased = false
  constructor(socket, Class, owner) {
    this.socket = socket
    this.parser = createLlhttpParser(Class, owner, new HttpIncomingResource())
    const handle = getSocketHandle(socket)
    // It may have gone already.
    if (handle === undefined) socket.destroy()
    else this.parser.consume(handle)
  }
  /** A head has come. */
  onHead() {
    this.hasHadRequest = true
    this.idleSince = 0
  }
  /** The request is whole. */
  onRequestEnd() {
    this.forgivenTime = 0
  }
  /** Whether nothing comes. A connection that is new is not idle: its first request may be on its way. */
  get isIdle() {
    return this.hasHadRequest && this.parser.duration() === 0
  }
  /** The bytes that were read last, while whoever is told of them looks. */
  get lastBytes() {
    return this.parser.getCurrentBuffer()
  }
  /** Reads on behind a request at whose end the parser has stopped. */
  execute(bytes) {
    return this.parser.execute(bytes)
  }
  /** Stops reading, or goes on. */
  setPaused(stop) {
    if (stop === this.isPaused) return
    this.isPaused = stop
    const handle = getSocketHandle(this.socket)
    if (handle === undefined || this.isReleased) return
    handle.reading = !stop
    if (stop) handle.readStop()
    else handle.readStart()
  }
  /** The client says no more: an error where that is half a request. */
  finish() {
    return this.isReleased ? undefined : this.parser.finish()
  }
  /** `slow`: a request takes too long to come. `idle`: nothing has come for too long. `busy`: whether a request is answered. */
  checkTimeouts(now, busy, { requestTimeout, headersTimeout, keepAliveTimeout }) {
    let coming = this.parser.duration()
    if (this.isPaused) {
      this.forgivenTime = coming
      return undefined
    }
    // Before its first request a parser tells of no moment, or of one that never was. Who says nothing at all has no more time than others.
    const age = now - this.connectedAt
    if (!this.hasHadRequest && (coming === 0 || coming > age)) coming = age
    if (coming > 0) {
      const time = coming - this.forgivenTime
      const isWhole = this.hasHadRequest && this.parser.headersCompleted()
      return hasTimedOut(time, requestTimeout) || (!isWhole && hasTimedOut(time, headersTimeout)) ? 'slow' : undefined
    }
    if (busy) return undefined
    if (this.idleSince === 0) this.idleSince = now
    return keepAliveTimeout > 0 && now - this.idleSince > keepAliveTimeout + keepAliveMargin ? 'idle' : undefined
  }
  /** Lets go of the parser, once it has returned from wherever it is; what comes is the socket's again. */
  release() {
    if (this.isReleased) return
    this.isReleased = true
    this.parser.unconsume()
    setImmediate(() => this.parser.close())
  }
}
