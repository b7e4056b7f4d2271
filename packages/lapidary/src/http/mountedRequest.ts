/** The request as a mounted handler sees it. */
import type { HttpRequest, RequestEnd } from './httpHandler.ts'

/** A request with another target: that below the mount, which starts with a slash. Everything else is the original request. */
export class MountedRequest implements HttpRequest {
  readonly original: HttpRequest
  readonly target: string

  constructor(request: HttpRequest, target: string) {
    this.original = request.original ?? request
    // Nothing is left of the path of the mount itself.
    this.target = target === '' || target.startsWith('?') ? `/${target}` : target
  }

  get method(): string {
    return this.original.method
  }

  get originalTarget(): string {
    return this.original.originalTarget ?? this.original.target
  }

  get isBodyParsed(): boolean | undefined {
    return this.original.isBodyParsed
  }

  get rawHeaders(): readonly string[] {
    return this.original.rawHeaders
  }

  get bodyWait(): number {
    return this.original.bodyWait
  }

  get signal(): AbortSignal {
    return this.original.signal
  }

  get shutdown(): AbortSignal {
    return this.original.shutdown
  }

  get remoteAddress(): string {
    return this.original.remoteAddress
  }

  set remoteAddress(address: string) {
    this.original.remoteAddress = address
  }

  get id(): string | undefined {
    return this.original.id
  }

  set id(id: string | undefined) {
    this.original.id = id
  }

  header(name: string): string | undefined {
    return this.original.header(name)
  }

  body(limit: number): Promise<Uint8Array> {
    return this.original.body(limit)
  }

  bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    return this.original.bodyStream(limit)
  }

  abort(reason: unknown): void {
    this.original.abort(reason)
  }

  onEnd(listener: (end: RequestEnd) => void): void {
    this.original.onEnd(listener)
  }
}
