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
import type { Socket } from 'node:net'

/** What a parser gives for a run of bytes: how many it has read, or why it cannot go on. */
export type ParserResult = number | (Error & { readonly code?: string })

/** Whoever is told of what a parser reads. */
export interface ParserListener {
  /** A head is whole. `method` is a number of the parser's, `keepAlive` whether another request may follow. */
  onHead(major: number, minor: number, lines: string[], method: number, target: string, upgrade: boolean, keepAlive: boolean): void
  /** A part of the body, in memory of its own. */
  onBodyChunk(bytes: Buffer): void
  /** The request is whole. */
  onRequestEnd(): void
  /** A run of bytes has been read, by a parser that reads from a handle by itself. */
  onExecuted(result: ParserResult): void
}

/** A parser of requests. */
export interface LlhttpParser {
  initialize(type: number, resource: object, maxHeaderSize: number, lenient: number): void
  execute(bytes: Uint8Array): ParserResult
  finish(): ParserResult | undefined
  consume(handle: object): void
  unconsume(): void
  /** What `executed` was told of: a copy. */
  getCurrentBuffer(): Buffer
  /** For how long the request has been coming that is under way, in milliseconds; 0 between requests. */
  duration(): number
  /** Whether the head of the request that came last is whole. */
  headersCompleted(): boolean
  close(): void
  /** Ours: who is told. */
  listener: ParserListener
  /** Ours: header lines that came before their head was whole, and trailers. */
  lines: string[]
  /** Ours: the target that came before its head was whole. */
  target: string
}

type ParserCallback = 'kOnHeaders' | 'kOnHeadersComplete' | 'kOnBody' | 'kOnMessageComplete' | 'kOnExecute'

/** Node's class. */
export type LlhttpParserClass = Readonly<Record<ParserCallback | 'REQUEST', number>> & { new (): LlhttpParser }

/** What a socket of Node reads from. */
export interface SocketHandle {
  readonly isStreamBase?: boolean
  /** Whether it reads; kept by whoever starts and stops it. */
  reading: boolean
  readStart(): unknown
  readStop(): unknown
}

/** The handle of a socket; undefined where it has none any more, or none that a parser can read from. */
export const getSocketHandle = (socket: Socket): SocketHandle | undefined => {
  const handle = (socket as Socket & { readonly _handle?: SocketHandle | null })._handle
  return handle?.isStreamBase === true ? handle : undefined
}

/** Called for heads that come in pieces or have more than 32 lines, and for trailers. */
function onHeaders(this: LlhttpParser, lines: readonly string[], target: string): void {
  this.lines.push(...lines)
  this.target += target
}

function onHeadersComplete(
  this: LlhttpParser,
  major: number,
  minor: number,
  lines: string[] | undefined,
  method: number,
  target: string | undefined,
  _status: unknown,
  _reason: unknown,
  upgrade: boolean,
  keepAlive: boolean,
): number {
  if (lines === undefined) {
    this.listener.onHead(major, minor, this.lines, method, this.target, upgrade, keepAlive)
    this.lines = []
    this.target = ''
  } else this.listener.onHead(major, minor, lines, method, target ?? '', upgrade, keepAlive)
  // What follows is a body, or the next request.
  return 0
}

function onBody(this: LlhttpParser, bytes: Buffer): void {
  this.listener.onBodyChunk(bytes)
}

function onMessageComplete(this: LlhttpParser): void {
  // Trailers: nobody here reads them.
  if (this.lines.length > 0) this.lines = []
  this.target = ''
  this.listener.onRequestEnd()
}

function onExecute(this: LlhttpParser, result: ParserResult): void {
  this.listener.onExecuted(result)
}

