/** A worker process: it serves until the primary process closes it or is gone. */
import cluster from 'node:cluster'
import { once } from 'node:events'
import type { MetricsSnapshot } from '../observability/metrics.ts'
import type { RunningService } from '../start.ts'

/** What a worker tells the primary process: it listens, cannot start, begins to close; and its metrics, on request and before it ends. */
export type WorkerMessage =
  | { readonly type: 'listening'; readonly urls: RunningService['urls'] }
  | { readonly type: 'failed'; readonly error: string }
  | { readonly type: 'leaving' }
  | { readonly type: 'report'; readonly report: MetricsSnapshot }

/** Resolves when the message is sent, or the primary process is gone. */
export const sendToPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => (cluster.worker?.isConnected() ? cluster.worker.send(message, () => resolve()) : resolve()))

async function sendReport({ report }: RunningService): Promise<void> {
  if (report !== undefined) await sendToPrimary({ type: 'report', report: await report() })
}

/** Closes the service of a worker that `joinCluster` has announced. Its replacement starts while it drains. */
export async function leaveCluster(service: RunningService): Promise<void> {
  void sendToPrimary({ type: 'leaving' })
  await service.close()
  await sendReport(service)
  // Connections may be on their way to this worker. Until it is disconnected, Node passes them on to others.
  if (cluster.worker?.isConnected()) await once(cluster.worker.disconnect(), 'disconnect')
}

/** Announces the service to the primary process. `close` gets why the worker has to close, maybe several times. */
export async function joinCluster(service: RunningService, close: (why: object) => void): Promise<void> {
  process.on('message', (message: 'report' | 'close') =>
    message === 'close' ? close({ reason: 'the parent closes' }) : sendReport(service),
  )
  cluster.worker?.once('disconnect', () => close({ reason: 'the parent disconnects' }))
  // Otherwise Node ends the process at once when the primary is gone. It has requests to answer.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true
  await sendToPrimary({ type: 'listening', urls: service.urls })
}
