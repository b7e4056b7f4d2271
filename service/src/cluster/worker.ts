/** A worker process: it serves until the primary process closes it or is gone. */
import cluster from 'node:cluster'
import type { Logger } from 'pino'
import type { MetricsSnapshot } from '../observability/metrics.ts'
import type { Settings } from '../settings.ts'
import { type RunningService, startService } from '../start.ts'

/** What a worker tells the primary process: it listens, cannot start, begins to close; and its metrics, on request and before it ends. */
export type WorkerMessage =
  | { readonly type: 'listening'; readonly urls: RunningService['urls'] }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'leaving' }
  | { readonly type: 'report'; readonly report: MetricsSnapshot }

/** Resolves when the message is sent, or the primary process is gone. */
export const sendToPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => (cluster.worker?.isConnected() ? cluster.worker.send(message, () => resolve()) : resolve()))

/** Starts the service in a worker, and announces it to the primary process. `leave` fires when that closes the worker. */
export async function startWorker(settings: Settings, log: Logger, leave: AbortController): Promise<RunningService> {
  const service = await startService(settings, log)
  const sendReport = async (): Promise<void> => {
    if (service.report !== undefined) await sendToPrimary({ type: 'report', report: await service.report() })
  }
  process.on('message', (message: 'report' | 'close') => (message === 'close' ? leave.abort('the parent closes') : sendReport()))
  await sendToPrimary({ type: 'listening', urls: service.urls })
  return Object.freeze({
    ...service,
    close: async (options) => {
      // The replacement starts while this one drains.
      void sendToPrimary({ type: 'leaving' })
      await service.close(options)
      await sendReport()
    },
  } satisfies RunningService)
}
