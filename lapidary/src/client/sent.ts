/** Sends a request, and follows redirections as far as nobody is shown what was meant for the server. */
import type { FetchLike } from './client.ts'
import { cancelBody } from './pieces.ts'

/** What is sent: to any server, as often as it is asked to. */
export interface SendInit extends RequestInit {
  readonly method: string
  readonly headers: Headers
}

/** As many as `fetch` follows. */
const maxRedirects = 20

export const isRedirect = ({ status }: { readonly status: number }): boolean => /30[12378]/.test(`${status}`)

/** Sends it to `url`, and on within its origin, unless redirections are `declared`. The last answer may be a redirection. */
export async function fetchWithRedirects(
  fetch: FetchLike,
  url: string,
  { method, body, headers, signal }: SendInit,
  declared: boolean,
): Promise<Response> {
  // What is left may be seen by any server, but for Authorization: only of that does `fetch` know that it is not for everybody.
  const isOpen = body === null && [...headers.keys()].every((name) => /^a(ccept|uthorization)$/.test(name))
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(
      new Request(url, { method, body, headers, signal, redirect: declared || !isOpen ? 'manual' : 'follow' } as RequestInit),
    )
    const location = response.headers.get('location') ?? ''
    if (declared || hops === maxRedirects || !isRedirect(response) || !URL.canParse(location, url)) return response
    const next = new URL(location, url)
    if (next.origin !== new URL(url).origin) return response
    cancelBody(response.body)
    url = next.href
    // As Fetch has it (§4.4).
    if (response.status === 303 || (response.status < 303 && method === 'POST')) {
      method = 'GET'
      body = null
      headers.delete('content-type')
    }
  }
}
