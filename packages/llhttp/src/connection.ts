/**
 * One connection of the llhttp adapter: the parser makes requests of its bytes, and the handler answers them one after the other, in their
 * order.
 */
import type { Socket } from 'node:net'
import {
  createInternalErrorResponse,
  getParserErrorStatus,
  isHeadRequestText,
  isOtherProtocol,
  isPromise,
  type Lifetime,
  protocolErrors,
  rejectConnection,
  toProtocolErrorResponse,
} from 'lapidary/internal-node'
import type { ErrorListener, HttpHandler, HttpResponse } from 'lapidary/server'
import { createLlhttpRequest, type LlhttpRequest, type RequestConnection } from './llhttpRequest.ts'
import { ConnectionWriter, type KeepAliveState, type ResponseConnection, sendLlhttpResponse } from './llhttpResponse.ts'
import { ConnectionReader, type ConnectionTimeouts, type ParserListener, type ParserResult } from './parser.ts'
import type { ProbedParser } from './parserProbe.ts'

/** What the connections of a server share. Times are in milliseconds. */
export interface ServerState extends KeepAliveState, ConnectionTimeouts {
  readonly handler: HttpHandler
  readonly lifetime: Lifetime
  readonly onError: ErrorListener
  readonly parser: ProbedParser
  readonly connections: Set<LlhttpConnection>
  readonly readerTimeout: number
  readonly unreadLimit: number
}

/** How many requests may wait behind the active one before no more are read. One read may contain more. */
const maxQueuedRequests = 16
/** How many bytes of a body are buffered before the handler asks for it. */
const maxBufferedBytes = 65_536

export class LlhttpConnection implements ParserListener, RequestConnection, ResponseConnection {
  readonly socket: Socket
  private readonly server: ServerState
  private readonly reader: ConnectionReader
  readonly writer: ConnectionWriter
  /** The request that is being answered, or the next one. */
  private activeRequest: LlhttpRequest | undefined = undefined
  private lastRequest: LlhttpRequest | undefined = undefined
  private queuedRequests = 0
  /** Whether `handleRequests` is running. */
  private isDispatching = false
  /** Whether the parser has failed: the connection ends after the last whole request. */
  private isUnreadable = false
  /** Whether no further request is handled. */
  private isFinished = false
  /** Whether the last request asks for another protocol: the parser stops after it. */
  private wantsUpgrade = false
  /** Whether the parser has stopped just now. */
  private isParserStopped = false
  /** Whether the last request is a CONNECT: what follows is meant for the tunnel. */
  private wantsTunnel = false

  constructor(socket: Socket, server: ServerState) {
    this.socket = socket
    this.server = server
    server.connections.add(this)
    // The `close` event follows.
    socket.on('error', () => {})
    socket.on('close', () => this.onSocketClose())
    socket.on('end', () => this.onSocketEnd())
    this.writer = new ConnectionWriter(socket, server.readerTimeout)
    this.reader = new ConnectionReader(socket, server.parser.Class, this)
  }

  get remoteAddress(): string {
    return this.socket.remoteAddress ?? ''
  }

  get lifetime(): Lifetime {
    return this.server.lifetime
  }

  /** Whether it has no request in progress. */
  get isIdle(): boolean {
    return this.activeRequest === undefined && this.reader.isIdle
  }

  /** Whether it was accepted before a moment, by `performance.now()`, and has begun no request. */
  isSilentSince(moment: number): boolean {
    // One that is rejected ends by itself, when its client has read why.
    return this.reader.connectedAt < moment && this.reader.hasBegunNone && !this.isFinished
  }

  onHead(
    major: number,
    minor: number,
    rawHeaders: string[],
    methodNumber: number,
    target: string,
    wantsUpgrade: boolean,
    mayKeepAlive: boolean,
  ): void {
    if (this.isFinished || this.isUnreadable) return
    const method = this.server.parser.methods[methodNumber]
    if (method === 'CONNECT') {
      this.wantsTunnel = true
      return
    }
    const version = major === 1 && minor === 1 ? '1.1' : `${major}.${minor}`
    const request = createLlhttpRequest(this, method, target, rawHeaders, version, mayKeepAlive, this.server.onError)
    if ((version === '1.0' || !this.reader.hasHadRequest) && this.isRtspOrIcecast(request, target)) {
      request.protocolError ??= protocolErrors.version
    }
    this.wantsUpgrade = wantsUpgrade
    this.reader.onHead()
    if (this.activeRequest === undefined) this.activeRequest = request
    else {
      this.queuedRequests += 1
      if (this.lastRequest !== undefined) this.lastRequest.nextRequest = request
    }
    this.lastRequest = request
  }

