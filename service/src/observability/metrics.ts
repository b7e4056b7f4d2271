/** The metrics for Prometheus: of one process, of several, and the server that shows them. Imported only if they are enabled. */
import { endpoint, mediaType, ok } from 'lapidary'
import { type Middleware, metrics } from 'lapidary/middleware'
import { listen, type RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import type { Logger } from 'pino'
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import type { Deployment, Settings } from '../settings.ts'
import type { StoreObserver } from '../store/connection.ts'

/** The values of all metrics, as plain data that processes can exchange. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

/** The metrics of one process. */
export type Metrics = ReturnType<typeof createMetrics>

/** Seconds, from responses out of memory to those that clients no longer wait for. */
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const counter = <Label extends string>(name: string, labelNames: readonly Label[], help: string): Counter<Label> =>
    new Counter({ name, help, labelNames, registers })
  /** `collect` sets the value before it is read. */
  const gauge = <Label extends string>(
    name: string,
    labelNames: readonly Label[],
    help: string,
    collect?: (this: Gauge<Label>) => void,
  ): Gauge<Label> => new Gauge({ name, help, labelNames, registers, ...(collect && { collect }) })

  const logins = counter(
    'service_failed_logins_total',
    ['scheme', 'reason'],
    'Rejected credentials: "wrong", or "limited" if they were not checked because of too many failures.',
  )
  const overloads = counter(
    'service_rejected_requests_total',
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

  const onPool: StoreObserver['onPool'] = (state) => {
    gauge('service_store_connections', ['state'], 'Connections to the database, "idle" or "busy".', function () {
      const { idle, busy } = state()
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'busy' }, busy)
    })
    gauge('service_store_waiting_requests', [], 'Requests that wait for a connection to the database.', function () {
      this.set(state().waiting)
    })
  }

  return Object.freeze({
    /** Records the requests of a deployment. */
    requests: (deployment: Deployment): Middleware => metrics({ registry, attributes: { deployment }, buckets, bodySizes: true }),
    /** A request was rejected at once, because it would have waited too long. */
    onOverload: (deployment: Deployment) => overloads.inc({ deployment }),
    /** `wrong`: the credentials were checked. `limited`: they were not, after too many failures. */
    onLoginFailure: (scheme: string, reason: 'wrong' | 'limited') => logins.inc({ scheme, reason }),
    store: { onError: (kind) => failures.inc({ kind }), onPool } satisfies StoreObserver,
    snapshot: (): Promise<MetricsSnapshot> => registry.getMetricsAsJSON(),
    /** The exposition format of Prometheus. */
    text: (): Promise<string> => registry.metrics(),
  })
}

/** prom-client accepts plain data here, although its types ask for a registry. */
type AggregateInput = Parameters<typeof AggregatorRegistry.aggregate>[0]

const aggregate = (snapshots: readonly MetricsSnapshot[]): Registry => AggregatorRegistry.aggregate(snapshots as unknown as AggregateInput)

/** The metrics of several processes as those of one service. */
export function createClusterMetrics() {
  let kept: Promise<MetricsSnapshot> = Promise.resolve([])
  const sum = async (ended: MetricsSnapshot): Promise<MetricsSnapshot> => {
    const all = await aggregate([await kept, ended]).getMetricsAsJSON()
    return all.filter(({ type }) => String(type) === 'counter' || String(type) === 'histogram')
  }
  return Object.freeze({
    /** The exposition of the processes that run, with the counts of those that have ended. */
    text: async (running: readonly MetricsSnapshot[]): Promise<string> => aggregate([await kept, ...running]).metrics(),
    /** Keeps the counters and histograms of a process that has ended, so that no total ever falls. Its gauges end with it. */
    keep: (ended: MetricsSnapshot | undefined): void => {
      if (ended !== undefined) kept = sum(ended)
    },
  })
}

/** https://prometheus.io/docs/instrumenting/exposition_formats/ */
const prometheusText = mediaType<string>({ types: ['text/plain; version=0.0.4; charset=utf-8'], writer: () => (exposition) => exposition })

const metricsApi = {
  metrics: endpoint('GET /metrics', { response: ok(prometheusText), summary: 'The metrics, for Prometheus.' }),
}

/** Serves the metrics on a port of their own. */
export function serveMetrics(text: () => Promise<string>, { host, metricsPort: port = 0 }: Settings, log: Logger): Promise<RunningServer> {
  const onError = (err: unknown): void => log.error({ err }, 'the metrics cannot be read')
  return listen(serve(metricsApi, { metrics: text }, { onError }), { host, port })
}
