/** `startCluster(options)`: keeps a number of workers running: starts them, replaces those that die, and ends them. */
import cluster, { type Worker } from 'node:cluster'
import { availableParallelism } from 'node:os'
import { checkFunctions } from '../http/functions.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { fromErrorMessage, killDelay, type WorkerMessage } from './clusterMessages.ts'
import { forkWorker, sendToWorker, type WorkerEnd } from './forkWorker.ts'
import { type ReservedPorts, reservePorts, type ServerAddress } from './reservePorts.ts'
import { createRestartBackoff, settleTime } from './restartBackoff.ts'

/** The end of a worker. */
export interface WorkerExit<Report = unknown> {
  readonly type: 'exit'
  /** 0 if the process could not be started. */
  readonly pid: number
  readonly code: number | null
  readonly signal: string | null
  /** Milliseconds since its start. */
  readonly lived: number
  /** Why it could not start. */
  readonly error: Error | undefined
  /** The last report of the worker; undefined if there is none. */
  readonly report: Report | undefined
  /** Whether the cluster has ended it. */
  readonly isExpected: boolean
  /** The delay of its replacement in milliseconds; undefined if there is none, or if it has begun already. */
  readonly restartDelay: number | undefined
}

/**
 * What happens to the workers.
 *
 * - `listening`: a worker serves. The events of the first workers come when all of them serve, after `startCluster` has resolved.
 * - `settled`: it has served for five seconds. If it dies, it is replaced at once.
 * - `exit`: it has ended.
 * - `kill`: workers did not end in time, and are killed.
 */
export type ClusterEvent<Report = unknown> =
  | { readonly type: 'listening' | 'settled'; readonly pid: number }
  | { readonly type: 'kill'; readonly pids: readonly number[] }
  | WorkerExit<Report>

/** Options of a cluster. Times are in milliseconds. */
export interface ClusterOptions<Report = unknown> {
  /** The number of workers. @default one a core */
  readonly workers?: number
  /**
   * The ports on which each worker will listen, by names; 0 picks a free one. They are checked before there are workers, and passed to
   * `runWorker`. A worker can also listen on a fixed port that is not named here. @default none
   */
  readonly ports?: Readonly<Record<string, number>>
  /** The address of these ports. @default '127.0.0.1' */
  readonly host?: string
  /** How long a worker has to close. @default 10_000 */
  readonly grace?: number
  /** Called for what happens to workers, to log it. @default does nothing */
  readonly onEvent?: (event: ClusterEvent<Report>) => void
  /** Receives what the workers write to standard output, in whole lines. @default writes them to standard output */
  readonly onOutput?: (lines: string) => void
}

/** A running cluster. */
export interface RunningCluster<Report = unknown> {
  /** Where the workers listen, by the names of `ports`. */
  readonly addresses: Readonly<Record<string, ServerAddress>>
  /**
   * Asks every worker for its report, such as its metrics.
   *
   * @returns a promise of the reports. A worker that does not answer within a second is represented by its last report. It rejects with the
   * error of a worker that cannot report.
   */
  readonly reports: () => Promise<readonly Report[]>
  /**
   * Closes all workers without losing a request.
   *
   * @returns a promise that resolves when every worker has ended; it rejects if some had to be killed, a second after the grace
   */
  readonly close: () => Promise<void>
}

/**
 * Workers cannot be started. `cause` is the error of the last one, if it told one.
 *
 * @example
 * ```ts
 * import { startCluster, WorkerError } from 'lapidary/cluster'
 *
 * const running = await startCluster({ workers: 4 }).catch((error) => {
 *   console.error(error instanceof WorkerError ? error.cause : error)
 *   process.exit(1)
 * })
 * ```
 */
export class WorkerError extends Error {
  override readonly name = 'WorkerError'
}

/** A worker process, as the primary knows it. */
interface Member<Report = unknown> {
  readonly worker: Worker
  readonly pid: number
  settleTimer: NodeJS.Timeout | undefined
  hasSettled: boolean
  /** Whether its replacement is on its way, because it leaves. */
  isReplaced: boolean
  /** Why it could not start. */
  error: Error | undefined
  report: Report | undefined
  /** Resumes the calls of `reports` that wait for this worker. */
  readonly waiting: Set<(error?: Error) => void>
}

