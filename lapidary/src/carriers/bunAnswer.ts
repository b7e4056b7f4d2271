/** An answer as Bun sends it fastest: texts as they are, and the headers of one frozen list made once. */

import { isBodiless } from '../describe/status.ts'
import type { Outgoing } from '../server/kernel.ts'
import type { BunIncoming } from './bunIncoming.ts'
import { directed } from './bunStream.ts'
import type { Pieces } from './lifetime.ts'
import { ofStatedLength, statedLength } from './statedLength.ts'
import { streamed } from './webStream.ts'

const made = new WeakMap<readonly string[], Headers>()

/** What is frozen is the same list for many answers, and has the same headers each time. */
export function headersOf(flat: readonly string[]): Headers {
  const known = made.get(flat)
  if (known !== undefined) return known
  const headers = new Headers()
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index] as string, flat[index + 1] as string)
  if (Object.isFrozen(flat)) made.set(flat, headers)
  return headers
}

/** Bun sends a direct stream in chunks, whatever its headers say; one whose length is known goes another way. */
function flowing(
  pieces: Pieces,
  status: number,
  headers: Headers,
  flat: readonly string[],
  incoming: BunIncoming,
): ReadableStream<Uint8Array> {
  if (!headers.has('content-length')) return directed(pieces, status, incoming)
  incoming.unhurried()
  return streamed(ofStatedLength(pieces, flat), status, incoming)
}

/** The Response; `closing` asks the client not to come back on this connection. */
export function responseOf(outgoing: Outgoing, incoming: BunIncoming, closing: boolean): Response {
  const { status, headers: flat, body } = outgoing
  const headers = headersOf(closing ? [...flat, 'Connection', 'close'] : flat)
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) {
    if (headers.has('content-length') || headers.has('transfer-encoding')) {
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body?.byteLength
      statedLength(flat, length ?? (incoming.method === 'HEAD' || isBodiless(status) ? undefined : 0))
    }
    // Bun counts the bytes, and leaves them out of an answer to HEAD.
    const response = new Response(body as string | Uint8Array<ArrayBuffer> | null, { status, headers }) // no carrier shares its memory
    incoming.sent(status, body)
    return response
  }
  if (incoming.method === 'HEAD') {
    incoming.lifetime.drop(body)
    incoming.sent(status, null)
    // Of a body that is not there Bun would say that it has no bytes.
    return new Response(headers.has('content-length') ? null : new ReadableStream(), { status, headers })
  }
  if (incoming.isGone) {
    // Nobody pulls at a stream that nobody waits for.
    incoming.lifetime.drop(body)
    incoming.end({ status: 0, bytes: 0, how: 'left' })
    return new Response()
  }
  // What cannot be sent is found out before the stream is walked.
  const head = new Response(null, { status, headers })
  return new Response(flowing(body, status, headers, flat, incoming), head)
}
