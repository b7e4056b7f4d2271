/** What a worker does: it serves what its parent serves, until it is told to end, or finds itself alone. */
import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import { log } from '../log.ts'
import { commandLine, type Settings, settings } from '../settings.ts'
import { loadMetrics, type Running, start } from '../start.ts'
import type { FromParent, FromWorker } from './messages.ts'

/** What people and service managers send. Ctrl-C reaches parent and workers alike. */
const polite = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** Resolves when the parent has been told, or is gone. */
const tell = (message: FromWorker): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })

/** Tells the parent why there is no worker, and ends. */
export async function failed(complaint: string): Promise<never> {
  await tell({ tell: 'failed', complaint })
  process.exit(1)
}

/** Reads the same command line and environment as the parent. Resolves when the worker listens; throws what `start` throws. */
export async function work(words: readonly string[]): Promise<void> {
  const { deployments, flags } = commandLine(words)
  const chosen = settings(process.env, flags, deployments)
  const logger = log(chosen.logLevel)
  const metrics = chosen.metricsPort === undefined ? undefined : await loadMetrics()
  let running: Running | undefined
  let leaving = false
  let released: () => void = () => {}

  /** The parent shows the metrics of all of its workers. */
  const measure = async (): Promise<void> => {
    if (metrics !== undefined) await tell({ tell: 'measured', metrics: await metrics.snapshot() })
  }

  /** A connection may be on its way to a worker that has just closed. The parent takes it back, if there is still somebody to refuse it. */
  const release = async (): Promise<void> => {
    const gone = new Promise<void>((resolve) => {
      released = resolve
    })
    if (process.connected) await Promise.all([tell({ tell: 'closed' }), gone])
  }

  // Signals may come twice, from a terminal and from the parent. The parent alone can force an end, since it alone can tell.
  const { close } = closeWithGrace({ delay: chosen.shutdownGrace + 1_000, logger: false, skip: [...polite] }, async ({ err }) => {
    leaving = true
    if (err !== undefined) logger.fatal({ err }, 'closing after an unexpected error')
    // Its successor can start while it still answers.
    void tell({ tell: 'leaving' })
    await running?.close()
    await measure()
    await release()
  })
  const leave = (why: Readonly<Record<string, string>>): void => {
    if (leaving) return
    leaving = true
    logger.info(why, 'closing')
    close()
  }
  for (const signal of polite) process.on(signal, () => leave({ signal }))
  const { worker } = cluster
  worker?.on('disconnect', () => {
    // Or else node ends the process here and now.
    worker.exitedAfterDisconnect = true
    released()
    leave({ reason: 'the parent is gone' })
  })

  const ports = await new Promise<Settings['ports']>((resolve) => {
    process.on('message', (message: FromParent) => {
      if (message.tell === 'start') resolve(message.ports)
      else if (message.tell === 'measure') void measure()
      else if (message.tell === 'close') leave({ reason: 'the parent closes' })
      else released()
    })
    void tell({ tell: 'up' })
  })
  running = await start({ ...chosen, ports }, logger, metrics)
  await tell({ tell: 'listening', urls: running.urls, adapter: running.adapter })
}
