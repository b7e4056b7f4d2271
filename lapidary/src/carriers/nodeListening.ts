/** How to listen on Node.js: the same on node:http and on its parser alone. */
import type { AddressInfo } from 'node:net'
import { createErrorListener, type ErrorListener } from '../server/report.ts'
import type { Lifetime } from './lifetime.ts'
import { type CloseOptions, formatServerUrl, type RunningServer } from './listening.ts'
import { type ClosableServer, closeNodeServer } from './nodeClose.ts'

/** How to listen. Times are in milliseconds. */
export interface NodeListenOptions {
  /** Default: 0, which picks a free one. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** A request that is not whole in this time is answered 408. Default: 9,000. */
  readonly requestTimeout?: number
  /** The same for its headers. Default: 8,000. */
  readonly headersTimeout?: number
  /** How long an idle connection is kept. Default: 5,000. */
  readonly keepAliveTimeout?: number
  /** A client that takes nothing of its answer for this long is cut. Default: 30,000. */
  readonly readerTimeout?: number
  /** How many connections are served at once; more are answered 503 and closed. Default: 10,000. */
  readonly maxConnections?: number
  /** How many bytes of a request that is answered already are still read, so that its client gets to read the answer. Default: 67,108,864. */
  readonly unreadLimit?: number
  /** Told of what fails outside of any server: middleware that throws, an answer that cannot be sent, a listener of `onEnd`. Default: `console.error`. */
  readonly onError?: ErrorListener
}

/** How often open connections are looked at, so that a time-out is a time-out and not half a minute more. In milliseconds. */
export const connectionCheckInterval = 500

/** What was asked for, and the presets for what was not. */
export const resolveListenOptions = ({
  port = 0,
  host = '127.0.0.1',
  requestTimeout = 9_000,
  headersTimeout = 8_000,
  keepAliveTimeout = 5_000,
  readerTimeout = 30_000,
  maxConnections = 10_000,
  unreadLimit = 67_108_864,
  onError: report,
}: NodeListenOptions): Required<NodeListenOptions> => ({
  port,
  host,
  requestTimeout,
  headersTimeout,
  keepAliveTimeout,
  readerTimeout,
  maxConnections,
  unreadLimit,
  onError: createErrorListener(report),
})

/**
 * Resolves when the server listens. When it is asked to close, `lifetime` says so: its answers end their connections from then on.
 * Rejects when it cannot listen, with node's error (`EADDRINUSE`, `EACCES`).
 */
export async function startNodeServer(
  server: ClosableServer,
  { port, host }: Required<NodeListenOptions>,
  lifetime: Lifetime,
): Promise<RunningServer> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  const close = (times: CloseOptions = {}): Promise<void> => {
    if (closed === undefined) {
      lifetime.close()
      closed = closeNodeServer(server, times, lifetime)
    }
    return closed
  }
  return Object.freeze({ host: address.address, port: address.port, url: formatServerUrl(address.address, address.port), close })
}
