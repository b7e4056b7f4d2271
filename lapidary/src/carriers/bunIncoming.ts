/** A request on Bun.serve: one of the web, of which its server knows more. */
import type { BunServer } from './bunRuntime.ts'
import { WebIncoming } from './webIncoming.ts'

/** One request, with the connection that it came on. */
export class BunIncoming extends WebIncoming {
  private readonly server: BunServer
  /** For how long a client may stand still, in seconds. */
  private readonly idle: number
  /** Whether it is the client who is waited for: so it is with each request as long as nobody says otherwise. */
  private isHurried: boolean
  private isReceiving: boolean

  constructor(request: Request, server: BunServer, idle: number) {
    super(request)
    this.server = server
    this.idle = idle
    this.isHurried = true
    this.isReceiving = false
  }

  protected override address(): string {
    return this.server.requestIP(this.request)?.address ?? ''
  }

  protected override receives(isWaiting: boolean): void {
    this.isReceiving = isWaiting
    if (isWaiting) this.hurried()
    else this.unhurried()
  }

  /** From now on the client is waited for, and only so long. */
  hurried(): void {
    if (this.isHurried) return
    this.isHurried = true
    this.server.timeout(this.request, this.idle)
  }

  /** From now on it is us who are waited for, and we may take our time; unless the body of the request is still to come. */
  unhurried(): void {
    if (!this.isHurried || this.isReceiving) return
    this.isHurried = false
    this.server.timeout(this.request, 0)
  }
}
