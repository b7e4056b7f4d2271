/** Starts the service: opens the database, serves the deployments, and stops them again without losing a request. */
import { type Listening, listen } from 'lapidary/node'
import type { Logger } from 'pino'
import { kernels } from './kernels.ts'
import { logged } from './logged.ts'
import { BadSetting, type Deployment, type Settings } from './settings.ts'
import { open } from './store/open.ts'

/** A service that runs. */
export interface Running {
  readonly urls: Readonly<Partial<Record<Deployment, string>>>
  /** Drains, closes and lets go of the database. Resolves when all is done. */
  readonly close: () => Promise<void>
}

/** For how long a closing service still accepts connections, in milliseconds; part of the grace. */
const drain = 1_500

const isTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE'

/** A setting that the machine refuses is a bad setting. */
function refused(error: unknown, host: string, port: number): unknown {
  if (isTaken(error)) return new BadSetting('The port', `${port}`, `a free port on ${host}, and this one is taken`)
  const { code = 'unknown' } = error as NodeJS.ErrnoException
  return new BadSetting('The address', `${host}:${port}`, `one that this machine lets a server have (${code})`)
}

/** @throws BadSetting, CannotOpen: one line each, for the person who started it. */
export async function start(settings: Settings, log: Logger): Promise<Running> {
  let closing = false
  const store = await open(settings.databaseUrl)
  const running: (readonly [Deployment, Listening])[] = []

  const close = async (): Promise<void> => {
    closing = true
    const times = { drain: Math.min(drain, settings.shutdownGrace), grace: settings.shutdownGrace }
    await Promise.all(running.map(([, listening]) => listening.close(times)))
    await store.close()
  }

  const served = await kernels({ settings, store, log, isClosing: () => closing })
  for (const deployment of settings.deployments) {
    const port = settings.ports[deployment]
    try {
      const { host, requestTimeout, headersTimeout, keepAliveTimeout } = settings
      const kernel = logged(served[deployment], log.child({ deployment }))
      running.push([deployment, await listen(kernel, { host, port, requestTimeout, headersTimeout, keepAliveTimeout })])
    } catch (error) {
      await close()
      throw refused(error, settings.host, port)
    }
  }
  return Object.freeze({ urls: Object.freeze(Object.fromEntries(running.map(([deployment, { url }]) => [deployment, url]))), close })
}
