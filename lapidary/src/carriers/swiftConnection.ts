/** One connection of the swift carrier: bytes become requests, a kernel answers them one after the other, in their order. */
import type { Socket } from 'node:net'
import type { Kernel, Outgoing } from '../server/kernel.ts'
import { beginsHead, endRefused, refusalOf, statusOf, unsound } from './nodeTrouble.ts'
import { SwiftBody } from './swiftBody.ts'
import { type Carrying, SwiftIncoming } from './swiftIncoming.ts'
import { type Executed, handleOf, type Parser, type ParserOwner, parserFor } from './swiftParser.ts'
import { type Saying, type Sending, send } from './swiftSend.ts'
import type { TriedParser } from './swiftTrial.ts'

/** What the connections of a server have in common. Times are in milliseconds. */
export interface Served extends Saying {
  readonly kernel: Kernel
  readonly parser: TriedParser
  readonly connections: Set<SwiftConnection>
  readonly requestTimeout: number
  readonly headersTimeout: number
  readonly keepAliveTimeout: number
  readonly readerTimeout: number
  readonly unreadLimit: number
}

/** So many requests wait behind the one that is answered, before no more are read. Those of one read come all at once. */
const mostQueued = 16
/** So many bytes of a body are kept that nobody has asked for. */
const mostHeld = 65_536
/** An idle connection is kept a little longer than its client is told, so that the client is the one who closes it. As node:http. */
const margin = 1_000

const expectsContinue = /(?:^|\W)100-continue(?:$|\W)/i

/** Node's: what runs on behalf of a connection is told from others by it. */
class SwiftResource {
  readonly type = 'HTTPINCOMINGMESSAGE'
}

export class SwiftConnection implements ParserOwner, Carrying, Sending {
  readonly socket: Socket
  private readonly served: Served
  private readonly parser: Parser
  /** The request that is answered, or the next one. */
  private current: SwiftIncoming | undefined = undefined
  /** The one that came last. */
  private latest: SwiftIncoming | undefined = undefined
  private queued = 0
  /** When it came, by `performance.now()`. */
  private readonly came: number
  /** When it was seen idle first, by the same clock; 0 while it is not. */
  private idleSince = 0
  /** Whether any request has come. */
  private used = false
  /** For how long the request that comes was kept waiting by us, in milliseconds. */
  private forgiven = 0
  /** Whether nothing is read until somebody wants it. */
  private paused = false
  /** Whether the kernel is being called. */
  private running = false
  /** Whether what came can be read no further: it ends behind what is whole. */
  private broken = false
  /** Whether no request of it is served any more. */
  private spent = false
  /** Whether a request asked for another protocol: the parser stops behind it. */
  private upgrade = false
  private released = false
  /** Resolves the promise of `drained`. */
  private taken: (() => void) | undefined = undefined

  constructor(socket: Socket, served: Served) {
    this.socket = socket
    this.served = served
    this.came = performance.now()
    this.parser = parserFor(served.parser.Class, this, new SwiftResource())
    served.connections.add(this)
    // What went wrong is told by the end of the connection, which follows.
    socket.on('error', () => {})
    socket.on('close', () => this.closed())
    socket.on('end', () => this.ended())
    socket.on('drain', () => this.drain())
    socket.on('timeout', () => socket.destroy())
    const handle = handleOf(socket)
    // It may have gone already.
    if (handle === undefined) socket.destroy()
    else this.parser.consume(handle)
  }

  get remote(): string {
    return this.socket.remoteAddress ?? ''
  }

  /** Whether there is no request on it. One that has just come is not idle: its first request may be on its way. */
  get idle(): boolean {
    return this.used && this.current === undefined && this.parser.duration() === 0
  }

  head(major: number, minor: number, lines: string[], method: number, target: string, upgrade: boolean, keepAlive: boolean): void {
    if (this.spent || this.broken) return
    const version = major === 1 && minor === 1 ? '1.1' : `${major}.${minor}`
    const name = this.served.parser.methods[method]
    const incoming = new SwiftIncoming(this, name ?? 'GET', target, lines, version, keepAlive)
    this.examine(incoming, version === '1.1')
    // None of those that HTTP has.
    if (name === undefined) incoming.refusal = 501
    if (upgrade) this.upgrade = true
    this.used = true
    this.idleSince = 0
    if (this.current === undefined) this.current = incoming
    else {
      ;(this.latest as SwiftIncoming).following = incoming
      this.queued += 1
    }
    this.latest = incoming
  }

