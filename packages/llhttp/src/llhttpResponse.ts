/** Sends a response of the llhttp adapter: head and whole body in one write, a stream at the pace of the client. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import {
  assertFinalStatus,
  checkBodilessFraming,
  checkContentLength,
  checkStreamFraming,
  enforceContentLength,
  formatSimpleHead,
  getDateLine,
  isAlwaysBodiless,
  isHeaderName,
  isHeaderValue,
  type Lifetime,
  maxWriteBatch,
  readContentLength,
  removeTransferEncoding,
  StreamPump,
  type StreamWriter,
} from 'lapidary/internal-node'
import type { HttpResponse } from 'lapidary/server'
import type { LlhttpRequest } from './llhttpRequest.ts'

/** What a response uses of its connection. */
export interface ResponseConnection {
  readonly socket: Socket
  readonly writer: ConnectionWriter
  /** All of the response has been written. */
  onResponseWritten(request: LlhttpRequest): void
  /** The response cannot be completed: the connection ends after what was written. */
  abortResponse(request: LlhttpRequest): void
}

/** Whether the server keeps connections open, and what it says about that. */
export interface KeepAliveState {
  /** When the server does not listen any more, each response ends its connection. */
  readonly lifetime: Lifetime
  /** The `Keep-Alive` line, or an empty text. */
  readonly keepAliveLine: string
}

/** Sends a response. @throws TypeError, RangeError for one that cannot be sent. */
export function sendLlhttpResponse(
  response: HttpResponse,
  request: LlhttpRequest,
  connection: ResponseConnection,
  state: KeepAliveState,
): void {
  const { status, reason, headers, body } = response
  const { socket } = connection
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  // The client has disconnected.
  if (request.outcome !== undefined || !socket.writable) {
    if (body !== null && !isWhole) state.lifetime.dropStream(body)
    return
  }
  const formatHead = (framing: ResponseFraming, sentHeaders = headers): string => {
    const head = formatLlhttpHead(request, status, reason, sentHeaders, framing, !state.lifetime.isListening, state.keepAliveLine)
    request.status = status
    return head
  }
  const getStreamHeaders = (): readonly string[] => (request.httpVersion === '1.1' ? headers : removeTransferEncoding(headers))
  const isHead = request.method === 'HEAD'
  if (isAlwaysBodiless(status)) {
    socket.write(formatHead('none'), 'latin1')
    state.lifetime.dropUnsentBody(response)
  } else if (body === null) {
    // A response to HEAD may have the Content-Length of the response to GET.
    const hasLength = checkContentLength(headers, isHead ? undefined : 0) !== undefined
    socket.write(formatHead(hasLength ? 'none' : 0), 'latin1')
  } else if (isWhole) {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    const head = formatHead(length)
    if (isHead) socket.write(head, 'latin1')
    else {
      request.bytesSent = length
      writeHeadAndBody(socket, head, body, length)
    }
  } else if (isHead) {
    checkStreamFraming(headers)
    socket.write(formatHead('none', getStreamHeaders()), 'latin1')
    state.lifetime.dropStream(body)
  } else {
    // An invalid body must throw before the head is written.
    const iterator = enforceContentLength(body, headers)[Symbol.asyncIterator]()
    // The producer may ask for the body after the head, which is too late to call for it.
    request.sendContinue()
    pumpLlhttpStream(iterator, request, connection, formatHead('stream', getStreamHeaders()))
    return
  }
  connection.onResponseWritten(request)
}

/** Writes head and body. A body of ASCII needs no copy and no encoding. */
function writeHeadAndBody(socket: Socket, head: string, body: string | Uint8Array, length: number): void {
  if (body.length === length && typeof body === 'string') {
    socket.write(head + body, 'latin1')
    return
  }
  socket.cork()
  socket.write(head, 'latin1')
  if (typeof body === 'string') socket.write(body)
  else socket.write(body)
  socket.uncork()
}

/** How the end of the body is marked: by its length, as a stream, or not at all, where there is no body. */
type ResponseFraming = number | 'stream' | 'none'

const closeTokenPattern = /(?:^|\W)close(?:$|\W)/i

/**
 * Formats the head, with the empty line after it. It has the lines that node:http adds, in its order: Date, Connection, Keep-Alive,
 * Transfer-Encoding. Sets on the request whether its response is chunked, and whether it is the last of its connection.
 *
 * @throws TypeError, RangeError for a head that cannot be sent
 */
