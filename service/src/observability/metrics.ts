/** The metrics for Prometheus. Imported only if they are enabled. */
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
import type { PoolState } from '../store/connection.ts'
import type { RequestObserver, RequestRecord, ServiceObserver } from './observers.ts'

/** The values of all metrics, as plain data that processes can exchange. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The metrics of one process. */
export interface Metrics {
  readonly requestObserver: RequestObserver
  readonly serviceObserver: ServiceObserver
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

  const requests = new Counter({
    name: 'http_server_requests_total',
    help: `Requests whose answer has ended, by route line ("${noRoute}" where no endpoint matched), method ("other" for unusual ones) and status ("none" where the client left before there was one).`,
    labelNames: ['deployment', 'route', 'method', 'status'] as const,
    registers,
  })
  const durations = new Histogram({
    name: 'http_server_request_duration_seconds',
    help: 'Time from when a request was there to when its answer had ended, streams included.',
    labelNames: ['deployment', 'route'] as const,
    buckets,
    registers,
  })
  const active = new Gauge({
    name: 'http_server_active_requests',
    help: 'Requests whose answer has not ended.',
    labelNames: ['deployment'] as const,
    registers,
  })
  const bytes = new Counter({
    name: 'http_server_response_body_bytes_total',
    help: 'Bytes of bodies handed to connections.',
    labelNames: ['deployment'] as const,
    registers,
  })
  const interrupted = new Counter({
    name: 'http_server_interrupted_responses_total',
    help: 'Answers that did not end whole: "left" where the client went before, "cut" where the service could not go on.',
    labelNames: ['deployment', 'how'] as const,
    registers,
  })
  const logins = new Counter({
    name: 'service_failed_logins_total',
    help: 'Credentials that were refused: "wrong" ones, and those that were not looked at because of a limit ("limited").',
    labelNames: ['scheme', 'reason'] as const,
    registers,
  })
  const overloads = new Counter({
    name: 'service_refused_requests_total',
    help: 'Requests that were answered 503 at once, since they would have had to wait for too long. They are in no other metric.',
    labelNames: ['deployment'] as const,
    registers,
  })
  const failures = new Counter({
    name: 'service_store_failures_total',
    help: 'Statements that failed: "unavailable" where the database could not serve, "error" where the statement itself was wrong.',
    labelNames: ['kind'] as const,
    registers,
  })
  // A counter that begins at 0 shows its first increase.
  for (const kind of ['unavailable', 'error']) failures.inc({ kind }, 0)

  const ended = ({ deployment, route = noRoute, method, status, bytes: sent, outcome, milliseconds }: RequestRecord): void => {
    const known = knownMethods.has(method) ? method : 'other'
    requests.inc({ deployment, route, method: known, status: status === 0 ? 'none' : status })
    durations.observe({ deployment, route }, milliseconds / 1000)
    active.dec({ deployment })
    bytes.inc({ deployment }, sent)
    if (outcome !== 'completed') interrupted.inc({ deployment, how: outcome === 'failed' ? 'cut' : 'left' })
  }

  const pooled = (state: () => PoolState): void => {
    const connections = new Gauge({
      name: 'service_store_connections',
      help: 'Connections to the database, "idle" or "busy".',
      labelNames: ['state'] as const,
      registers,
      collect: () => {
        const { idle, busy } = state()
        connections.set({ state: 'idle' }, idle)
        connections.set({ state: 'busy' }, busy)
      },
    })
    const waiting: Gauge = new Gauge({
      name: 'service_store_waiting_requests',
      help: 'Requests that wait for a connection to the database.',
      registers,
      collect: (): void => waiting.set(state().waiting),
    })
  }

  return Object.freeze({
    requestObserver: { begun: (deployment: Deployment) => active.inc({ deployment }), ended },
    serviceObserver: {
      overloaded: (deployment: Deployment) => overloads.inc({ deployment }),
      loginFailed: (scheme: string, reason: 'wrong' | 'limited') => logins.inc({ scheme, reason }),
      store: { failed: (kind: 'unavailable' | 'error') => failures.inc({ kind }), pooled },
    },
    snapshot: () => registry.getMetricsAsJSON(),
    text: () => registry.metrics(),
  } satisfies Metrics)
}

/** prom-client accepts plain data here, although its types ask for a registry. */
type AggregateInput = Parameters<typeof AggregatorRegistry.aggregate>[0]

const aggregate = (snapshots: readonly MetricsSnapshot[]): Registry => AggregatorRegistry.aggregate(snapshots as unknown as AggregateInput)

/** The exposition of several processes: sums of counters, histograms and most gauges. */
export const exposeMetrics = (snapshots: readonly MetricsSnapshot[]): Promise<string> => aggregate(snapshots).metrics()

/** The sum of the counters and histograms of ended processes, so that no total ever falls. Their gauges end with them. */
export async function sumEndedMetrics(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  const metrics = await aggregate(snapshots).getMetricsAsJSON()
  return metrics.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram')
}