/** A parser of requests that tells `owner`. Node's own limit of the head's size, as for node:http. */
export function createLlhttpParser(Class: LlhttpParserClass, owner: ParserListener, resource: object): LlhttpParser {
  const parser = new Class()
  parser.initialize(Class.REQUEST, resource, 0, 0)
  parser.listener = owner
  parser.lines = []
  parser.target = ''
  const callbacks = parser as unknown as Record<number, unknown>
  callbacks[Class.kOnHeaders] = onHeaders
  callbacks[Class.kOnHeadersComplete] = onHeadersComplete
  callbacks[Class.kOnBody] = onBody
  callbacks[Class.kOnMessageComplete] = onMessageComplete
  callbacks[Class.kOnExecute] = onExecute
  return parser
}

/** Node's parser; undefined where there is none by its name, as on Bun and Deno, and perhaps on a later Node. */
export function findNodeParser(): LlhttpParserClass | undefined {
  try {
    return (createRequire(import.meta.url)('_http_common') as { readonly HTTPParser?: LlhttpParserClass }).HTTPParser
  } catch {
    return undefined
  }
}

// The reading side of a connection of the llhttp adapter: a parser on the handle of a socket, when it reads, and for how long it may.

/** In milliseconds; 0 for none. */
export interface ConnectionTimeouts {
  readonly requestTimeout: number
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
}

/** An idle connection is kept a little longer than its client is told, so that the client is the one who closes it. As node:http. */
const keepAliveMargin = 1_000

const hasTimedOut = (time: number, timeout: number): boolean => timeout > 0 && time > timeout

/** Node's: what runs on behalf of a connection is told from others by it. */
class HttpIncomingResource {
  readonly type = 'HTTPINCOMINGMESSAGE'
}

export class ConnectionReader {
  private readonly socket: Socket
  private readonly parser: LlhttpParser
  /** When the connection came, by `performance.now()`. */
  private readonly connectedAt: number = performance.now()
  /** When it was seen idle first, by the same clock; 0 while it is not. */
  private idleSince = 0
  /** Whether any request has come. */
  hasHadRequest = false
  /** For how long the request that comes was kept waiting by us, in milliseconds. */
  private forgivenTime = 0
  private isPaused = false
  private isReleased = false

  constructor(socket: Socket, Class: LlhttpParserClass, owner: ParserListener) {
    this.socket = socket
    this.parser = createLlhttpParser(Class, owner, new HttpIncomingResource())
    const handle = getSocketHandle(socket)
    // It may have gone already.
    if (handle === undefined) socket.destroy()
    else this.parser.consume(handle)
  }

  /** A head has come. */
  onHead(): void {
    this.hasHadRequest = true
    this.idleSince = 0
  }

  /** The request is whole. */
  onRequestEnd(): void {
    this.forgivenTime = 0
  }

  /** Whether nothing comes. A connection that is new is not idle: its first request may be on its way. */
  get isIdle(): boolean {
    return this.hasHadRequest && this.parser.duration() === 0
  }

  /** The bytes that were read last, while whoever is told of them looks. */
  get lastBytes(): Buffer {
    return this.parser.getCurrentBuffer()
  }

  /** Reads on behind a request at whose end the parser has stopped. */
  execute(bytes: Buffer): ParserResult {
    return this.parser.execute(bytes)
  }

  /** Stops reading, or goes on. */
  setPaused(stop: boolean): void {
    if (stop === this.isPaused) return
    this.isPaused = stop
    const handle = getSocketHandle(this.socket)
    if (handle === undefined || this.isReleased) return
    handle.reading = !stop
    if (stop) handle.readStop()
    else handle.readStart()
  }

  /** The client says no more: an error where that is half a request. */
  finish(): ParserResult | undefined {
    return this.isReleased ? undefined : this.parser.finish()
  }

  /** `slow`: a request takes too long to come. `idle`: nothing has come for too long. `busy`: whether a request is answered. */
  checkTimeouts(
    now: number,
    busy: boolean,
    { requestTimeout, headersTimeout, keepAliveTimeout }: ConnectionTimeouts,
  ): 'slow' | 'idle' | undefined {
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
  release(): void {
    if (this.isReleased) return
    this.isReleased = true
    this.parser.unconsume()
    setImmediate(() => this.parser.close())
  }
}
