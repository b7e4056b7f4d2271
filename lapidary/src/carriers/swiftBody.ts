/** The body of a request on the swift carrier: kept until somebody asks for it, collected up to a limit, or dropped. */
import { badRequest, contentTooLarge } from '../describe/errors.ts'
import { problemDetail } from '../describe/message.ts'

export const createBodyTooLargeError = (limit: number): Error => contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })

const ignoreSettled = (): void => {}

/** One body, part by part. */
export class LlhttpRequestBody {
  /** How many bytes were dropped, since they are counted. */
  droppedBytes = 0
  /** Whether somebody has asked for it. */
  isRequested = false
  private chunks: Buffer[] = []
  private length = 0
  private isComplete = false
  private isDropping = false
  private limit = Number.POSITIVE_INFINITY
  private resolve: (bytes: Uint8Array) => void = ignoreSettled
  private reject: (error: Error) => void = ignoreSettled
  /** Called when nobody waits for it any more. */
  private onSettled: () => void = ignoreSettled

  /** How many bytes are here that nobody has asked for. */
  get bufferedBytes(): number {
    return this.isRequested ? 0 : this.length
  }

  push(part: Buffer): void {
    if (this.isDropping) {
      this.droppedBytes += part.length
      return
    }
    this.chunks.push(part)
    this.length += part.length
    if (this.length > this.limit) this.rejectTooLarge()
  }

  /** All of it is here. */
  finish(): void {
    this.isComplete = true
    if (this.isDropping) return
    if (!this.isRequested) return
    this.onSettled()
    this.resolve(this.concatenate())
  }

  /**
   * Resolves when all of it has come. Rejects with 413 as soon as more has come than the limit, with 400 when the connection ends before.
   * Either way it calls `settled` before that.
   */
  read(limit: number, settled: () => void): Promise<Uint8Array> {
    this.isRequested = true
    this.limit = limit
    if (this.isComplete && this.length <= limit) {
      settled()
      return Promise.resolve(this.concatenate())
    }
    return new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
      this.onSettled = settled
      if (this.length > limit) this.rejectTooLarge()
    })
  }

  /** Nobody wants the rest: it is read all the same, so that the client gets to read the answer, and its bytes are counted from here. */
  discard(): void {
    this.isDropping = true
    this.isRequested = true
    this.droppedBytes = 0
    this.chunks = []
    this.length = 0
  }

  /** The connection has ended. */
  abort(): void {
    if (!this.isComplete) this.fail(badRequest({ detail: problemDetail.bodyCutOff() }))
  }

  private rejectTooLarge(): void {
    const error = createBodyTooLargeError(this.limit)
    this.discard()
    this.fail(error)
  }

  private fail(error: Error): void {
    this.onSettled()
    this.reject(error)
  }

  private concatenate(): Uint8Array {
    const { chunks: parts } = this
    return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
  }
}
