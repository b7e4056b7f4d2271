/** `Middleware`, and `compose(middleware, handler)`: a list of middleware around a handler, the outermost first. */
import { type Api, mount } from '../contract/api.ts'
import { findEndpoint } from '../contract/apiIndex.ts'
import type { AnyAuthScheme } from '../contract/auth/authScheme.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { describeKind } from '../http/functions.ts'
import { isOwnHttpError } from '../http/httpError.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { respondWithProblemJson } from '../http/problemResponse.ts'
import { type Awaitable, isPromise } from '../http/promises.ts'
import { getOwnProblem } from '../http/quotaExceededError.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import { checkOrder } from './order.ts'

/** The information that middleware gets about its server. */
export interface MiddlewareContext {
  /** The served API. For a handler without an API, see `compose`: the API then has only one operation, `mount('/')`. */
  readonly api: Api
  /**
   * Finds the endpoint that a request will reach, by its method and its path, for instance to read its `meta`. Undefined if none matches. It
   * does not read the captures: the server may still send 400 for them. Call it before middleware of your own changes the `target`.
   */
  readonly findEndpoint: (request: Pick<HttpRequest, 'method' | 'target'>) => AnyEndpoint | undefined
}

/** Called when the credentials of a request have given a user. It throws an error to refuse the request. */
export type AuthenticationListener = (scheme: AnyAuthScheme, user: unknown, request: HttpRequest) => Awaitable<void>

/** What is known about the middleware of one server. */
interface MiddlewareNotes {
  readonly listeners: AuthenticationListener[]
  /** The response headers that middleware adds, and that a page may want to read. */
  readonly exposedHeaders: Set<string>
}

const middlewareNotes = new WeakMap<MiddlewareContext, MiddlewareNotes>()

/**
 * Makes what middleware gets about its server.
 *
 * @param listeners Middleware adds to them what the server calls when it knows a user.
 */
export function createMiddlewareContext(api: Api, listeners: AuthenticationListener[] = []): MiddlewareContext {
  const context = Object.freeze({ api, findEndpoint: (request: Pick<HttpRequest, 'method' | 'target'>) => findEndpoint(api, request) })
  middlewareNotes.set(context, { listeners, exposedHeaders: new Set() })
  return context
}

/** Adds a listener for the users of a server. A handler that is not made by `serve` has none. */
export const addAuthenticationListener = (context: MiddlewareContext, listener: AuthenticationListener): void =>
  void middlewareNotes.get(context)?.listeners.push(listener)

/** Says that a middleware adds response headers that a page may want to read. */
export function exposeHeaders(context: MiddlewareContext, ...names: readonly string[]): void {
  for (const name of names) middlewareNotes.get(context)?.exposedHeaders.add(name)
}

/** Lists the headers that the middleware further inside exposes: it is put around the handler first. */
export const listExposedHeaders = (context: MiddlewareContext): readonly string[] => [
  ...(middlewareNotes.get(context)?.exposedHeaders ?? []),
]

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
 * @example
 * ```ts
 * import { errors } from 'lapidary'
 * import type { Middleware } from 'lapidary/middleware'
 *
 * declare module 'lapidary' {
 *   interface EndpointMeta {
 *     readonly isOpenAtNight?: boolean
 *   }
 * }
 * const closeAtNight: Middleware = (next, { findEndpoint }) => (request) => {
 *   if (new Date().getHours() >= 22 && findEndpoint(request)?.meta?.isOpenAtNight !== true) throw errors.serviceUnavailable()
 *   return next(request)
 * }
 * ```
 */
export type Middleware = (next: HttpHandler, context: MiddlewareContext) => HttpHandler

/** Makes the response to an error that middleware has thrown. @throws an error that has no response */
export type MiddlewareErrorResponder = (error: unknown, request: HttpRequest) => HttpResponse

/** Adds the response to an error that a middleware throws, so that the middleware around it sees a response. */
const addErrorResponse =
  (handler: HttpHandler, respondToError: MiddlewareErrorResponder): HttpHandler =>
  (request) => {
    try {
      const response = handler(request)
      return isPromise(response) ? response.then(undefined, (error: unknown) => respondToError(error, request)) : response
    } catch (error) {
      return respondToError(error, request)
    }
  }

/**
 * Puts middleware around a handler.
 *
 * @param place what messages begin with: `serve()`
 * @throws TypeError for no list, for an element that is no function, for an order in which one would not do what it says, and for
 * middleware that returns no handler.
 */
export function applyMiddleware(
  place: string,
  middleware: readonly Middleware[],
  handler: HttpHandler,
  context: MiddlewareContext,
  respondToError: MiddlewareErrorResponder,
): HttpHandler {
  if (!Array.isArray(middleware)) throw new TypeError(middlewareErrors.expectedMiddlewareList(place, describeKind(middleware)))
  for (const [index, element] of middleware.entries())
    if (typeof element !== 'function') throw new TypeError(middlewareErrors.expectedMiddleware(place, index, describeKind(element)))
  checkOrder(place, middleware)
  return middleware.reduceRight<HttpHandler>((next, element, index) => {
    const outer: unknown = element(next, context)
    if (typeof outer !== 'function') throw new TypeError(middlewareErrors.expectedHandler(place, index, describeKind(outer)))
    return addErrorResponse(outer as HttpHandler, respondToError)
  }, handler)
}

function respondToHttpError(error: unknown): HttpResponse {
  if (!isOwnHttpError(error)) throw error
  const { status, detail, errors } = error
  const headers = Object.entries(error.headers).flatMap(([name, values]) => [values].flat().flatMap((value) => [name, value]))
  return respondWithProblemJson(status, { detail, errors, headers, problem: getOwnProblem(error) })
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
  if (typeof handler !== 'function') throw new TypeError(middlewareErrors.composedNoHandler(describeKind(handler)))
  return applyMiddleware(
    'compose()',
    middleware,
    handler,
    createMiddlewareContext(Object.freeze({ handler: mount('/') })),
    respondToHttpError,
  )
}
