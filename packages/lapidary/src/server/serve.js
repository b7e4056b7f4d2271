/** `createApiHandler(api, handlers)`: an API and its handlers, made into a kernel. The way of a request: find, read, handler, write. */
import { operations } from '../contract/api.js'
import { collectConstantHeaders } from '../contract/constantHeaders.js'
import { createErrorListener, toErrorContext } from '../http/errorReport.js'
import { createProblemResponder, problemJson } from '../http/problemResponse.js'
import { formatPath } from '../http/route.js'
import { createRouter } from '../http/router.js'
import * as complaint from '../messages/developerErrors.js'
import { createDispatcher } from './dispatch.js'
import { createErrorResponder } from './errorResponse.js'
import { checkStrayHandlers, findHandler } from './handlers.js'
import { compileOperation } from './operation.js'

const serveOptionNames = ['auth', 'fallback', 'bodyLimit', 'format', 'mapError', 'onError']
/** @throws TypeError for an option that plain JavaScript has misspelt, and for a limit that would be none. */
function checkServeOptions(options) {
  const unknown = Object.keys(options).find((name) => !serveOptionNames.includes(name))
  if (unknown !== undefined) throw new TypeError(complaint.unknownServeOption(unknown, serveOptionNames.join(', ')))
  const { bodyLimit = 0 } = options
  if (typeof bodyLimit !== 'number' || !(bodyLimit >= 0)) throw new TypeError(complaint.invalidBodyLimit(bodyLimit))
}
const methodOrder = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
/** What a path allows: its methods in their usual order, with those that come with them. */
export function getAllowedMethods(methods) {
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
export function createApiHandler(api, handlers, options = {}) {
  checkServeOptions(options)
  const { auth = [], fallback, bodyLimit = 1_048_576, format = problemJson } = options
  const report = createErrorListener(options.onError)
  const refuse = createProblemResponder(format)
  const raise = createErrorResponder({ respondWithProblem: refuse, onError: report, mapError: options.mapError ?? (() => undefined) })
  const resources = createRouter()
  const mounts = createRouter()
  /** Of a stream that fails when its answer is under way. */
  const told = (error, incoming, route) => report(error, { ...toErrorContext(incoming), ...(route === undefined ? {} : { route }) })
  checkStrayHandlers(handlers, api)
  for (const walked of operations(api)) {
    const { name, operation: described } = walked
    const handler = findHandler(handlers, walked)
    if (described['~kind'] === 'mount') {
      const mounted = mounts.getOrInsert(described.segments, () => ({ name, route: described.prefix, handler: handler }))
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
      compileOperation(name, described, handler, {
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
