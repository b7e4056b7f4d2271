/** One worker, as its parent knows it. */
import cluster from 'node:cluster'
import { passOn } from '../log.ts'
import type { FromParent, FromWorker } from './messages.ts'
import { closeOnTheirWay } from './onTheirWay.ts'
import { wholeLines } from './wholeLines.ts'

/** How a worker ended: as node tells it. */
export interface End {
  readonly code: number | null
  readonly signal: string | null
  /** In milliseconds, from when it was started. */
  readonly lived: number
}

export interface Member {
  readonly pid: number | undefined
  readonly tell: (message: FromParent) => void
  /** Ends it at once. */
  readonly kill: () => void
  /** Resolves when it is gone and all that it wrote has been passed on. */
  readonly ended: Promise<End>
}

/** Workers write to a pipe that the parent reads; what they complain of beside the log goes straight to standard error. */
const stdio: ('ignore' | 'pipe' | 'inherit' | 'ipc')[] = ['ignore', 'pipe', 'inherit', 'ipc']

/** Starts a worker. */
export function member(hear: (message: FromWorker) => void): Member {
  // The parent accepts connections and deals them out, whatever the environment says: so a worker that dies takes no others with it.
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ stdio })
  const worker = cluster.fork()
  const begun = performance.now()
  closeOnTheirWay(worker.process)
  worker.on('message', hear)
  worker.process.stdout?.on('data', wholeLines(passOn))
  const ended = new Promise<End>((resolve) => {
    const end = (code: number | null, signal: string | null): void =>
      resolve({ code, signal, lived: Math.round(performance.now() - begun) })
    worker.process.once('close', end)
    // It could not be started (EAGAIN), or not be told something, because it is gone: its end is heard of in the first case only here.
    worker.on('error', () => worker.process.pid === undefined && end(null, null))
  })
  const tell: Member['tell'] = (message) => {
    // A worker that is gone needs not be told.
    if (worker.isConnected()) worker.send(message, () => {})
  }
  return Object.freeze({ pid: worker.process.pid, tell, kill: () => void worker.process.kill('SIGKILL'), ended })
}
