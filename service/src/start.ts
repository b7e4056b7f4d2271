/** Starts the service in this process, and stops it without losing a request. */
import cluster from 'node:cluster'
import type { CloseOptions, RunningNodeServer, RunningServer } from 'lapidary/node'
import type { Logger } from 'pino'
import { readCertificate, watchCertificate } from './certificate.ts'
import type { MetricsSnapshot } from './observability/metrics.ts'
import type { Deployment, Settings } from './settings.ts'
import type { StoreObserver } from './store/connection.ts'
import { openStore, type Store } from './store/store.ts'

export interface RunningService {
  /** The metrics are the last one, if this process serves them. */
  readonly urls: Readonly<Partial<Record<Deployment | 'metrics', string>>>
  /** Drains, closes and releases the database. */
  readonly close: (options?: CloseOptions) => Promise<void>
  /** Returns the metrics of this process, if they are enabled. */
  readonly report?: (() => Promise<MetricsSnapshot>) | undefined
}

/** Imports the metrics on demand. */
export const loadMetrics = async ({ metricsPort }: Settings): Promise<typeof import('./observability/metrics.ts') | undefined> =>
  metricsPort === undefined ? undefined : import('./observability/metrics.ts')

const urlsOf = (servers: Iterable<readonly [string, { readonly url: string }]>): RunningService['urls'] =>
  Object.freeze(Object.fromEntries([...servers].map(([name, { url }]) => [name, url])))

/** Opens the database of the service. Throws `OpenError`. */
export const openDatabase = (settings: Settings, log: Logger, observer?: StoreObserver): Promise<Store> =>
  openStore(settings.databaseUrl, {
    connections: settings.databaseConnections,
    timeout: settings.databaseTimeout,
    onIdleError: (err) => log.warn({ err }, 'a connection to the database failed while it was idle'),
    observer,
  })

/**
 * Starts the service. Throws `OpenError`, `MissingAssetError`, and Node's error if an address is not available. The metrics of a worker are
 * served by the primary process.
 */
export async function startService(settings: Settings, log: Logger): Promise<RunningService> {
  const metricsModule = await loadMetrics(settings)
  const metrics = metricsModule?.createMetrics()
  const observers = { log, metrics }
  let unwatchCertificate = (): void => {}
  const store = await openDatabase(settings, log, metrics?.store)
  const running = new Map<Deployment | 'metrics', RunningServer>()

  const close = async (options: CloseOptions = { grace: settings.shutdownGrace }): Promise<void> => {
    unwatchCertificate()
    await Promise.all(settings.deployments.map((deployment) => running.get(deployment)?.close(options)))
    // After the others, so that Prometheus sees how the service closes.
    await running.get('metrics')?.close({ drain: 0, grace: 0 })
    await store.close()
    const { flushSpans } = await import('lapidary/opentelemetry')
    await flushSpans().catch((err) => log.warn({ err }, 'the last spans are lost'))
  }

  try {
    // Not at the top: the primary process of several workers does without the application, and so does a start that fails before.
    const { createMiddleware, createServers, reportError } = await import('./server.ts')
    const { listen } = await (settings.adapter === 'node' ? import('lapidary/node') : import('@lapidary/llhttp'))
    const tls = readCertificate(settings)
    const renewable: RunningNodeServer[] = []
    const context = { ...observers, settings, store }
    const servers = await createServers(context, createMiddleware(settings, observers))
    for (const deployment of settings.deployments) {
      // The settings have the names of the options.
      const options = { ...settings, ...(tls && { tls }), port: settings.ports[deployment], onError: reportError(log) }
      const server: RunningServer & { readonly adapter?: string } = await listen(servers[deployment], options)
      running.set(deployment, server)
      if ('setSecureContext' in server) renewable.push(server as RunningNodeServer)
      if (server.adapter !== undefined && server.adapter !== settings.adapter)
        log.warn({ adapter: server.adapter }, `this Node.js lacks the parser that the adapter ${settings.adapter} needs: node:http is used`)
    }
    unwatchCertificate = watchCertificate(settings, renewable, log)
    if (metricsModule && metrics && cluster.isPrimary) running.set('metrics', await metricsModule.serveMetrics(metrics.text, settings, log))
  } catch (error) {
    await close()
    throw error
  }
  return Object.freeze({ urls: urlsOf(running), close, report: metrics?.snapshot })
}
