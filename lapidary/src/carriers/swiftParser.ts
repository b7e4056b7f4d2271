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
