/** One connection of the llhttp adapter: bytes become requests, a kernel answers them one after the other, in their order. */

import type { Socket } from 'node:net'
import { createInternalErrorResponse, type ErrorListener } from '../../http/errorReport.ts'
import type { HttpHandler, HttpResponse } from '../../http/httpHandler.ts'
import { isPromise } from '../../http/promises.ts'
import type { Lifetime } from '../lifetime.ts'
import { getParserErrorStatus, isHeadRequestText, rejectConnection } from '../node/rejectMalformed.ts'
import { isOtherProtocol } from '../node/requestFraming.ts'
import { createUnreadableError } from '../node/upgrade.ts'
import { protocolErrors, toProtocolErrorResponse } from '../protocolErrors.ts'
import { createLlhttpRequest, type LlhttpRequest, type RequestConnection } from './llhttpRequest.ts'
import { ConnectionWriter, type KeepAliveState, type ResponseConnection, sendLlhttpResponse } from './llhttpResponse.ts'
import { ConnectionReader, type ConnectionTimeouts, type ParserListener, type ParserResult } from './parser.ts'
import type { ProbedParser } from './parserProbe.ts'

/** So many requests wait behind the one that is answered, before no more are read. Those of one read come all at once. */
const maxQueuedRequests = 16
/** So many bytes of a body are kept that nobody has asked for. */
const maxBufferedBytes = 65_536

/** Serves one client until it or we have had enough. */
export class LlhttpConnection implements ParserListener, RequestConnection, ResponseConnection {
  readonly socket: Socket
  private readonly server: ServerState
  private readonly reader: ConnectionReader
  readonly writer: ConnectionWriter
  /** The request that is answered, or the next one. */
  private activeRequest: LlhttpRequest | undefined = undefined
  /** The one that came last. */
  private lastRequest: LlhttpRequest | undefined = undefined
  private queuedRequests = 0
  /** Whether the kernel is being called. */
  private isDispatching = false
  /** Whether what came can be read no further: it ends behind what is whole. */
  private isUnreadable = false
  /** Whether no request of it is served any more. */
  private isFinished = false
  /** Whether the request that came last asked for another protocol: the parser stops behind it. */
  private wantsUpgrade = false
  /** Whether the parser has just stopped. */
  private isParserStopped = false
  /** Whether a tunnel was asked for: what comes behind is not for us. */
  private wantsTunnel = false

  constructor(socket: Socket, served: ServerState) {
    this.socket = socket
    this.server = served
    served.connections.add(this)
    // What went wrong is told by the end of the connection, which follows.
    socket.on('error', () => {})
    socket.on('close', () => this.onSocketClose())
    socket.on('end', () => this.onSocketEnd())
    this.writer = new ConnectionWriter(socket, served.readerTimeout)
    this.reader = new ConnectionReader(socket, served.parser.Class, this)
  }

  get remote(): string {
    return this.socket.remoteAddress ?? ''
  }

  get lifetime(): Lifetime {
    return this.server.lifetime
  }

  /** Whether there is no request on it. */
  get isIdle(): boolean {
    return this.activeRequest === undefined && this.reader.isIdle
  }

  onHead(major: number, minor: number, lines: string[], method: number, target: string, upgrade: boolean, keepAlive: boolean): void {
    if (this.isFinished || this.isUnreadable) return
    const name = this.server.parser.methods[method]
    if (name === 'CONNECT') {
      this.wantsTunnel = true
      return
    }
    const version = major === 1 && minor === 1 ? '1.1' : `${major}.${minor}`
    const incoming = createLlhttpRequest(this, name, target, lines, version, keepAlive, this.server.onError)
    if ((version === '1.0' || !this.reader.hasHadRequest) && this.isRtspOrIcecast(incoming, target))
      incoming.protocolError ??= protocolErrors.version
    this.wantsUpgrade = upgrade
    this.reader.onHead()
    if (this.activeRequest === undefined) this.activeRequest = incoming
    else {
      this.queuedRequests += 1
      if (this.lastRequest !== undefined) this.lastRequest.nextRequest = incoming
    }
    this.lastRequest = incoming
  }

  /** Its protocol is told by the bytes alone. They are looked at where it might be that one: with the first request, and in its version. */
  private isRtspOrIcecast(incoming: LlhttpRequest, target: string): boolean {
    return isOtherProtocol(this.socket, () => this.reader.lastBytes, incoming, target)
  }

