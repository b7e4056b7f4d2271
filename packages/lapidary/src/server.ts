/** `lapidary/server`: a contract and its handlers, served. */
import { type FetchHandler, toFetch } from './adapters/fetch/toFetch.ts'
import type { Api } from './contract/api.ts'
import type { HttpHandler } from './http/httpHandler.ts'
import type { Handlers } from './server/handlers.ts'
import { type ServeOptions, createApiHandler as serveKernel } from './server/serve.ts'

export { fromFetch } from './adapters/fetch/fromFetch.ts'
export { type FetchHandler, type ToFetchOptions, toFetch } from './adapters/fetch/toFetch.ts'
export type { ErrorContext, ErrorListener } from './http/errorReport.ts'
export type { HttpHandler, HttpRequest, HttpResponse, RequestEnd, ResponseBody } from './http/httpHandler.ts'
export { type ProblemFormat, problemJson } from './http/problemResponse.ts'
export { type Authenticator, authenticate, type Verifier } from './server/authenticate.ts'
export type { ErrorMapper } from './server/errorResponse.ts'
export type { Handler, HandlerInput, Handlers } from './server/handlers.ts'
export type { ServeOptions } from './server/serve.ts'

/** A served API: a kernel for any adapter, with its web-standard face. */
export type ApiServer = HttpHandler & { readonly fetch: FetchHandler }

/**
 * Serves an API: `listen(serve(api, handlers), { port: 8081 })` on Node, `export default { fetch: serve(api, handlers).fetch }` elsewhere.
 *
 * @throws TypeError, one sentence with its cure: two endpoints at one route, an endpoint without a handler, an auth scheme without a check.
 */
export function serve<const A extends Api>(api: A, handlers: NoInfer<Handlers<A>>, options: ServeOptions = {}): ApiServer {
  const kernel = serveKernel<A>(api, handlers, options)
  return Object.assign(kernel, { fetch: toFetch(kernel, options) })
}
