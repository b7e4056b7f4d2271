/** A request over HTTP/2 as a handler sees it: one stream, with the headers that the request would have over HTTP/1.1. */
import type { ServerHttp2Stream } from 'node:http2'
import type { ErrorListener } from '../../http/errorReport.ts'
import { getHeader, isHost } from '../../http/headerFields.ts'
import type { HttpRequest, RequestEnd } from '../../http/httpHandler.ts'
import type { Lifetime } from '../lifetime.ts'
import { type ProtocolError, protocolErrors } from '../protocolErrors.ts'
import { setBodyPaused } from './bodyPauses.ts'
import { type BodyListener, NodeRequest } from './nodeRequest.ts'
import { httpMethods, maxHeaderLines, toOriginForm } from './requestFraming.ts'

/** What the head of a stream says. */
export interface Http2Head {
  readonly method: string
  readonly target: string
  readonly rawHeaders: readonly string[]
  readonly expectsContinue: boolean
  /** Why the request must not be answered by its handler. */
  readonly protocolError: ProtocolError | undefined
}

/** The most bytes of a head, with four for each line as over HTTP/1.1: Node's limit there. */
const maxHeadSize = 16_384

/**
 * Reads the head of a stream. nghttp2 has checked it: pseudo-headers come first and once, names are in lower case, and headers of a connection
 * are absent (RFC 9113 §8.2, §8.3).
 */
export function readHttp2Head(fields: readonly string[]): Http2Head {
  let [method, path, authority]: (string | undefined)[] = []
  let [cookie, host, expectation]: (string | undefined)[] = []
  let protocolError: ProtocolError | undefined
  let size = 0
  const headers: string[] = []
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index] as string
    const value = fields[index + 1] as string
    size += name.length + value.length + 4
    if (name === ':method') method = value
    else if (name === ':path') path = value
    else if (name === ':authority') authority = value
    // A client may send each cookie in a line of its own, for compression (RFC 9113 §8.2.3).
    else if (name === 'cookie') cookie = cookie === undefined ? value : `${cookie}; ${value}`
    else if (name === 'host') {
      // The same resource must not be asked of two hosts (RFC 9113 §8.3.1).
      if (host !== undefined) protocolError = protocolErrors.host
      host = value
    } else if (name.charCodeAt(0) !== 0x3a) {
      headers.push(name, value)
      if (name === 'expect') expectation = value.toLowerCase()
    }
  }
  const named = authority ?? host ?? ''
  headers.unshift('host', named)
  if (cookie !== undefined) headers.push('cookie', cookie)
  if (named === '' || !isHost(named) || (host !== undefined && host.toLowerCase() !== named.toLowerCase()))
    protocolError = protocolErrors.host
  if (expectation !== undefined && expectation !== '100-continue') protocolError = protocolErrors.expectation
  if (size > maxHeadSize || fields.length > 2 * maxHeaderLines) protocolError = protocolErrors.headers
  if (method === undefined || !httpMethods.has(method)) protocolError = protocolErrors.method
  if (method === 'CONNECT') protocolError = protocolErrors.tunnel
  return {
    ...{ method: method ?? '', target: toOriginForm(path ?? '/'), rawHeaders: headers, protocolError },
    expectsContinue: expectation !== undefined,
  }
}

const ignoreCutOff = (): void => {}

/** What a request uses of its connection. */
export interface Http2Peer {
  readonly lifetime: Lifetime
  readonly remoteAddress: string
  /** Counts bytes of a body. */
  addPayload(length: number): void
  /** Marks that there is a response. */
  markSettled(request: Http2Request): void
}

export class Http2Request extends NodeRequest implements HttpRequest {
  readonly method: string
  readonly target: string
  readonly rawHeaders: readonly string[]
  readonly stream: ServerHttp2Stream
  readonly connection: Http2Peer
  /** When its head had arrived, by `performance.now()`. */
  readonly start: number
  /** Whether there is a response, of its handler or of the server. */
  isSettled: boolean
  /** Whether the stream has emitted `close`. */
  isOver: boolean
  /** How many bytes of a whole body wait outside of the stream. */
  unwritten: number
  /** How many bytes of the response the client had taken, and since when, by `performance.now()`; undefined where it lacks none. */
  readerProgress: { readonly bytes: number; readonly since: number } | undefined
  private bodyListener: BodyListener | undefined
  private onCutOff: () => void

  constructor(stream: ServerHttp2Stream, head: Http2Head, connection: Http2Peer, onError: ErrorListener) {
    super(!stream.endAfterHeaders, head.expectsContinue, onError, connection.lifetime)
    this.method = head.method
    this.target = head.target
    this.rawHeaders = head.rawHeaders
    this.stream = stream
    this.connection = connection
    this.start = performance.now()
    this.isSettled = false
    this.isOver = false
    this.unwritten = 0
    this.readerProgress = undefined
    this.bodyListener = undefined
    this.onCutOff = ignoreCutOff
  }

  header(name: string): string | undefined {
    return getHeader(this.rawHeaders, name)
  }

  protected override getPeerAddress(): string {
    return this.connection.remoteAddress
  }

  protected override get output(): ServerHttp2Stream {
    return this.stream
  }

  /** A client may reset a stream whose last bytes wait for room in its window. */
  protected override get isSent(): boolean {
    const { stream } = this
    return stream.writableFinished && stream.rstCode === 0 && !stream.aborted
  }

  protected override get isCutOff(): boolean {
    const { stream } = this
    return stream.aborted || (stream.destroyed && !stream.readableEnded)
  }

  override get hasUnreadBody(): boolean {
    const { stream } = this
    return this.hasBody && !stream.destroyed && !stream.readableEnded && stream.state.remoteClose !== 1
  }

  protected override getSent(): Pick<RequestEnd, 'status' | 'bytes'> {
    return { status: Number(this.stream.sentHeaders?.[':status'] ?? 0), bytes: this.bytesSent }
  }

  protected override writeContinue(): void {
    const { stream } = this
    if (!stream.destroyed && !stream.headersSent) stream.additionalHeaders({ ':status': 100 })
  }

  protected override setBodyPaused(isPaused: boolean): void {
    setBodyPaused(this.stream, isPaused)
  }

  override listenToBody(listener: BodyListener, onCutOff: () => void = ignoreCutOff): void {
    const { stream } = this
    const isFirst = this.bodyListener === undefined
    this.bodyListener = listener
    this.onCutOff = onCutOff
    if (this.isCutOff) {
      onCutOff()
      return
    }
    if (!isFirst) {
      stream.resume()
      return
    }
    stream.on('data', (chunk: Buffer) => {
      this.connection.addPayload(chunk.length)
      this.bodyListener?.(chunk)
    })
    // A stream that its client has reset without an error ends as well.
    stream.once('end', () => (stream.aborted ? this.onCutOff() : this.bodyListener?.(null)))
    stream.once('close', () => stream.readableEnded || this.onCutOff())
  }
}
