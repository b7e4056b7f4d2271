/** Requests that stand for another one: the request as a mounted handler sees it. */
import { filterHeaders } from './headerFields.ts'
import type { HttpRequest, RequestEnd } from './httpHandler.ts'

/** A request that stands for another one, with all that it does not change. */
export class RequestView implements HttpRequest {
  readonly original: HttpRequest
  readonly target: string
  protected readonly request: HttpRequest

  constructor(request: HttpRequest, target: string = request.target) {
    this.original = request.original ?? request
    this.request = request
    this.target = target
  }

  get method(): string {
    return this.request.method
  }

  get originalTarget(): string | undefined {
    return this.request.originalTarget
  }

  get isBodyParsed(): boolean | undefined {
    return this.request.isBodyParsed
  }

  get rawHeaders(): readonly string[] {
    return this.request.rawHeaders
  }

  get bodyWait(): number {
    return this.request.bodyWait
  }

  get signal(): AbortSignal {
    return this.request.signal
  }

  get shutdown(): AbortSignal {
    return this.request.shutdown
  }

  get remoteAddress(): string {
    return this.request.remoteAddress
  }

  set remoteAddress(address: string) {
    this.request.remoteAddress = address
  }

  get id(): string | undefined {
    return this.request.id
  }

  set id(id: string | undefined) {
    this.request.id = id
  }

  header(name: string): string | undefined {
    return this.request.header(name)
  }

  body(limit: number): Promise<Uint8Array> {
    return this.request.body(limit)
  }

  bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    return this.request.bodyStream(limit)
  }

  abort(reason: unknown): void {
    this.request.abort(reason)
  }

  onEnd(listener: (end: RequestEnd) => void): void {
    this.request.onEnd(listener)
  }
}

/** A request with another target: that below the mount, which starts with a slash. */
export class MountedRequest extends RequestView {
  constructor(request: HttpRequest, target: string) {
    // Nothing is left of the path of the mount itself.
    super(request, target === '' || target.startsWith('?') ? `/${target}` : target)
  }

  override get originalTarget(): string {
    return this.request.originalTarget ?? this.original.target
  }
}

/** A request with other headers. */
export class ChangedRequest extends RequestView {
  private readonly changes: ReadonlyMap<string, string | undefined>

  /** @param changes by names in lower case; undefined removes a header */
  constructor(request: HttpRequest, changes: ReadonlyMap<string, string | undefined>) {
    super(request)
    this.changes = changes
  }

  override get rawHeaders(): readonly string[] {
    const kept = filterHeaders(super.rawHeaders, (name) => !this.changes.has(name.toLowerCase()))
    return [...kept, ...[...this.changes].flatMap(([name, value]) => (value === undefined ? [] : [name, value]))]
  }

  override header(name: string): string | undefined {
    return this.changes.has(name) ? this.changes.get(name) : super.header(name)
  }
}
