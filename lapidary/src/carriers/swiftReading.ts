/** The reading side of a connection of the swift carrier: a parser on the handle of a socket, when it reads, and for how long it may. */
import type { Socket } from 'node:net'
import {
  createLlhttpParser,
  getSocketHandle,
  type LlhttpParser,
  type LlhttpParserClass,
  type ParserListener,
  type ParserResult,
} from './swiftParser.ts'

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