function formatLlhttpHead(
  request: LlhttpRequest,
  status: number,
  reason: string | undefined,
  headers: readonly string[],
  framing: ResponseFraming,
  isLast: boolean,
  keepAliveLine: string,
): string {
  assertFinalStatus(status)
  // A client that has not got `100 Continue` may send its body nevertheless (RFC 9110 §10.1.1), so the connection is closed.
  const mayKeepAlive = request.mayKeepAlive && !request.expectsContinue && !isLast
  const isHttp11 = request.httpVersion === '1.1'
  if (mayKeepAlive && isHttp11 && reason === undefined && framing !== 'stream') {
    const simple = formatSimpleHead(status, headers, framing === 'none' ? undefined : framing, keepAliveLine)
    if (simple !== undefined) return simple
  }
  const { lines, values } = readHeaderBlock(headers)
  const connection = values.get('connection')
  const coding = values.get('transfer-encoding')
  // A simple head has no headers to check.
  if (isAlwaysBodiless(status)) checkBodilessFraming(status, headers)
  const declaredLength = typeof framing === 'number' ? checkContentLength(headers, framing) : readContentLength(headers, undefined)
  const hasLength = typeof framing === 'number' || declaredLength !== undefined
  if (framing === 'stream' && !hasLength) request.isChunked = isHttp11
  // HTTP/1.0 has no chunks: without a length, the end of the connection marks the end of the body.
  request.isLast = connection === undefined ? !(mayKeepAlive && (hasLength || isHttp11)) : isLast || closeTokenPattern.test(connection)

  let head = formatStatusLine(status, reason) + lines
  if (typeof framing === 'number' && declaredLength === undefined) head += `Content-Length: ${framing}\r\n`
  if (!values.has('date')) head += getDateLine()
  if (request.isLast && !closeTokenPattern.test(connection ?? '')) head += 'Connection: close\r\n'
  else if (connection === undefined) head += `Connection: keep-alive\r\n${values.has('keep-alive') ? '' : keepAliveLine}`
  return `${head}${request.isChunked && coding === undefined ? 'Transfer-Encoding: chunked\r\n' : ''}\r\n`
}

const createUnsendableHeaderError = (name: string): TypeError =>
  new TypeError(
    `The response has a header that cannot be sent: ${JSON.stringify(name)}. A name must be a token, a value Latin-1 without line breaks.`,
  )

function formatStatusLine(status: number, reason: string | undefined): string {
  const phrase = reason ?? STATUS_CODES[status] ?? 'unknown'
  if (!isHeaderValue(phrase)) throw createUnsendableHeaderError('the reason')
  return `HTTP/1.1 ${status} ${phrase}\r\n`
}

/** Headers as lines, and the values of those that affect framing and the connection. */
interface HeaderBlock {
  readonly lines: string
  readonly values: ReadonlyMap<string, string>
}

const connectionHeaderNames = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

/** @throws TypeError for a name or a value that cannot be sent. */
function readHeaderBlock(headers: readonly string[]): HeaderBlock {
  const values = new Map<string, string>()
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string
    const value = headers[index + 1] as string
    if (!isHeaderName(name) || !isHeaderValue(value)) throw createUnsendableHeaderError(name)
    lines += `${name}: ${value}\r\n`
    const lowerCaseName = name.toLowerCase()
    if (connectionHeaderNames.has(lowerCaseName)) values.set(lowerCaseName, value)
  }
  return { lines, values }
}

function pumpLlhttpStream(
  iterator: AsyncIterator<string | Uint8Array>,
  request: LlhttpRequest,
  connection: ResponseConnection,
  head: string,
): void {
  const pump = new StreamPump(iterator, request, new LlhttpStreamWriter(connection, request, head))
  request.stopStream = () => void pump.cancel()
  void pump.run()
}

/** Chunks of more bytes are written as they are, without being copied. */
const maxCopiedBytes = 4_096

/** Bytes as text, a character for each. */
const toLatin1Text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

/** Writes the chunks of a stream to a connection. The first chunk is sent at once. */
class LlhttpStreamWriter implements StreamWriter {
  private readonly connection: ResponseConnection
  private readonly request: LlhttpRequest
  /** The head, until it is written. */
  private head: string
  private hasStarted = false

