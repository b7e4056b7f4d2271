/** A worker process: serves until the primary closes it or is gone. */
import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import { createLog } from '../log.ts'
import type { MetricsSnapshot } from '../observability/metrics.ts'
import { type AdapterName, readCommandLine, readSettings, type Settings } from '../settings.ts'
import { loadMetrics, type RunningService, startService } from '../start.ts'

/** Messages to the primary. They arrive whole and in order. */
export type WorkerMessage =
  /** The worker has read its settings and waits for `start`. */
  | { readonly type: 'up' }
  /** Every deployment listens. */
  | { readonly type: 'listening'; readonly urls: Readonly<Record<string, string>>; readonly adapter: AdapterName }
  /** The worker cannot start. The complaint is for the operator. */
  | { readonly type: 'failed'; readonly complaint: string }
  /** The metrics, on request and before the end. */
  | { readonly type: 'measured'; readonly metrics: MetricsSnapshot }
  /** The worker has begun to close. */
  | { readonly type: 'leaving' }
  /** The worker has closed and waits for `exit`. */
  | { readonly type: 'closed' }

/** Messages to a worker. */
export type PrimaryMessage =
  | { readonly type: 'start'; readonly ports: Settings['ports'] }
  /** Asks for the metrics. */
  | { readonly type: 'measure' }
  /** Asks the worker to drain and close. */
  | { readonly type: 'close' }
  /** The worker may end: no connection is on its way to it. */
  | { readonly type: 'exit' }

/** The signals of users and service managers. Ctrl-C reaches the primary and the workers. */
const closeSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** Resolves when the message is sent, or the primary is gone. */
const sendToPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })

/** Sends the complaint to the primary and ends the process. */
export async function failWorker(complaint: string): Promise<never> {
  await sendToPrimary({ type: 'failed', complaint })
  process.exit(1)
}

/** Reads the same command line and environment as the primary. Resolves when the worker listens. Throws the errors of `startService`. */
export async function runWorker(args: readonly string[]): Promise<void> {
  const { deployments, flags } = readCommandLine(args)
  const settings = readSettings(process.env, flags, deployments)
  const log = createLog(settings.logLevel)
  const metrics = settings.metricsPort === undefined ? undefined : await loadMetrics()
  let running: RunningService | undefined
  let isLeaving = false
  let allowExit = (): void => {}
  const exitAllowed = new Promise<void>((resolve) => {
    allowExit = resolve
  })

  const sendMetrics = async (): Promise<void> => {
    if (metrics !== undefined) await sendToPrimary({ type: 'measured', metrics: await metrics.snapshot() })
  }

  // Signals may arrive twice, from a terminal and from the primary. Only the primary forces an end.
  const { close } = closeWithGrace({ delay: settings.shutdownGrace + 1_000, logger: false, skip: [...closeSignals] }, async ({ err }) => {
    isLeaving = true
    if (err !== undefined) log.fatal({ err }, 'closing after an unexpected error')
    // The replacement can start while this worker drains.
    void sendToPrimary({ type: 'leaving' })
    await running?.close()
    await sendMetrics()
    // The primary may just have sent a connection. The closed worker returns it, and must live until then.
    if (process.connected) await Promise.all([sendToPrimary({ type: 'closed' }), exitAllowed])
  })
  const leave = (reason: Readonly<Record<string, string>>): void => {
    if (isLeaving) return
    isLeaving = true
    log.info(reason, 'closing')
    close()
  }
  for (const signal of closeSignals) process.on(signal, () => leave({ signal }))
  const { worker } = cluster
  worker?.on('disconnect', () => {
    // Otherwise Node ends the process at once.
    worker.exitedAfterDisconnect = true
    allowExit()
    leave({ reason: 'the parent is gone' })
  })

  const ports = await new Promise<Settings['ports']>((resolve) => {
    process.on('message', (message: PrimaryMessage) => {
      if (message.type === 'start') resolve(message.ports)
      else if (message.type === 'measure') void sendMetrics()
      else if (message.type === 'close') leave({ reason: 'the parent closes' })
      else allowExit()
    })
    void sendToPrimary({ type: 'up' })
  })
  running = await startService({ ...settings, ports }, log, metrics)
  await sendToPrimary({ type: 'listening', urls: running.urls, adapter: running.adapter })
}
