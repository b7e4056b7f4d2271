/** A request of the swift carrier as a kernel sees it: nothing is parsed or copied before it is asked for. */
import type { Ending, Incoming } from '../server/kernel.ts'
import type { Report } from '../server/report.ts'
import { Carried } from './carried.ts'
import { valueIn } from './headerLines.ts'
import type { Lifetime } from './lifetime.ts'
import { originForm } from './nodeIncoming.ts'
import { type SwiftBody, tooLarge } from './swiftBody.ts'
import type { Unsound } from './unsound.ts'

/** What a request needs to know of its connection. */
export interface Carrying {
  readonly remote: string
  readonly lifetime: Lifetime
  /** Lets a client send its body that holds it back until it hears `100 Continue`. */
  proceed(): void
  /** Reads on, where reading was stopped until somebody wants the body. */
  flow(): void
}

type Told = (ending: Ending) => void

const empty = Buffer.alloc(0)

function tellAll(incoming: SwiftIncoming, listeners: readonly Told[], ending: Ending): void {
  for (const listener of listeners) incoming.tell(listener, ending)
}

/** One request, and how far its answer has come. */
export class SwiftIncoming extends Carried implements Incoming {
  readonly method: string
  readonly target: string
  readonly rawHeaders: readonly string[]
  readonly httpVersion: string
  readonly connection: Carrying
  /** Whether the client lets another request follow. */
  keepAlive: boolean
  /** Whether the client waits for `100 Continue` before it sends the body, and has not heard it. */
  waits: boolean
  /** The status to refuse it with. */
  refusal: Unsound | undefined
  /** Undefined where it has none. */
  content: SwiftBody | undefined
  /** Whether all of it has come. */
  complete: boolean
  /** Whether the kernel has it. */
  begun: boolean
  /** The status of its answer; 0 before there is one. */
  status: number
  /** Bytes of the body of the answer, so far. */
  bytes: number
  /** Whether its answer goes out in chunks. */
  chunked: boolean
  /** Whether its answer is the last of the connection. */
  last: boolean
  /** Whether all of its answer has been handed to the system. */
  answered: boolean
  /** Whether it is us who ended the connection. */
  cut: boolean
  /** Undefined before the end. */
  how: Ending['how'] | undefined
  /** The request behind it on its connection. */
  following: SwiftIncoming | undefined
  /** Called when the connection ends before the answer does. */
  stop: (() => void) | undefined
  private listeners: Told[] | undefined

  constructor(
    connection: Carrying,
    method: string,
    target: string,
    rawHeaders: readonly string[],
    httpVersion: string,
    keepAlive: boolean,
    report: Report,
  ) {
    super(report)
    this.method = method
    this.target = originForm(target)
    this.rawHeaders = rawHeaders
    this.httpVersion = httpVersion
    this.connection = connection
    this.keepAlive = keepAlive
    this.waits = false
    this.refusal = undefined
    this.content = undefined
    this.complete = false
    this.begun = false
    this.status = 0
    this.bytes = 0
    this.chunked = false
    this.last = false
    this.answered = false
    this.cut = false
    this.how = undefined
    this.following = undefined
    this.stop = undefined
    this.listeners = undefined
  }

  override get lifetime(): Lifetime {
    return this.connection.lifetime
  }

  protected override address(): string {
    return this.connection.remote
  }

  protected override watch(): void {
    if (this.how === 'left' || this.how === 'cut') this.leave()
  }

  /** Looks at the lines as they came. */
  header(name: string): string | undefined {
    return valueIn(this.rawHeaders, name)
  }

  override onEnd(listener: Told): void {
    const { self } = this
    if (self.how !== undefined) self.tell(listener, self.ending(self.how))
    else if (self.listeners === undefined) self.listeners = [listener]
    else self.listeners.push(listener)
  }

  async body(limit: number): Promise<Uint8Array> {
    const { self } = this
    const { content } = self
    if (content === undefined) return empty
    // Nothing is read of a body that says itself that it is too large; a client that waits for 100 Continue need not even send it.
    if (Number(this.header('content-length')) > limit) throw tooLarge(limit)
    self.proceed()
    self.waitBegins()
    const bytes = content.read(limit, () => self.waitEnds())
    self.connection.flow()
    return bytes
  }

  /** Whether the client holds its body back, and nobody has asked for it. */
  get holdsBack(): boolean {
    return this.waits && this.content?.asked === false
  }

  private proceed(): void {
    if (!this.waits) return
    this.waits = false
    this.connection.proceed()
  }

  /** Tells everybody how it ended; only the first word counts. */
  end(how: Ending['how']): void {
    if (this.how !== undefined) return
    this.how = how
    this.following = undefined
    if (how !== 'sent') {
      this.content?.cutOff()
      this.leave()
      this.stop?.()
    }
    // Whoever listens is no part of this request any more.
    if (this.listeners !== undefined) process.nextTick(tellAll, this, this.listeners, this.ending(how))
  }

  private ending(how: Ending['how']): Ending {
    return { status: this.status, bytes: this.bytes, how }
  }
}
