/** The failures of a database. */

/** The database cannot be opened at the start. The message is one line: which database, what is wrong, and what to do if that is known. */
export class OpenError extends Error {
  override readonly name = 'OpenError'
}

/**
 * The database is locked, full, read-only, failing or gone. Every method of a store may throw this, and then has done nothing. The message
 * is for the log, because it may contain paths.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** Seconds until the next attempt is worth making. */
  readonly retryAfter: number

  constructor(message: string, retryAfter: number, options?: ErrorOptions) {
    super(message, options)
    this.retryAfter = retryAfter
  }
}
