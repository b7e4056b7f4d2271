/** Follows redirects, as far as one origin. */
import { cancelBody } from './response.ts'

/** Sends a request: the global `fetch`, or `server.fetch`. */
export type FetchLike = (request: Request) => Promise<Response>

/** A request that can be sent again, to another URL. */
export interface SendInit extends RequestInit {
  readonly method: string
  readonly headers: Headers
}

/** As many as `fetch` follows. */
const maxRedirects = 20

export const isRedirect = ({ status }: { readonly status: number }): boolean => /30[12378]/.test(`${status}`)

/**
 * Sends a request, and follows redirects within its origin. The last response may be a redirect.
 *
 * @param declaresRedirect whether the endpoint declares redirects: then none is followed
 */
export async function fetchWithRedirects(
  fetch: FetchLike,
  url: string,
  { method, body, headers, signal }: SendInit,
  declaresRedirect: boolean,
): Promise<Response> {
  // Any origin may get this request: when `fetch` itself follows a redirect to another origin, it removes Authorization, and nothing else.
  const isPublic = body === null && [...headers.keys()].every((name) => /^a(ccept|uthorization)$/.test(name))
  const redirect = isPublic && !declaresRedirect ? 'follow' : 'manual'
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(new Request(url, { method, body, headers, signal, duplex: 'half', redirect } as RequestInit))
    const location = response.headers.get('location') ?? ''
    // Without a target there is nowhere to go: an empty one is this very URL, where a POST would be sent again.
    const hasTarget = location !== '' && URL.canParse(location, url)
    if (declaresRedirect || hops === maxRedirects || !isRedirect(response) || !hasTarget) return response
    const next = new URL(location, url)
    if (next.origin !== new URL(url).origin || next.username || next.password) return response
    url = next.href
    // As `fetch` does it (Fetch §4.4).
    if (response.status === 303 ? !/^(GET|HEAD)$/.test(method) : response.status < 303 && method === 'POST') {
      method = 'GET'
      body = null
      for (const name of ['encoding', 'language', 'location', 'type']) headers.delete(`content-${name}`)
    }
    // A stream cannot be sent again.
    if (body instanceof ReadableStream) return response
    cancelBody(response.body)
  }
}