/** How long `reports` waits for a worker, in milliseconds. */
const reportTimeout = 1_000

const ignoreEvent = (): void => {}
const writeOutput = (lines: string): void => void process.stdout.write(lines)

/** Asks a worker for its report. Resolves when it is there, the time is over, or the worker has ended. */
const requestReport = ({ worker, waiting }: Member): Promise<void> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, reportTimeout)
    waiting.add((error) => {
      clearTimeout(timer)
      if (error === undefined) resolve()
      else reject(error)
    })
    sendToWorker(worker, { type: 'lapidary:report' })
  })

const endWaiting = ({ waiting }: Member, error?: Error): void => {
  const waited = [...waiting]
  waiting.clear()
  for (const next of waited) next(error)
}

/**
 * Starts workers that serve the same ports, and keeps them running. A worker is a process that runs the same program (Node's `cluster`),
 * and calls `runWorker` in place of this function.
 *
 * A worker that dies is replaced: at once if it had served for five seconds, else after a delay that grows. Only requests on its own
 * connections are lost, and no new connection is refused. A worker that closes by itself, after a signal or an uncaught error, is replaced
 * while it still serves its requests. When workers end again and again, the others are closed, and an uncaught `WorkerError` ends the
 * process. When this process ends, no worker stays: it kills them, or, if it is killed itself, they close.
 *
 * It handles no signal: call `close` at SIGTERM. `Report` is the type of what the workers report, if they do.
 *
 * @returns a promise of the cluster, when every worker serves. It rejects with Node's error if a port is not available (`EADDRINUSE`), and
 * with `WorkerError` if a worker cannot start.
 * @throws TypeError in a worker, and for an invalid number of workers.
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
 * if (cluster.isPrimary) {
 *   const running = await startCluster({ workers: 4, onEvent: (event) => console.log(event) })
 *   process.once('SIGTERM', () => void running.close())
 * } else {
 *   await runWorker(() => listen(server, { port: 8081 }))
 * }
 * ```
 */
export async function startCluster<Report = unknown>(options: ClusterOptions<Report> = {}): Promise<RunningCluster<Report>> {
  const { workers: size = availableParallelism(), ports = {}, host = '127.0.0.1', onEvent, onOutput } = options
  if (!cluster.isPrimary) throw new TypeError(developerErrors.clusterInWorker())
  if (!Number.isSafeInteger(size) || size < 1) throw new TypeError(developerErrors.invalidWorkerCount(size))
  checkFunctions('startCluster()', { onEvent, onOutput })
  const reserved = await reservePorts(host, ports)
  return new Promise((resolve, reject) => superviseWorkers(size, reserved, options, resolve, reject))
}

/**
 * Starts the workers.
 *
 * @param onReady called once, when every worker serves
 * @param onFailure called in place of it, when a worker cannot start
 */
