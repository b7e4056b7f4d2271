/** The command of the service: `npm start`, `npm start -- docs --port 9000`. */
import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import { startPrimary, WorkerError } from './cluster/primary.ts'
import { MissingAssetError } from './handlers/pages.ts'
import { logAdapter } from './listen.ts'
import { announce, createLog } from './log.ts'
import { type Deployment, readCommandLine, readSettings, SettingError } from './settings.ts'
import { startService } from './start.ts'
import { OpenError } from './store/errors.ts'

async function run(args: readonly string[]): Promise<void> {
  const { deployments, flags } = readCommandLine(args)
  const settings = readSettings(process.env, flags, deployments)
  const log = createLog(settings.logLevel)
  const isAlone = settings.workers === 1
  const running = await (isAlone ? startService(settings, log) : startPrimary(settings, log))
  // A second signal ends the process at once. So does the end of the grace, a moment after connections are cut or workers killed.
  closeWithGrace({ delay: settings.shutdownGrace + (isAlone ? 1_000 : 2_000), logger: false }, async ({ signal, err }) => {
    if (err === undefined) log.info({ signal }, 'closing')
    else log.fatal({ err }, 'closing after an unexpected error')
    await running.close()
  })
  // After the signal handlers, because a script may send a signal as soon as it has read these lines.
  for (const [deployment, url] of Object.entries(running.urls)) announce(deployment as Deployment, url)
  if (running.metricsUrl !== undefined) announce('metrics', running.metricsUrl)
  logAdapter(log, settings.adapter, running.adapter)
}

/** One line for a problem that the operator can solve. The stack for a defect. */
function describeFailure(error: unknown): string {
  const isForOperator = [SettingError, OpenError, WorkerError, MissingAssetError].some((type) => error instanceof type)
  return isForOperator ? (error as Error).message : String(error instanceof Error ? error.stack : error)
}

const args = process.argv.slice(2)
if (cluster.isWorker) {
  const { failWorker, runWorker } = await import('./cluster/worker.ts')
  await runWorker(args).catch((error) => failWorker(describeFailure(error)))
} else {
  try {
    await run(args)
  } catch (error) {
    process.stderr.write(`${describeFailure(error)}\n`)
    process.exitCode = 1
  }
}
