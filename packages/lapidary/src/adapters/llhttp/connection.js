/** One connection of the llhttp adapter: bytes become requests, a kernel answers them one after the other, in their order. */
import { createInternalErrorResponse } from '../../http/errorReport.js'
import { isPromise } from '../../http/promises.js'
import { getParserErrorStatus, isHeadRequestText, rejectConnection } from '../node/rejectMalformed.js'
import { isOtherProtocol } from '../node/requestFraming.js'
import { createUnreadableError } from '../node/upgrade.js'
import { protocolErrors, toProtocolErrorResponse } from '../protocolErrors.js'
import { createLlhttpRequest } from './llhttpRequest.js'
import { ConnectionWriter, sendLlhttpResponse } from './llhttpResponse.js'
import { ConnectionReader } from './parser.js'

/** So many requests wait behind the one that is answered, before no more are read. Those of one read come all at once. */
const maxQueuedRequests = 16
/** So many bytes of a body are kept that nobody has asked for. */
const maxBufferedBytes = 65_536
/** Serves one client until it or we have had enough. */
export class LlhttpConnection {
  socket
  server
  reader
  writer
  /** The request that is answered, or the next one. */
  activeRequest = undefined
  /** The one that came last. */
  lastRequest = undefined
  queuedRequests = 0
  /** Whether the kernel is being called. */
  isDispatching = false
  /** Whether what came can be read no further: it ends behind what is whole. */
  isUnreadable = false
  /** Whether no request of it is served any more. */
  isFinished = false
  /** Whether the request that came last asked for another protocol: the parser stops behind it. */
  wantsUpgrade = false
  /** Whether the parser has just stopped. */
  isParserStopped = false
  /** Whether a tunnel was asked for: what comes behind is not for us. */
  wantsTunnel = false
  constructor(socket, served) {
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
  get remote() {
    return this.socket.remoteAddress ?? ''
  }
  get lifetime() {
    return this.server.lifetime
  }
  /** Whether there is no request on it. */
  get isIdle() {
    return this.activeRequest === undefined && this.reader.isIdle
  }
  onHead(major, minor, lines, method, target, upgrade, keepAlive) {
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
  isRtspOrIcecast(incoming, target) {
    return isOtherProtocol(this.socket, () => this.reader.lastBytes, incoming, target)
  }
  onBodyChunk(bytes) {
    const { lastRequest: latest } = this
    // Of what is not served any more parts may still come.
    if (latest?.requestBody === undefined || latest.isComplete || this.isFinished) return
    latest.requestBody.push(bytes)
    if (!latest.isAnswered || latest.requestBody.droppedBytes <= this.server.unreadLimit) return
    latest.isAborted = true
    this.socket.destroy()
  }
  onRequestEnd() {
    const { lastRequest: latest } = this
    this.reader.onRequestEnd()
    this.isParserStopped = this.wantsUpgrade
    if (latest === undefined || latest.isComplete || this.isFinished) return
    latest.isComplete = true
    latest.requestBody?.finish()
    if (latest.isAnswered) this.finishRequest(latest)
  }
  onExecuted(first) {
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
  parseAfterUpgrade(first) {
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
  handleRequests() {
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
  handleRequest(incoming) {
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
            (error) => {
              lifetime.pendingResponses -= 1
              throw error
            },
          )
          .catch((error) => this.fail(incoming, error))
      } else this.sendResponse(outgoing, incoming)
    } catch (error) {
      this.fail(incoming, error)
    }
  }
  sendResponse(outgoing, incoming) {
    try {
      sendLlhttpResponse(outgoing, incoming, this, this.server)
    } catch (error) {
      this.lifetime.dropUnsentBody(outgoing)
      throw error
    }
  }
  /** A server answers for its own failures; here are those of what is around it, and answers that cannot be sent. */
  fail(incoming, error) {
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
  abortResponse(incoming) {
    incoming.isAborted = true
    this.isFinished = true
    // Unread it would reset the connection, and the reset may overtake what was written.
    this.reader.setPaused(false)
    this.writer.end()
  }
  sendContinue() {
    if (this.socket.writable) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }
  onResponseWritten(incoming) {
    if (this.socket.writableLength === 0) this.onResponseFlushed(incoming)
    // What the system did not take at once waits for the reader.
    else this.writer.onFlushed(() => this.onResponseFlushed(incoming))
  }
  /** The reader has all of the answer, as far as we can know. */
  onResponseFlushed(incoming) {
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
  finishRequest(incoming) {
    const next = incoming.nextRequest
    incoming.end('sent')
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
  updateReading() {
    this.reader.setPaused(
      this.queuedRequests >= maxQueuedRequests || (this.lastRequest?.requestBody?.bufferedBytes ?? 0) > maxBufferedBytes,
    )
  }
  /**
   * Answers what the parser refused, or what took too long. An answer that is under way is never written into: it is the last of its connection.
   * So is one that was given before the rest of its request came: no request is answered twice.
   */
  rejectUnreadable(code) {
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
  onSocketEnd() {
    const result = this.reader.finish()
    if (this.isFinished) return
    if (result instanceof Error && !this.isUnreadable && this.activeRequest?.isComplete !== true) this.rejectUnreadable(result.code)
    else this.socket.end()
  }
  /** Sees to the time-outs. */
  checkTimeouts(now) {
    if (this.isFinished || this.isUnreadable) return
    const found = this.reader.checkTimeouts(now, this.activeRequest !== undefined, this.server)
    if (found === 'slow') this.rejectUnreadable('ERR_HTTP_REQUEST_TIMEOUT')
    else if (found === 'idle') this.socket.destroy()
  }
  onSocketClose() {
    this.server.connections.delete(this)
    this.isFinished = true
    this.reader.release()
    this.writer.resume()
    for (let incoming = this.activeRequest; incoming !== undefined; ) {
      const { nextRequest: following, isStarted: begun, isAborted: cut } = incoming
      // Whoever was never handed to the kernel has nobody to be told of.
      if (begun) incoming.end(cut ? 'cut' : 'left')
      incoming = following
    }
    this.activeRequest = undefined
    this.lastRequest = undefined
  }
}
