/** `securityHeaders(headers)`: headers that make browsers more careful with a response. */
import { hasHeader, isHeaderName } from '../http/headerFields.ts'
import { type HttpResponse, isAlreadySent } from '../http/httpHandler.ts'
import { andThen } from '../http/promises.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import type { Middleware } from './compose.ts'
import { refuseHandler } from './options.ts'
import { withTraits } from './order.ts'

/** Headers by their names. `false` leaves out a header that is sent by default. */
export type SecurityHeaders = Readonly<Record<string, string | false>>

/** What is right for an API, and for a page that loads what it needs from its own origin. */
const defaultHeaders: SecurityHeaders = {
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
}

/** Visible characters, spaces and tabs (RFC 9110, §5.5). */
const isSendable = (value: unknown): boolean => typeof value === 'string' && /^[\t\x20-\x7e]+$/.test(value)

/** Returns the headers to send, beside the default ones. @throws TypeError for a name or a value that cannot be sent */
function listHeaders(headers: SecurityHeaders): readonly (readonly [name: string, value: string])[] {
  const given = Object.entries(headers)
  for (const [name, value] of given) {
    if (!isHeaderName(name)) throw new TypeError(middlewareErrors.unsendableHeaderName('securityHeaders(): a name', name))
    if (value !== false && !isSendable(value)) throw new TypeError(middlewareErrors.unsendableHeader('securityHeaders()', name, value))
  }
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  const others = Object.entries(defaultHeaders).filter(([name]) => !names.has(name.toLowerCase()))
  return [...others, ...given].flatMap(([name, value]) => (value === false ? [] : [[name, value] as const]))
}

/**
 * Adds headers that make browsers more careful with a response: no other site frames it, embeds it or learns its URL, and its type is not
 * guessed. A header that a response has already stays as it is, so an endpoint declares its own by `responseHeaders`.
 *
 * By default these are `Content-Security-Policy: frame-ancestors 'none'`, `Cross-Origin-Opener-Policy: same-origin`,
 * `Cross-Origin-Resource-Policy: same-origin`, `Referrer-Policy: no-referrer`, `Strict-Transport-Security: max-age=31536000` (browsers
 * obey it over TLS alone), `X-Content-Type-Options: nosniff` and `X-Frame-Options: DENY`.
 *
 * @param headers further headers, other values, or `false` for those to leave out
 * @throws TypeError for a name or a value that cannot be sent.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { securityHeaders } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const headers = { 'Content-Security-Policy': "default-src 'self'", 'Strict-Transport-Security': false } as const
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [securityHeaders(headers)] })
 * ```
 */
export function securityHeaders(headers: SecurityHeaders = {}): Middleware {
  refuseHandler('securityHeaders()', headers)
  const lines = listHeaders(headers)
  function addHeaders(response: HttpResponse): HttpResponse {
    if (isAlreadySent(response)) return response
    const missing = lines.flatMap((line) => (hasHeader(response.headers, line[0]) ? [] : line))
    return { ...response, headers: [...response.headers, ...missing] }
  }
  const middleware: Middleware = (next) => (request) => andThen(next(request), addHeaders)
  return withTraits('securityHeaders', middleware)
}
