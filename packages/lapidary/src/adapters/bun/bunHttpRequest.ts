/** A request on Bun.serve: one of the web, of which its server knows more. */
import type { ErrorListener } from '../../http/errorReport.ts'
import { WebHttpRequest } from '../fetch/webHttpRequest.ts'
import type { Lifetime } from '../lifetime.ts'
import type { BunServer } from './bunRuntime.ts'

/** One request, with the connection that it came on. */
export class BunHttpRequest extends WebHttpRequest {
  private readonly bunServer: BunServer
  private readonly serverLifetime: Lifetime
  /** For how long a client may stand still, in seconds. */
  private readonly idleSeconds: number
  /** Whether it is the client who is waited for: so it is with each request as long as nobody says otherwise. */
  private isIdleTimeoutOn: boolean
  private isReadingBody: boolean
  /** Whether the body was given up before its end. */
  private isBodyDiscarded: boolean

  constructor(request: Request, server: BunServer, idle: number, report: ErrorListener, served: Lifetime) {
    super(request, report)
    this.bunServer = server
    this.serverLifetime = served
    this.idleSeconds = idle
    this.isIdleTimeoutOn = true
    this.isReadingBody = false
    this.isBodyDiscarded = false
  }

  override get lifetime(): Lifetime {
    return this.serverLifetime
  }

  protected override getPeerAddress(): string {
    return this.bunServer.requestIP(this.request)?.address ?? ''
  }

  protected override onBodyRead(isWaiting: boolean): void {
    this.isReadingBody = isWaiting
    if (isWaiting) this.startIdleTimeout()
    else this.stopIdleTimeout()
  }

  /** Bun reads on and drops it; whether it has to come to an end is up to the answer. */
  protected override discardBody(): void {
    this.isBodyDiscarded = true
  }

  /** Whether the client has been told to send a body that nobody will read: whether it does, nobody knows (RFC 9110 §10.1.1). */
  get withholdsBody(): boolean {
    const { method, request } = this
    return method !== 'GET' && !request.bodyUsed && request.headers.has('expect')
  }

  /** Whether bytes of the body may be on their way that nobody reads, on a connection that ends with the answer. */
  hasUnreadBody(closing: boolean): boolean {
    const { method, request } = this
    if (method === 'GET' || method === 'HEAD') return false
    const { headers, bodyUsed } = request
    if (!closing && headers.get('connection')?.toLowerCase() !== 'close') return false
    return (!bodyUsed || this.isBodyDiscarded) && request.body !== null
  }

  /** Reads what is left of the body, and drops it: bytes that nobody has read would reset the connection, and the reset may overtake the answer. */
  async drainBody(): Promise<void> {
    this.onBodyRead(true)
    try {
      const reader = this.request.body?.getReader()
      while ((await reader?.read())?.done === false);
    } catch {
      // The client has gone, or has sent more than Bun takes.
    }
  }

  /** From now on the client is waited for, and only so long. */
  startIdleTimeout(): void {
    if (this.isIdleTimeoutOn) return
    this.isIdleTimeoutOn = true
    this.bunServer.timeout(this.request, this.idleSeconds)
  }

  /** From now on it is us who are waited for, and we may take our time; unless the body of the request is still to come. */
  stopIdleTimeout(): void {
    if (!this.isIdleTimeoutOn || this.isReadingBody) return
    this.isIdleTimeoutOn = false
    this.bunServer.timeout(this.request, 0)
  }
}
