/** `Middleware`, and `compose(middleware, handler)`: a list of middleware around a handler, the outermost first. */
import { type Api, mount } from '../contract/api.ts'
import { describeKind } from '../http/functions.ts'
import type { HttpHandler } from '../http/httpHandler.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** The information that middleware gets about its server. */
export interface MiddlewareContext {
  /** The served API. For a handler without an API, see `compose`: the API then has only one operation, `mount('/')`. */
  readonly api: Api
}

/**
 * A function from one handler to another. `serve` calls it once; the handler that it returns is called for each request, and calls `next`
 * for the response of all that comes after it in the list.
 *
 * @example
 * ```ts
 * import type { Middleware } from 'lapidary/middleware'
 *
 * const logStatus: Middleware = (next) => async (request) => {
 *   const response = await next(request)
 *   console.log(request.method, response.route, response.status)
 *   return response
 * }
 * ```
 */
export type Middleware = (next: HttpHandler, context: MiddlewareContext) => HttpHandler

/**
 * Puts middleware around a handler.
 *
 * @param place what messages begin with: `serve()`
 * @throws TypeError for no list, for an element that is no function, and for middleware that returns no handler.
 */
export function applyMiddleware(
  place: string,
  middleware: readonly Middleware[],
  handler: HttpHandler,
  context: MiddlewareContext,
): HttpHandler {
  if (!Array.isArray(middleware)) throw new TypeError(developerErrors.expectedMiddlewareList(place, describeKind(middleware)))
  for (const [index, element] of middleware.entries())
    if (typeof element !== 'function') throw new TypeError(developerErrors.expectedMiddleware(place, index, describeKind(element)))
  return middleware.reduceRight<HttpHandler>((next, element, index) => {
    const outer: unknown = element(next, context)
    if (typeof outer !== 'function') throw new TypeError(developerErrors.expectedHandler(place, index, describeKind(outer)))
    return outer as HttpHandler
  }, handler)
}

/**
 * Puts middleware around a handler that is not made by `serve`, such as a folder of files. The first of the list is the outermost.
 *
 * To the middleware, the handler is an API with one mount: `cors` leaves the methods of its paths to it. A served API gets its middleware
 * from `serve`, so that its paths are known.
 *
 * @throws TypeError for no list, for an element that is no function, for middleware that returns no handler, and without a handler.
 * @example
 * ```ts
 * import { compose, cors, requestId } from 'lapidary/middleware'
 * import { listen } from 'lapidary/node'
 * import { serveStatic } from 'lapidary/static'
 *
 * await listen(compose([requestId(), cors({ origins: '*' })], serveStatic('./public')), { port: 8081 })
 * ```
 */
export function compose(middleware: readonly Middleware[], handler: HttpHandler): HttpHandler {
  if (typeof handler !== 'function') throw new TypeError(developerErrors.composedNoHandler(describeKind(handler)))
  return applyMiddleware('compose()', middleware, handler, Object.freeze({ api: Object.freeze({ handler: mount('/') }) }))
}
