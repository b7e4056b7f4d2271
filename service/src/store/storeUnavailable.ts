/** The failure of a database that is there and cannot serve just now. */

/**
 * Thrown by every method of a store while the database is locked, full, read-only, failing or gone. The message is for the log:
 * it may name files. What was asked has not been done.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** After how many seconds another attempt is worth making. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfter = retryAfter
  }
}
