/** Requests and answers as they are sent and heard, whatever carries them. */
import type { DocumentedRequest } from 'lapidary/docs'

export interface Asked {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

export interface Heard {
  readonly status: number
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export type Ask = (asked: Asked) => Promise<Heard>

/** A documented request, with headers of one's own in place of those that are shown. */
export function asked({ method, target, headers, body }: DocumentedRequest, own: Asked['headers'] = {}): Asked {
  const bytes = body === null ? null : body.base64 ? Uint8Array.from(atob(body.text), (sign) => sign.charCodeAt(0)) : body.text
  return { method, target, headers: { ...headers, ...own }, body: bytes }
}

/** The same request with another header. */
export const withHeader = (one: Asked, name: string, value: string): Asked => ({ ...one, headers: { ...one.headers, [name]: value } })

/** The same request for one of the content types that are offered, and for no other. */
export const accepting = (one: Asked, type: string, offered: readonly string[]): Asked =>
  withHeader(one, 'Accept', [type, ...offered.filter((other) => other !== type).map((other) => `${other};q=0`)].join(', '))

/** The same request without some headers. */
export const withoutHeaders = (one: Asked, names: readonly string[]): Asked => ({
  ...one,
  headers: Object.fromEntries(Object.entries(one.headers).filter(([name]) => !names.includes(name))),
})

/** The same request with something more in its query. */
export const withQuery = (one: Asked, query: string): Asked => ({
  ...one,
  target: `${one.target}${one.target.includes('?') ? '&' : '?'}${query}`,
})
