/** What a request is on every carrier: who asks, what logs call it, and how a handler hears that nobody waits any more. */

/** Plain fields rather than `#private` ones, so that a mount can see a request through another target. */
export abstract class Carried {
  id: string | undefined
  /** Where its state is: an object around it, which shows another target, has none of its own. */
  protected readonly self: this
  private controller: AbortController | undefined
  /** As somebody has set it. */
  private peer: string | undefined

  constructor() {
    this.id = undefined
    this.self = this
    this.controller = undefined
    this.peer = undefined
  }

  get remote(): string {
    return this.self.peer ?? this.address()
  }

  set remote(address: string) {
    this.self.peer = address
  }

  get signal(): AbortSignal {
    return this.aborter().signal
  }

  abort(reason: unknown): void {
    this.aborter().abort(reason)
  }

  /** Fires the signal, if anybody has asked for it: the client has left. */
  leave(): void {
    this.self.controller?.abort()
  }

  /** Whom the carrier knows the request to come from. */
  protected abstract address(): string

  /** Somebody asks for the signal for the first time: sees to it that `leave` is called when the client leaves, or at once when it has left. */
  protected abstract watch(): void

  private aborter(): AbortController {
    const { self } = this
    if (self.controller === undefined) {
      self.controller = new AbortController()
      self.watch()
    }
    return self.controller
  }
}
