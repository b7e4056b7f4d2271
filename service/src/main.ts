/** The command of the service: `npm start`, `npm start -- docs --port 9000`. */
import cluster from 'node:cluster'
import { run } from 'lapidary/node'
import { startPrimary } from './cluster/primary.ts'
import { sendToPrimary, startWorker } from './cluster/worker.ts'
import { announce, createLog } from './log.ts'
import { readCommandLine, readSettings } from './settings.ts'
import { startService } from './start.ts'

/** Problems that the operator can solve: the message says how. */
const operatorErrors = new Set(['SettingError', 'OpenError', 'MissingAssetError', 'WorkerError', 'ListenError'])

/** One line for a problem that the operator can solve. The stack for a defect. */
async function reportFailedStart(error: unknown): Promise<void> {
  const isExpected = error instanceof Error && operatorErrors.has(error.name)
  const message = isExpected ? error.message : String(error instanceof Error ? error.stack : error)
  if (cluster.isWorker) await sendToPrimary({ type: 'failed', error: message })
  else process.stderr.write(`${message}\n`)
}

try {
  const { deployments, flags } = readCommandLine(process.argv.slice(2))
  const settings = readSettings(process.env, flags, deployments)
  const log = createLog(settings.logLevel)
  const leave = new AbortController()
  const start = cluster.isWorker ? startWorker : settings.workers > 1 ? startPrimary : startService
  const { urls } = await run(start(settings, log, leave), {
    grace: settings.shutdownGrace,
    // The end is forced a moment after connections are cut, and in a worker after the primary.
    settle: cluster.isWorker ? 1_000 : 500,
    signal: leave.signal,
    onClosing: ({ error, ...why }) => {
      if (error === undefined) log.info(why, 'closing')
    },
    onFailure: async (err, moment) => {
      if (moment === 'start') await reportFailedStart(err)
      else if (moment === 'close') log.error({ err }, 'closing failed')
      else log.fatal({ err }, 'closing after an unexpected error')
    },
  })
  // After the signal handlers, because a script may send a signal as soon as it has read these lines.
  if (cluster.isPrimary) for (const [deployment, url] of Object.entries(urls)) announce(deployment as keyof typeof urls, url)
} catch (error) {
  await reportFailedStart(error)
  process.exit(1)
}
