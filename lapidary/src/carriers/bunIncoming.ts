/** A request on Bun.serve: one of the web, of which its server knows more. */
import type { Report } from '../server/report.ts'
import type { BunServer } from './bunRuntime.ts'
import type { Lifetime } from './lifetime.ts'
import { WebIncoming } from './webIncoming.ts'

/** One request, with the connection that it came on. */
export class BunIncoming extends WebIncoming {
  private readonly server: BunServer
  private readonly served: Lifetime
  /** For how long a client may stand still, in seconds. */
  private readonly idle: number
  /** Whether it is the client who is waited for: so it is with each request as long as nobody says otherwise. */
  private isHurried: boolean
  private isReceiving: boolean
  /** Whether the body was given up before its end. */
  private isUnwanted: boolean

  constructor(request: Request, server: BunServer, idle: number, report: Report, served: Lifetime) {
    super(request, report)
    this.server = server
    this.served = served
    this.idle = idle
    this.isHurried = true
    this.isReceiving = false
    this.isUnwanted = false
  }

  override get lifetime(): Lifetime {
    return this.served
  }

  protected override address(): string {
    return this.server.requestIP(this.request)?.address ?? ''
  }

  protected override receives(isWaiting: boolean): void {
    this.isReceiving = isWaiting
    if (isWaiting) this.hurried()
    else this.unhurried()
  }

  /** Bun reads on and drops it; whether it has to come to an end is up to the answer. */
  protected override unwanted(): void {
    this.isUnwanted = true
  }

  /** Whether the client has been told to send a body that nobody will read: whether it does, nobody knows (RFC 9110 §10.1.1). */
  get holdsBack(): boolean {
    const { method, request } = this
    return method !== 'GET' && !request.bodyUsed && request.headers.has('expect')
  }

  /** Whether bytes of the body may be on their way that nobody reads, on a connection that ends with the answer. */
  isLeftUnread(closing: boolean): boolean {
    const { method, request } = this
    if (method === 'GET' || method === 'HEAD') return false
    const { headers, bodyUsed } = request
    if (!closing && headers.get('connection')?.toLowerCase() !== 'close') return false
    return (!bodyUsed || this.isUnwanted) && request.body !== null
  }

  /** Reads what is left of the body, and drops it: bytes that nobody has read would reset the connection, and the reset may overtake the answer. */
  async drop(): Promise<void> {
    this.receives(true)
    try {
      const reader = this.request.body?.getReader()
      while ((await reader?.read())?.done === false);
    } catch {
      // The client has gone, or has sent more than Bun takes.
    }
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
