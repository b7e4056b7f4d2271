/** The public door of the server. */
import { type Fetch, fetchOf } from '../carriers/fetch.ts'
import type { Api } from '../describe/api.ts'
import type { Handlers } from '../server/handlers.ts'
import type { Kernel } from '../server/kernel.ts'
import { type ServeOptions, serve as serveKernel } from '../server/serve.ts'

export { type Fetch, type FetchOptions, fetchOf, fromFetch } from '../carriers/fetch.ts'
export { type Check, check, type Verify } from '../server/guard.ts'
export type { Handler, Handlers } from '../server/handlers.ts'
export type { Ending, Incoming, Kernel, Outgoing, OutgoingBody } from '../server/kernel.ts'
export type { Translate } from '../server/raise.ts'
export { type ProblemFormat, problemJson } from '../server/refuse.ts'
export type { Incident, Report } from '../server/report.ts'
export type { ServeOptions } from '../server/serve.ts'

/** A served API: a kernel for any carrier, with its web-standard face. */
export type Served = Kernel & { readonly fetch: Fetch }

/**
 * Serves an API: `listen(serve(api, handlers), { port: 8081 })` on Node, `export default { fetch: serve(api, handlers).fetch }` elsewhere.
 *
 * @throws TypeError, one sentence with its cure: two endpoints at one route, an endpoint without a handler, an auth scheme without a check.
 */
export function serve<const A extends Api>(api: A, handlers: NoInfer<Handlers<A>>, options: ServeOptions = {}): Served {
  const kernel = serveKernel<A>(api, handlers, options)
  return Object.assign(kernel, { fetch: fetchOf(kernel, options) })
}