  /** Finds what decides how a request is read, and whether it is one. */
  private examine(incoming: SwiftIncoming, isRecent: boolean): void {
    const lines = incoming.rawHeaders
    let expectation: string | undefined
    for (let index = 0; index < lines.length; index += 2) {
      const name = lines[index] as string
      const { length } = name
      if (length === 6) {
        if (name.toLowerCase() === 'expect') expectation = lines[index + 1]
      } else if (length === 14) {
        if (name.toLowerCase() === 'content-length' && Number(lines[index + 1]) > 0) incoming.content = new SwiftBody()
      } else if (length === 17 && name.toLowerCase() === 'transfer-encoding') incoming.content = new SwiftBody()
    }
    if (isRecent && expectation !== undefined && !expectsContinue.test(expectation)) incoming.refusal = 417
    else {
      incoming.refusal = refusalOf(incoming)
      incoming.waits = isRecent && expectation !== undefined && incoming.content !== undefined
    }
  }

  part(bytes: Buffer): void {
    const { latest } = this
    if (latest?.content === undefined || this.spent) return
    latest.content.add(bytes)
    if (!latest.answered || latest.content.dropped <= this.served.unreadLimit) return
    latest.cut = true
    this.socket.destroy()
  }

  end(): void {
    const { latest } = this
    this.forgiven = 0
    if (latest === undefined || latest.complete || this.spent) return
    latest.complete = true
    latest.content?.end()
    if (latest.answered) this.over(latest)
  }

  executed(result: Executed): void {
    if (this.spent || this.broken) return
    if (typeof result !== 'number') this.unreadable(result.code)
    else if (this.upgrade) this.upgraded(result)
    else {
      this.serve()
      this.flow()
    }
  }

  /** Nobody here speaks another protocol: it is a request like others, except that the parser has stopped behind it. */
  private upgraded(length: number): void {
    this.upgrade = false
    if (this.latest?.method === 'CONNECT') return void this.socket.destroy()
    // What came with it, behind it, is lost to the parser.
    if (this.parser.getCurrentBuffer().length > length) this.broken = true
    this.serve()
    this.flow()
  }

  /** Lets the kernel answer, one request after the other. */
  private serve(): void {
    if (this.running) return
    this.running = true
    for (let incoming = this.current; incoming !== undefined && !incoming.begun && !this.spent; incoming = this.current) {
      incoming.begun = true
      this.run(incoming)
    }
    this.running = false
  }

  private run(incoming: SwiftIncoming): void {
    // A kernel answers for its own failures. If a wrapper around it throws all the same, or answers what cannot be sent, the connection is cut
    // rather than left hanging, and everybody else is served.
    try {
      const outgoing = incoming.refusal === undefined ? this.served.kernel(incoming) : unsound(incoming.refusal)
      if (outgoing instanceof Promise) this.wait(incoming, outgoing)
      else send(outgoing, incoming, this, this.served)
    } catch (error) {
      this.cut(incoming, error)
    }
  }

  private wait(incoming: SwiftIncoming, promise: Promise<Outgoing>): void {
    promise.then((outgoing) => send(outgoing, incoming, this, this.served)).catch((error) => this.cut(incoming, error))
  }

  private cut(incoming: SwiftIncoming, error: unknown): void {
    if (incoming.how !== undefined) return
    incoming.cut = true
    this.socket.destroy(error instanceof Error ? error : undefined)
  }

  proceed(): void {
    if (this.socket.writable) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }

  written(incoming: SwiftIncoming): void {
    const { socket } = this
    if (socket.writableLength === 0) this.answered(incoming)
    else {
      // What the system did not take at once waits for the reader.
      socket.setTimeout(this.served.readerTimeout)
      socket.write('', () => {
        socket.setTimeout(0)
        this.answered(incoming)
      })
    }
  }

  /** The reader has all of the answer, as far as we can know. */
  private answered(incoming: SwiftIncoming): void {
    if (incoming.how !== undefined || this.socket.errored !== null) return
    incoming.answered = true
    if (incoming.complete || incoming.holdsBack) {
      this.over(incoming)
      return
    }
    // Closing now would reset a connection on which there are unread bytes, and the reset may overtake the answer.
    incoming.content?.drop()
    this.flow()
    // Its end tells an old client that this was all.
    if (incoming.last && !incoming.chunked && incoming.httpVersion !== '1.1') this.socket.end()
  }

