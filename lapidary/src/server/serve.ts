/** `serve(api, handlers)`: an API and its handlers, made into a kernel. The way of a request: find, read, handler, write. */
import { type Api, walk } from '../describe/api.ts'
import * as complaint from '../describe/complaint.ts'
import { pathOf } from '../describe/route.ts'
import { type Router, router } from '../describe/router.ts'
import { constantHeaders } from './constant.ts'
import { dispatcher, type Mounted, type Resource } from './dispatch.ts'
import type { Check } from './guard.ts'
import { checkStray, type Handlers, handlerAt } from './handlers.ts'
import type { Incoming, Kernel } from './kernel.ts'
import { operation } from './operation.ts'
import { raiser, type Translate } from './raise.ts'
import { type ProblemFormat, problemJson, refuser } from './refuse.ts'
import { incidentOf, type Report, safeReport } from './report.ts'

/** How to serve an API. */
export interface ServeOptions {
  /** One check for each auth scheme that the API uses. */
  readonly auth?: readonly Check[]
  /**
   * Gets every request that no endpoint and no mount matches, in place of 404, of 400 for a capture and of 405. OPTIONS of a path that the API has
   * is answered all the same.
   */
  readonly fallback?: Kernel
  /** The most bytes that a request body may have; more are answered 413. Default: 1,048,576. */
  readonly bodyLimit?: number
  /** How problems are written. Default: problem details as JSON (RFC 9457). */
  readonly format?: ProblemFormat
  /** Turns an error of the application's own into an answer; undefined leaves it unexpected. */
  readonly translate?: Translate
  /** Told of every unexpected error. Default: `console.error`, since an error that nobody hears of costs an afternoon. */
  readonly report?: Report
}

const optionNames = ['auth', 'fallback', 'bodyLimit', 'format', 'translate', 'report']

/** @throws TypeError for an option that plain JavaScript has misspelt, and for a limit that would be none. */
function checkOptions(options: ServeOptions): void {
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name))
  if (unknown !== undefined) throw new TypeError(complaint.unknownOption(unknown, optionNames.join(', ')))
  const { bodyLimit = 0 } = options
  if (typeof bodyLimit !== 'number' || !(bodyLimit >= 0)) throw new TypeError(complaint.bodyLimit(bodyLimit))
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** What a path allows: its methods in their usual order, with those that come with them. */
export function allowed(methods: Iterable<string>): readonly string[] {
  const known = new Set(methods).add('OPTIONS')
  if (known.has('GET')) known.add('HEAD')
  return order.filter((method) => known.has(method))
}

/**
 * Serves an API: compiles everything once, then only runs.
 *
 * @throws TypeError, one sentence with its cure: two endpoints at one route, an endpoint without a handler, an auth scheme without a check,
 * a change on condition of a tag that no GET of its path has.
 */
export function serve<const A extends Api>(api: A, handlers: NoInfer<Handlers<A>>, options: ServeOptions = {}): Kernel {
  checkOptions(options)
  const { auth = [], fallback, bodyLimit = 1_048_576, format = problemJson } = options
  const report = safeReport(options.report)
  const refuse = refuser(format)
  const raise = raiser({ refuse, report, translate: options.translate ?? (() => undefined) })
  const resources: Router<Resource> = router()
  const mounts: Router<Mounted> = router()

  /** Of a stream that fails when its answer is under way. */
  const told = (error: unknown, incoming: Incoming, route?: string): void =>
    report(error, { ...incidentOf(incoming), ...(route === undefined ? {} : { route }) })

  checkStray(handlers, api)
  for (const walked of walk(api)) {
    const { name, operation: described } = walked
    const handler = handlerAt(handlers, walked)
    if (described['~kind'] === 'mount') {
      const mounted = mounts.at(described.segments, () => ({ name, route: described.prefix, kernel: handler as Kernel }))
      if (mounted.name !== name) throw new TypeError(complaint.sameMount(mounted.name, name, described.prefix))
      continue
    }
    const resource = resources.at(described.segments, () => ({ operations: new Map(), allow: '', always: [] }))
    const { operations } = resource
    const other = operations.get(described.method)
    if (other !== undefined) throw new TypeError(complaint.sameRoute(other.name, name, `${described.method} ${pathOf(described.segments)}`))
    operations.set(
      described.method,
      operation(name, described, handler as Parameters<typeof operation>[2], {
        auth,
        bodyLimit,
        report: told,
        tagsThere: (value) => operations.get('GET')?.tagsOf?.(value) ?? [],
      }),
    )
    resource.allow = allowed(operations.keys()).join(', ')
    resource.always = constantHeaders([...operations.values()].map(({ endpoint }) => endpoint))
  }
  for (const { operation: described } of walk(api)) {
    if (described['~kind'] === 'mount' || typeof described.etag !== 'string') continue
    const found = resources.at(described.segments, () => ({ operations: new Map(), allow: '', always: [] }))
    if (found.operations.get('GET')?.tagsOf === undefined) throw new TypeError(complaint.noRepresentation(described.route))
  }
  return dispatcher({ resources, mounts, fallback, refuse, raise, report: told })
}
