/** Requests and responses as they are sent and received, on any connection. */
import type { DocumentedRequest } from 'lapidary/docs'

export interface ExchangeRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export interface ExchangeResponse {
  readonly status: number
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Exchange = (request: ExchangeRequest) => Promise<ExchangeResponse>

/** A documented request, with headers of one's own in place of those that are shown. */
export function toExchangeRequest(
  { method, target, headers, body }: DocumentedRequest,
  own: ExchangeRequest['headers'] = {},
): ExchangeRequest {
  const bytes = body === null ? null : body.base64 ? Uint8Array.from(atob(body.text), (sign) => sign.charCodeAt(0)) : body.text
  return { method, target, headers: { ...headers, ...own }, body: bytes }
}

/** The same request with another header. */
export const withHeader = (one: ExchangeRequest, name: string, value: string): ExchangeRequest => ({
  ...one,
  headers: { ...one.headers, [name]: value },
})

/** The same request for one of the content types that are offered, and for no other. */
export const accepting = (one: ExchangeRequest, type: string, offered: readonly string[]): ExchangeRequest =>
  withHeader(one, 'Accept', [type, ...offered.filter((other) => other !== type).map((other) => `${other};q=0`)].join(', '))

/** The same request without some headers. */
export const withoutHeaders = (one: ExchangeRequest, names: readonly string[]): ExchangeRequest => ({
  ...one,
  headers: Object.fromEntries(Object.entries(one.headers).filter(([name]) => !names.includes(name))),
})

/** The same request with something more in its query. */
export const withQuery = (one: ExchangeRequest, query: string): ExchangeRequest => ({
  ...one,
  target: `${one.target}${one.target.includes('?') ? '&' : '?'}${query}`,
})
