/**
 * Everything that this adapter uses of node:http beyond its documentation. No other file of the adapter does.
 *
 * - `DirectIncomingMessage`: Node hands each chunk of a body to `push` of the request class, null at the end, stops reading where it returns
 *   false, and reads on by `_read`. It discards an unread body by `resume`.
 * - `endWithText`: `ServerResponse` sends the text in `_header` first; `_headerSent` and `_hasBody` say what else there is to send.
 * - `getActiveResponse`: `_httpMessage` on a socket is the response that it is sending.
 * - `onSocketAssigned`: a pipelined `ServerResponse` emits `socket` when its turn comes.
 * - `pauseRequests`, `resumeRequests`: `_paused` on a socket, and `resume` on its parser.
 * - `getWriteQueueSize`: `writeQueueSize` of a socket's `_handle`.
 * - `watchFirstRequest`, `hasBegunRequest`: a parser's `socket`, and the callback under `kOnMessageBegin`.
 * - `getReceivedBytes`, `interceptParser`: a parser's `_consumed`, `incoming`, `getCurrentBuffer`, `execute`, and the callback under
 *   `kOnExecute`.
 * - `keepHttp2Offers`: Node asks `upgrade` of a request whether to hand its connection to a listener.
 * - `getRawSocket`: `_parent` of a TLS socket is the socket that it encrypts.
 *
 * The first two are used only if `probe.ts` finds that they work on the running version of Node; otherwise the documented API serves. The
 * others look for what they need before they use it.
 */
import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ChunkList } from '../../http/chunks.ts'
import type { BodyListener } from './nodeRequest.ts'

const ignoreBody = (): void => {}

/** How many bytes of a body wait for its listener before no more are read. */
const maxEarlyBytes = 65_536

/**
 * A request whose body bypasses the stream: `createServer({ IncomingMessage: DirectIncomingMessage })`. The stream machinery takes as long
 * as all the rest of a small request, and keeps each chunk apart, however small it is. `restoreStream` makes it a stream for code that
 * reads it as one.
 */
export class DirectIncomingMessage extends IncomingMessage {
  private bodyListener: BodyListener | undefined
  private onCutOff: (() => void) | undefined
  private isStream: boolean
  /** What arrives before there is a listener. */
  private early: ChunkList | undefined
  /** Whether the listener wants no more for now. */
  private isBodyPaused: boolean
  /** Whether Node has stopped reading from the connection. */
  private isReadingStopped: boolean

  constructor(socket: Socket) {
    super(socket)
    this.bodyListener = undefined
    this.onCutOff = undefined
    this.isStream = false
    this.early = undefined
    this.isBodyPaused = false
    this.isReadingStopped = false
  }

  /**
   * Sends the body to a listener from now on, in place of the previous listener.
   *
   * @param onCutOff called when the connection ends before the body does
   * @returns false where it is a stream
   */
  listenToBody(listener: BodyListener, onCutOff: () => void): boolean {
    if (this.isStream) return false
    const { early } = this
    this.bodyListener = listener
    this.onCutOff = onCutOff
    this.early = undefined
    this.isBodyPaused = false
    if (early !== undefined) listener(early.take())
    if (this.complete) listener(null)
    else if (this.destroyed) onCutOff()
    else this.readOn()
    return true
  }

  /** Declares that there is no body, so that its end need not go through the stream. */
  markBodiless(): void {
    this.bodyListener = ignoreBody
  }

  /** Makes it a stream again, for code that expects one. Nothing of the body may have been read. */
  restoreStream(): void {
    if (this.isStream) return
    const { early } = this
    this.isStream = true
    this.bodyListener = undefined
    this.early = undefined
    if (early !== undefined) super.push(early.take())
    if (this.complete) super.push(null)
  }

  override push(chunk: Buffer | null): boolean {
    if (this.isStream) return super.push(chunk)
    if (this.bodyListener !== undefined) this.bodyListener(chunk)
    else if (chunk !== null) {
      this.early ??= new ChunkList()
      this.early.push(chunk)
    }
    const hasRoom = !this.isBodyPaused && (this.early === undefined || this.early.length <= maxEarlyBytes)
    if (!hasRoom) this.isReadingStopped = true
    return hasRoom
  }

  /** Node calls this when the connection ends before the body does. */
  override destroy(error?: Error): this {
    if (!this.complete) this.onCutOff?.()
    return super.destroy(error)
  }

