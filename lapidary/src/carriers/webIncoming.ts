/** A Request of the web as a kernel sees it: nothing is parsed or copied before it is asked for. */
import { HttpError } from '../describe/error.ts'
import { badRequest, contentTooLarge } from '../describe/errors.ts'
import { answer } from '../describe/message.ts'
import { joined } from '../describe/stream.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import type { Ending, Incoming } from '../server/kernel.ts'
import type { Report } from '../server/report.ts'
import { Carried } from './carried.ts'

/** The target in origin form; the URL of a Request is already normalized. Bun has no more than that where the Host cannot be part of a URL. */
function targetOf(url: string): string {
  const start = url.charCodeAt(0) === 0x2f ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const hash = url.indexOf('#', start)
  return hash < 0 ? url.slice(start) : url.slice(start, hash)
}

/** A body that is there as a whole. */
export type Whole = string | Uint8Array | null

const lengthOf = (body: Whole): number => (typeof body === 'string' ? utf8Encoded(body) : (body ?? '')).length

const tooLarge = (limit: number): Error => contentTooLarge({ detail: answer.bodyTooLarge(limit) })

async function read(body: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body.getReader()
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    length += part.value.byteLength
    if (length > limit) {
      reader.releaseLock()
      throw tooLarge(limit)
    }
    chunks.push(part.value)
  }
  return joined(chunks)
}

/** A whole body, not yet measured. One that says how long it is ends there, whoever carries it. */
function bodyOf(request: Request, limit: number): Promise<ArrayBuffer | Uint8Array> {
  const stated = request.headers.get('content-length')
  const length = Number(stated)
  if (length > limit) return Promise.reject(tooLarge(limit))
  if (stated !== null && length <= limit) return request.arrayBuffer()
  return request.body === null ? Promise.resolve(new Uint8Array()) : read(request.body, limit)
}

/** One request of the web. */
export class WebIncoming extends Carried implements Incoming {
  readonly method: string
  readonly target: string
  readonly request: Request
  private listeners: ((ending: Ending) => void)[] | undefined
  private ending: Ending | undefined
  private isAnswered: boolean
  /** Of a whole answer, whose bytes nobody has counted yet. */
  private status: number
  private whole: Whole | undefined

  constructor(request: Request, report: Report) {
    super(report)
    this.method = request.method
    this.target = targetOf(request.url)
    this.request = request
    this.listeners = undefined
    this.ending = undefined
    this.isAnswered = false
    this.status = 0
    this.whole = undefined
  }

  get rawHeaders(): readonly string[] {
    return [...this.request.headers].flat()
  }

  /** Whoever reads the answer may cancel it as well, which is told by `leave`. */
  protected override watch(): void {
    const { signal } = this.request
    if (signal.aborted) this.leave()
    else signal.addEventListener('abort', () => this.leave(), { once: true })
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined
  }

  body(limit: number): Promise<Uint8Array> {
    const { self } = this
    self.waitBegins()
    self.receives(true)
    return bodyOf(self.request, limit).then(
      (whole) => {
        self.waitEnds()
        self.receives(false)
        if (whole.byteLength > limit) throw tooLarge(limit)
        return whole instanceof Uint8Array ? whole : new Uint8Array(whole)
      },
      (error: unknown) => {
        self.waitEnds()
        self.receives(false)
        self.unwanted()
        // Ours are refusals; any other comes from below, where the body ended before its time.
        throw error instanceof HttpError ? error : badRequest({ detail: answer.bodyCutOff() })
      },
    )
  }

  override onEnd(listener: (ending: Ending) => void): void {
    const { self } = this
    const ending = self.ended()
    if (ending !== undefined) {
      self.tell(listener, ending)
      return
    }
    if (self.listeners === undefined) {
      self.listeners = []
      // What becomes of an answer is told by whoever sends it.
      const leave = (): void => {
        if (!self.isAnswered) self.end({ status: 0, bytes: 0, how: 'left' })
      }
      self.request.signal.addEventListener('abort', leave, { once: true })
    }
    self.listeners.push(listener)
  }

  /** Whom the carrier knows the request to come from; nobody tells it with a Request of the web alone. */
  protected override address(): string {
    return ''
  }

  /** Told when what is still to come of the body is of no use. */
  protected unwanted(): void {
    this.request.body?.cancel().catch(() => {})
  }

  /** Told when the body is waited for, and when it is there. */
  protected receives(_isWaiting: boolean): void {}

  private ended(): Ending | undefined {
    if (this.ending === undefined && this.whole !== undefined) {
      this.ending = { status: this.status, bytes: this.method === 'HEAD' ? 0 : lengthOf(this.whole), how: 'sent' }
    }
    return this.ending
  }

  /** Whether the client has left already. */
  get isGone(): boolean {
    return this.request.signal.aborted
  }

  /** An answer is on its way, piece by piece: how it ends is told by whoever sends it. */
  begins(): void {
    this.isAnswered = true
  }

  /** An answer was handed over as a whole. Its bytes are counted when somebody asks. */
  sent(status: number, body: Whole): void {
    this.isAnswered = true
    this.status = status
    this.whole = body
    if (this.listeners !== undefined) this.end(this.ended() as Ending)
  }

  /** The answer has ended so, unless it had ended before. */
  end(ending: Ending): void {
    this.isAnswered = true
    this.ending ??= ending
    const { listeners = [] } = this
    this.listeners = undefined
    for (const listener of listeners) this.tell(listener, ending)
  }
}
