/** One connection of the swift carrier: bytes become requests, a kernel answers them one after the other, in their order. */
import type { Socket } from 'node:net'
import type { Outgoing } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { internalError } from '../server/report.ts'
import type { Lifetime } from './lifetime.ts'
import { beginsHead, endRefused, statusOf } from './nodeTrouble.ts'
import { unreadable } from './nodeUpgrade.ts'
import { isOtherProtocol } from './protocol.ts'
import type { Carrying, SwiftIncoming } from './swiftIncoming.ts'
import type { Executed, ParserOwner } from './swiftParser.ts'
import { SwiftReading } from './swiftReading.ts'
import { requestOf } from './swiftRequest.ts'
import { type Sending, send } from './swiftSend.ts'
import type { Served } from './swiftServed.ts'
import { SwiftWriting } from './swiftWriting.ts'
import { flaws, unsound } from './unsound.ts'

/** So many requests wait behind the one that is answered, before no more are read. Those of one read come all at once. */
const mostQueued = 16
/** So many bytes of a body are kept that nobody has asked for. */
const mostHeld = 65_536

/** Serves one client until it or we have had enough. */
export class SwiftConnection implements ParserOwner, Carrying, Sending {
  readonly socket: Socket
  private readonly served: Served
  private readonly reading: SwiftReading
  readonly writing: SwiftWriting
  /** The request that is answered, or the next one. */
  private current: SwiftIncoming | undefined = undefined
  /** The one that came last. */
  private latest: SwiftIncoming | undefined = undefined
  private queued = 0
  /** Whether the kernel is being called. */
  private running = false
  /** Whether what came can be read no further: it ends behind what is whole. */
  private broken = false
  /** Whether no request of it is served any more. */
  private spent = false
  /** Whether the request that came last asked for another protocol: the parser stops behind it. */
  private upgrade = false
  /** Whether the parser has just stopped. */
  private stopped = false
  /** Whether a tunnel was asked for: what comes behind is not for us. */
  private tunnel = false

  constructor(socket: Socket, served: Served) {
    this.socket = socket
    this.served = served
    served.connections.add(this)
    // What went wrong is told by the end of the connection, which follows.
    socket.on('error', () => {})
    socket.on('close', () => this.closed())
    socket.on('end', () => this.ended())
    this.writing = new SwiftWriting(socket, served.readerTimeout)
    this.reading = new SwiftReading(socket, served.parser.Class, this)
  }

  get remote(): string {
    return this.socket.remoteAddress ?? ''
  }

  get lifetime(): Lifetime {
    return this.served.lifetime
  }

  /** Whether there is no request on it. */
  get idle(): boolean {
    return this.current === undefined && this.reading.idle
  }

  head(major: number, minor: number, lines: string[], method: number, target: string, upgrade: boolean, keepAlive: boolean): void {
    if (this.spent || this.broken) return
    const name = this.served.parser.methods[method]
    if (name === 'CONNECT') {
      this.tunnel = true
      return
    }
    const version = major === 1 && minor === 1 ? '1.1' : `${major}.${minor}`
    const incoming = requestOf(this, name, target, lines, version, keepAlive, this.served.report)
    if ((version === '1.0' || !this.reading.used) && this.speaksOtherwise(incoming, target)) incoming.refusal ??= flaws.version
    this.upgrade = upgrade
    this.reading.began()
    if (this.current === undefined) this.current = incoming
    else {
      this.queued += 1
      if (this.latest !== undefined) this.latest.following = incoming
    }
    this.latest = incoming
  }

  /** Its protocol is told by the bytes alone. They are looked at where it might be that one: with the first request, and in its version. */
  private speaksOtherwise(incoming: SwiftIncoming, target: string): boolean {
    return isOtherProtocol(this.socket, () => this.reading.bytes, incoming, target)
  }

  part(bytes: Buffer): void {
    const { latest } = this
    // Of what is not served any more parts may still come.
    if (latest?.content === undefined || latest.complete || this.spent) return
    latest.content.add(bytes)
    if (!latest.answered || latest.content.dropped <= this.served.unreadLimit) return
    latest.cut = true
    this.socket.destroy()
  }