  override pause(): this {
    if (this.isStream) return super.pause()
    this.isBodyPaused = true
    return this
  }

  /** Reads on. Node resumes a stream that was not read, to discard it. */
  override resume(): this {
    if (this.isStream) return super.resume()
    this.bodyListener ??= ignoreBody
    this.early = undefined
    this.isBodyPaused = false
    this.readOn()
    return this
  }

  private readOn(): void {
    if (this.isBodyPaused || !this.isReadingStopped) return
    this.isReadingStopped = false
    this._read(0)
  }
}

/**
 * Sends the chunks of a request body to a listener, past the stream where that is possible.
 *
 * @param onCutOff called when the connection ends before the body does
 */
export function listenToBody(incomingMessage: IncomingMessage, listener: BodyListener, onCutOff: () => void = ignoreBody): void {
  if (incomingMessage instanceof DirectIncomingMessage && incomingMessage.listenToBody(listener, onCutOff)) return
  // A stream that has failed does not emit `error` again.
  if (incomingMessage.destroyed && !incomingMessage.readableEnded) {
    onCutOff()
    return
  }
  incomingMessage.once('error', onCutOff)
  incomingMessage.on('data', listener)
  incomingMessage.once('end', () => listener(null))
  incomingMessage.resume()
}

/** The state of a response's head inside `ServerResponse`. */
interface HeadInternals {
  _header: string | null
  _headerSent: boolean
  _hasBody: boolean
}

/** Ends a response with one text, the head and an ASCII body, in one write of the system rather than several. */
export function endWithText(serverResponse: ServerResponse, head: string, body: string): void {
  const internals = serverResponse as ServerResponse & HeadInternals
  internals._header = body === '' ? head : head + body
  internals._headerSent = false
  internals._hasBody = false
  serverResponse.end()
  // The body has been handed on. A response that stays in memory until its client has it need not keep the text.
  internals._header = head
}

const activeResponseKey: unique symbol = Symbol('active response')

interface SendingSocket extends Socket {
  readonly _httpMessage?: ServerResponse | null
  [activeResponseKey]?: ServerResponse
}

/**
 * Records the response whose turn it is, where Node does not. Recording each would keep the last response of every idle connection in
 * memory.
 */
export function setActiveResponse(socket: SendingSocket, serverResponse: ServerResponse): void {
  if (socket._httpMessage !== serverResponse) socket[activeResponseKey] = serverResponse
}

/** The response that a connection is sending. `socket` of a response is set while it is its turn. */
export function getActiveResponse(socket: SendingSocket): ServerResponse | undefined {
  const { _httpMessage: active = socket[activeResponseKey] } = socket
  return active?.socket === socket ? active : undefined
}

/** Calls a listener when a response that waits behind others on its connection gets its turn. */
export function onSocketAssigned(serverResponse: ServerResponse, listener: (this: ServerResponse, socket: Socket) => void): void {
  serverResponse.once('socket', listener)
}

interface InternalSocket extends Socket {
  _paused?: boolean
  readonly parser?: (Partial<ConsumingParser> & { readonly resume?: () => void }) | null
}

/** Stops reading requests from a connection. A version of Node without `_paused` goes on reading. */
export function pauseRequests(socket: InternalSocket): void {
  if (socket._paused !== false) return
  socket._paused = true
  socket.pause()
}

/** Reads requests again after `pauseRequests`. */
export function resumeRequests(socket: InternalSocket): void {
  if (socket._paused !== true) return
  socket._paused = false
  socket.parser?.resume?.()
  socket.resume()
}

/**
 * How many bytes of a write the operating system has not taken yet; undefined where this version of Node does not tell. `writableLength`
 * counts a write until it is over.
 */
export const getWriteQueueSize = (
  socket: Socket & { readonly _handle?: { readonly writeQueueSize?: number } | null },
): number | undefined => socket._handle?.writeQueueSize

/** The bytes that the parser of a connection has read last; undefined where this version of Node does not tell. */
export const getReceivedBytes = (socket: InternalSocket): Buffer | undefined => socket.parser?.getCurrentBuffer?.()

const hasBegunKey: unique symbol = Symbol('has begun a request')
type WatchedSocket = InternalSocket & { [hasBegunKey]?: boolean }

/** A parser that calls the function under `kOnMessageBegin` for the first byte of each request. */
interface BeginningParser {
  readonly socket?: WatchedSocket | null
  [onMessageBeginIndex: number]: ((this: BeginningParser) => void) | null | undefined
}

