/** What ends the loading of colours, as a sentence for whoever asked for it. */

/** Thrown for what that person can mend. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Thrown when a signal has ended the loading. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly signal: NodeJS.Signals

  constructor(message: string, signal: NodeJS.Signals) {
    super(message)
    this.signal = signal
  }
}
