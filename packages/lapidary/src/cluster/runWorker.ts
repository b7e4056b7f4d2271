/** `runWorker(start)`: a worker process, which serves until the primary closes it or is gone. */
import cluster from 'node:cluster'
import { inspect } from 'node:util'
import { checkFunctions, requireFunction } from '../http/functions.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { killDelay, type PrimaryMessage, toErrorMessage, type WorkerMessage } from './clusterMessages.ts'

/** What a worker gets from the primary process. Times are in milliseconds. */
export interface WorkerContext {
  /** The ports of `startCluster`, with the picked port in place of 0. */
  readonly ports: Readonly<Record<string, number>>
  /** How long the worker has to close. */
  readonly grace: number
}

/** A worker that serves, such as what `listen` returns. */
export interface RunningWorker {
  /** Serves the requests in progress, and releases what the worker uses. Called once. Times are in milliseconds. */
  readonly close: (options: { readonly drain: number; readonly grace: number }) => Promise<unknown>
  /** Returns what `reports` of the cluster gets from this worker, as JSON. Also called before the worker ends. */
  readonly report?: (() => unknown) | undefined
}

/** Why a worker closes: a signal, an uncaught error, the primary process closes the cluster, or it is gone. */
export type WorkerCloseReason =
  | { readonly type: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly type: 'error'; readonly error: unknown }
  | { readonly type: 'close' }
  | { readonly type: 'disconnect' }

/** Options of a worker. */
export interface WorkerOptions {
  /** Called once, when the worker begins to close, to log it. @default prints an uncaught error */
  readonly onClose?: (reason: WorkerCloseReason) => void
}

/** The signals of users and service managers. Ctrl-C reaches the primary and the workers. */
const closeSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

/** How long a closing worker still accepts connections, in milliseconds. It is part of the grace. */
const drainTime = 1_500
/** The grace of a worker that the primary has not told one. */
const presetGrace = 10_000

/** Resolves when the message is sent, or the primary is gone. */
const sendToPrimary = (message: WorkerMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, undefined, undefined, () => resolve())
  })

const writeError = (error: unknown): void => void process.stderr.write(`${inspect(error)}\n`)

const printReason = (reason: WorkerCloseReason): void => {
  if (reason.type === 'error') writeError(reason.error)
}

/**
 * Runs a worker of `startCluster`. The worker closes when the primary closes the cluster or is gone, at SIGTERM, SIGINT, SIGHUP and
 * SIGQUIT, and after an uncaught error, then with exit code 1. It serves its requests in progress, while the primary starts another one.
 * The process ends when it has closed, at the latest a second after its grace.
 *
 * @param start starts to serve. An error is passed on to the primary, which tries again, unless it is the first start: then `startCluster`
 * rejects
 * @returns a promise that resolves when the worker serves.
 * @throws TypeError in the primary process.
 * @example
 * ```ts
 * import cluster from 'node:cluster'
 * import { endpoint, ok, text } from 'lapidary'
 * import { runWorker, startCluster } from 'lapidary/cluster'
 * import { listen } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => `Hello from ${process.pid}` })
 *
 * if (cluster.isPrimary) await startCluster({ workers: 4 })
 * else await runWorker(() => listen(server, { port: 8081 }))
 * ```
 */
export async function runWorker(
  start: (context: WorkerContext) => Promise<RunningWorker>,
  { onClose = printReason }: WorkerOptions = {},
): Promise<void> {
  const { worker } = cluster
  if (worker === undefined) throw new TypeError(developerErrors.workerOutsideCluster())
  requireFunction('runWorker(): start', start)
  checkFunctions('runWorker()', { onClose })
  let grace = presetGrace
  let running: Promise<RunningWorker> | undefined
  let isLeaving = false
  let allowExit = (): void => {}
  const exitAllowed = new Promise<void>((resolve) => {
    allowExit = resolve
  })

  /** Resolves when the worker serves; `undefined` if it does not. Where it is started, a failure is passed on to the primary. */
  const findServer = async (): Promise<RunningWorker | undefined> => running?.catch(() => undefined)

  const sendReport = async (): Promise<void> => {
    const { report } = (await findServer()) ?? {}
    if (report === undefined) return
    try {
      await sendToPrimary({ type: 'lapidary:report', report: await report() })
    } catch (error) {
      await sendToPrimary({ type: 'lapidary:reportFailed', error: toErrorMessage(error) })
    }
  }

  const close = async (): Promise<void> => {
    // The replacement can start while this worker drains.
    void sendToPrimary({ type: 'lapidary:leaving' })
    const server = await findServer()
    await server?.close({ drain: Math.min(drainTime, grace), grace })
    await sendReport()
    // The primary may just have sent a connection. The closed worker returns it, and must live until then.
    if (process.connected) await Promise.all([sendToPrimary({ type: 'lapidary:closed' }), exitAllowed])
  }

  /** Signals may arrive twice, from a terminal and from the primary. Only the primary forces an end. */
  const leave = (reason: WorkerCloseReason): void => {
    if (isLeaving) return
    isLeaving = true
    // Later than the primary would kill it.
    setTimeout(() => process.exit(1), grace + (reason.type === 'close' ? 2 : 1) * killDelay)
    onClose(reason)
    close().then(
      () => process.exit(reason.type === 'error' ? 1 : 0),
      (error) => {
        writeError(error)
        process.exit(1)
      },
    )
  }

  for (const signal of closeSignals) process.on(signal, () => leave({ type: 'signal', signal }))
  process.on('uncaughtException', (error) => {
    if (!isLeaving) return leave({ type: 'error', error })
    // Closing has failed.
    writeError(error)
    return process.exit(1)
  })
  // It is a pipe to the primary. When that is gone, the worker still serves the requests in progress.
  process.stdout.on('error', () => {})
  worker.on('disconnect', () => {
    // Otherwise Node ends the process at once.
    worker.exitedAfterDisconnect = true
    allowExit()
    leave({ type: 'disconnect' })
  })

  const context = await new Promise<WorkerContext>((resolve) => {
    process.on('message', (message: PrimaryMessage | null) => {
      switch (message?.type) {
        case 'lapidary:start':
          resolve({ ports: message.ports, grace: message.grace })
          break
        case 'lapidary:report':
          void sendReport()
          break
        case 'lapidary:close':
          leave({ type: 'close' })
          break
        case 'lapidary:exit':
          allowExit()
      }
    })
    void sendToPrimary({ type: 'lapidary:up' })
  })
  grace = context.grace
  try {
    running = start(context)
    await running
  } catch (error) {
    await sendToPrimary({ type: 'lapidary:failed', error: toErrorMessage(error) })
    process.exit(1)
  }
  await sendToPrimary({ type: 'lapidary:listening' })
}
