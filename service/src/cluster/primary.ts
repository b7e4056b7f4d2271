/** The primary process: starts workers that serve the same deployments. It holds the ports and serves metrics, and nothing else. */
import type { Logger } from 'pino'
import { openDatabase } from '../database.ts'
import { serveMetrics } from '../observability/metricsServer.ts'
import type { Settings } from '../settings.ts'
import type { RunningService } from '../start.ts'
import { type ClusterOptions, startCluster } from './cluster.ts'
import { createClusterMetrics } from './metrics.ts'
import { reservePorts } from './ports.ts'

/** No worker can be started. The message is that of the worker. */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
}

/**
 * Resolves when every worker listens. If workers can no longer be started later, it throws an uncaught error: it is logged, the service
 * closes and the exit code is 1. Throws `SettingError`, `OpenError` and `WorkerError`.
 */
export async function startPrimary(settings: Settings, log: Logger): Promise<RunningService> {
  // Migrates the database once, and reports its problems once, before there are workers.
  const store = await openDatabase(settings, log)
  await store.close()
  const reserved = await reservePorts(settings)
  const metrics = createClusterMetrics()
  const { host, metricsPort } = settings
  const metricsServer =
    metricsPort === undefined
      ? undefined
      : await serveMetrics(metrics.text, host, metricsPort, log).catch(async (error) => {
          await reserved.release()
          throw error
        })
  const closeMetrics = async (): Promise<void> => metricsServer?.close({ drain: 0, grace: 0 })
  return new Promise((resolve, reject) => {
    let isReady = false
    const onReady: ClusterOptions['onReady'] = (urls, adapter) => {
      isReady = true
      resolve(Object.freeze({ urls, adapter, metricsUrl: metricsServer?.url, close: () => workers.close().finally(closeMetrics) }))
    }
    const onBroken = (reason: string): void => {
      const error = new WorkerError(reason)
      if (isReady) throw error
      workers.kill()
      void closeMetrics().then(() => reject(error))
    }
    const workers = startCluster({ settings, reserved, log, metrics, onReady, onBroken })
    // No worker outlives the primary process.
    process.once('exit', workers.kill)
  })
}
