/** An answer as Bun sends it fastest: texts as they are, and the headers of one frozen list made once. */

import { isNullBodyStatus } from '../describe/status.ts'
import type { HttpResponse } from '../server/kernel.ts'
import type { BunHttpRequest } from './bunIncoming.ts'
import { createDirectStream } from './bunStream.ts'
import type { BodyStream } from './lifetime.ts'
import { checkContentLength, enforceContentLength } from './statedLength.ts'
import { toWebStream } from './webStream.ts'

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
    const response = new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers }) // no carrier shares its memory
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
    incoming.setEnd({ status: 0, bytes: 0, outcome: 'left' })
    return new Response()
  }
  // What cannot be sent is found out before the stream is walked.
  const head = new Response(null, { status, headers })
  return new Response(streamBunBody(body, status, headers, flat, incoming), head)
}
