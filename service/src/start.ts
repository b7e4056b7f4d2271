/** Starts the service: opens the database, serves the deployments, and stops them again without losing a request. */
import type { Api } from 'lapidary'
import { loadShedding } from 'lapidary/middleware'
import type { RunningServer } from 'lapidary/node'
import { tracing } from 'lapidary/opentelemetry'
import type { HttpRequest } from 'lapidary/server'
import type { Logger } from 'pino'
import { docs, main, pagination } from './api.ts'
import { guarded } from './guarded.ts'
import { kernels, reporter } from './kernels.ts'
import { listenBy } from './listenBy.ts'
import { logged } from './logged.ts'
import { exported } from './observe/exported.ts'
import type { Metrics } from './observe/metrics.ts'
import { metricsServer } from './observe/metricsServer.ts'
import { observed } from './observe/observed.ts'
import { refusals } from './observe/refusals.ts'
import { openStore } from './openStore.ts'
import { proxied } from './proxied.ts'
import { refusedAddress } from './refusedAddress.ts'
import type { Adapter, Deployment, Settings } from './settings.ts'

/** A service that runs. */
export interface Running {
  readonly urls: Readonly<Partial<Record<Deployment, string>>>
  /** The one that was asked for, or `node` where this Node has not got it. */
  readonly adapter: Adapter
  /** Where the metrics are, if anywhere. */
  readonly metricsUrl: string | undefined
  /** Drains, closes and lets go of the database. Resolves when all is done. */
  readonly close: () => Promise<void>
}

const apis: Readonly<Record<Deployment, Api>> = Object.freeze({ main, pagination, docs })

/** For how long a closing service still accepts connections, in milliseconds; part of the grace. */
const drain = 1_500

/** Whoever asks whether the process lives must not hear that it has much to do: it would be ended for that. */
const isHealth = ({ target }: HttpRequest): boolean => target.startsWith('/health/')

/** Loaded only where somebody wants to see them. */
export const loadMetrics = async (): Promise<Metrics> => (await import('./observe/metrics.ts')).metrics()

/**
 * `metrics` are counted on behalf of somebody else, who shows them; without, they are shown where the settings say.
 *
 * @throws BadSetting, CannotOpen, NotBuilt: one line each, for the person who started it.
 */
export async function start(settings: Settings, log: Logger, metrics?: Metrics): Promise<Running> {
  let closing = false
  const { host, metricsPort } = settings
  const own = metrics === undefined && metricsPort !== undefined ? await loadMetrics() : undefined
  const counted = metrics ?? own
  const store = await openStore(settings, log, counted?.watch)
  const running: (readonly [Deployment, RunningServer])[] = []
  let shown: RunningServer | undefined
  let adapter: Adapter = 'node'

  const close = async (): Promise<void> => {
    closing = true
    const times = { drain: Math.min(drain, settings.shutdownGrace), grace: settings.shutdownGrace }
    await Promise.all(running.map(([, listening]) => listening.close(times)))
    // The last: whoever reads them sees how the service closes.
    await shown?.close({ drain: 0, grace: 0 })
    await store.close()
    await exported(log)
  }

  const served = await kernels({ settings, store, log, isClosing: () => closing, watch: counted?.watch }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const observers = [...(log.isLevelEnabled('info') ? [logged(log)] : []), ...(counted === undefined ? [] : [counted.observer])]
  for (const deployment of settings.deployments) {
    const port = settings.ports[deployment]
    try {
      const { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, maxConnections, longestWait } = settings
      const api = apis[deployment]
      const whole = guarded(served[deployment], api, settings)
      const watched = proxied(tracing(observed(whole, deployment, observers)), settings.trustedProxies)
      const kernel = loadShedding(watched, {
        api,
        maxWait: longestWait,
        except: isHealth,
        onReject: refusals(log, deployment, counted?.watch),
      })
      const limits = { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, maxConnections }
      const listening = await listenBy(settings.adapter, kernel, { host, port, ...limits, onError: reporter(log) })
      running.push([deployment, listening])
      adapter = listening.adapter
    } catch (error) {
      await close()
      throw refusedAddress(error, host, port)
    }
  }
  if (own !== undefined && metricsPort !== undefined) {
    shown = await metricsServer(own.text, host, metricsPort, log).catch(async (error: unknown) => {
      await close()
      throw error
    })
  }
  const urls = Object.freeze(Object.fromEntries(running.map(([deployment, { url }]) => [deployment, url])))
  return Object.freeze({ urls, adapter, metricsUrl: shown?.url, close })
}
