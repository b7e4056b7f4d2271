/** The command of the service: `npm start`, `npm start -- docs --port 9000`. */
import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import { startPrimary } from './cluster/primary.ts'
import { joinCluster, leaveCluster, sendToPrimary } from './cluster/worker.ts'
import { announce, createLog } from './log.ts'
import { readCommandLine, readSettings, SettingError } from './settings.ts'
import { startService } from './start.ts'

/** Signals of users and service managers. A worker may get one besides the message of its primary process, which alone forces an end. */
const closeSignals = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const

async function run(args: readonly string[]): Promise<void> {
  const { deployments, flags } = readCommandLine(args)
  const settings = readSettings(process.env, flags, deployments)
  const log = createLog(settings.logLevel)
  const start = cluster.isPrimary && settings.workers > 1 ? startPrimary : startService
  const running = await start(settings, log)
  let why: object | undefined
  // A second signal ends the process at once. So does the end of the grace: a moment after connections are cut, in a worker after the primary.
  const delay = settings.shutdownGrace + (cluster.isWorker ? 2_000 : 1_000)
  const skip = cluster.isWorker ? [...closeSignals] : []
  const { close } = closeWithGrace({ delay, skip, logger: false }, async ({ signal, err }) => {
    why ??= { signal }
    if (err === undefined) log.info(why, 'closing')
    else log.fatal({ err }, 'closing after an unexpected error')
    await (cluster.isWorker ? leaveCluster(running) : running.close()).catch((failure) => {
      log.error({ err: failure }, 'closing failed')
      throw failure
    })
  })
  const closeWorker = (reason: object): void => {
    if (why !== undefined) return
    why = reason
    close()
  }
  // After the signal handlers, because a script may send a signal as soon as it has read these lines.
  if (cluster.isWorker) {
    for (const signal of closeSignals) process.on(signal, () => closeWorker({ signal }))
    await joinCluster(running, closeWorker)
  } else for (const [deployment, url] of Object.entries(running.urls)) announce(deployment as keyof typeof running.urls, url)
}

/** Problems that the operator can solve. */
const operatorErrors = new Set(['SettingError', 'OpenError', 'MissingAssetError', 'WorkerError'])

/** One line for a problem that the operator can solve. The stack for a defect. */
function describeFailure(reason: unknown): string {
  if (!(reason instanceof Error)) return String(reason)
  const { code, syscall, hostname, address = hostname, port = 0 } = reason as NodeJS.ErrnoException & Record<string, string | undefined>
  // For a worker the primary process binds.
  const isAddress = syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo'
  if (isAddress && code === 'EADDRINUSE')
    return new SettingError('The port', `${port}`, `a free port on ${address}, and this one is taken`).message
  if (isAddress) return new SettingError('The address', `${address}:${port}`, `one that this machine lets a server have (${code})`).message
  return operatorErrors.has(reason.name) ? reason.message : String(reason.stack)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  const message = describeFailure(error)
  if (cluster.isWorker) {
    await sendToPrimary({ type: 'failed', error: message })
    process.exit(1)
  }
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
