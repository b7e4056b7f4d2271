/** The command line of the service: `npm start`, `npm start -- docs --port 9000`. */
import cluster from 'node:cluster'
import closeWithGrace from 'close-with-grace'
import { logAdapter } from './listenBy.ts'
import { announce, log } from './log.ts'
import { NotBuilt } from './pages/notBuilt.ts'
import { BadSetting, commandLine, type Deployment, settings } from './settings.ts'
import { start } from './start.ts'
import { CannotOpen } from './store/cannotOpen.ts'
import { CannotWork } from './workers/cannotWork.ts'

async function run(words: readonly string[]): Promise<void> {
  const { deployments, flags } = commandLine(words)
  const chosen = settings(process.env, flags, deployments)
  const logger = log(chosen.logLevel)
  const alone = chosen.workers === 1
  const running = await (alone ? start(chosen, logger) : (await import('./workers/lead.ts')).lead(chosen, logger))
  // A second signal ends the process at once; so does the grace, a moment after connections have been cut, or workers killed.
  closeWithGrace({ delay: chosen.shutdownGrace + (alone ? 1_000 : 2_000), logger: false }, async ({ signal, err }) => {
    if (err === undefined) logger.info({ signal }, 'closing')
    else logger.fatal({ err }, 'closing after an unexpected error')
    await running.close()
  })
  // Whoever waits for these lines may send a signal as soon as it has read them.
  for (const [deployment, url] of Object.entries(running.urls)) announce(deployment as Deployment, url)
  if (running.metricsUrl !== undefined) announce('metrics', running.metricsUrl)
  logAdapter(logger, chosen.adapter, running.adapter)
}

/** What the person who started it can mend is one line; anything else is a fault of ours, and its stack helps to find it. */
function complaint(error: unknown): string {
  const mendable = error instanceof BadSetting || error instanceof CannotOpen || error instanceof CannotWork || error instanceof NotBuilt
  return mendable ? error.message : String(error instanceof Error ? error.stack : error)
}

const words = process.argv.slice(2)
if (cluster.isWorker) {
  const { failed, work } = await import('./workers/work.ts')
  await work(words).catch((error) => failed(complaint(error)))
} else {
  try {
    await run(words)
  } catch (error) {
    process.stderr.write(`${complaint(error)}\n`)
    process.exitCode = 1
  }
}
