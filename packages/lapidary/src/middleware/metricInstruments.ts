/** Where `metrics` records: a registry of `prom-client` or a meter of OpenTelemetry. Each series of values is looked up once. */
import * as middlewareErrors from '../messages/middlewareErrors.ts'

/** Names by their values. A name is that of OpenTelemetry; in Prometheus, its dots are underscores. */
export type MetricAttributes = Readonly<Record<string, string | number | boolean>>

/** What all metrics of `prom-client` have. */
export interface RegistryMetric {
  /** Returns the metric with its values. */
  get(): Promise<object>
  /** Sets the values to 0. */
  reset(): void
}

/** A registry of metrics: the `register` of `prom-client`, or a `Registry` of your own. */
export interface MetricRegistry {
  /** Adds a metric to those that the registry exposes. */
  registerMetric(metric: RegistryMetric): unknown
}

/** What a meter of OpenTelemetry has to know of a metric. */
interface MeterOptions {
  readonly description: string
  readonly unit: string
  readonly advice?: { explicitBucketBoundaries: number[] }
}

/** A meter: `metrics.getMeter('shop')` of `@opentelemetry/api`. */
export interface MetricMeter {
  /** Creates a metric of durations or of sizes. */
  createHistogram(name: string, options: MeterOptions): { record(value: number, attributes: MetricAttributes): void }
  /** Creates a metric of what is in progress. */
  createUpDownCounter(name: string, options: MeterOptions): { add(value: number, attributes: MetricAttributes): void }
}

/** A metric by the semantic conventions. */
interface Definition {
  /** The name in OpenTelemetry. */
  readonly name: string
  readonly unit: 's' | 'By' | '{request}'
  readonly description: string
}

/** Records a value in one series of a metric. */
export type Recorder = (value: number) => void

/** Finds the series of a metric that has these attributes. */
export type Instrument = (attributes: MetricAttributes) => Recorder

/** The metrics of requests. */
export interface Instruments {
  readonly duration: Instrument
  readonly active: Instrument
  readonly requestSize: Instrument
  readonly responseSize: Instrument
}

/** https://opentelemetry.io/docs/specs/semconv/http/http-metrics/ */
const definitions: { readonly [Name in keyof Instruments]: Definition } = {
  duration: {
    name: 'http.server.request.duration',
    unit: 's',
    description: 'Time from the arrival of a request to the end of its response, streams included.',
  },
  active: { name: 'http.server.active_requests', unit: '{request}', description: 'Requests whose response has not ended.' },
  requestSize: { name: 'http.server.request.body.size', unit: 'By', description: 'Size of request bodies, by their Content-Length.' },
  responseSize: { name: 'http.server.response.body.size', unit: 'By', description: 'Bytes of response bodies handed to the connection.' },
}

/** From a line of text to a file. In bytes. */
const sizeBuckets: readonly number[] = [100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000]

/** Makes the instruments of a meter. */
export function createMeterInstruments(meter: MetricMeter, buckets: readonly number[]): Instruments {
  const createHistogram = ({ name, ...options }: Definition, boundaries: readonly number[]): Instrument => {
    const histogram = meter.createHistogram(name, { ...options, advice: { explicitBucketBoundaries: [...boundaries] } })
    return (attributes) => (value) => histogram.record(value, attributes)
  }
  const { name, ...options } = definitions.active
  const active = meter.createUpDownCounter(name, options)
  return {
    duration: createHistogram(definitions.duration, buckets),
    active: (attributes) => (value) => active.add(value, attributes),
    requestSize: createHistogram(definitions.requestSize, sizeBuckets),
    responseSize: createHistogram(definitions.responseSize, sizeBuckets),
  }
}

const suffixes = { s: '_seconds', By: '_bytes', '{request}': '' } as const

/** `http.server.request.duration` in seconds is `http_server_request_duration_seconds`. */
const toPrometheusName = (name: string): string => name.replaceAll(/[^\w]/g, '_')

/** A value with its labels, as `prom-client` writes it. */
interface Sample {
  readonly labels: Record<string, string | number | boolean>
  readonly value: number
  readonly metricName?: string
}

