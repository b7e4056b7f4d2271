/** Starts a worker process, and forwards what it writes to standard output. */
import cluster, { type Worker } from 'node:cluster'
import type { PrimaryMessage } from './clusterMessages.ts'
import { closeUndelivered } from './undelivered.ts'

const lineFeed = 0x0a

/**
 * Returns a function that takes bytes and passes on whole lines, because several processes share one output. A line that its killed writer
 * has not finished is dropped.
 */
export function wholeLines(pass: (lines: string) => void): (bytes: Buffer) => void {
  let rest: Buffer[] = []
  return (bytes) => {
    const end = bytes.lastIndexOf(lineFeed) + 1
    if (end > 0) {
      pass(Buffer.concat([...rest, bytes.subarray(0, end)]).toString())
      rest = []
    }
    if (end < bytes.length) rest.push(bytes.subarray(end))
  }
}

/** How a worker ended. */
export interface WorkerEnd {
  readonly code: number | null
  readonly signal: string | null
  /** Milliseconds since its start. */
  readonly lived: number
}

export interface ForkedWorker {
  readonly worker: Worker
  /** Resolves when the worker has ended and its output is forwarded. */
  readonly exit: Promise<WorkerEnd>
}

/** @param onOutput receives whole lines */
export function forkWorker(onOutput: (lines: string) => void): ForkedWorker {
  // The primary accepts the connections and distributes them, regardless of the environment.
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const worker = cluster.fork()
  const start = performance.now()
  closeUndelivered(worker.process)
  worker.process.stdout?.on('data', wholeLines(onOutput))
  const exit = new Promise<WorkerEnd>((resolve) => {
    const end = (code: number | null, signal: string | null): void =>
      resolve({ code, signal, lived: Math.round(performance.now() - start) })
    worker.process.once('close', end)
    // A process that could not be started (EAGAIN) emits no `close`. A failed message emits an error as well.
    worker.on('error', () => worker.process.pid === undefined && end(null, null))
  })
  return { worker, exit }
}

/** Sends a message, unless the worker is gone. */
export function sendToWorker(worker: Worker, message: PrimaryMessage): void {
  if (worker.isConnected()) worker.send(message, () => {})
}