  /** Answered, and read to its end: the next one. */
  private over(incoming: SwiftIncoming): void {
    const next = incoming.following
    incoming.end('sent')
    if (this.spent) return
    if (incoming.last || (this.broken && next?.complete !== true)) {
      this.spent = true
      this.socket.destroySoon()
      return
    }
    this.current = next
    if (next === undefined) {
      this.latest = undefined
    } else {
      this.queued -= 1
      this.flow()
      this.serve()
    }
  }

  /** Stops reading where too much has come that nobody wants yet, and goes on where it is wanted. */
  flow(): void {
    const stop = this.queued >= mostQueued || (this.latest?.content?.held ?? 0) > mostHeld
    if (stop === this.paused) return
    this.paused = stop
    const handle = handleOf(this.socket)
    if (handle === undefined || this.released) return
    handle.reading = !stop
    if (stop) handle.readStop()
    else handle.readStart()
  }

  drained(): Promise<void> {
    if (this.socket.destroyed) return Promise.resolve()
    return new Promise((resolve) => {
      this.socket.setTimeout(this.served.readerTimeout)
      this.taken = resolve
    })
  }

  private drain(): void {
    if (this.taken === undefined) return
    // A producer may be silent for as long as it likes.
    this.socket.setTimeout(0)
    this.taken()
    this.taken = undefined
  }

  /**
   * Answers what the parser refused, or what took too long. An answer that is under way is never written into: it is the last of its connection.
   * So is one that was given before the rest of its request came: no request is answered twice.
   */
  private unreadable(code: string | undefined): void {
    const { socket, current } = this
    if (!socket.writable) socket.destroy()
    else if (current?.complete === true) {
      this.broken = true
      this.serve()
    } else if (current?.answered === true) {
      this.spent = true
      socket.destroySoon()
    } else if (current !== undefined && current.status !== 0) socket.destroy()
    else {
      const isHead = current === undefined ? beginsHead(this.parser.getCurrentBuffer()) : current.method === 'HEAD'
      this.spent = true
      this.release()
      endRefused(socket, statusOf(code), isHead)
    }
  }

  /** The client says no more: what is half a request is none, and who is gone is not waited for. */
  private ended(): void {
    if (this.released) return
    const result = this.parser.finish()
    if (this.spent || this.broken) return
    if (result instanceof Error) this.unreadable(result.code)
    else this.socket.end()
  }

  /** Sees to the time-outs. */
  look(now: number): void {
    if (this.spent || this.broken) return
    const { requestTimeout, headersTimeout, keepAliveTimeout } = this.served
    const isOver = (time: number, timeout: number): boolean => timeout > 0 && time > timeout
    let coming = this.parser.duration()
    if (this.paused) {
      this.forgiven = coming
      return
    }
    // Before its first request a parser tells of no moment, or of one that never was. Who says nothing at all has no more time than others.
    const age = now - this.came
    if (!this.used && (coming === 0 || coming > age)) coming = age
    if (coming > 0) {
      const time = coming - this.forgiven
      const isWhole = this.used && this.parser.headersCompleted()
      if (isOver(time, requestTimeout) || (!isWhole && isOver(time, headersTimeout))) this.unreadable('ERR_HTTP_REQUEST_TIMEOUT')
    } else if (this.idleSince === 0) {
      if (this.current === undefined) this.idleSince = now
    } else if (keepAliveTimeout > 0 && now - this.idleSince > keepAliveTimeout + margin) this.socket.destroy()
  }

  /** Lets go of the parser, once it has returned from wherever it is. */
  private release(): void {
    if (this.released) return
    this.released = true
    this.parser.unconsume()
    setImmediate(() => this.parser.close())
  }

  private closed(): void {
    this.served.connections.delete(this)
    this.spent = true
    this.release()
    this.drain()
    for (let incoming = this.current; incoming !== undefined; ) {
      const { following, begun, cut } = incoming
      // Whoever was never handed to the kernel has nobody to be told of.
      if (begun) incoming.end(cut ? 'cut' : 'left')
      incoming = following
    }
    this.current = undefined
    this.latest = undefined
  }
}
