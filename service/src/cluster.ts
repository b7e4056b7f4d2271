/** Several processes that serve the same deployments: workers, and a primary process that holds the ports and serves the metrics. */
import { type ClusterEvent, type RunningCluster, runWorker, startCluster } from 'lapidary/cluster'
import type { Logger } from 'pino'
import { forwardLines } from './log.ts'
import type { MetricsSnapshot } from './observability/metrics.ts'
import type { Settings } from './settings.ts'
import { loadMetrics, openDatabase, type RunningService, startService, urlsOf } from './start.ts'

/** Runs a worker. Resolves when it listens. */
export const startWorker = (settings: Settings, log: Logger): Promise<void> =>
  runWorker(({ ports }) => startService({ ...settings, ports: { ...settings.ports, ...ports } }, log), {
    onClose: (reason) => {
      if (reason.type === 'error') log.fatal({ err: reason.error }, 'closing after an unexpected error')
      else log.info(reason.type === 'signal' ? { signal: reason.signal } : { reason: `the parent ${reason.type}s` }, 'closing')
    },
  })

function logEvent(log: Logger, event: ClusterEvent): void {
  switch (event.type) {
    case 'listening':
      log.info({ worker: event.pid }, 'a worker listens')
      break
    case 'settled':
      log.debug({ worker: event.pid }, 'a worker has settled')
      break
    case 'kill':
      log.error({ workers: event.pids }, 'workers that did not end in time are killed')
      break
    case 'exit': {
      const { pid: worker, code, signal, lived, error, restartDelay: next, isExpected } = event
      if (!isExpected) log.error({ worker, code, signal, lived, complaint: error?.message, next }, 'a worker ended')
    }
  }
}

/**
 * Runs the primary process. Resolves when every worker listens. If workers can no longer be started later, it throws an uncaught error: it
 * is logged, the service closes and the exit code is 1. Throws `OpenError`, `WorkerError`, and Node's error if an address is not available.
 */
export async function startPrimary(settings: Settings, log: Logger): Promise<RunningService> {
  // Migrates the database once, and reports its problems once, before there are workers.
  const store = await openDatabase(settings, log)
  await store.close()
  const { deployments, host, ports, workers, shutdownGrace: grace } = settings
  const metrics = await loadMetrics(settings)
  const clusterMetrics = metrics?.createClusterMetrics()
  let running: RunningCluster<MetricsSnapshot> | undefined
  const readMetrics = async (): Promise<string> => clusterMetrics?.text((await running?.reports()) ?? []) ?? ''
  const metricsServer = await metrics?.serveMetrics(readMetrics, settings, log)
  const closeMetrics = async (): Promise<void> => metricsServer?.close({ drain: 0, grace: 0 })
  const workerCluster = await startCluster<MetricsSnapshot>({
    workers,
    grace,
    host,
    ports: Object.fromEntries(deployments.map((deployment) => [deployment, ports[deployment]])),
    onOutput: forwardLines,
    onEvent: (event) => {
      logEvent(log, event)
      if (event.type === 'exit') clusterMetrics?.keep(event.report)
    },
  }).catch(async (error) => {
    await closeMetrics()
    throw error
  })
  running = workerCluster
  const urls = urlsOf(Object.entries({ ...workerCluster.addresses, ...(metricsServer && { metrics: metricsServer }) }))
  return Object.freeze({ urls, close: () => workerCluster.close().finally(closeMetrics) })
}