  onBodyChunk(bytes: Buffer): void {
    const { lastRequest: latest } = this
    // Of what is not served any more parts may still come.
    if (latest?.requestBody === undefined || latest.isComplete || this.isFinished) return
    latest.requestBody.push(bytes)
    if (!latest.isAnswered || latest.requestBody.droppedBytes <= this.server.unreadLimit) return
    latest.isAborted = true
    this.socket.destroy()
  }

  onRequestEnd(): void {
    const { lastRequest: latest } = this
    this.reader.onRequestEnd()
    this.isParserStopped = this.wantsUpgrade
    if (latest === undefined || latest.isComplete || this.isFinished) return
    latest.isComplete = true
    latest.requestBody?.finish()
    if (latest.isAnswered) this.finishRequest(latest)
  }

  onExecuted(first: ParserResult): void {
    if (this.isFinished || this.isUnreadable) return
    const result = this.wantsUpgrade ? this.parseAfterUpgrade(first) : first
    if (typeof result !== 'number') this.rejectUnreadable(result.code)
    else if (this.wantsTunnel) this.rejectUnreadable('CONNECT')
    else {
      this.handleRequests()
      this.updateReading()
    }
  }

  /** Nobody here speaks another protocol: a request for one is like others, except that the parser stops behind it. So it is sent on. */
  private parseAfterUpgrade(first: ParserResult): ParserResult {
    let result = first
    let bytes = this.reader.lastBytes
    while (typeof result === 'number' && result < bytes.length && !this.wantsTunnel) {
      if (!this.isParserStopped) return createUnreadableError()
      this.isParserStopped = false
      bytes = bytes.subarray(result)
      result = this.reader.execute(bytes)
    }
    this.isParserStopped = false
    return result
  }

  /** Lets the kernel answer, one request after the other. */
  private handleRequests(): void {
    if (this.isDispatching) return
    this.isDispatching = true
    for (
      let incoming = this.activeRequest;
      incoming !== undefined && !incoming.isStarted && !this.isFinished;
      incoming = this.activeRequest
    ) {
      incoming.isStarted = true
      this.handleRequest(incoming)
    }
    this.isDispatching = false
  }

  private handleRequest(incoming: LlhttpRequest): void {
    try {
      const outgoing =
        incoming.protocolError === undefined ? this.server.handler(incoming) : toProtocolErrorResponse(incoming.protocolError)
      if (isPromise(outgoing)) {
        const { lifetime } = this
        lifetime.pendingResponses += 1
        Promise.resolve(outgoing)
          .then(
            (made) => {
              lifetime.pendingResponses -= 1
              this.sendResponse(made, incoming)
            },
            (error: unknown) => {
              lifetime.pendingResponses -= 1
              throw error
            },
          )
          .catch((error: unknown) => this.fail(incoming, error))
      } else this.sendResponse(outgoing, incoming)
    } catch (error) {
      this.fail(incoming, error)
    }
  }

  private sendResponse(outgoing: HttpResponse, incoming: LlhttpRequest): void {
    try {
      sendLlhttpResponse(outgoing, incoming, this, this.server)
    } catch (error) {
      this.lifetime.dropUnsentBody(outgoing)
      throw error
    }
  }

  /** A server answers for its own failures; here are those of what is around it, and answers that cannot be sent. */
  private fail(incoming: LlhttpRequest, error: unknown): void {
    const outgoing = createInternalErrorResponse(error, incoming, this.server.onError)
    if (incoming.status === 0) {
      // What was found out about the answer that could not be sent.
      incoming.isChunked = false
      incoming.isLast = false
      this.sendResponse(outgoing, incoming)
    } else if (incoming.outcome === undefined) {
      incoming.isAborted = true
      this.socket.destroy()
    }
  }

  abortResponse(incoming: LlhttpRequest): void {
    incoming.isAborted = true
    this.isFinished = true
    // Unread it would reset the connection, and the reset may overtake what was written.
    this.reader.setPaused(false)
    this.writer.end()
  }

  sendContinue(): void {
    if (this.socket.writable) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }

  onResponseWritten(incoming: LlhttpRequest): void {
    if (this.socket.writableLength === 0) this.onResponseFlushed(incoming)
    // What the system did not take at once waits for the reader.
    else this.writer.onFlushed(() => this.onResponseFlushed(incoming))
  }

