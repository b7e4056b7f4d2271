/** What Bun leaves to its user: requests that its parser lets through, and that nobody is to answer. */
import { headersOf } from './bunAnswer.ts'
import { isHost } from './host.ts'
import { flaws, type Unsound, unsound } from './unsound.ts'

/** Why to refuse a request that Bun let through; undefined for a sound one. */
export function refusalOf({ method, headers }: Request): Unsound | undefined {
  // Bun joins the lines of one name. Two hosts are two answers to the question of who was asked (RFC 9112 §3.2), two lengths to where the body ends.
  if (!isHost(headers.get('host') ?? '')) return flaws.host
  if (method === 'GET' || method === 'HEAD') return undefined
  // What follows would be the bytes of the tunnel (RFC 9110 §9.3.6).
  if (method === 'CONNECT') return flaws.tunnel
  if (method === 'SOURCE') return flaws.method
  if (headers.get('content-length')?.includes(',') === true) return flaws.lengths
  const expectation = headers.get('expect')
  return expectation === null || expectation.toLowerCase() === '100-continue' ? undefined : flaws.expectation
}

/** Refuses such a request, and ends its connection. */
export function refused(flaw: Unsound): Response {
  const { status, headers, body } = unsound(flaw)
  return new Response(body, { status, headers: headersOf(headers) })
}
