/** The metrics for Prometheus: of one process, of several, and the server that shows them. Imported only if they are enabled. */
import { endpoint, mediaType, ok } from 'lapidary'
import type { AccessLogEntry } from 'lapidary/middleware'
import { listen, type RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import type { Logger } from 'pino'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Deployment } from '../settings.ts'
import type { StoreObserver } from '../store/connection.ts'

/** The values of all metrics, as plain data that processes can exchange. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The metrics of one process. */
export interface Metrics {
  readonly onRequestStart: (deployment: Deployment) => void
  readonly onRequestEnd: (deployment: Deployment, entry: AccessLogEntry) => void
  /** A request was rejected at once, because it would have waited too long. */
  readonly onOverload: (deployment: Deployment) => void
  /** `wrong`: the credentials were checked. `limited`: they were not, after too many failures. */
  readonly onLoginFailure: (scheme: string, reason: 'wrong' | 'limited') => void
  readonly store: StoreObserver
  readonly snapshot: () => Promise<MetricsSnapshot>
  /** The exposition format of Prometheus. */
  readonly text: () => Promise<string>
}

/** Seconds, from responses out of memory to those that clients no longer wait for. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The label of requests without an endpoint or mount, so that unknown paths share one. */
const noRoute = 'none'

/** Methods with a label of their own. Clients can invent any number of others. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const counter = <Label extends string>(name: string, labelNames: readonly Label[], help: string): Counter<Label> =>
    new Counter({ name, help, labelNames, registers })

  const requests = counter(
    'http_server_requests_total',
    ['deployment', 'route', 'method', 'status'],
    `Requests whose response has ended, by route ("${noRoute}" if no endpoint matched), method ("other" for unusual ones) and status ("none" if the client disconnected before there was one).`,
  )
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its response, streams included.',
    labelNames: ['deployment', 'route'] as const,
    buckets,
    registers,
  })
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests whose response has not ended.',
    labelNames: ['deployment'] as const,
    registers,
  })
  const bytes = counter('http_server_response_body_bytes_total', ['deployment'], 'Bytes of response bodies written to connections.')
  const interrupted = counter(
    'http_server_interrupted_responses_total',
    ['deployment', 'how'],
    'Incomplete responses: "left" if the client disconnected, "cut" if the service could not continue.',
  )
  const logins = counter(
    'service_failed_logins_total',
    ['scheme', 'reason'],
    'Rejected credentials: "wrong", or "limited" if they were not checked because of too many failures.',
  )
  const overloads = counter(
    'service_refused_requests_total',
    ['deployment'],
    'Requests that got 503 at once because of overload. They are in no other metric.',
  )
  const failures = counter(
    'service_store_failures_total',
    ['kind'],
    'Failed statements: "unavailable" if the database could not serve, "error" if the statement was wrong.',
  )
  // A counter that begins at 0 shows its first increase.
  for (const kind of ['unavailable', 'error']) failures.inc({ kind }, 0)

  const onRequestEnd: Metrics['onRequestEnd'] = (deployment, entry) => {
    const { route = noRoute, method, status, bytes: sent, outcome, milliseconds } = entry
    const known = knownMethods.has(method) ? method : 'other'
    requests.inc({ deployment, route, method: known, status: status === 0 ? 'none' : status })
    durations.observe({ deployment, route }, milliseconds / 1000)
    active.dec({ deployment })
    bytes.inc({ deployment }, sent)
    if (outcome !== 'completed') interrupted.inc({ deployment, how: outcome === 'failed' ? 'cut' : 'left' })
  }

  const onPool: StoreObserver['onPool'] = (state) => {
    new Gauge({
      name: 'service_store_connections',
      help: 'Connections to the database, "idle" or "busy".',
      labelNames: ['state'] as const,
      registers,
      collect() {
        const { idle, busy } = state()
        this.set({ state: 'idle' }, idle)
        this.set({ state: 'busy' }, busy)
      },
    })
    new Gauge({
      name: 'service_store_waiting_requests',
      help: 'Requests that wait for a connection to the database.',
      registers,
      collect() {
        this.set(state().waiting)
      },
    })
  }

  return Object.freeze({
    onRequestStart: (deployment) => active.inc({ deployment }),
    onRequestEnd,
    onOverload: (deployment) => overloads.inc({ deployment }),
    onLoginFailure: (scheme, reason) => logins.inc({ scheme, reason }),
    store: { onError: (kind) => failures.inc({ kind }), onPool },
    snapshot: () => registry.getMetricsAsJSON(),
    text: () => registry.metrics(),
  } satisfies Metrics)
}

/** prom-client accepts plain data here, although its types ask for a registry. */
type AggregateInput = Parameters<typeof AggregatorRegistry.aggregate>[0]

const aggregate = (snapshots: readonly MetricsSnapshot[]): Registry => AggregatorRegistry.aggregate(snapshots as unknown as AggregateInput)

/** The metrics of several processes as those of one service. */
export interface ClusterMetrics {
  /** The exposition of the processes that run, with the counts of those that have ended. */
  readonly text: (running: readonly MetricsSnapshot[]) => Promise<string>
  /** Keeps the counters and histograms of a process that has ended, so that no total ever falls. Its gauges end with it. */
  readonly keep: (ended: MetricsSnapshot | undefined) => void
}

export function createClusterMetrics(): ClusterMetrics {
  let kept: Promise<MetricsSnapshot> = Promise.resolve([])
  const sum = async (ended: MetricsSnapshot): Promise<MetricsSnapshot> => {
    const metrics = await aggregate([await kept, ended]).getMetricsAsJSON()
    return metrics.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram')
  }
  return Object.freeze({
    text: async (running) => aggregate([await kept, ...running]).metrics(),
    keep: (ended) => {
      if (ended !== undefined) kept = sum(ended)
    },
  } satisfies ClusterMetrics)
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const prometheusText = mediaType<string>({ types: ['text/plain; version=0.0.4; charset=utf-8'], writer: () => (metrics) => metrics })

const metricsApi = {
  metrics: endpoint('GET /metrics', { response: ok(prometheusText), summary: 'The metrics, for Prometheus.' }),
}

/** Serves the metrics on a port of their own. */
export function serveMetrics(text: () => Promise<string>, host: string, port: number | undefined, log: Logger): Promise<RunningServer> {
  const onError = (err: unknown): void => log.error({ err }, 'the metrics cannot be read')
  return listen(serve(metricsApi, { metrics: text }, { onError }), { host, port: port ?? 0 })
}
