/** `metrics(options)`: how many requests there are, how long they take and how they end. Conventions: https://opentelemetry.io/docs/specs/semconv/http/http-metrics/ */
import { type Api, isMount, operations } from '../contract/api.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { toKnownMethod } from '../http/knownMethods.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import { type AccessLogEntry, accessLog } from './accessLog.ts'
import type { Middleware } from './compose.ts'
import {
  createMeterInstruments,
  createRegistryInstruments,
  type Instruments,
  type MetricAttributes,
  type MetricMeter,
  type MetricRegistry,
  type Recorder,
} from './metricInstruments.ts'
import { checkMiddlewareOptions } from './options.ts'
import { withTraits } from './order.ts'

/** Where and how to record. It needs a registry, a meter or both. */
export interface MetricsOptions {
  /** The registry of `prom-client`: its `register`, or a `Registry` of your own. Several servers can share it. */
  readonly registry?: MetricRegistry
  /** The meter of OpenTelemetry: `metrics.getMeter('shop')` of `@opentelemetry/api`. */
  readonly meter?: MetricMeter
  /**
   * Further attributes of every value, and other values of `url.scheme`: `{ server: 'admin', 'url.scheme': 'https' }`. They tell several
   * servers apart. @default none
   */
  readonly attributes?: MetricAttributes
  /**
   * The upper bounds of the buckets of durations, in seconds, in ascending order. @default those of the convention, from 0.005 to 10
   */
  readonly buckets?: readonly number[]
  /** Whether the sizes of bodies are recorded as well. It doubles the number of series. @default false */
  readonly bodySizes?: boolean
}

/** Those that the convention says. In seconds. */
const durationBuckets: readonly number[] = Object.freeze([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10])

const hasMethods = (value: unknown, ...names: readonly string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => typeof Reflect.get(value, name) === 'function')

/** @throws TypeError for options that record nothing, or cannot be recorded. */
function checkMetricsOptions(options: MetricsOptions): void {
  checkMiddlewareOptions('metrics()', options, ['registry', 'meter', 'attributes', 'buckets', 'bodySizes'])
  const { registry, meter, buckets = durationBuckets } = options
  if (registry === undefined && meter === undefined) throw new TypeError(middlewareErrors.metricsOfNothing())
  if (registry !== undefined && !hasMethods(registry, 'registerMetric')) throw new TypeError(middlewareErrors.invalidRegistry())
  if (meter !== undefined && !hasMethods(meter, 'createHistogram', 'createUpDownCounter'))
    throw new TypeError(middlewareErrors.invalidMeter())
  const isAscending =
    Array.isArray(buckets) &&
    buckets.length > 0 &&
    buckets.every((bound, index) => Number.isFinite(bound) && bound > (buckets[index - 1] ?? 0))
  if (!isAscending) throw new TypeError(middlewareErrors.invalidBuckets())
}

/** What responses of one method, route and status are recorded in. */
interface ResponseSeries {
  readonly duration: Recorder
  readonly requestSize: Recorder
  readonly responseSize: Recorder
}

/** Returns the path templates of an API by what responses have as their `route`. Any other one is none, so that labels are few. */
const listRoutes = (api: Api): ReadonlyMap<string | undefined, string> =>
  new Map(
    operations(api).map(({ operation }) =>
      isMount(operation) ? [operation.prefix, operation.prefix] : [operation.route, operation.route.slice(operation.route.indexOf('/'))],
    ),
  )

/** Why a request is an error of the server or the connection; undefined for any other. */
const getErrorType = ({ status, outcome }: AccessLogEntry): string | undefined =>
  outcome === 'completed' ? (status >= 500 ? `${status}` : undefined) : outcome

/** The value of a key in a map, made where there is none. */
function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

