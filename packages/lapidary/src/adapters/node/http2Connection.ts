/** One connection of HTTP/2: its streams, its limits and its end. */
import { constants, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { TLSSocket } from 'node:tls'
import type { Lifetime } from '../lifetime.ts'
import { getRejectionDetail } from '../protocolErrors.ts'
import { getBodyPauseTime } from './bodyPauses.ts'
import { type Http2Peer, type Http2Request, readHttp2Head } from './http2Request.ts'
import { abortStream, closeAfterResponse, rejectStream } from './http2Response.ts'
import type { ResolvedListenOptions } from './listenOptions.ts'

/**
 * How many bytes beyond the payload a client may send in all, and how many for each byte of payload. Frames that carry nothing cost the server
 * as much as requests: PING, SETTINGS, PRIORITY, WINDOW_UPDATE, empty DATA. nginx has the same rule.
 */
const maxOverhead = 1_048_576
const overheadRatio = 8
/** What a stream counts as payload beside its bodies: eight times as much is the largest head. */
const streamPayload = 2_048

/** How long a client may take to close its side after the server has, in milliseconds. */
const farewellTime = 1_000

/** How long the answer to a PING may take, in milliseconds: some clients say no more once they know of the end. */
const maxPingTime = 500

/** The largest id of a stream (RFC 9113 §5.1.1): a GOAWAY with it refuses no request. */
const maxStreamId = 2 ** 31 - 1

export type Http2Limits = Pick<
  ResolvedListenOptions,
  'requestTimeout' | 'headersTimeout' | 'keepAliveTimeout' | 'readerTimeout' | 'maxConcurrentStreams'
>

export class Http2Connection implements Http2Peer {
  readonly lifetime: Lifetime
  readonly remoteAddress: string
  /** When it was accepted, by `performance.now()`. */
  private readonly accepted: number
  private readonly session: ServerHttp2Session
  private readonly socket: TLSSocket
  private readonly limits: Http2Limits
  private readonly requests = new Set<Http2Request>()
  private hasBegun = false
  /** Since when it has no stream, by `performance.now()`. */
  private idleSince: number
  /** How many requests have no response yet, even if their streams are gone. */
  private unsettled = 0
  private payload = 0
  private isAnnounced = false
  /** When the session has ended, by `performance.now()`. */
  private endedAt: number | undefined

  constructor(session: ServerHttp2Session, socket: TLSSocket, limits: Http2Limits, lifetime: Lifetime) {
    this.session = session
    this.socket = socket
    this.limits = limits
    this.lifetime = lifetime
    this.remoteAddress = socket.remoteAddress ?? ''
    this.accepted = performance.now()
    this.idleSince = this.accepted
    session.once('close', () => {
      this.endedAt = performance.now()
    })
  }

  /** Counts bytes of a body. */
  addPayload(length: number): void {
    this.payload += length
  }

  /** Begins a request. `create` and `respond` are called unless the request is rejected. */
  begin(
    stream: ServerHttp2Stream,
    fields: readonly string[],
    create: (head: ReturnType<typeof readHttp2Head>) => Http2Request,
    respond: (request: Http2Request) => void,
  ): void {
    // Without a listener, the error of a stream ends the process. Its request learns of it by `close`.
    stream.on('error', () => {})
    // Otherwise a stream that is reset without an error, and not read, never closes. Node emits it in the middle of its work.
    stream.once('aborted', () => process.nextTick(() => stream.destroy()))
    this.hasBegun = true
    this.payload += streamPayload
    const head = readHttp2Head(fields)
    if (head.protocolError !== undefined) {
      rejectStream(head.protocolError, stream)
      if (!stream.endAfterHeaders) stream.resume()
      return
    }
    const request = create(head)
    this.requests.add(request)
    this.unsettled += 1
    stream.once('close', () => {
      request.isOver = true
      this.requests.delete(request)
      this.payload += request.bytesSent
      if (this.requests.size === 0) this.idleSince = performance.now()
    })
    // A client that resets its streams would have any number of handlers at work (CVE-2023-44487, CVE-2025-8671).
    if (this.unsettled > 2 * this.limits.maxConcurrentStreams) this.endFlood()
    respond(request)
  }

  /** Marks that there is a response. */
  markSettled(request: Http2Request): void {
    if (request.isSettled) return
    request.isSettled = true
    this.unsettled -= 1
  }

  /** Whether the client has begun no request since before a moment, by `performance.now()`. */
  isSilentSince(before: number): boolean {
    return !this.hasBegun && this.accepted < before
  }

  /**
   * Tells the client to open no more streams. After a GOAWAY of any kind, Node ignores further ones. The first GOAWAY has the largest id: with
   * the last id of this moment, a client would take a stream for refused that the server reads before the GOAWAY is sent, and send it again.
   * A PING that is answered shows that nothing else is on its way; the GOAWAY that follows says which stream was the last, so that the client
   * can send again what has crossed. None goes out with the end of a response: a client begins its next request at that moment.
   */
  announceEnd(): void {
    const { session } = this
    if (this.isAnnounced || session.closed || session.destroyed) return
    this.isAnnounced = true
    session.goaway(constants.NGHTTP2_NO_ERROR, maxStreamId)
    const end = (): void => {
      clearTimeout(timer)
      this.end()
    }
    const timer = setTimeout(end, maxPingTime)
    session.ping(end)
  }

  /** As `end`, for a client that has had the time to begin a request. */
  endBegun(): void {
    if (this.hasBegun) this.end()
  }

  /** Ends the session when its streams have ended, and opens no more. */
  end(): void {
    if (!this.session.closed && !this.session.destroyed) this.session.close()
  }

  destroy(): void {
    this.session.destroy()
    this.socket.destroy()
  }

  /** Ends what takes longer than the limits allow. @param now by `performance.now()` */
  check(now: number): void {
    const { socket, limits, requests } = this
    if (this.endedAt !== undefined) {
      if (now - this.endedAt > farewellTime) socket.destroy()
      return
    }
    if (this.lifetime.isClosing) this.announceEnd()
    let payload = this.payload
    for (const request of requests) {
      payload += request.bytesSent
      this.checkRequest(request, now)
    }
    if (socket.bytesRead > maxOverhead + overheadRatio * payload) this.endFlood()
    if (requests.size > 0) return
    const time = this.hasBegun ? limits.keepAliveTimeout : limits.headersTimeout || limits.requestTimeout
    if (time <= 0 || now - this.idleSince <= time) return
    // The client may take no bytes, not even those of a GOAWAY.
    if (now - this.idleSince > time + farewellTime) this.destroy()
    else this.end()
  }

  /** Disconnects a client that costs the server more than it asks for. */
  private endFlood(): void {
    this.session.destroy(new Error('The client sends too much that is no request.'), constants.NGHTTP2_ENHANCE_YOUR_CALM)
  }

  private checkRequest(request: Http2Request, now: number): void {
    const { stream } = request
    const { requestTimeout, readerTimeout } = this.limits
    // Node ends the writable side of a HEAD at once, and then takes a reset of its stream for an end that is not read.
    if (stream.closed) return void stream.destroy()
    if (requestTimeout > 0 && request.hasUnreadBody && now - request.start - getBodyPauseTime(stream) > requestTimeout) {
      this.markSettled(request)
      if (request.hasResponse) closeAfterResponse(stream)
      else if (!stream.headersSent) {
        request.hasResponse = true
        rejectStream({ status: 408, detail: getRejectionDetail(408) }, stream)
        request.endBody()
      } else {
        request.isAborted = true
        abortStream(stream)
      }
    }
    const waiting = stream.writableLength + request.unwritten
    const bytes = request.bytesSent - waiting
    // The head of a HEAD waits where no byte does, for a client that takes nothing, or whose session has failed.
    const isWhole = stream.writableFinished && !request.hasUnreadBody
    if (waiting === 0 && !isWhole) request.readerProgress = undefined
    else if (request.readerProgress?.bytes !== bytes) request.readerProgress = { bytes, since: now }
    else if (readerTimeout > 0 && now - request.readerProgress.since > readerTimeout) abortStream(stream)
  }
}
