/** The command line of the service: `npm start`, `npm start -- docs --port 9000`. */
import closeWithGrace from 'close-with-grace'
import { announce, log } from './log.ts'
import { BadSetting, commandLine, type Deployment, settings } from './settings.ts'
import { start } from './start.ts'
import { CannotOpen } from './store/cannotOpen.ts'

async function run(words: readonly string[]): Promise<void> {
  const { deployments, flags } = commandLine(words)
  const chosen = settings(process.env, flags, deployments)
  const logger = log(chosen.logLevel)
  const running = await start(chosen, logger)
  // A second signal ends the process at once; so does the grace, a moment after connections have been cut.
  closeWithGrace({ delay: chosen.shutdownGrace + 1_000, logger: false }, async ({ signal, err }) => {
    if (err === undefined) logger.info({ signal }, 'closing')
    else logger.fatal({ err }, 'closing after an unexpected error')
    await running.close()
  })
  // Whoever waits for these lines may send a signal as soon as it has read them.
  for (const [deployment, url] of Object.entries(running.urls)) announce(deployment as Deployment, url)
}

try {
  await run(process.argv.slice(2))
} catch (error) {
  // What the person who started it can mend is one line; anything else is a fault of ours, and its stack helps to find it.
  const mendable = error instanceof BadSetting || error instanceof CannotOpen
  process.stderr.write(`${mendable ? error.message : error instanceof Error ? error.stack : error}\n`)
  process.exitCode = 1
}
