/** The public door of the server. */
import { type FetchHandler, toFetch } from '../carriers/fetch.ts'
import type { Api } from '../describe/api.ts'
import type { Handlers } from '../server/handlers.ts'
import type { HttpHandler } from '../server/kernel.ts'
import { type ServeOptions, createApiHandler as serveKernel } from '../server/serve.ts'

export { type FetchHandler, fromFetch, type ToFetchOptions, toFetch } from '../carriers/fetch.ts'
export { type Authenticator, authenticate, type Verifier } from '../server/guard.ts'
export type { Handler, Handlers } from '../server/handlers.ts'
export type { HttpHandler, HttpRequest, HttpResponse, RequestEnd, ResponseBody } from '../server/kernel.ts'
export type { ErrorMapper } from '../server/raise.ts'
export { type ProblemFormat, problemJson } from '../server/refuse.ts'
export type { ErrorContext, ErrorListener } from '../server/report.ts'
export type { ServeOptions } from '../server/serve.ts'

/** A served API: a kernel for any carrier, with its web-standard face. */
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
