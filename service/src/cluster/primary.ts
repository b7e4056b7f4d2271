/** The primary process of several workers: it starts them, replaces those that die, sums their metrics, and closes them. */
import cluster, { type Worker } from 'node:cluster'
import { EventEmitter, once } from 'node:events'
import type { Logger } from 'pino'
import { wholeLines } from '../log.ts'
import type { MetricsSnapshot } from '../observability/metrics.ts'
import type { Settings } from '../settings.ts'
import { loadMetrics, openDatabase, type RunningService } from '../start.ts'
import { createRestartBackoff, settleTime } from './restartBackoff.ts'
import type { WorkerMessage } from './worker.ts'

/** A worker process, as the primary knows it. */
interface Member {
  readonly worker: Worker
  /** Resolves with the exit code and the signal when the process has ended and its output is forwarded. */
  readonly ended: Promise<readonly [number | null, string | null]>
  state: 'starting' | 'listening' | 'settled'
  /** Whether its replacement is on its way, because it leaves. */
  isReplaced: boolean
  /** Why it could not start. */
  error?: string
  report?: MetricsSnapshot
}

const isListening = ({ state }: Member): boolean => state !== 'starting'
/** Asks for the metrics of a worker, or closes it, unless the worker is gone. */
const send = ({ worker }: Member, message: 'report' | 'close'): void => void (worker.isConnected() && worker.send(message, () => {}))

/**
 * Runs the primary process. Resolves when every worker listens; rejects with an error whose name is `WorkerError` if one cannot start, and as
 * `openDatabase` and `serveMetrics` do. If workers can no longer be started later, the error is an uncaught one.
 */
export async function startPrimary(settings: Settings, log: Logger): Promise<RunningService> {
  // Migrates the database once, and reports its problems once, before there are workers.
  const store = await openDatabase(settings, log)
  await store.close()
  const members = new Set<Member>()
  const backoff = createRestartBackoff(settings.workers)
  let isReady = false
  let isClosing = false
  const metrics = await loadMetrics(settings)
  const clusterMetrics = metrics?.createClusterMetrics()
  const readMetrics = async (): Promise<string> => {
    const listening = [...members].filter(isListening)
    for (const member of listening) send(member, 'report')
    // A worker that is blocked or ends is represented by its last report.
    const signal = AbortSignal.timeout(1_000)
    await Promise.all(listening.map(({ worker }) => once(worker, 'message', { signal }).catch(() => {})))
    return clusterMetrics?.text([...members].flatMap(({ report }) => (report ? [report] : []))) ?? ''
  }
  const metricsServer = await metrics?.serveMetrics(readMetrics, settings, log)
  const waitForEnd = (): Promise<void> =>
    Promise.all([...members].map(({ ended }) => ended)).then(() => metricsServer?.close({ drain: 0, grace: 0 }))
  const kill = (): void => members.forEach(({ worker }) => void worker.process.kill('SIGKILL'))
  /** Emits `ready`, or `error` if starting workers is useless. When there is no listener any more, that throws the error. */
  const start = new EventEmitter().setMaxListeners(0)
  const ready = once(start, 'ready')
  const giveUp = (reason: string): void => {
    if (isClosing) return
    isClosing = true
    setImmediate(() => start.emit('error', Object.assign(new Error(reason), { name: 'WorkerError' })))
  }
  /** Replaces a worker, once: when it begins to leave, or when it has ended. Returns the delay. */
  const replace = (member: Member): number | undefined => {
    member.isReplaced = true
    const delay = member.state === 'settled' ? 0 : backoff.nextDelay()
    if (delay !== undefined) setTimeout(startMember, delay)
    else giveUp(['Workers end soon after they are started', member.error].filter(Boolean).join(': '))
    return delay
  }
  const receive = (member: Member, message: WorkerMessage): void => {
    const { worker } = member
    if (message.type === 'listening') {
      member.state = 'listening'
      setTimeout(() => {
        if (worker.isDead()) return
        member.state = 'settled'
        backoff.reset()
        log.debug({ worker: worker.process.pid }, 'a worker has settled')
      }, settleTime).unref()
      // The first lines of the log are the URLs of the service.
      start.once('ready', () => setImmediate(() => log.info({ worker: worker.process.pid }, 'a worker listens')))
      isReady ||= [...members].filter(isListening).length === settings.workers
      if (isReady) start.emit('ready', message.urls)
      // It may have got none while it started.
      if (isClosing) send(member, 'close')
    } else if (message.type === 'failed') {
      member.error = message.error
      // The first start is not repeated, because the operator is there to see the message.
      if (!isReady) giveUp(message.error)
    } else if (message.type === 'report') member.report = message.report
    else if (!isClosing) replace(member)
  }
  const startMember = async (): Promise<void> => {
    if (isClosing) return
    const worker = cluster.fork()
    const started = performance.now()
    const { pid, stdout } = worker.process
    const ended = new Promise<readonly [number | null, string | null]>((resolve) => {
      worker.process.once('close', (...end) => resolve(end))
      // A process that could not be started may emit no `close`. A message that could not be sent is an error as well.
      worker.on('error', () => pid === undefined && resolve([null, null]))
    })
    const member: Member = { worker, ended, state: 'starting', isReplaced: false }
    members.add(member)
    stdout?.on('data', wholeLines())
    worker.on('message', (message) => receive(member, message))
    const [code, signal] = await ended
    members.delete(member)
    clusterMetrics?.keep(member.report)
    const isExpected = isClosing && (code === 0 || !isReady || member.state === 'starting')
    const next = isClosing || member.isReplaced ? undefined : replace(member)
    const lived = Math.round(performance.now() - started)
    if (!isExpected) log.error({ worker: pid, code, signal, lived, error: member.error, next }, 'a worker ended')
  }

  // No worker outlives this process.
  process.prependOnceListener('exit', () => {
    if (members.size > 0)
      log.error({ workers: [...members].map(({ worker }) => worker.process.pid) }, 'workers that did not end in time are killed')
    kill()
  })
  cluster.schedulingPolicy = cluster.SCHED_RR
  cluster.setupPrimary({ stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  for (let count = 0; count < settings.workers; count += 1) void startMember()
  const [urls] = await ready.catch(async (error) => {
    kill()
    await waitForEnd()
    throw error
  })
  const close = (): Promise<void> => {
    isClosing = true
    for (const member of members) send(member, 'close')
    return waitForEnd()
  }
  return Object.freeze({ urls: metricsServer ? { ...urls, metrics: metricsServer.url } : urls, close })
}