function superviseWorkers<Report>(
  size: number,
  reserved: ReservedPorts,
  { grace = 10_000, onEvent = ignoreEvent, onOutput = writeOutput }: ClusterOptions<Report>,
  onReady: (running: RunningCluster<Report>) => void,
  onFailure: (error: WorkerError) => void,
): void {
  const members = new Map<Member<Report>, Promise<void>>()
  const restarts = new Set<NodeJS.Timeout>()
  const backoff = createRestartBackoff(size)
  const ports = Object.fromEntries(Object.entries(reserved.addresses).map(([name, { port }]) => [name, port]))
  let isReady = false
  let isClosing = false
  let isKilled = false
  let closed: Promise<void> | undefined

  const isListening = ({ settleTimer }: Member): boolean => settleTimer !== undefined

  const kill = (): void => {
    isClosing = true
    isKilled = true
    for (const { worker } of members.keys()) worker.process.kill('SIGKILL')
  }

  const closeWorkers = async (): Promise<void> => {
    isClosing = true
    for (const timer of restarts) clearTimeout(timer)
    for (const { worker } of members.keys()) sendToWorker(worker, { type: 'lapidary:close' })
    const killTimer = setTimeout(() => {
      onEvent({ type: 'kill', pids: [...members.keys()].map(({ pid }) => pid) })
      kill()
    }, grace + killDelay)
    await Promise.all(members.values())
    clearTimeout(killTimer)
    process.off('exit', kill)
    if (isKilled) throw new Error(`Workers did not end within ${grace + killDelay} ms, and were killed.`)
  }

  const close = (): Promise<void> => {
    closed ??= closeWorkers()
    return closed
  }

  const fail = async (error: WorkerError): Promise<void> => {
    if (isReady) {
      // Workers that had to be killed were an event.
      await close().catch(() => {})
      throw error
    }
    kill()
    await Promise.all([...members.values(), reserved.release()])
    process.off('exit', kill)
    onFailure(error)
  }

  /** Starting workers is useless. */
  const giveUp = (reason: string, cause: Error | undefined): void => {
    isClosing = true
    setImmediate(fail, new WorkerError(reason, { cause }))
  }

  const reports = async (): Promise<readonly Report[]> => {
    await Promise.all([...members.keys()].filter(isListening).map(requestReport))
    return [...members.keys()].flatMap(({ report }) => (report === undefined ? [] : [report]))
  }

  const countListening = (member: Member<Report>): void => {
    if (isReady) onEvent({ type: 'listening', pid: member.pid })
    const listening = [...members.keys()].filter(isListening)
    if (isReady || isClosing || listening.length < size) return
    isReady = true
    onReady(Object.freeze({ addresses: reserved.addresses, reports, close }))
    // Later, so that the application has said that it is ready.
    setImmediate(() => {
      for (const { pid } of listening) onEvent({ type: 'listening', pid })
    })
  }

  /** Replaces a worker, once: when it begins to leave, or when it has ended. Returns the delay. */
  const replace = (member: Member<Report>): number | undefined => {
    member.isReplaced = true
    const delay = member.hasSettled ? 0 : backoff.nextDelay()
    if (delay === undefined) {
      giveUp('Workers end soon after they are started', member.error)
      return undefined
    }
    const timer = setTimeout(() => {
      restarts.delete(timer)
      startWorker()
    }, delay)
    restarts.add(timer)
    return delay
  }

  const receive = async (member: Member<Report>, message: WorkerMessage | null): Promise<void> => {
    const { worker, pid } = member
    switch (message?.type) {
      case 'lapidary:up':
        await reserved.release()
        sendToWorker(worker, isClosing ? { type: 'lapidary:close' } : { type: 'lapidary:start', ports, grace })
        break
      case 'lapidary:listening':
        member.settleTimer = setTimeout(() => {
          member.hasSettled = true
          backoff.reset()
          onEvent({ type: 'settled', pid })
        }, settleTime)
        countListening(member)
        break
      case 'lapidary:failed':
        member.error = fromErrorMessage(message.error)
        // The first start is not repeated, because the operator is there to see the message.
        if (!isReady && !isClosing) giveUp('A worker cannot start', member.error)
        break
      case 'lapidary:report':
        member.report = message.report as Report // what its workers return
        endWaiting(member)
        break
      case 'lapidary:reportFailed':
        endWaiting(member, fromErrorMessage(message.error))
        break
      case 'lapidary:leaving':
        if (!isClosing) replace(member)
        break
      case 'lapidary:closed':
        sendToWorker(worker, { type: 'lapidary:exit' })
    }
  }

  const finish = (member: Member<Report>, { code, signal, lived }: WorkerEnd): void => {
    const { pid, error, report, isReplaced, settleTimer } = member
    members.delete(member)
    clearTimeout(settleTimer)
    endWaiting(member)
    const isExpected = isKilled || (isClosing && code === 0)
    const restartDelay = isClosing || isReplaced ? undefined : replace(member)
    onEvent({ type: 'exit', pid, code, signal, lived, error, report, isExpected, restartDelay })
  }

  const startWorker = (): void => {
    const { worker, exit } = forkWorker(onOutput)
    const member: Member<Report> = {
      worker,
      pid: worker.process.pid ?? 0,
      settleTimer: undefined,
      hasSettled: false,
      isReplaced: false,
      error: undefined,
      report: undefined,
      waiting: new Set(),
    }
    worker.on('message', (message) => receive(member, message))
    members.set(
      member,
      exit.then((end) => finish(member, end)),
    )
  }

  // No worker outlives this process.
  process.once('exit', kill)
  for (let count = 0; count < size; count += 1) startWorker()
}
