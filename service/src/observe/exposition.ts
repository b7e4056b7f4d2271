/** The metrics of one process or many, as Prometheus reads them. */
import { AggregatorRegistry, type Registry } from 'prom-client'
import type { Snapshot } from './metrics.ts'

/** prom-client reads plain data here, and says that it wants what it has made of it. */
type Aggregated = Parameters<typeof AggregatorRegistry.aggregate>[0]

/** Metrics of several processes as those of one: counters and histograms are added up, most gauges as well; means of means are left to be what they are. */
const aggregated = (snapshots: readonly Snapshot[]): Registry => AggregatorRegistry.aggregate(snapshots as unknown as Aggregated)

/** The text of all of them together. */
export const exposition = (snapshots: readonly Snapshot[]): Promise<string> => aggregated(snapshots).metrics()

const lasts = new Set<unknown>(['counter', 'histogram'])

/** What is left of processes that have ended: their counts, so that no total ever falls. What they were doing, they do no more. */
export async function remains(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  const all = await aggregated(snapshots).getMetricsAsJSON()
  return all.filter(({ type }) => lasts.has(type))
}
