/** What Bun leaves to its user: requests that its parser lets through, and that nobody is to answer. */
import { headersOf } from './bunAnswer.ts'
import { unsound } from './unsound.ts'

/** The status to refuse a request with that Bun let through; undefined for a sound one. */
export function refusalOf({ method, headers }: Request): 400 | 417 | undefined {
  // Bun joins the lines of one name. Two hosts are two answers to the question of who was asked (RFC 9112 §3.2), two lengths to where the body ends.
  if (headers.get('host')?.includes(',') === true) return 400
  if (method === 'GET' || method === 'HEAD') return undefined
  // A tunnel is nobody's here, and what follows would be its bytes (RFC 9110 §9.3.6).
  if (method === 'CONNECT' || headers.get('content-length')?.includes(',') === true) return 400
  const expectation = headers.get('expect')
  return expectation === null || expectation.toLowerCase() === '100-continue' ? undefined : 417
}

/** Refuses such a request, and ends its connection. */
export function refused(status: 400 | 417): Response {
  const { headers, body } = unsound(status)
  return new Response(body, { status, headers: headersOf(headers) })
}
