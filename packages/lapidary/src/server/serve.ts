/** Compiles an API and its handlers to one request handler. The path of a request: dispatch, operation, handler, write. */
import { type Api, isMount, type NamedOperation, operations } from '../contract/api.ts'
import { type ApiIndex, createApiIndex, createIndexedPath } from '../contract/apiIndex.ts'
import { createErrorListener, type ErrorListener, toErrorContext } from '../http/errorReport.ts'
import { checkFunctions, checkOptions } from '../http/functions.ts'
import { isOwnHttpError } from '../http/httpError.ts'
import type { HttpHandler, HttpRequest } from '../http/httpHandler.ts'
import { type ByteSize, requireByteSize } from '../http/limits.ts'
import { type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type AuthenticationListener, applyMiddleware, createMiddlewareContext, type Middleware } from '../middleware/compose.ts'
import type { Authenticator } from './authenticate.ts'
import { createDispatcher } from './dispatch.ts'
import { createErrorResponder, createMarkingResponder, type ErrorMapper } from './errorResponse.ts'
import { checkStrayHandlers, findHandler, type Handlers, type OperationHandler } from './handlers.ts'
import { completeIdempotencyOptions, type IdempotencyOptions } from './idempotency.ts'
import { type CompiledOperation, compileOperation } from './operation.ts'

/** How to serve an API. */
export interface ServeOptions {
  /**
   * Middleware around all handlers. The first in the list is the outermost: `[requestId(), cors({ origins }), timeout(5_000)]`. An
   * `HttpError` that middleware throws is the response. For any other error the adapter sends 500, and calls `onError` with it: the `onError`
   * of `listen`, or, for `server.fetch`, the `onError` of these options.
   *
   * @default none
   */
  readonly middleware?: readonly Middleware[]
  /** One authenticator for each auth scheme of the API. */
  readonly auth?: readonly Authenticator[]
  /**
   * Handles each request that matches no endpoint and no mount, instead of 404, 405, and 400 for a capture. The server still answers
   * OPTIONS for the paths of the API. To handle only unknown paths, and to show this in the description, write `mount('/')`.
   */
  readonly fallback?: HttpHandler
  /**
   * The largest request body, such as `'5 MB'`, or a number of bytes; a larger body gets 413. An endpoint can have its own limit.
   *
   * @default 1,048,576
   */
  readonly maxBodySize?: ByteSize
  /** Where the first responses of endpoints with `idempotent` are kept, and for how long no other request can use the key of a handler. */
  readonly idempotency?: IdempotencyOptions
  /** How problems are written. @default problemJson, problem details as JSON (RFC 9457) */
  readonly format?: ProblemFormat
  /** Turns an error of the application into an HttpError; undefined leaves it unexpected. */
  readonly mapError?: ErrorMapper
  /** Receives every unexpected error. @default `console.error` */
  readonly onError?: ErrorListener
}

const serveOptionNames = 'middleware, auth, fallback, maxBodySize, idempotency, format, mapError, onError'

/** @throws TypeError for an unknown option, and for one that is no function, which plain JavaScript can give. */
function checkServeOptions(options: ServeOptions): void {
  checkOptions('serve()', options, serveOptionNames)
  const { fallback, format, mapError, onError } = options
  checkFunctions('serve()', { fallback, format, mapError, onError })
}

/** @throws TypeError for two mounts with one prefix. */
function checkMounts({ mounts }: ApiIndex<CompiledOperation>, all: readonly NamedOperation[]): void {
  for (const named of all) {
    const { name, operation } = named
    if (!isMount(operation)) continue
    const first = mounts.getOrInsert(operation.segments, () => named)
    if (first.name !== name) throw new TypeError(developerErrors.duplicateMount(first.name, name, operation.prefix))
  }
}

/** @throws TypeError for a conditional change of a path whose GET has no ETag. */
function checkEtags({ paths }: ApiIndex<CompiledOperation>, all: readonly NamedOperation[]): void {
  for (const { operation } of all) {
    if (isMount(operation) || typeof operation.etag !== 'string') continue
    const { entries } = paths.getOrInsert(operation.segments, createIndexedPath)
    if (entries.get('GET')?.generateEtags === undefined) throw new TypeError(developerErrors.missingEtagOnGet(operation.route))
  }
}

/** Returns a function that says whether a target has a path that is not answered with 404 for the path alone. */
const createPathTest =
  ({ paths, mounts }: ApiIndex<CompiledOperation>) =>
  (target: string): boolean => {
    const path = target.split('?', 1)[0] as string
    return paths.find(path) !== undefined || mounts.findPrefix(path) !== undefined
  }

/**
 * Compiles an API and its handlers.
 *
 * @throws TypeError, one sentence with its remedy: two endpoints with one route, an endpoint without a handler, an auth scheme without an
 * authenticator, a conditional change of a path whose GET has no ETag, middleware that is no function or returns no handler.
 */
export function createApiHandler<const A extends Api>(
  api: A,
  handlers: NoInfer<Handlers<A>>,
  options: ServeOptions = {},
): HttpHandler & { readonly hasPath: (target: string) => boolean } {
  checkServeOptions(options)
  const { auth = [], fallback, maxBodySize = 1_048_576, format = problemJson, mapError = () => undefined } = options
  const defaultMaxBodySize = requireByteSize('serve()', 'maxBodySize', maxBodySize)
  const idempotency = completeIdempotencyOptions(options.idempotency ?? {})
  const onError = createErrorListener(options.onError)
  const respondWithProblem = createMarkingResponder(format)
  const respondToError = createErrorResponder({ respondWithProblem, onError, mapError })
  const onLateError = (error: unknown, request: HttpRequest, route?: string): void =>
    onError(error, { ...toErrorContext(request), ...(route === undefined ? {} : { route }) })

  const authenticationListeners: AuthenticationListener[] = []
  checkStrayHandlers(handlers, api)
  const all = operations(api)
  const handlersByOperation = new Map(all.map((named) => [named, findHandler(handlers, named)]))
  const index = createApiIndex<CompiledOperation>(all, (endpoint, named, { entries }) =>
    compileOperation(named.name, endpoint, handlersByOperation.get(named) as OperationHandler, {
      auth,
      authenticationListeners,
      maxBodySize: defaultMaxBodySize,
      generateCurrentEtags: (value) => entries.get('GET')?.generateEtags?.(value) ?? [],
      idempotency,
      respondToError,
      onLateError,
    }),
  )
  checkMounts(index, all)
  checkEtags(index, all)
  const dispatch = createDispatcher({
    index,
    mountHandlers: handlersByOperation as ReadonlyMap<NamedOperation, HttpHandler>,
    fallback,
    respondWithProblem,
    respondToError,
    onLateError,
  })
  const { middleware = [] } = options
  const handler = applyMiddleware(
    'serve()',
    middleware,
    dispatch,
    createMiddlewareContext(api, authenticationListeners),
    (error, request) => {
      // The adapter reports anything else.
      if (!isOwnHttpError(error)) throw error
      return respondToError(error, request)
    },
  )
  // A function of its own: `serve` adds `fetch` to it, and middleware may return a function that others use as well.
  return Object.assign(handler === dispatch ? dispatch : (request: HttpRequest) => handler(request), {
    hasPath: fallback === undefined ? createPathTest(index) : () => true,
  })
}
