/** What Bun leaves to its user: requests that its parser lets through, and that nobody is to answer. */
import { toBunHeaders } from './bunAnswer.ts'
import { isHost } from './host.ts'
import { type ProtocolError, protocolErrors, toProtocolErrorResponse } from './unsound.ts'

/** Why to refuse a request that Bun let through; undefined for a sound one. */
export function findBunProtocolError({ method, headers }: Request): ProtocolError | undefined {
  // Bun joins the lines of one name. Two hosts are two answers to the question of who was asked (RFC 9112 §3.2), two lengths to where the body ends.
  if (!isHost(headers.get('host') ?? '')) return protocolErrors.host
  if (method === 'GET' || method === 'HEAD') return undefined
  // What follows would be the bytes of the tunnel (RFC 9110 §9.3.6).
  if (method === 'CONNECT') return protocolErrors.tunnel
  if (method === 'SOURCE') return protocolErrors.method
  if (headers.get('content-length')?.includes(',') === true) return protocolErrors.lengths
  const expectation = headers.get('expect')
  return expectation === null || expectation.toLowerCase() === '100-continue' ? undefined : protocolErrors.expectation
}

/** Refuses such a request, and ends its connection. */
export function rejectOnBun(flaw: ProtocolError): Response {
  const { status, headers, body } = toProtocolErrorResponse(flaw)
  return new Response(body, { status, headers: toBunHeaders(headers) })
}
