/** Starts the service: opens the database, serves the deployments, and stops them again without losing a request. */
import { type Listening, listen } from 'lapidary/node'
import type { Logger } from 'pino'
import { kernels } from './kernels.ts'
import { logged } from './logged.ts'
import { openStore } from './openStore.ts'
import { proxied } from './proxied.ts'
import { refusedAddress } from './refusedAddress.ts'
import type { Deployment, Settings } from './settings.ts'

/** A service that runs. */
export interface Running {
  readonly urls: Readonly<Partial<Record<Deployment, string>>>
  /** Drains, closes and lets go of the database. Resolves when all is done. */
  readonly close: () => Promise<void>
}

/** For how long a closing service still accepts connections, in milliseconds; part of the grace. */
const drain = 1_500

/** @throws BadSetting, CannotOpen, NotBuilt: one line each, for the person who started it. */
export async function start(settings: Settings, log: Logger): Promise<Running> {
  let closing = false
  const store = await openStore(settings, log)
  const running: (readonly [Deployment, Listening])[] = []

  const close = async (): Promise<void> => {
    closing = true
    const times = { drain: Math.min(drain, settings.shutdownGrace), grace: settings.shutdownGrace }
    await Promise.all(running.map(([, listening]) => listening.close(times)))
    await store.close()
  }

  const served = await kernels({ settings, store, log, isClosing: () => closing }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  for (const deployment of settings.deployments) {
    const port = settings.ports[deployment]
    try {
      const { host, requestTimeout, headersTimeout, keepAliveTimeout } = settings
      const kernel = proxied(logged(served[deployment], log.child({ deployment })), settings.trustedProxies)
      running.push([deployment, await listen(kernel, { host, port, requestTimeout, headersTimeout, keepAliveTimeout })])
    } catch (error) {
      await close()
      throw refusedAddress(error, settings.host, port)
    }
  }
  return Object.freeze({ urls: Object.freeze(Object.fromEntries(running.map(([deployment, { url }]) => [deployment, url]))), close })
}
