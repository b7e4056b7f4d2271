/** Starts several workers that serve the same deployments. Their parent holds the ports, and serves nothing itself. */
import type { Logger } from 'pino'
import { metricsServer } from '../observe/metricsServer.ts'
import { openStore } from '../openStore.ts'
import type { Settings } from '../settings.ts'
import type { Running } from '../start.ts'
import { CannotWork } from './cannotWork.ts'
import { claim } from './claim.ts'
import { measured } from './measured.ts'
import { type TeamOptions, team } from './team.ts'

/**
 * Resolves when every worker listens. When workers can no longer be started, later, it throws where nobody catches it: like every
 * unexpected error, that is a line in the log, a graceful end and exit code 1.
 *
 * @throws BadSetting, CannotOpen, CannotWork
 */
export async function lead(settings: Settings, log: Logger): Promise<Running> {
  // Before there are workers: its tables are brought up to date once, and what is wrong with it is said once.
  const store = await openStore(settings, log)
  await store.close()
  const claimed = await claim(settings)
  const all = measured()
  const { host, metricsPort } = settings
  const refused = async (error: unknown): Promise<never> => {
    await claimed.release()
    throw error
  }
  // As with any other port: where it is taken, nothing is started.
  const shown = metricsPort === undefined ? undefined : await metricsServer(all.text, host, metricsPort, log).catch(refused)
  const hide = async (): Promise<void> => shown?.close({ drain: 0, grace: 0 })
  return new Promise((resolve, reject) => {
    let started = false
    const ready: TeamOptions['ready'] = (urls, adapter) => {
      started = true
      resolve(Object.freeze({ urls, adapter, metricsUrl: shown?.url, close: () => workers.close().finally(hide) }))
    }
    const broken = (reason: string): void => {
      const error = new CannotWork(reason)
      if (started) throw error
      workers.kill()
      void hide().then(() => reject(error))
    }
    const workers = team({ settings, claim: claimed, log, measured: all, ready, broken })
    // However the parent ends, nothing is left behind.
    process.once('exit', workers.kill)
  })
}
