/** The metrics of all workers as those of one service. The counts of ended workers remain. */
import type { Worker } from 'node:cluster'
import type { MetricsSnapshot } from '../observability/metrics.ts'
import { sendToWorker } from './fork.ts'

export interface ClusterMetrics {
  readonly add: (worker: Worker) => void
  /** Stores the metrics that a worker has sent. */
  readonly update: (worker: Worker, snapshot: MetricsSnapshot) => void
  /** Keeps the counts of an ended worker. */
  readonly remove: (worker: Worker) => void
  /** Asks every worker, and uses the last snapshot of those that do not answer in time. */
  readonly text: () => Promise<string>
}

/** How long a scrape waits for workers, in milliseconds. Prometheus itself waits for ten seconds. */
const scrapeTimeout = 1_000

/** Imports prom-client on demand. */
const loadAggregation = (): Promise<typeof import('../observability/metrics.ts')> => import('../observability/metrics.ts')

export function createClusterMetrics(): ClusterMetrics {
  const latest = new Map<Worker, MetricsSnapshot>()
  /** The waiting scrapes of each worker. */
  const waiting = new Map<Worker, Set<() => void>>()
  /** The counts of ended workers. */
  let endedCounts: Promise<MetricsSnapshot> = Promise.resolve([])

  const resume = (worker: Worker): void => {
    for (const scrape of waiting.get(worker) ?? []) scrape()
    waiting.get(worker)?.clear()
  }

  const request = (worker: Worker): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, scrapeTimeout)
      waiting.get(worker)?.add(() => {
        clearTimeout(timer)
        resolve()
      })
      sendToWorker(worker, { type: 'measure' })
    })

  return {
    add: (worker) => void waiting.set(worker, new Set()),
    update: (worker, snapshot) => {
      latest.set(worker, snapshot)
      resume(worker)
    },
    remove: (worker) => {
      const last = latest.get(worker)
      latest.delete(worker)
      if (last !== undefined) endedCounts = endedCounts.then(async (before) => (await loadAggregation()).sumEndedMetrics([before, last]))
      resume(worker)
      waiting.delete(worker)
    },
    text: async () => {
      await Promise.all([...waiting.keys()].map(request))
      const { exposeMetrics } = await loadAggregation()
      return exposeMetrics([await endedCounts, ...latest.values()])
    },
  }
}
