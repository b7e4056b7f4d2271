/** `securityHeaders(headers)`: headers that make browsers more careful with a response. */
import { isHeaderName } from '../http/headerFields.ts'
import { type HttpResponse, isAlreadySent } from '../http/httpHandler.ts'
import { andThen } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { Middleware } from './compose.ts'
import { refuseHandler } from './options.ts'

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

/** Merges headers, whose names have any case. @throws TypeError for a name or a value that cannot be sent */
function mergeHeaders(headers: SecurityHeaders): ReadonlyMap<string, readonly [name: string, value: string]> {
  const merged = new Map<string, readonly [name: string, value: string]>()
  for (const [name, value] of Object.entries({ ...defaultHeaders })) merged.set(name.toLowerCase(), [name, String(value)])
  for (const [name, value] of Object.entries(headers)) {
    if (!isHeaderName(name)) throw new TypeError(developerErrors.unsendableHeaderName('securityHeaders(): a name', name))
    if (value !== false && !isSendable(value)) throw new TypeError(developerErrors.unsendableHeader('securityHeaders()', name, value))
    if (value === false) merged.delete(name.toLowerCase())
    else merged.set(name.toLowerCase(), [name, value])
  }
  return merged
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
  const wanted = mergeHeaders(headers)
  function addHeaders(response: HttpResponse): HttpResponse {
    if (isAlreadySent(response)) return response
    const present = new Set<string>()
    for (let index = 0; index < response.headers.length; index += 2) present.add(String(response.headers[index]).toLowerCase())
    const missing = [...wanted].flatMap(([lowerName, line]) => (present.has(lowerName) ? [] : line))
    return { ...response, headers: [...response.headers, ...missing] }
  }
  return (next) => (request) => andThen(next(request), addHeaders)
}