const getMessageBeginIndex = (parser: object): unknown => (parser.constructor as { readonly kOnMessageBegin?: unknown }).kOnMessageBegin

/** It is one function for all connections: Node hands a parser, with its callbacks, to the next one. */
function markFirstRequest(this: BeginningParser): void {
  // A call for each further request would cost time.
  this[getMessageBeginIndex(this) as number] = undefined
  if (this.socket) this.socket[hasBegunKey] = true
}

/** Observes whether a new connection begins a request. For Node, its first one has begun with the connection. */
export function watchFirstRequest(socket: WatchedSocket): void {
  const parser = socket.parser as (BeginningParser & Partial<ConsumingParser>) | null | undefined
  const index = parser && getMessageBeginIndex(parser)
  if (!parser || typeof index !== 'number' || parser._consumed !== true || parser.socket !== socket) return
  if (typeof parser[index] === 'function' && parser[index] !== markFirstRequest) return
  socket[hasBegunKey] = false
  parser[index] = markFirstRequest
}

/** Whether a connection has begun a request, even before its head is complete; where Node does not tell, whether it has sent anything. */
export const hasBegunRequest = (socket: WatchedSocket): boolean => socket[hasBegunKey] ?? socket.bytesRead > 0

const upgradeKey: unique symbol = Symbol('upgrade')

/**
 * Makes requests that offer HTTP/2 without TLS, as Java's client does by default, requests as any other. Otherwise Node would hand them to the
 * first listener for upgrades, which takes WebSockets. Called when a server gets such a listener, since it costs a little time per request.
 */
export function keepHttp2Offers(): void {
  Object.defineProperty(DirectIncomingMessage.prototype, 'upgrade', {
    configurable: true,
    get(this: DirectIncomingMessage & { readonly [upgradeKey]?: boolean | null }) {
      const isUpgrade = this[upgradeKey]
      return isUpgrade === true && this.headers.upgrade?.toLowerCase() === 'h2c' ? false : isUpgrade
    },
    set(this: DirectIncomingMessage & { [upgradeKey]?: boolean | null }, isUpgrade: boolean | null) {
      this[upgradeKey] = isUpgrade
    },
  })
}

/** The socket under a TLS socket; undefined where this version of Node does not tell. */
export const getRawSocket = (socket: Socket & { readonly _parent?: Socket | null }): Socket | undefined => socket._parent ?? undefined

/** How many bytes a parser has read, or why it cannot go on. */
export type UpgradeParserResult = number | Error

/** A parser that reads from its socket's handle itself, and calls the function under `kOnExecute` with how far it has come. */
interface ConsumingParser {
  readonly _consumed: true
  /** The last request. */
  readonly incoming?: IncomingMessage | null
  getCurrentBuffer(): Buffer
  execute(bytes: Buffer): UpgradeParserResult
  [onExecuteIndex: number]: (result: UpgradeParserResult) => void
}

/** What an interceptor may use of the parser. */
export interface InterceptedParser {
  /** The bytes of the last read. */
  getBytes(): Buffer
  execute(bytes: Buffer): UpgradeParserResult
  /** Whether the last request is a CONNECT, after which the parser stops as well. */
  isAtTunnel(): boolean
  /** Removes the interceptor. */
  restore(): void
}

/**
 * Puts a function between the parser of a connection and Node: it gets each result of the parser and returns the one that Node gets.
 *
 * @returns undefined where the parser is not of the known kind; nothing has been changed then
 */
export function interceptParser(
  socket: InternalSocket,
  intercept: (result: UpgradeParserResult, parser: InterceptedParser) => UpgradeParserResult,
): InterceptedParser | undefined {
  const { parser } = socket
  const index = (parser?.constructor as { readonly kOnExecute?: unknown } | undefined)?.kOnExecute
  if (parser?._consumed !== true || typeof index !== 'number' || typeof parser[index] !== 'function') return undefined
  if (typeof parser.getCurrentBuffer !== 'function' || typeof parser.execute !== 'function') return undefined
  const known = parser as ConsumingParser
  const original = known[index] as ConsumingParser[number]
  const intercepted: InterceptedParser = {
    getBytes: () => known.getCurrentBuffer(),
    execute: (bytes) => known.execute(bytes),
    isAtTunnel: () => known.incoming?.method === 'CONNECT',
    restore: () => {
      known[index] = original
    },
  }
  known[index] = (result) => original(intercept(result, intercepted))
  return intercepted
}
