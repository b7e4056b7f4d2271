/** Keeps a number of workers running: starts them, replaces those that die, and ends them. */
import type { Worker } from 'node:cluster'
import type { Logger } from 'pino'
import type { AdapterName, Settings } from '../settings.ts'
import { forkWorker, sendToWorker, type WorkerEnd } from './fork.ts'
import type { ClusterMetrics } from './metrics.ts'
import type { ReservedPorts } from './ports.ts'
import { restartBackoff, settleTime } from './restartBackoff.ts'
import type { WorkerMessage } from './worker.ts'

type Urls = Readonly<Record<string, string>>

export interface ClusterOptions {
  readonly settings: Settings
  readonly reserved: ReservedPorts
  readonly log: Logger
  readonly metrics: ClusterMetrics
  /** Called once, when every worker listens. */
  readonly onReady: (urls: Urls, adapter: AdapterName) => void
  /** Called once with a sentence, when starting workers is useless. Running workers are not ended yet. */
  readonly onBroken: (reason: string) => void
}

export interface WorkerCluster {
  /** Resolves when every worker has drained and ended. Rejects if some had to be killed, a moment after the grace. */
  readonly close: () => Promise<void>
  /** Ends every worker at once. */
  readonly kill: () => void
}

/** How long a worker may exceed its grace, in milliseconds. */
const killDelay = 1_000

export function startCluster({ settings, reserved, log, metrics, onReady, onBroken }: ClusterOptions): WorkerCluster {
  const workers = new Map<Worker, Promise<WorkerEnd>>()
  const restarts = new Set<NodeJS.Timeout>()
  const backoff = restartBackoff(settings.workers)
  let listening = 0
  let isReady = false
  let isClosing = false
  let isKilled = false

  const giveUp = (reason: string): void => {
    isClosing = true
    setImmediate(onBroken, reason)
  }

  const countListening = (worker: Worker, urls: Urls, adapter: AdapterName): void => {
    listening += 1
    if (isReady) log.info({ worker: worker.process.pid }, 'a worker listens')
    if (isReady || listening < settings.workers) return
    isReady = true
    onReady(urls, adapter)
    // Later, so that the start-up lines come first.
    setImmediate(() => {
      for (const { process } of workers.keys()) log.info({ worker: process.pid }, 'a worker listens')
    })
  }

  const startLater = (delay: number): void => {
    const timer = setTimeout(() => {
      restarts.delete(timer)
      startWorker()
    }, delay)
    restarts.add(timer)
  }

  const startWorker = (): void => {
    const { worker, exit } = forkWorker()
    const { pid } = worker.process
    let settleTimer: NodeJS.Timeout | undefined
    let hasSettled = false
    let isReplaced = false
    let complaint: string | undefined

    /** Replaces the worker, once: when it begins to leave, or when it has ended. Returns the delay. */
    const replace = (): number | undefined => {
      isReplaced = true
      const delay = hasSettled ? 0 : backoff.nextDelay()
      if (delay === undefined) giveUp(`Workers end soon after they are started${complaint === undefined ? '.' : `: ${complaint}`}`)
      else startLater(delay)
      return delay
    }
    const receive = async (message: WorkerMessage): Promise<void> => {
      switch (message.type) {
        case 'up':
          await reserved.release()
          sendToWorker(worker, isClosing ? { type: 'close' } : { type: 'start', ports: reserved.ports })
          break
        case 'listening':
          settleTimer = setTimeout(() => {
            hasSettled = true
            backoff.reset()
            log.debug({ worker: pid }, 'a worker has settled')
          }, settleTime)
          metrics.add(worker)
          countListening(worker, message.urls, message.adapter)
          break
        case 'failed':
          complaint = message.complaint
          // The first start is not repeated, because the operator is there to see the message.
          if (!isReady && !isClosing) giveUp(complaint)
          break
        case 'measured':
          metrics.update(worker, message.metrics)
          break
        case 'leaving':
          if (!isClosing) replace()
          break
        case 'closed':
          sendToWorker(worker, { type: 'exit' })
      }
    }
    worker.on('message', receive)
    workers.set(worker, exit)
    exit.then(({ code, signal, lived }) => {
      workers.delete(worker)
      metrics.remove(worker)
      clearTimeout(settleTimer)
      if (settleTimer !== undefined) listening -= 1
      if (isKilled || (isClosing && code === 0)) return
      const next = isClosing || isReplaced ? undefined : replace()
      log.error({ worker: pid, code, signal, lived, complaint, next }, 'a worker ended')
    })
  }

  const kill = (): void => {
    isClosing = true
    isKilled = true
    for (const { process } of workers.keys()) process.kill('SIGKILL')
  }

  const close = async (): Promise<void> => {
    isClosing = true
    for (const timer of restarts) clearTimeout(timer)
    for (const worker of workers.keys()) sendToWorker(worker, { type: 'close' })
    const killTimer = setTimeout(() => {
      log.error({ workers: [...workers.keys()].map(({ process }) => process.pid) }, 'workers that did not end in time are killed')
      kill()
    }, settings.shutdownGrace + killDelay)
    await Promise.all(workers.values())
    clearTimeout(killTimer)
    if (isKilled) throw new Error('Workers did not end in time.')
  }

  for (let count = 0; count < settings.workers; count += 1) startWorker()
  return { close, kill }
}