  /** The reader has all of the answer, as far as we can know. */
  private onResponseFlushed(incoming: LlhttpRequest): void {
    // What is still to be written when a connection is destroyed counts as written, too.
    if (incoming.outcome !== undefined || this.socket.destroyed) return
    incoming.isAnswered = true
    if (incoming.isComplete || incoming.withholdsBody) {
      this.finishRequest(incoming)
      return
    }
    // Closing now would reset a connection on which there are unread bytes, and the reset may overtake the answer.
    incoming.requestBody?.discard()
    this.updateReading()
    // Its end tells an old client that this was all.
    if (incoming.isLast && !incoming.isChunked && incoming.httpVersion !== '1.1') this.socket.end()
  }

  /** Answered, and read to its end: the next one. */
  private finishRequest(incoming: LlhttpRequest): void {
    const next = incoming.nextRequest
    incoming.end('completed')
    if (this.isFinished) return
    if (incoming.isLast || (this.isUnreadable && next?.isComplete !== true)) {
      this.isFinished = true
      this.socket.destroySoon()
      return
    }
    this.activeRequest = next
    if (next === undefined) {
      this.lastRequest = undefined
    } else {
      this.queuedRequests -= 1
      this.updateReading()
      this.handleRequests()
    }
  }

  /** Stops reading where too much has come that nobody wants yet, and goes on where it is wanted. */
  updateReading(): void {
    this.reader.setPaused(
      this.queuedRequests >= maxQueuedRequests || (this.lastRequest?.requestBody?.bufferedBytes ?? 0) > maxBufferedBytes,
    )
  }

  /**
   * Answers what the parser refused, or what took too long. An answer that is under way is never written into: it is the last of its connection.
   * So is one that was given before the rest of its request came: no request is answered twice.
   */
  private rejectUnreadable(code: string | undefined): void {
    const { socket, activeRequest: current } = this
    if (!socket.writable) socket.destroy()
    else if (current?.isComplete === true) {
      this.isUnreadable = true
      this.handleRequests()
    } else if (current?.isAnswered === true) {
      this.isFinished = true
      socket.destroySoon()
    } else if (current !== undefined && current.status !== 0) socket.destroy()
    else {
      const isHead = current === undefined ? isHeadRequestText(this.reader.lastBytes) : current.method === 'HEAD'
      this.isFinished = true
      this.reader.release()
      rejectConnection(socket, getParserErrorStatus(code), isHead)
    }
  }

  /** The client says no more: what is half a request is none, and who is gone is not waited for. */
  private onSocketEnd(): void {
    const result = this.reader.finish()
    if (this.isFinished) return
    if (result instanceof Error && !this.isUnreadable && this.activeRequest?.isComplete !== true) this.rejectUnreadable(result.code)
    else this.socket.end()
  }

  /** Sees to the time-outs. */
  checkTimeouts(now: number): void {
    if (this.isFinished || this.isUnreadable) return
    const found = this.reader.checkTimeouts(now, this.activeRequest !== undefined, this.server)
    if (found === 'slow') this.rejectUnreadable('ERR_HTTP_REQUEST_TIMEOUT')
    else if (found === 'idle') this.socket.destroy()
  }

  private onSocketClose(): void {
    this.server.connections.delete(this)
    this.isFinished = true
    this.reader.release()
    this.writer.resume()
    for (let incoming = this.activeRequest; incoming !== undefined; ) {
      const { nextRequest: following, isStarted: begun, isAborted: cut } = incoming
      // Whoever was never handed to the kernel has nobody to be told of.
      if (begun) incoming.end(cut ? 'failed' : 'aborted')
      incoming = following
    }
    this.activeRequest = undefined
    this.lastRequest = undefined
  }
}

// What the connections of a server on the llhttp adapter have in common: its kernel, its parser, its limits.

/** One server. Times are in milliseconds. */
export interface ServerState extends KeepAliveState, ConnectionTimeouts {
  readonly handler: HttpHandler
  readonly lifetime: Lifetime
  readonly onError: ErrorListener
  readonly parser: ProbedParser
  readonly connections: Set<LlhttpConnection>
  readonly readerTimeout: number
  readonly unreadLimit: number
}