  /** Looks at the bytes, since the parser does not tell. Only the first request and those of version 1.0 can be one. */
  private isRtspOrIcecast(request: LlhttpRequest, target: string): boolean {
    return isOtherProtocol(this.socket, () => this.reader.lastBytes, request, target)
  }

  onBodyChunk(bytes: Buffer): void {
    const { lastRequest } = this
    // A request that is not handled may have a body.
    if (lastRequest?.requestBody === undefined || lastRequest.isComplete || this.isFinished) return
    lastRequest.requestBody.push(bytes)
    if (!lastRequest.hasResponse || lastRequest.requestBody.droppedBytes <= this.server.unreadLimit) return
    lastRequest.isAborted = true
    this.socket.destroy()
  }

  onRequestEnd(): void {
    const { lastRequest } = this
    this.reader.onRequestEnd()
    this.isParserStopped = this.wantsUpgrade
    if (lastRequest === undefined || lastRequest.isComplete || this.isFinished) return
    lastRequest.isComplete = true
    lastRequest.requestBody?.finish()
    if (lastRequest.hasResponse) this.finishRequest(lastRequest)
  }

  onExecuted(first: ParserResult): void {
    if (this.isFinished || this.isUnreadable) return
    const result = this.wantsUpgrade ? this.parseAfterUpgrade(first) : first
    if (typeof result !== 'number') this.rejectUnreadable(result?.code)
    else if (this.wantsTunnel) this.rejectUnreadable('CONNECT')
    else {
      this.handleRequests()
      this.updateReading()
    }
  }

  /**
   * Reads on after a request for another protocol, which is answered like any other. The parser has stopped there.
   *
   * @returns undefined where it has stopped at bytes that are no request: until the next head it does not report what it cannot read
   */
  private parseAfterUpgrade(first: ParserResult): ParserResult | undefined {
    let result = first
    let bytes = this.reader.lastBytes
    while (typeof result === 'number' && result < bytes.length && !this.wantsTunnel) {
      if (!this.isParserStopped) return undefined
      this.isParserStopped = false
      bytes = bytes.subarray(result)
      result = this.reader.execute(bytes)
    }
    this.isParserStopped = false
    return result
  }

  /** Calls the handler for the active request, and for those after it as long as responses come at once. */
  private handleRequests(): void {
    if (this.isDispatching) return
    this.isDispatching = true
    for (let request = this.activeRequest; request !== undefined && !request.isStarted && !this.isFinished; request = this.activeRequest) {
      request.isStarted = true
      this.handleRequest(request)
    }
    this.isDispatching = false
  }

  private handleRequest(request: LlhttpRequest): void {
    try {
      const result = request.protocolError === undefined ? this.server.handler(request) : toProtocolErrorResponse(request.protocolError)
      if (isPromise(result)) {
        void this.lifetime.awaitResponse(
          result,
          (response) => this.sendResponse(response, request),
          (error) => this.fail(request, error),
        )
      } else this.sendResponse(result, request)
    } catch (error) {
      this.fail(request, error)
    }
  }

  private sendResponse(response: HttpResponse, request: LlhttpRequest): void {
    try {
      sendLlhttpResponse(response, request, this, this.server)
    } catch (error) {
      this.lifetime.dropUnsentBody(response)
      this.fail(request, error)
    }
  }

  /**
   * Answers 500. A server handles the errors of its handlers itself: these are errors of middleware, and of responses that cannot be sent.
   */
  private fail(request: LlhttpRequest, error: unknown): void {
    const response = createInternalErrorResponse(error, request, this.server.onError)
    if (request.status === 0) {
      // The response that cannot be sent may have set them.
      request.isChunked = false
      request.isLast = false
      sendLlhttpResponse(response, request, this, this.server)
    } else if (request.outcome === undefined) {
      request.isAborted = true
      this.socket.destroy()
    }
  }

  abortResponse(request: LlhttpRequest): void {
    request.isAborted = true
    this.isFinished = true
    // Closing a socket with unread bytes resets the connection, and the reset may overtake the response.
    this.reader.setPaused(false)
    this.writer.end()
  }

