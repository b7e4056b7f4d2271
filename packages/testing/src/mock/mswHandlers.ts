/** `handlers(server)`: the request handlers of MSW for a mock, or for any other server. */
import type { ApiServer } from 'lapidary/server'
import { http, type HttpHandler as MswHandler } from 'msw'

/** The options of `handlers`. */
interface MswOptions {
  /** Where the API is, with or without a path: `https://api.example/v1`. @default any origin, at its root */
  readonly url?: string | URL
}

/**
 * Returns the request handlers of [MSW](https://mswjs.io) for a server, such as a mock. With them a page runs without a network, in a browser
 * and in tests. A path that the API does not have is left to other handlers, and else to MSW (`onUnhandledRequest`): pages, scripts and
 * pictures are loaded as usual.
 *
 * @param server What `mock` or `serve` returns.
 * @param options Where the API is.
 * @returns handlers for `setupWorker` of `msw/browser` and `setupServer` of `msw/node`
 * @example
 * ```ts
 * import { handlers, mock } from '@lapidary/testing/msw'
 * import { endpoint, ok, text } from 'lapidary'
 * import { setupServer } from 'msw/node'
 *
 * const api = { greeting: endpoint('GET /greeting/:name', { response: ok(text) }) }
 * const network = setupServer(...handlers(mock(api), { url: 'https://api.example' }))
 * network.listen({ onUnhandledRequest: 'error' })
 * console.log(await (await fetch('https://api.example/greeting/Ann')).text())
 * network.close()
 * ```
 */
export function handlers(server: Pick<ApiServer, 'fetch' | 'hasPath'>, { url }: MswOptions = {}): MswHandler[] {
  const base = url === undefined ? undefined : new URL(url)
  const root = (base?.pathname ?? '').replace(/\/+$/, '')
  const respond = http.all('*', async ({ request }) => {
    const target = new URL(request.url)
    if (base !== undefined && (target.origin !== base.origin || !`${target.pathname}/`.startsWith(`${root}/`))) return undefined
    target.pathname = target.pathname.slice(root.length)
    if (!server.hasPath(target.pathname)) return undefined
    const response = await server.fetch(root === '' ? request : new Request(target, request))
    // MSW keeps a copy of each body, so a stream would go on after its call was cancelled.
    const body = response.body?.pipeThrough(new TransformStream(), { signal: request.signal })
    return body === undefined ? response : new Response(body, response)
  })
  return [respond]
}
