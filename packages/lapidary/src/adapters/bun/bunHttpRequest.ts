/** A request on Bun.serve: a Request of the web, with its connection. */
import type { ErrorListener } from '../../http/errorReport.ts'
import { WebHttpRequest } from '../fetch/webHttpRequest.ts'
import type { Lifetime } from '../lifetime.ts'
import type { BunServer } from './bunRuntime.ts'

export class BunHttpRequest extends WebHttpRequest {
  private readonly bunServer: BunServer
  private readonly serverLifetime: Lifetime
  /** How long the client may be idle, in seconds. */
  private readonly idleSeconds: number
  /** Whether the idle timeout applies. It does at the start of each request. */
  private isIdleTimeoutOn: boolean
  private isReadingBody: boolean
  /** Whether the handler has given up the body before its end. */
  private isBodyDiscarded: boolean

  constructor(webRequest: Request, bunServer: BunServer, idleSeconds: number, onError: ErrorListener, serverLifetime: Lifetime) {
    super(webRequest, onError)
    this.bunServer = bunServer
    this.serverLifetime = serverLifetime
    this.idleSeconds = idleSeconds
    this.isIdleTimeoutOn = true
    this.isReadingBody = false
    this.isBodyDiscarded = false
  }

  override get lifetime(): Lifetime {
    return this.serverLifetime
  }

  protected override getPeerAddress(): string {
    return this.bunServer.requestIP(this.webRequest)?.address ?? ''
  }

  protected override onBodyRead(isReading: boolean): void {
    this.isReadingBody = isReading
    if (isReading) this.startIdleTimeout()
    else this.stopIdleTimeout()
  }

  /** Bun reads the rest and discards it. Whether that has to end first depends on the response. */
  protected override discardBody(): void {
    this.isBodyDiscarded = true
  }

  /** Whether the client waits for permission to send a body that was not read. It may send it nevertheless (RFC 9110 §10.1.1). */
  get withholdsBody(): boolean {
    const { method, webRequest } = this
    return method !== 'GET' && !webRequest.bodyUsed && webRequest.headers.has('expect')
  }

  /** Whether unread bytes of the body may arrive on a connection that ends with the response. */
  hasUnreadBody(isClosing: boolean): boolean {
    const { method, webRequest } = this
    if (method === 'GET' || method === 'HEAD') return false
    const { headers, bodyUsed } = webRequest
    if (!isClosing && headers.get('connection')?.toLowerCase() !== 'close') return false
    return (!bodyUsed || this.isBodyDiscarded) && webRequest.body !== null
  }

  /** Reads the rest of the body and discards it: unread bytes would reset the connection, and the reset may overtake the response. */
  async drainBody(): Promise<void> {
    this.onBodyRead(true)
    try {
      const reader = this.webRequest.body?.getReader()
      while ((await reader?.read())?.done === false);
    } catch {
      // The client has disconnected, or has sent more than Bun accepts.
    }
  }

  /** From now on the server waits for the client, under the idle timeout. */
  startIdleTimeout(): void {
    if (this.isIdleTimeoutOn) return
    this.isIdleTimeoutOn = true
    this.bunServer.timeout(this.webRequest, this.idleSeconds)
  }

  /** From now on the client waits for the server, without a timeout, unless the body is still being read. */
  stopIdleTimeout(): void {
    if (!this.isIdleTimeoutOn || this.isReadingBody) return
    this.isIdleTimeoutOn = false
    this.bunServer.timeout(this.webRequest, 0)
  }
}
