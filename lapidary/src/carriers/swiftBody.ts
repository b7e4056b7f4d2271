/** The body of a request on the swift carrier: kept until somebody asks for it, collected up to a limit, or dropped. */
import { badRequest, contentTooLarge } from '../describe/errors.ts'
import { answer } from '../describe/message.ts'

export const tooLarge = (limit: number): Error => contentTooLarge({ detail: answer.bodyTooLarge(limit) })

const nothing = (): void => {}

/** One body, part by part. */
export class SwiftBody {
  /** How many bytes were dropped, since they are counted. */
  dropped = 0
  /** Whether somebody has asked for it. */
  asked = false
  private parts: Buffer[] = []
  private length = 0
  private complete = false
  private dropping = false
  private limit = Number.POSITIVE_INFINITY
  private resolve: (bytes: Uint8Array) => void = nothing
  private reject: (error: Error) => void = nothing
  /** Called when nobody waits for it any more. */
  private settled: () => void = nothing

  /** How many bytes are here that nobody has asked for. */
  get held(): number {
    return this.asked ? 0 : this.length
  }

  add(part: Buffer): void {
    if (this.dropping) {
      this.dropped += part.length
      return
    }
    this.parts.push(part)
    this.length += part.length
    if (this.length > this.limit) this.refuse()
  }

  /** All of it is here. */
  end(): void {
    this.complete = true
    if (this.dropping) return
    if (!this.asked) return
    this.settled()
    this.resolve(this.whole())
  }

  /**
   * Resolves when all of it has come. Rejects with 413 as soon as more has come than the limit, with 400 when the connection ends before.
   * Either way it calls `settled` before that.
   */
  read(limit: number, settled: () => void): Promise<Uint8Array> {
    this.asked = true
    this.limit = limit
    if (this.complete && this.length <= limit) {
      settled()
      return Promise.resolve(this.whole())
    }
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      this.settled = settled
      if (this.length > limit) this.refuse()
    })
  }

  /** Nobody wants the rest: it is read all the same, so that the client gets to read the answer, and its bytes are counted from here. */
  drop(): void {
    this.dropping = true
    this.asked = true
    this.dropped = 0
    this.parts = []
    this.length = 0
  }

  /** The connection has ended. */
  cutOff(): void {
    if (!this.complete) this.fail(badRequest({ detail: answer.bodyCutOff() }))
  }

  private refuse(): void {
    const error = tooLarge(this.limit)
    this.drop()
    this.fail(error)
  }

  private fail(error: Error): void {
    this.settled()
    this.reject(error)
  }

  private whole(): Uint8Array {
    const { parts } = this
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }
}
