/** `lapidary/server`: a contract and its handlers, served. */
import { toFetch } from './adapters/fetch/toFetch.js'
import { createApiHandler as serveKernel } from './server/serve.js'

export { fromFetch, toFetch } from './adapters/fetch/toFetch.js'
export { problemJson } from './http/problemResponse.js'
export { authenticate } from './server/authenticate.js'
/**
 * Serves an API: `listen(serve(api, handlers), { port: 8081 })` on Node, `export default { fetch: serve(api, handlers).fetch }` elsewhere.
 *
 * @throws TypeError, one sentence with its cure: two endpoints at one route, an endpoint without a handler, an auth scheme without a check.
 */
export function serve(api, handlers, options = {}) {
  const kernel = serveKernel(api, handlers, options)
  return Object.assign(kernel, { fetch: toFetch(kernel, options) })
}
