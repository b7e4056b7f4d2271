/** `createApiHandler(api, handlers)`: an API and its handlers, made into a kernel. The way of a request: find, read, handler, write. */
import { type Api, operations } from '../contract/api.ts'
import { collectConstantHeaders } from '../contract/constantHeaders.ts'
import { createErrorListener, type ErrorListener, toErrorContext } from '../http/errorReport.ts'
import type { HttpHandler, HttpRequest } from '../http/httpHandler.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import { formatPath } from '../http/route.ts'
import { createRouter, type Router } from '../http/router.ts'
import * as complaint from '../messages/developerErrors.ts'
import type { Authenticator } from './authenticate.ts'
import { createDispatcher, type MountedHandler, type PathOperations } from './dispatch.ts'
import { createErrorResponder, type ErrorMapper } from './errorResponse.ts'
import { checkStrayHandlers, findHandler, type Handlers } from './handlers.ts'
import { compileOperation } from './operation.ts'

/** How to serve an API. */
export interface ServeOptions {
  /** One check for each auth scheme that the API uses. */
  readonly auth?: readonly Authenticator[]
  /**
   * Gets every request that no endpoint and no mount matches, in place of 404, of 400 for a capture and of 405. OPTIONS of a path that the API has
   * is answered all the same.
   */
  readonly fallback?: HttpHandler
  /** The most bytes that a request body may have; more are answered 413. Default: 1,048,576. */
  readonly bodyLimit?: number
  /** How problems are written. Default: problem details as JSON (RFC 9457). */
  readonly format?: ProblemFormat
  /** Turns an error of the application's own into an answer; undefined leaves it unexpected. */
  readonly mapError?: ErrorMapper
  /** Told of every unexpected error. Default: `console.error`, since an error that nobody hears of costs an afternoon. */
  readonly onError?: ErrorListener
}

const serveOptionNames = ['auth', 'fallback', 'bodyLimit', 'format', 'mapError', 'onError']

/** @throws TypeError for an option that plain JavaScript has misspelt, and for a limit that would be none. */
function checkServeOptions(options: ServeOptions): void {
  const unknown = Object.keys(options).find((name) => !serveOptionNames.includes(name))
  if (unknown !== undefined) throw new TypeError(complaint.unknownServeOption(unknown, serveOptionNames.join(', ')))
  const { bodyLimit = 0 } = options
  if (typeof bodyLimit !== 'number' || !(bodyLimit >= 0)) throw new TypeError(complaint.invalidBodyLimit(bodyLimit))
}

const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What a path allows: its methods in their usual order, with those that come with them. */
export function getAllowedMethods(methods: Iterable<string>): readonly string[] {
  const known = new Set(methods).add('OPTIONS')
  if (known.has('GET')) known.add('HEAD')
  return methodOrder.filter((method) => known.has(method))
}

/**
 * Serves an API: compiles everything once, then only runs.
 *
 * @throws TypeError, one sentence with its cure: two endpoints at one route, an endpoint without a handler, an auth scheme without a check,
 * a change on condition of a tag that no GET of its path has.
 */
export function createApiHandler<const A extends Api>(api: A, handlers: NoInfer<Handlers<A>>, options: ServeOptions = {}): HttpHandler {
  checkServeOptions(options)
  const { auth = [], fallback, bodyLimit = 1_048_576, format = problemJson } = options
  const report = createErrorListener(options.onError)
  const refuse = createProblemResponder(format)
  const raise = createErrorResponder({ respondWithProblem: refuse, onError: report, mapError: options.mapError ?? (() => undefined) })
  const resources: Router<PathOperations> = createRouter()
  const mounts: Router<MountedHandler> = createRouter()

  /** Of a stream that fails when its answer is under way. */
  const told = (error: unknown, incoming: HttpRequest, route?: string): void =>
    report(error, { ...toErrorContext(incoming), ...(route === undefined ? {} : { route }) })

  checkStrayHandlers(handlers, api)
  for (const walked of operations(api)) {
    const { name, operation: described } = walked
    const handler = findHandler(handlers, walked)
    if (described['~kind'] === 'mount') {
      const mounted = mounts.getOrInsert(described.segments, () => ({ name, route: described.prefix, handler: handler as HttpHandler }))
      if (mounted.name !== name) throw new TypeError(complaint.duplicateMount(mounted.name, name, described.prefix))
      continue
    }
    const resource = resources.getOrInsert(described.segments, () => ({ operations: new Map(), allow: '', constantHeaders: [] }))
    const { operations } = resource
    const other = operations.get(described.method)
    if (other !== undefined)
      throw new TypeError(complaint.duplicateRoute(other.name, name, `${described.method} ${formatPath(described.segments)}`))
    operations.set(
      described.method,
      compileOperation(name, described, handler as Parameters<typeof compileOperation>[2], {
        auth,
        bodyLimit,
        onError: told,
        generateCurrentEtags: (value) => operations.get('GET')?.generateEtags?.(value) ?? [],
      }),
    )
    resource.allow = getAllowedMethods(operations.keys()).join(', ')
    resource.constantHeaders = collectConstantHeaders([...operations.values()].map(({ endpoint }) => endpoint))
  }
  for (const { operation: described } of operations(api)) {
    if (described['~kind'] === 'mount' || typeof described.etag !== 'string') continue
    const found = resources.getOrInsert(described.segments, () => ({ operations: new Map(), allow: '', constantHeaders: [] }))
    if (found.operations.get('GET')?.generateEtags === undefined) throw new TypeError(complaint.missingEtagOnGet(described.route))
  }
  return createDispatcher({ resources, mounts, fallback, respondWithProblem: refuse, respondToError: raise, onError: told })
}