  end(): void {
    const { latest } = this
    this.reading.over()
    this.stopped = this.upgrade
    if (latest === undefined || latest.complete || this.spent) return
    latest.complete = true
    latest.content?.end()
    if (latest.answered) this.over(latest)
  }

  executed(first: Executed): void {
    if (this.spent || this.broken) return
    const result = this.upgrade ? this.behindUpgrade(first) : first
    if (typeof result !== 'number') this.unreadable(result.code)
    else if (this.tunnel) this.unreadable('CONNECT')
    else {
      this.serve()
      this.flow()
    }
  }

  /** Nobody here speaks another protocol: a request for one is like others, except that the parser stops behind it. So it is sent on. */
  private behindUpgrade(first: Executed): Executed {
    let result = first
    let bytes = this.reading.bytes
    while (typeof result === 'number' && result < bytes.length && !this.tunnel) {
      if (!this.stopped) return unreadable()
      this.stopped = false
      bytes = bytes.subarray(result)
      result = this.reading.execute(bytes)
    }
    this.stopped = false
    return result
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
    try {
      const outgoing = incoming.refusal === undefined ? this.served.kernel(incoming) : unsound(incoming.refusal)
      if (isPromise(outgoing)) {
        const { lifetime } = this
        lifetime.pending += 1
        Promise.resolve(outgoing)
          .then(
            (made) => {
              lifetime.pending -= 1
              this.send(made, incoming)
            },
            (error: unknown) => {
              lifetime.pending -= 1
              throw error
            },
          )
          .catch((error: unknown) => this.fail(incoming, error))
      } else this.send(outgoing, incoming)
    } catch (error) {
      this.fail(incoming, error)
    }
  }

  private send(outgoing: Outgoing, incoming: SwiftIncoming): void {
    try {
      send(outgoing, incoming, this, this.served)
    } catch (error) {
      this.lifetime.dropUnsent(outgoing)
      throw error
    }
  }

  /** A server answers for its own failures; here are those of what is around it, and answers that cannot be sent. */
  private fail(incoming: SwiftIncoming, error: unknown): void {
    const outgoing = internalError(error, incoming, this.served.report)
    if (incoming.status === 0) {
      // What was found out about the answer that could not be sent.
      incoming.chunked = false
      incoming.last = false
      this.send(outgoing, incoming)
    } else if (incoming.how === undefined) {
      incoming.cut = true
      this.socket.destroy()
    }
  }

  cut(incoming: SwiftIncoming): void {
    incoming.cut = true
    this.spent = true
    // Unread it would reset the connection, and the reset may overtake what was written.
    this.reading.pause(false)
    this.writing.end()
  }

  proceed(): void {
    if (this.socket.writable) this.socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
  }

  written(incoming: SwiftIncoming): void {
    if (this.socket.writableLength === 0) this.answered(incoming)
    // What the system did not take at once waits for the reader.
    else this.writing.flushed(() => this.answered(incoming))
  }

  /** The reader has all of the answer, as far as we can know. */
  private answered(incoming: SwiftIncoming): void {
    // What is still to be written when a connection is destroyed counts as written, too.
    if (incoming.how !== undefined || this.socket.destroyed) return
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
    this.reading.pause(this.queued >= mostQueued || (this.latest?.content?.held ?? 0) > mostHeld)
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
      const isHead = current === undefined ? beginsHead(this.reading.bytes) : current.method === 'HEAD'
      this.spent = true
      this.reading.release()
      endRefused(socket, statusOf(code), isHead)
    }
  }

  /** The client says no more: what is half a request is none, and who is gone is not waited for. */
  private ended(): void {
    const result = this.reading.finish()
    if (this.spent) return
    if (result instanceof Error && !this.broken && this.current?.complete !== true) this.unreadable(result.code)
    else this.socket.end()
  }

  /** Sees to the time-outs. */
  look(now: number): void {
    if (this.spent || this.broken) return
    const found = this.reading.look(now, this.current !== undefined, this.served)
    if (found === 'slow') this.unreadable('ERR_HTTP_REQUEST_TIMEOUT')
    else if (found === 'idle') this.socket.destroy()
  }

  private closed(): void {
    this.served.connections.delete(this)
    this.spent = true
    this.reading.release()
    this.writing.go()
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
