/** A stream that ended before its end. */
import * as failure from '../describe/failure.ts'

/** What a stream throws when it was cut off, after the items that arrived. A stream that simply ends is complete. */
export class StreamInterruptedError extends Error {
  override readonly name: string = 'StreamInterruptedError'
  /** How many items arrived. */
  readonly items: number

  constructor(call: string, items: number, cause: unknown) {
    super(failure.streamInterrupted(call, items), { cause })
    this.items = items
  }
}