/** Records in a registry and a meter. */
const joinInstruments = (all: readonly Instruments[], name: keyof Instruments, attributes: MetricAttributes): Recorder => {
  const [first, second] = all.map((instruments) => instruments[name](attributes))
  if (second === undefined) return first as Recorder // there is one at least
  return (value) => {
    first?.(value)
    second(value)
  }
}

/**
 * Records each request for Prometheus or OpenTelemetry, by the semantic conventions of OpenTelemetry: `http.server.request.duration` (in
 * Prometheus `http_server_request_duration_seconds`) with its method, route, status and, where it failed, `error.type`; and
 * `http.server.active_requests`. The count of the durations is the number of requests.
 *
 * The route is the path of the endpoint, such as `/users/:id`, or the prefix of the mount. Without either there is no route, and a method
 * that is not a standard one is `_OTHER`. So a client cannot make a label, and the number of series has a bound. `error.type` is `aborted`
 * where the client left before the end, `failed` where the server cut the response, and else a status from 500 on.
 *
 * A request is recorded when its response has ended, streams included. Put it before all middleware whose responses it counts.
 *
 * @throws TypeError without a registry and a meter, for buckets that do not ascend, and for other buckets than those that the registry has.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { metrics } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 * import { register } from 'prom-client'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [metrics({ registry: register })] })
 * ```
 */
export function metrics(options: MetricsOptions): Middleware {
  checkMetricsOptions(options)
  const { registry, meter, attributes: given = {}, buckets = durationBuckets, bodySizes = false } = options
  const attributes: MetricAttributes = { 'url.scheme': 'http', ...given }
  const instruments = [
    ...(registry === undefined ? [] : [createRegistryInstruments(registry, buckets)]),
    ...(meter === undefined ? [] : [createMeterInstruments(meter, buckets)]),
  ]
  const activeByMethod = new Map<string, Recorder>()
  const findActive = (method: string): Recorder =>
    getOrCreate(activeByMethod, method, () => joinInstruments(instruments, 'active', { 'http.request.method': method, ...attributes }))

  const middleware: Middleware = (next, context) => {
    const routes = listRoutes(context.api)
    const seriesByMethod = new Map<string, Map<string | undefined, Map<string, ResponseSeries>>>()
    const createSeries = (method: string, entry: AccessLogEntry): ResponseSeries => {
      const route = routes.get(entry.route)
      const errorType = getErrorType(entry)
      const all = {
        'http.request.method': method,
        ...(route === undefined ? {} : { 'http.route': route }),
        ...(entry.status === 0 ? {} : { 'http.response.status_code': entry.status }),
        ...(errorType === undefined ? {} : { 'error.type': errorType }),
        ...attributes,
      }
      const join = (name: keyof Instruments): Recorder =>
        bodySizes || name === 'duration' ? joinInstruments(instruments, name, all) : () => {}
      return { duration: join('duration'), requestSize: join('requestSize'), responseSize: join('responseSize') }
    }
    const findSeries = (method: string, entry: AccessLogEntry): ResponseSeries => {
      const byRoute = getOrCreate(seriesByMethod, method, () => new Map())
      const byStatus = getOrCreate(byRoute, routes.has(entry.route) ? entry.route : undefined, () => new Map())
      const status = entry.outcome === 'completed' ? `${entry.status}` : `${entry.status} ${entry.outcome}`
      return getOrCreate(byStatus, status, () => createSeries(method, entry))
    }
    return accessLog({
      onStart: (request: HttpRequest) => {
        findActive(toKnownMethod(request.method))(1)
        return bodySizes ? Number(request.header('content-length') ?? Number.NaN) : Number.NaN
      },
      onEnd: (entry, requestSize) => {
        const method = toKnownMethod(entry.method)
        const series = findSeries(method, entry)
        findActive(method)(-1)
        series.duration(entry.milliseconds / 1000)
        if (!bodySizes) return
        if (requestSize >= 0) series.requestSize(requestSize)
        series.responseSize(entry.bytes)
      },
    })(next, context)
  }
  return withTraits('metrics', middleware)
}