  constructor(connection: ResponseConnection, request: LlhttpRequest, head: string) {
    this.connection = connection
    this.request = request
    this.head = head
  }

  writeHead(): void {
    this.connection.writer.write(this.takeHead())
  }

  write(chunk: string | Uint8Array): Promise<void> | undefined {
    const { writer } = this.connection
    const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength
    this.request.bytesSent += length
    const hasRoom = this.writeFramed(chunk, length)
    if (!this.hasStarted) {
      this.hasStarted = length > 0
      writer.flush()
    }
    return hasRoom ? undefined : writer.waitForDrain()
  }

  end(): void {
    const { connection, request } = this
    request.stopStream = undefined
    const rest = request.isChunked ? `${this.takeHead()}0\r\n\r\n` : this.takeHead()
    if (rest !== '') connection.writer.write(rest)
    connection.writer.flush()
    connection.onResponseWritten(request)
  }

  /** Without the last chunk, the client notices that something is missing. */
  fail(): void {
    this.request.stopStream = undefined
    this.connection.abortResponse(this.request)
  }

  private takeHead(): string {
    const { head } = this
    this.head = ''
    return head
  }

  /** Writes a chunk, after the head if that is still to be written. Returns false while the client is behind. */
  private writeFramed(chunk: string | Uint8Array, length: number): boolean {
    const { socket, writer } = this.connection
    const isFramed = this.request.isChunked && length > 0
    const before = isFramed ? `${this.takeHead()}${length.toString(16)}\r\n` : this.takeHead()
    const after = isFramed ? '\r\n' : ''
    // As many bytes as characters means ASCII, which needs no encoding.
    if (typeof chunk === 'string' && chunk.length === length) return writer.write(before + chunk + after)
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    if (length <= maxCopiedBytes) return writer.write(before + toLatin1Text(bytes) + after)
    writer.write(before)
    writer.flush()
    socket.write(bytes)
    return writer.write(after)
  }
}

const flushWriter = (writer: ConnectionWriter): void => writer.flush()

/** The writing side of a connection: collects small texts, waits for a client that is behind, and disconnects one that reads nothing. */
export class ConnectionWriter {
  private readonly socket: Socket
  /** In milliseconds. */
  private readonly readerTimeout: number
  /** Resolves the promise of `waitForDrain`. */
  private resolveDrain: (() => void) | undefined = undefined
  /** The text of this turn in Latin-1, a character for each byte. */
  private unsentText = ''

  constructor(socket: Socket, readerTimeout: number) {
    this.socket = socket
    this.readerTimeout = readerTimeout
    socket.on('drain', () => this.resume())
    socket.on('timeout', () => socket.destroy())
  }

  /** Writes a text, together with others of this turn. Returns false while the client is behind. */
  write(text: string): boolean {
    if (this.unsentText === '') process.nextTick(flushWriter, this)
    this.unsentText += text
    if (this.unsentText.length >= maxWriteBatch) this.flush()
    return !this.socket.writableNeedDrain
  }

  /** Hands what was written to the socket. */
  flush(): void {
    const { socket, unsentText } = this
    this.unsentText = ''
    if (unsentText !== '' && socket.writable) socket.write(unsentText, 'latin1')
  }

  /** Ends the connection after what was written. */
  end(): void {
    this.flush()
    this.socket.setTimeout(this.readerTimeout)
    this.socket.destroySoon()
  }

  /** Calls a listener when the operating system has everything that was written. */
  onFlushed(listener: () => void): void {
    const { socket } = this
    socket.setTimeout(this.readerTimeout)
    socket.write('', () => {
      socket.setTimeout(0)
      listener()
    })
  }

  /** Resolves when there is room for more, or the client has disconnected. */
  waitForDrain(): Promise<void> {
    return new Promise((resolve) => {
      this.socket.setTimeout(this.readerTimeout)
      this.resolveDrain = resolve
    })
  }

  /** Goes on after `waitForDrain`. */
  resume(): void {
    if (this.resolveDrain === undefined) return
    // The producer may take as long as it likes.
    this.socket.setTimeout(0)
    this.resolveDrain()
    this.resolveDrain = undefined
  }
}
