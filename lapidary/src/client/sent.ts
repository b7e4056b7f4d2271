/** Sends a request, and follows redirections as far as nobody is shown what was meant for the server. */
import type { Send } from './client.ts'
import { left } from './pieces.ts'

/** What is sent: to any server, as often as it is asked to. */
export interface Sendable extends RequestInit {
  readonly method: string
  readonly headers: Headers
}

/** As many as `fetch` follows. */
const mostRedirections = 20

export const isRedirection = ({ status }: { readonly status: number }): boolean => /30[12378]/.test(`${status}`)

/** Sends it to `url`, and on within its origin, unless redirections are `declared`. The last answer may be a redirection. */
export async function sent(fetch: Send, url: string, { method, body, headers, signal }: Sendable, declared: boolean): Promise<Response> {
  // What is left may be seen by any server, but for Authorization: only of that does `fetch` know that it is not for everybody.
  const isOpen = body === null && [...headers.keys()].every((name) => /^a(ccept|uthorization)$/.test(name))
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(
      new Request(url, { method, body, headers, signal, redirect: declared || !isOpen ? 'manual' : 'follow' } as RequestInit),
    )
    const location = response.headers.get('location') ?? ''
    if (declared || hops === mostRedirections || !isRedirection(response) || !URL.canParse(location, url)) return response
    const next = new URL(location, url)
    if (next.origin !== new URL(url).origin) return response
    left(response.body)
    url = next.href
    // As Fetch has it (§4.4).
    if (response.status === 303 || (response.status < 303 && method === 'POST')) {
      method = 'GET'
      body = null
      headers.delete('content-type')
    }
  }
}
