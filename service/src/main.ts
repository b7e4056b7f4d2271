/** The command of the service: `npm start`, `npm start -- docs --port 9000`. */
import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import { WorkerError } from 'lapidary/cluster'
import { startPrimary, startWorker } from './cluster.ts'
import { announce, createLog } from './log.ts'
import { readCommandLine, readSettings, SettingError } from './settings.ts'
import { startService } from './start.ts'

async function run(args: readonly string[]): Promise<void> {
  const { deployments, flags } = readCommandLine(args)
  const settings = readSettings(process.env, flags, deployments)
  const log = createLog(settings.logLevel)
  if (cluster.isWorker) return startWorker(settings, log)
  const isAlone = settings.workers === 1
  const running = await (isAlone ? startService(settings, log) : startPrimary(settings, log))
  // A second signal ends the process at once. So does the end of the grace, a moment after connections are cut or workers killed.
  closeWithGrace({ delay: settings.shutdownGrace + (isAlone ? 1_000 : 2_000), logger: false }, async ({ signal, err }) => {
    if (err === undefined) log.info({ signal }, 'closing')
    else log.fatal({ err }, 'closing after an unexpected error')
    await running.close()
  })
  // After the signal handlers, because a script may send a signal as soon as it has read these lines.
  for (const [deployment, url] of Object.entries(running.urls)) announce(deployment as keyof typeof running.urls, url)
}

/** Problems that the operator can solve. */
const operatorErrors = new Set(['SettingError', 'OpenError', 'MissingAssetError'])

/** One line for a problem that the operator can solve. The stack for a defect. */
function describeFailure(error: unknown): string {
  const reason = error instanceof WorkerError ? (error.cause ?? error.message) : error
  if (!(reason instanceof Error)) return String(reason)
  const { code, syscall, hostname, address = hostname, port = 0 } = reason as NodeJS.ErrnoException & Record<string, string | undefined>
  if (syscall === 'listen' && code === 'EADDRINUSE')
    return new SettingError('The port', `${port}`, `a free port on ${address}, and this one is taken`).message
  if (syscall === 'listen' || syscall === 'getaddrinfo')
    return new SettingError('The address', `${address}:${port}`, `one that this machine lets a server have (${code})`).message
  return operatorErrors.has(reason.name) ? reason.message : String(reason.stack)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${describeFailure(error)}\n`)
  process.exitCode = 1
}