/** One series of a metric in a registry. */
interface RegistrySeries {
  readonly record: Recorder
  readonly listSamples: () => readonly Sample[]
  readonly reset: () => void
}

function createHistogramSeries(metric: string, labels: MetricAttributes, bounds: readonly number[]): RegistrySeries {
  const counts = new Float64Array(bounds.length + 1)
  let sum = 0
  return {
    record: (value) => {
      let index = 0
      while (index < bounds.length && value > (bounds[index] as number)) index += 1 // the condition says that there is one
      counts[index] = (counts[index] as number) + 1
      sum += value
    },
    listSamples: () => {
      let total = 0
      const buckets = [...bounds, '+Inf'].map((le, index): Sample => {
        total += counts[index] as number // there is one more than bounds
        return { labels: { le, ...labels }, value: total, metricName: `${metric}_bucket` }
      })
      return [
        ...buckets,
        { labels: { ...labels }, value: sum, metricName: `${metric}_sum` },
        { labels: { ...labels }, value: total, metricName: `${metric}_count` },
      ]
    },
    reset: () => {
      counts.fill(0)
      sum = 0
    },
  }
}

function createGaugeSeries(labels: MetricAttributes): RegistrySeries {
  let current = 0
  return {
    record: (change) => {
      current += change
    },
    listSamples: () => [{ labels: { ...labels }, value: current }],
    // What is in progress ends later, and is not less than none then.
    reset: () => {},
  }
}

/** Makes a metric, and its instrument. */
function createRegistryMetric(
  { name, unit, description }: Definition,
  bounds?: readonly number[],
): { readonly metric: RegistryMetric; readonly instrument: Instrument } {
  const metricName = toPrometheusName(name) + suffixes[unit]
  const about = { name: metricName, help: description, type: bounds === undefined ? 'gauge' : 'histogram', aggregator: 'sum' }
  const all = new Map<string, RegistrySeries>()
  const metric = {
    ...about,
    get: async () => ({ ...about, values: [...all.values()].flatMap(({ listSamples }) => listSamples()) }),
    reset: () => {
      for (const { reset } of all.values()) reset()
    },
  }
  const instrument: Instrument = (attributes) => {
    const labels = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [toPrometheusName(key), value]))
    const id = JSON.stringify(Object.entries(labels).sort())
    // Two servers that record the same share a series.
    const series = all.get(id) ?? (bounds === undefined ? createGaugeSeries(labels) : createHistogramSeries(metricName, labels, bounds))
    all.set(id, series)
    return series.record
  }
  return { metric, instrument }
}

/** The metrics in a registry, with the buckets of the first that has used it. */
interface RegistryMetrics {
  readonly buckets: readonly number[]
  readonly metrics: readonly RegistryMetric[]
  readonly instruments: Instruments
}

function createRegistryMetrics(buckets: readonly number[]): RegistryMetrics {
  const duration = createRegistryMetric(definitions.duration, buckets)
  const active = createRegistryMetric(definitions.active)
  const requestSize = createRegistryMetric(definitions.requestSize, sizeBuckets)
  const responseSize = createRegistryMetric(definitions.responseSize, sizeBuckets)
  return {
    buckets,
    metrics: [duration, active, requestSize, responseSize].map(({ metric }) => metric),
    instruments: {
      duration: duration.instrument,
      active: active.instrument,
      requestSize: requestSize.instrument,
      responseSize: responseSize.instrument,
    },
  }
}

/** A registry has a metric once, and several servers of a process record in it. */
const metricsByRegistry = new WeakMap<MetricRegistry, RegistryMetrics>()

/** Finds or makes the instruments of a registry. @throws TypeError for other buckets than those that its metrics have */
export function createRegistryInstruments(registry: MetricRegistry, buckets: readonly number[]): Instruments {
  const known = metricsByRegistry.get(registry) ?? createRegistryMetrics(buckets)
  if (`${known.buckets}` !== `${buckets}`) throw new TypeError(middlewareErrors.differentBuckets(known.buckets, buckets))
  for (const metric of known.metrics) registry.registerMetric(metric)
  metricsByRegistry.set(registry, known)
  return known.instruments
}
