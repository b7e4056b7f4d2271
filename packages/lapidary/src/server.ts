/** `lapidary/server`: serves an API with its handlers. */
import { type FetchHandler, toFetch } from './adapters/fetch/toFetch.ts'
import type { Api } from './contract/api.ts'
import type { HttpHandler } from './http/httpHandler.ts'
import type { Handlers } from './server/handlers.ts'
import { createApiHandler, type ServeOptions } from './server/serve.ts'

export { fromFetch } from './adapters/fetch/fromFetch.ts'
export { type FetchHandler, toFetch } from './adapters/fetch/toFetch.ts'
export type { ErrorContext, ErrorListener } from './http/errorReport.ts'
export type { HttpHandler, HttpRequest, HttpResponse, RequestEnd, ResponseBody } from './http/httpHandler.ts'
export { type ProblemFormat, problemJson } from './http/problemResponse.ts'
export type { Middleware } from './middleware/compose.ts'
export { type Authenticator, authenticate, type Verifier } from './server/authenticate.ts'
export type { ErrorMapper } from './server/errorResponse.ts'
export { guard } from './server/guard.ts'
export type { Handler, HandlerInput, Handlers } from './server/handlers.ts'
export { type HealthCheck, type HealthOptions, healthHandlers } from './server/healthHandlers.ts'
export type { IdempotencyOptions } from './server/idempotency.ts'
export { type IdempotencyClaim, type IdempotencyRecord, type IdempotencyStore, memoryIdempotencyStore } from './server/idempotencyStore.ts'
export { chain, type Next, type NextResult, type Provider, provide } from './server/provide.ts'
export type { ServeOptions } from './server/serve.ts'

/** A served API: a handler for every adapter, and a `fetch` of web standards. */
export type ApiServer = HttpHandler & {
  readonly fetch: FetchHandler
  /**
   * Whether a path belongs to the API: to an endpoint, by any method, or to a mount. With a `fallback`, every path does. A server around this
   * one asks it, and answers the other paths itself: `server.hasPath(url.pathname) ? server.fetch(request) : next()`.
   *
   * @param target a path, percent-encoded; its query is ignored
   */
  readonly hasPath: (target: string) => boolean
}

/**
 * Serves an API: `listen(serve(api, handlers), { port: 8081 })` on Node, `export default { fetch: serve(api, handlers).fetch }` elsewhere.
 *
 * @param handlers one function for each endpoint, and one `HttpHandler` for each mount, in the same shape as the API
 * @throws TypeError, one sentence with its remedy: two endpoints with one route, an endpoint without a handler, an auth scheme without an
 * authenticator, a conditional change of a path whose GET has no ETag, middleware that is no function or returns no handler.
 * @example
 * ```ts
 * import { endpoint, int, ok, text } from 'lapidary'
 * import { listen } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const api = { square: endpoint('GET /squares/:number', { params: { number: int }, response: ok(text) }) }
 * const server = serve(api, { square: ({ params: { number } }) => `${number * number}` })
 * await listen(server, { port: 8081 })
 * ```
 */
export function serve<const A extends Api>(api: A, handlers: NoInfer<Handlers<A>>, options: ServeOptions = {}): ApiServer {
  const handler = createApiHandler<A>(api, handlers, options)
  return Object.assign(handler, { fetch: toFetch(handler, options) })
}
