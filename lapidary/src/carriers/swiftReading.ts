/** The reading side of a connection of the swift carrier: a parser on the handle of a socket, when it reads, and for how long it may. */
import type { Socket } from 'node:net'
import { type Executed, handleOf, type Parser, type ParserClass, type ParserOwner, parserFor } from './swiftParser.ts'

/** In milliseconds; 0 for none. */
export interface Times {
  readonly requestTimeout: number
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
}

/** An idle connection is kept a little longer than its client is told, so that the client is the one who closes it. As node:http. */
const margin = 1_000

const isOver = (time: number, timeout: number): boolean => timeout > 0 && time > timeout

/** Node's: what runs on behalf of a connection is told from others by it. */
class SwiftResource {
  readonly type = 'HTTPINCOMINGMESSAGE'
}

export class SwiftReading {
  private readonly socket: Socket
  private readonly parser: Parser
  /** When the connection came, by `performance.now()`. */
  private readonly came: number = performance.now()
  /** When it was seen idle first, by the same clock; 0 while it is not. */
  private idleSince = 0
  /** Whether any request has come. */
  used = false
  /** For how long the request that comes was kept waiting by us, in milliseconds. */
  private forgiven = 0
  private paused = false
  private released = false

  constructor(socket: Socket, Class: ParserClass, owner: ParserOwner) {
    this.socket = socket
    this.parser = parserFor(Class, owner, new SwiftResource())
    const handle = handleOf(socket)
    // It may have gone already.
    if (handle === undefined) socket.destroy()
    else this.parser.consume(handle)
  }

  /** A head has come. */
  began(): void {
    this.used = true
    this.idleSince = 0
  }

  /** The request is whole. */
  over(): void {
    this.forgiven = 0
  }

  /** Whether nothing comes. A connection that is new is not idle: its first request may be on its way. */
  get idle(): boolean {
    return this.used && this.parser.duration() === 0
  }

  /** The bytes that were read last, while whoever is told of them looks. */
  get bytes(): Buffer {
    return this.parser.getCurrentBuffer()
  }

  /** Reads on behind a request at whose end the parser has stopped. */
  execute(bytes: Buffer): Executed {
    return this.parser.execute(bytes)
  }

  /** Stops reading, or goes on. */
  pause(stop: boolean): void {
    if (stop === this.paused) return
    this.paused = stop
    const handle = handleOf(this.socket)
    if (handle === undefined || this.released) return
    handle.reading = !stop
    if (stop) handle.readStop()
    else handle.readStart()
  }

  /** The client says no more: an error where that is half a request. */
  finish(): Executed | undefined {
    return this.released ? undefined : this.parser.finish()
  }

  /** `slow`: a request takes too long to come. `idle`: nothing has come for too long. `busy`: whether a request is answered. */
  look(now: number, busy: boolean, { requestTimeout, headersTimeout, keepAliveTimeout }: Times): 'slow' | 'idle' | undefined {
    let coming = this.parser.duration()
    if (this.paused) {
      this.forgiven = coming
      return undefined
    }
    // Before its first request a parser tells of no moment, or of one that never was. Who says nothing at all has no more time than others.
    const age = now - this.came
    if (!this.used && (coming === 0 || coming > age)) coming = age
    if (coming > 0) {
      const time = coming - this.forgiven
      const isWhole = this.used && this.parser.headersCompleted()
      return isOver(time, requestTimeout) || (!isWhole && isOver(time, headersTimeout)) ? 'slow' : undefined
    }
    if (busy) return undefined
    if (this.idleSince === 0) this.idleSince = now
    return keepAliveTimeout > 0 && now - this.idleSince > keepAliveTimeout + margin ? 'idle' : undefined
  }

  /** Lets go of the parser, once it has returned from wherever it is; what comes is the socket's again. */
  release(): void {
    if (this.released) return
    this.released = true
    this.parser.unconsume()
    setImmediate(() => this.parser.close())
  }
}
