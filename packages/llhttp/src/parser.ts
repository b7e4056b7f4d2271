/**
 * Node's own HTTP parser (llhttp), as node:http uses it, and the reading side of a connection. This file alone knows the names, none of
 * which Node documents.
 *
 * What it uses is tried by `parserProbe.ts` before the first connection, and there is a test for each name:
 *
 * - the module `_http_common` and its export `HTTPParser`;
 * - on the class, numbers: `REQUEST`, `kOnMessageBegin`, `kOnHeaders`, `kOnHeadersComplete`, `kOnBody`, `kOnMessageComplete`, `kOnExecute`;
 * - on a parser: `initialize(type, resource, maxHeaderSize, lenient)`, `execute(bytes)`, `finish()`, `consume(handle)`, `unconsume()`,
 *   `getCurrentBuffer()`, `close()`, and a function under each of the numbers above, called with the parser as its `this`: `()`, `(lines, target)`,
 *   `(major, minor, lines, method, target, status, reason, upgrade, keepAlive)`, `(bytes)`, `()`, `(result)`;
 * - on its errors: `code`;
 * - on a socket: `_handle`, and on that `isStreamBase`, `reading`, `readStart()` and `readStop()`.
 */
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'

/** How many bytes a parser has read, or why it cannot go on. */
export type ParserResult = number | (Error & { readonly code?: string })

/** Called with what a parser reads. */
export interface ParserListener {
  /** A head is complete. */
  onHead(
    major: number,
    minor: number,
    rawHeaders: string[],
    methodNumber: number,
    target: string,
    wantsUpgrade: boolean,
    mayKeepAlive: boolean,
  ): void
  /** A chunk of the body, in memory of its own. */
  onBodyChunk(bytes: Buffer): void
  /** The request is complete. */
  onRequestEnd(): void
  /** A parser that reads from a handle itself has come to the end of one read. */
  onExecuted(result: ParserResult): void
}

/** A parser of requests. */
export interface LlhttpParser {
  initialize(type: number, resource: object, maxHeaderSize: number, lenient: number): void
  execute(bytes: Uint8Array): ParserResult
  finish(): ParserResult | undefined
  consume(handle: object): void
  unconsume(): void
  /** A copy of the bytes of the last read. */
  getCurrentBuffer(): Buffer
  close(): void
  /** Ours: called with what the parser reads. */
  listener: ParserListener
  /** Ours: header lines of an incomplete head, and trailers. */
  lines: string[]
  /** Ours: the target of an incomplete head. */
  target: string
  /** Ours: when the current request began to arrive, by `performance.now()`; 0 between requests. */
  startTime: number
  /** Ours: whether the head of the last request is complete. */
  hasHead: boolean
}

type ParserCallback = 'kOnMessageBegin' | 'kOnHeaders' | 'kOnHeadersComplete' | 'kOnBody' | 'kOnMessageComplete' | 'kOnExecute'

/** Node's class `HTTPParser`. */
export type LlhttpParserClass = Readonly<Record<ParserCallback | 'REQUEST', number>> & { new (): LlhttpParser }

/** The handle that a socket of Node reads from. */
interface SocketHandle {
  readonly isStreamBase?: boolean
  /** Whether it is reading. The code that starts and stops it has to set it. */
  reading: boolean
  readStart(): unknown
  readStop(): unknown
}

/** The handle of a socket; undefined where it is closed, or a parser cannot read from it. */
export const getSocketHandle = (socket: Socket): SocketHandle | undefined => {
  const handle = (socket as Socket & { readonly _handle?: SocketHandle | null })._handle
  return handle?.isStreamBase === true ? handle : undefined
}

/** Called for the first byte of a request. Newer versions of Node keep the time to themselves. */
function onMessageBegin(this: LlhttpParser): void {
  this.startTime = performance.now()
  this.hasHead = false
}

/** Called for heads that arrive in parts or have more than 32 lines, and for trailers. */
function onHeaders(this: LlhttpParser, lines: readonly string[], target: string): void {
  this.lines.push(...lines)
  this.target += target
}

function onHeadersComplete(
  this: LlhttpParser,
  major: number,
  minor: number,
  lines: string[] | undefined,
  methodNumber: number,
  target: string | undefined,
  _status: unknown,
  _reason: unknown,
  wantsUpgrade: boolean,
  mayKeepAlive: boolean,
): number {
  this.hasHead = true
  if (lines === undefined) {
    this.listener.onHead(major, minor, this.lines, methodNumber, this.target, wantsUpgrade, mayKeepAlive)
    this.lines = []
    this.target = ''
  } else this.listener.onHead(major, minor, lines, methodNumber, target ?? '', wantsUpgrade, mayKeepAlive)
  // Zero tells the parser that a body or the next request follows.
  return 0
}

function onBody(this: LlhttpParser, bytes: Buffer): void {
  this.listener.onBodyChunk(bytes)
}

function onMessageComplete(this: LlhttpParser): void {
  // Trailers are ignored.
  if (this.lines.length > 0) this.lines = []
  this.target = ''
  this.startTime = 0
  this.listener.onRequestEnd()
}

function onExecute(this: LlhttpParser, result: ParserResult): void {
  this.listener.onExecuted(result)
}

