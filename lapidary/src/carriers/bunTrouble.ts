/** What Bun leaves to its user: requests that its parser lets through, and that nobody is to answer. */
import { answer } from '../describe/message.ts'
import { problem } from '../describe/problem.ts'

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
  const headers = { 'Content-Type': 'application/problem+json', 'X-Content-Type-Options': 'nosniff', Connection: 'close' }
  const detail = status === 417 ? answer.expectation() : answer.oneHost()
  return new Response(JSON.stringify(problem(status, { detail })), { status, headers })
}
