/** The refusal to look at further credentials for a while. */

/** Thrown instead of an answer after too many failures from one address, or for one name from that address. */
export class TooManyAttempts extends Error {
  override readonly name = 'TooManyAttempts'
  /** After how many seconds attempts are looked at again: a whole number, 1 or more. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('Too many failed attempts.')
    this.retryAfter = retryAfter
  }
}