  sendContinue(): void {
    if (this.socket.writable) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }

  onResponseWritten(request: LlhttpRequest): void {
    if (this.socket.writableLength === 0) this.onResponseFlushed(request)
    // The rest waits until the client has read.
    else this.writer.onFlushed(() => this.onResponseFlushed(request))
  }

  /** The operating system has all of the response. */
  private onResponseFlushed(request: LlhttpRequest): void {
    // What is not written when a socket is destroyed counts as written, too.
    if (request.outcome !== undefined || this.socket.destroyed) return
    request.hasResponse = true
    if (request.isComplete || request.withholdsBody || this.isUnreadable) {
      this.finishRequest(request)
      return
    }
    // Closing a socket with unread bytes resets the connection, and the reset may overtake the response.
    request.requestBody?.discard()
    this.updateReading()
    // The end of the connection marks the end of a body without length.
    if (request.isLast && !request.isChunked && request.httpVersion !== '1.1') this.socket.end()
  }

  /** Ends a request that is answered and has arrived whole, and goes on with the next one. */
  private finishRequest(request: LlhttpRequest): void {
    const { nextRequest } = request
    request.end('completed')
    if (this.isFinished) return
    // What the parser has refused is answered where its head says why.
    const isNextUnreadable = nextRequest?.isComplete !== true && nextRequest?.protocolError === undefined
    if (request.isLast || (this.isUnreadable && isNextUnreadable)) {
      this.isFinished = true
      this.socket.destroySoon()
      return
    }
    this.activeRequest = nextRequest
    if (nextRequest === undefined) {
      this.lastRequest = undefined
    } else {
      this.queuedRequests -= 1
      this.updateReading()
      this.handleRequests()
    }
  }

  /** Pauses reading while too many requests or too many bytes wait for a handler. */
  updateReading(): void {
    const { bufferedBytes = 0, isPaused = false } = this.lastRequest?.requestBody ?? {}
    this.reader.setPaused(isPaused || this.queuedRequests >= maxQueuedRequests || bufferedBytes > maxBufferedBytes)
  }

  /**
   * Rejects what the parser has refused, and what took too long. It never writes into a response that is being sent, which becomes the last
   * of its connection, and never answers a request twice.
   */
  private rejectUnreadable(code: string | undefined): void {
    const { socket, activeRequest } = this
    if (!socket.writable) socket.destroy()
    else if (activeRequest?.isComplete === true) {
      this.isUnreadable = true
      this.handleRequests()
    } else if (activeRequest?.hasResponse === true) {
      this.isFinished = true
      socket.destroySoon()
    } else if (activeRequest !== undefined && activeRequest.status !== 0) socket.destroy()
    else {
      const isHead = activeRequest === undefined ? isHeadRequestText(this.reader.lastBytes) : activeRequest.method === 'HEAD'
      this.isFinished = true
      this.reader.release()
      // The head may say itself why the parser cannot read what follows: a coding of the body that it does not know.
      rejectConnection(socket, activeRequest?.protocolError?.status ?? getParserErrorStatus(code), isHead)
    }
  }

  /** The client has half-closed the connection: a part of a request is rejected, and responses to whole ones are still sent. */
  private onSocketEnd(): void {
    const result = this.reader.finish()
    if (this.isFinished) return
    if (result instanceof Error && !this.isUnreadable && this.activeRequest?.isComplete !== true) this.rejectUnreadable(result.code)
    else this.socket.end()
  }

  checkTimeouts(now: number): void {
    if (this.isFinished || this.isUnreadable) return
    const state = this.reader.checkTimeouts(now, this.activeRequest !== undefined, this.server)
    if (state === 'slow') this.rejectUnreadable('ERR_HTTP_REQUEST_TIMEOUT')
    else if (state === 'idle') this.socket.destroy()
  }

  private onSocketClose(): void {
    this.server.connections.delete(this)
    this.isFinished = true
    this.reader.release()
    this.writer.resume()
    for (let request = this.activeRequest; request !== undefined; ) {
      const { nextRequest, isStarted, isAborted } = request
      // No handler has seen the others.
      if (isStarted) request.end(isAborted ? 'failed' : 'aborted')
      request = nextRequest
    }
    this.activeRequest = undefined
    this.lastRequest = undefined
  }
}
