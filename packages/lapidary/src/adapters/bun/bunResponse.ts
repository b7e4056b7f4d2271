/** An answer as Bun sends it fastest: texts as they are, and the headers of one frozen list made once. */

import { toErrorContext } from '../../http/errorReport.ts'
import type { HttpResponse } from '../../http/httpHandler.ts'
import { isReported } from '../../http/responseStream.ts'
import { isNullBodyStatus } from '../../http/status.ts'
import { checkContentLength, enforceContentLength } from '../contentLength.ts'
import { toWebStream } from '../fetch/webStream.ts'
import { type BodyStream, sleep } from '../lifetime.ts'
import type { BunHttpRequest } from './bunHttpRequest.ts'
import type { BunSink } from './bunRuntime.ts'

// An answer that is made piece by piece, written to Bun's connection without another stream in between.

/** For so long a reader may take what was made before its connection is cut, in milliseconds: Bun resets it, and what is still on its way is lost. */
const bunResetDelay = 250

/** The pieces as one of Bun's direct streams: made while there is room, and no longer once the reader has gone. */
export function createDirectStream(pieces: BodyStream, status: number, incoming: BunHttpRequest): ReadableStream<Uint8Array> {
  const { lifetime } = incoming
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  /** The reader has, or there is no more to come. */
  let left = false
  const leave = async (): Promise<void> => {
    if (left) return
    left = true
    // The signal first: it wakes a producer that waits for something else than its reader.
    incoming.abortOnDisconnect()
    incoming.setEnd({ status, bytes, outcome: 'aborted' })
    await lifetime.returnIterator(iterator)
  }
  /** Waits for the reader. A producer may be silent for as long as it likes, a reader may not. */
  const taken = async (room: number | Promise<number>): Promise<void> => {
    incoming.startIdleTimeout()
    await room
    incoming.stopIdleTimeout()
  }
  const pull = async (sink: BunSink): Promise<void> => {
    let hasBegun = false
    try {
      for (let piece = await iterator.next(); piece.done !== true && !left; piece = await iterator.next()) {
        lifetime.assertChunk(piece.value, iterator)
        // It asks for the head, whose end Bun sends with the first byte.
        if (piece.value.length === 0) continue
        bytes += typeof piece.value === 'string' ? Buffer.byteLength(piece.value) : piece.value.byteLength
        const room = sink.write(piece.value)
        if (typeof room !== 'number') await taken(room)
        else if (room <= 0) await taken(sink.flush(true))
        // The first leaves by itself.
        else if (!hasBegun) sink.flush()
        hasBegun = true
      }
    } catch (error) {
      if (left) return
      left = true
      if (!isReported(error)) incoming.onError(error, toErrorContext(incoming))
      incoming.setEnd({ status, bytes, outcome: 'failed' })
      lifetime.endStream()
      // What was made before leaves before the connection is cut.
      await taken(sink.flush(true))
      await sleep(bunResetDelay)
      throw error
    }
    if (left) return
    // A stream that was over before anything had left would go as a whole, with a length that HEAD of it cannot tell.
    await sink.flush()
    if (left) return
    left = true
    sink.end()
    incoming.setEnd({ status, bytes, outcome: 'completed' })
    lifetime.endStream()
  }
  lifetime.startStream()
  incoming.startStream()
  incoming.stopIdleTimeout()
  // The types of the web do not know of such a stream.
  return new ReadableStream({ type: 'direct', pull, cancel: leave } as unknown as ConstructorParameters<
    typeof ReadableStream<Uint8Array>
  >[0])
}

const bunHeadersCache = new WeakMap<readonly string[], Headers>()

/** What is frozen is the same list for many answers, and has the same headers each time. */
export function toBunHeaders(flat: readonly string[]): Headers {
  const known = bunHeadersCache.get(flat)
  if (known !== undefined) return known
  const headers = new Headers()
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index] as string, flat[index + 1] as string)
  if (Object.isFrozen(flat)) bunHeadersCache.set(flat, headers)
  return headers
}

/** Bun sends a direct stream in chunks, whatever its headers say; one whose length is known goes another way. */
function streamBunBody(
  pieces: BodyStream,
  status: number,
  headers: Headers,
  flat: readonly string[],
  incoming: BunHttpRequest,
): ReadableStream<Uint8Array> {
  if (!headers.has('content-length')) return createDirectStream(pieces, status, incoming)
  incoming.stopIdleTimeout()
  return toWebStream(enforceContentLength(pieces, flat), status, incoming)
}

/** The Response; `closing` asks the client not to come back on this connection. */
export function toBunResponse(outgoing: HttpResponse, incoming: BunHttpRequest, closing: boolean): Response {
  const { status, headers: flat, body } = outgoing
  const headers = toBunHeaders(closing ? [...flat, 'Connection', 'close'] : flat)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    if (headers.has('content-length') || headers.has('transfer-encoding')) {
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.byteLength
      checkContentLength(flat, length ?? (incoming.method === 'HEAD' || isNullBodyStatus(status) ? undefined : 0))
    }
    // Bun counts the bytes, and leaves them out of an answer to HEAD.
    const response = new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers }) // no adapter shares its memory
    incoming.setSent(status, body)
    return response
  }
  if (incoming.method === 'HEAD') {
    incoming.lifetime.dropStream(body)
    incoming.setSent(status, null)
    // Of a body that is not there Bun would say that it has no bytes.
    return new Response(headers.has('content-length') ? null : new ReadableStream(), { status, headers })
  }
  if (incoming.hasLeft) {
    // Nobody pulls at a stream that nobody waits for.
    incoming.lifetime.dropStream(body)
    incoming.setEnd({ status: 0, bytes: 0, outcome: 'aborted' })
    return new Response()
  }
  // What cannot be sent is found out before the stream is walked.
  const head = new Response(null, { status, headers })
  return new Response(streamBunBody(body, status, headers, flat, incoming), head)
}
