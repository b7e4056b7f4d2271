/** Starts the service in this process, and stops it without losing a request. */
import type { RunningServer } from 'lapidary/node'
import type { Logger } from 'pino'
import { openDatabase } from './database.ts'
import { type AdapterServer, addressError, listenWith } from './listen.ts'
import type { Metrics } from './observability/metrics.ts'
import { serveMetrics } from './observability/metricsServer.ts'
import { logRequests } from './observability/requests.ts'
import { flushSpans } from './observability/tracing.ts'
import { createServers, reportError, withMiddleware } from './server.ts'
import type { AdapterName, Deployment, Settings } from './settings.ts'

export interface RunningService {
  readonly urls: Readonly<Partial<Record<Deployment, string>>>
  /** The adapter in use. */
  readonly adapter: AdapterName
  /** Undefined if the service does not serve metrics. */
  readonly metricsUrl: string | undefined
  /** Drains, closes and releases the database. */
  readonly close: () => Promise<void>
}

/** How long a closing service still accepts connections, in milliseconds. It is part of the grace. */
const drainTime = 1_500

/** Imports the metrics on demand. */
export const loadMetrics = async (): Promise<Metrics> => (await import('./observability/metrics.ts')).createMetrics()

/**
 * Starts the service. Given `metrics` are served by the caller, others as the settings say.
 * Throws `SettingError`, `OpenError` and `MissingAssetError`, each with a message of one line for the operator.
 */
export async function startService(settings: Settings, log: Logger, metrics?: Metrics): Promise<RunningService> {
  const { host, metricsPort, requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, maxConnections } = settings
  const limits = { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, maxConnections }
  const ownMetrics = metrics === undefined && metricsPort !== undefined ? await loadMetrics() : undefined
  const counted = metrics ?? ownMetrics
  const observer = counted?.serviceObserver
  const requestObservers = [...(log.isLevelEnabled('info') ? [logRequests(log)] : []), ...(counted ? [counted.requestObserver] : [])]
  let isClosing = false
  const store = await openDatabase(settings, log, observer)
  const running = new Map<Deployment, AdapterServer>()
  let metricsServer: RunningServer | undefined

  const close = async (): Promise<void> => {
    isClosing = true
    const times = { drain: Math.min(drainTime, settings.shutdownGrace), grace: settings.shutdownGrace }
    await Promise.all([...running.values()].map((server) => server.close(times)))
    // After the others, so that Prometheus sees how the service closes.
    await metricsServer?.close({ drain: 0, grace: 0 })
    await store.close()
    await flushSpans(log)
  }

  try {
    const servers = await createServers({ settings, store, log, isClosing: () => isClosing, observer })
    for (const deployment of settings.deployments) {
      const port = settings.ports[deployment]
      const handler = withMiddleware(servers[deployment], { deployment, settings, log, requestObservers, observer })
      const options = { host, port, ...limits, report: reportError(log) }
      const server = await listenWith(settings.adapter, handler, options).catch((error) => {
        throw addressError(error, host, port)
      })
      running.set(deployment, server)
    }
    if (ownMetrics !== undefined && metricsPort !== undefined) metricsServer = await serveMetrics(ownMetrics.text, host, metricsPort, log)
  } catch (error) {
    await close()
    throw error
  }
  const urls = Object.freeze(Object.fromEntries([...running].map(([deployment, { url }]) => [deployment, url])))
  const adapter = [...running.values()].at(-1)?.adapter ?? 'node'
  return Object.freeze({ urls, adapter, metricsUrl: metricsServer?.url, close })
}