/** Creates a parser of requests. The limit of a head's size is Node's own, as on node:http. */
export function createLlhttpParser(Class: LlhttpParserClass, listener: ParserListener, resource: object): LlhttpParser {
  const parser = new Class()
  parser.initialize(Class.REQUEST, resource, 0, 0)
  parser.listener = listener
  parser.lines = []
  parser.target = ''
  parser.startTime = 0
  parser.hasHead = false
  const callbacks = parser as unknown as Record<number, unknown>
  callbacks[Class.kOnMessageBegin] = onMessageBegin
  callbacks[Class.kOnHeaders] = onHeaders
  callbacks[Class.kOnHeadersComplete] = onHeadersComplete
  callbacks[Class.kOnBody] = onBody
  callbacks[Class.kOnMessageComplete] = onMessageComplete
  callbacks[Class.kOnExecute] = onExecute
  return parser
}

/** Finds Node's parser; undefined where there is none of this name, as on Bun and Deno. */
export function findNodeParser(): LlhttpParserClass | undefined {
  try {
    return (createRequire(import.meta.url)('_http_common') as { readonly HTTPParser?: LlhttpParserClass }).HTTPParser
  } catch {
    return undefined
  }
}

/** Timeouts in milliseconds; 0 for none. */
export interface ConnectionTimeouts {
  readonly requestTimeout: number
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
}

/** How much longer an idle connection is kept than its Keep-Alive header promises, so that the client closes it first. As node:http does. */
const keepAliveMargin = 1_000

const hasTimedOut = (time: number, timeout: number): boolean => timeout > 0 && time > timeout

/** The resource by which async hooks recognise the work of a connection. */
class HttpIncomingResource {
  readonly type = 'HTTPINCOMINGMESSAGE'
}

/** The reading side of a connection: a parser on the handle of a socket, which can be paused, with its timeouts. */
export class ConnectionReader {
  private readonly socket: Socket
  private readonly parser: LlhttpParser
  /** When the connection was accepted, by `performance.now()`. */
  readonly connectedAt: number = performance.now()
  /** When the connection was first seen idle, by the same clock; 0 while it is not. */
  private idleSince = 0
  /** Whether a request has arrived. */
  hasHadRequest = false
  /** How long the current request has been paused by the server, in milliseconds. It does not count for the timeouts. */
  private forgivenTime = 0
  private isPaused = false
  private isReleased = false

  constructor(socket: Socket, Class: LlhttpParserClass, listener: ParserListener) {
    this.socket = socket
    this.parser = createLlhttpParser(Class, listener, new HttpIncomingResource())
    const handle = getSocketHandle(socket)
    // The client may have disconnected already.
    if (handle === undefined) socket.destroy()
    else this.parser.consume(handle)
  }

  /** A head has arrived. */
  onHead(): void {
    this.hasHadRequest = true
    this.idleSince = 0
  }

  /** A request has arrived whole. */
  onRequestEnd(): void {
    this.forgivenTime = 0
  }

  /** Whether nothing is arriving. A new connection is not idle, since its first request may be on its way: see `isSilentSince`. */
  get isIdle(): boolean {
    return this.hasHadRequest && this.parser.startTime === 0
  }

  /** Whether no request has begun: what has arrived, if anything, are line ends. */
  get hasBegunNone(): boolean {
    return !this.hasHadRequest && this.parser.startTime === 0
  }

  /** The bytes of the last read, while a listener of the parser runs. */
  get lastBytes(): Buffer {
    return this.parser.getCurrentBuffer()
  }

  /** Reads on after a request at whose end the parser has stopped. */
  execute(bytes: Buffer): ParserResult {
    return this.parser.execute(bytes)
  }

  /** Pauses or resumes reading. */
  setPaused(isPaused: boolean): void {
    if (isPaused === this.isPaused) return
    this.isPaused = isPaused
    const handle = getSocketHandle(this.socket)
    if (handle === undefined || this.isReleased) return
    handle.reading = !isPaused
    if (isPaused) handle.readStop()
    else handle.readStart()
  }

  /** Tells the parser that the client has half-closed the connection. Returns an error in the middle of a request. */
  finish(): ParserResult | undefined {
    return this.isReleased ? undefined : this.parser.finish()
  }

  /**
   * Checks the timeouts.
   *
   * @param isBusy whether a request is being answered
   * @returns `slow` where a request takes too long to arrive, `idle` where none has arrived for too long
   */
  checkTimeouts(
    now: number,
    isBusy: boolean,
    { requestTimeout, headersTimeout, keepAliveTimeout }: ConnectionTimeouts,
  ): 'slow' | 'idle' | undefined {
    const { startTime, hasHead } = this.parser
    // A client that connects and sends nothing gets no more time than others.
    const start = startTime === 0 && !this.hasHadRequest ? this.connectedAt : startTime
    if (start > 0) {
      const duration = now - start
      if (this.isPaused) {
        this.forgivenTime = duration
        return undefined
      }
      const time = duration - this.forgivenTime
      return hasTimedOut(time, requestTimeout) || (!hasHead && hasTimedOut(time, headersTimeout)) ? 'slow' : undefined
    }
    if (this.isPaused) return undefined
    if (isBusy) return undefined
    if (this.idleSince === 0) this.idleSince = now
    return keepAliveTimeout > 0 && now - this.idleSince > keepAliveTimeout + keepAliveMargin ? 'idle' : undefined
  }

  /** Gives the bytes back to the socket, and closes the parser when it has returned from the current call. */
  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    this.parser.unconsume()
    setImmediate(() => this.parser.close())
  }
}
