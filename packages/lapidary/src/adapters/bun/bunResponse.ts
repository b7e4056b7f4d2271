/** Creates Responses for Bun as it sends them fastest: texts as they are, streams without another stream in between. */

import type { HttpResponse, ResponseStream } from '../../http/httpHandler.ts'
import { isResponseStream } from '../../http/responseStream.ts'
import { assertFinalStatus, isAlwaysBodiless } from '../../http/status.ts'
import { checkBodilessFraming, checkContentLength, checkStreamFraming, enforceContentLength } from '../contentLength.ts'
import { toWebHeaders } from '../fetch/webHeaders.ts'
import { toWebStream } from '../fetch/webStream.ts'
import { sleep } from '../lifetime.ts'
import { StreamPump, type StreamWriter } from '../streamPump.ts'
import type { BunHttpRequest } from './bunHttpRequest.ts'
import type { BunSink } from './bunRuntime.ts'

/** The Headers of frozen header lists. An endpoint has the same list in each response. */
const bunHeadersCache = new WeakMap<readonly string[], Headers>()

/** Creates Headers of a flat list, or returns those of a frozen list again. */
export function toBunHeaders(flat: readonly string[]): Headers {
  const cached = bunHeadersCache.get(flat)
  if (cached !== undefined) return cached
  const headers = toWebHeaders(flat)
  if (Object.isFrozen(flat)) bunHeadersCache.set(flat, headers)
  return headers
}

/**
 * Creates the Response.
 *
 * @param isLast whether to end the connection after it
 * @throws TypeError, RangeError for a response that cannot be sent
 */
export function toBunResponse(response: HttpResponse, request: BunHttpRequest, isLast: boolean): Response {
  const { status, headers: flat, body } = response
  assertFinalStatus(status)
  const headers = toBunHeaders(isLast ? [...flat, 'Connection', 'close'] : flat)
  if (!isResponseStream(body)) {
    if (headers.has('content-length') || headers.has('transfer-encoding')) {
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.byteLength
      if (isAlwaysBodiless(status)) checkBodilessFraming(status, flat)
      else checkContentLength(flat, length ?? (request.method === 'HEAD' ? undefined : 0))
    }
    // Bun sets the Content-Length, and sends no body in response to HEAD. No adapter uses shared memory, which a Response would not accept.
    const webResponse = new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers })
    request.setSent(status, body)
    return webResponse
  }
  if (isAlwaysBodiless(status)) checkBodilessFraming(status, flat)
  else checkStreamFraming(flat)
  if (request.method === 'HEAD') {
    request.lifetime.dropStream(body)
    request.setSent(status, null)
    // Bun would send `Content-Length: 0` for a body of null.
    return new Response(headers.has('content-length') ? null : new ReadableStream(), { status, headers })
  }
  if (request.hasLeft) {
    // Bun would never read the stream.
    request.lifetime.dropStream(body)
    request.setEnd({ status: 0, bytes: 0, outcome: 'aborted' })
    return new Response()
  }
  // Headers that cannot be sent must throw before the stream is started.
  const head = new Response(null, { status, headers })
  return new Response(streamBunBody(body, status, headers, flat, request), head)
}

/** Bun always sends a direct stream in chunks. A stream with a Content-Length becomes a web stream. */
function streamBunBody(
  stream: ResponseStream,
  status: number,
  headers: Headers,
  flat: readonly string[],
  request: BunHttpRequest,
): ReadableStream<Uint8Array> {
  if (!headers.has('content-length')) return createDirectStream(stream, status, request)
  request.stopIdleTimeout()
  return toWebStream(enforceContentLength(stream, flat), status, request)
}

/**
 * How long a client may read what was written before its connection is aborted, in milliseconds: Bun resets it, and what is on its way is
 * lost.
 */
const bunResetDelay = 250

/** Creates one of Bun's direct streams. It produces chunks while there is room, and stops the producer when the client disconnects. */
function createDirectStream(stream: ResponseStream, status: number, request: BunHttpRequest): ReadableStream<Uint8Array> {
  const writer = new BunStreamWriter(status, request)
  const pump = new StreamPump(stream[Symbol.asyncIterator](), request, writer)
  request.startStream()
  request.stopIdleTimeout()
  const pull = (sink: BunSink): Promise<void> => {
    writer.sink = sink
    return pump.run()
  }
  const cancel = async (): Promise<void> => {
    if (pump.isOver) return
    // The signal comes first: it wakes a producer that waits for something other than its reader.
    request.abortOnDisconnect()
    request.setEnd({ status, bytes: writer.bytesSent, outcome: 'aborted' })
    await pump.cancel()
  }
  // The types of the web do not know direct streams.
  return new ReadableStream({ type: 'direct', pull, cancel } as unknown as ConstructorParameters<typeof ReadableStream<Uint8Array>>[0])
}

class BunStreamWriter implements StreamWriter {
  sink: BunSink | undefined = undefined
  bytesSent = 0
  private readonly status: number
  private readonly request: BunHttpRequest
  private hasStarted = false

  constructor(status: number, request: BunHttpRequest) {
    this.status = status
    this.request = request
  }

  write(chunk: string | Uint8Array): Promise<void> | undefined {
    const sink = this.sink as BunSink
    // An empty chunk asks for the head, but Bun ends the head with the first byte of the body.
    if (chunk.length === 0) return undefined
    this.bytesSent += typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.byteLength
    const room = sink.write(chunk)
    const isFirst = !this.hasStarted
    this.hasStarted = true
    if (typeof room !== 'number') return this.waitForClient(room)
    if (room <= 0) return this.waitForClient(sink.flush(true))
    if (isFirst) sink.flush()
    return undefined
  }

  /** Bun would send a stream that ends before its first flush with a Content-Length, which the response to HEAD could not have. */
  async flush(): Promise<void> {
    await this.sink?.flush()
  }

  end(): void {
    this.sink?.end()
    this.request.setEnd({ status: this.status, bytes: this.bytesSent, outcome: 'completed' })
  }

  async fail(error: unknown): Promise<void> {
    this.request.setEnd({ status: this.status, bytes: this.bytesSent, outcome: 'failed' })
    // What was written is sent before the connection is aborted.
    await this.waitForClient((this.sink as BunSink).flush(true))
    await sleep(bunResetDelay)
    throw error
  }

  /** Waits for the client under the idle timeout, which does not apply to the producer. */
  private async waitForClient(room: number | Promise<number>): Promise<void> {
    this.request.startIdleTimeout()
    await room
    this.request.stopIdleTimeout()
  }
}
