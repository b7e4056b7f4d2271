/** The handle of a listening server, the same on every adapter. */
import { checkFunctions, requireFunction } from '../http/functions.ts'
import { requireTime, toTimerDelay } from '../http/limits.ts'
import type { Lifetime } from './lifetime.ts'

/** How to close a server. A wait is a number of milliseconds from 0 to 2,147,483,647 (24.8 days); `Infinity` is no limit. */
export interface CloseOptions {
  /**
   * How long to continue to accept connections, until load balancers know. Then each response has `Connection: close`, and a connection that
   * is idle is kept for as long again, 1.5 seconds at most, since a request may be on its way. On Bun, each response has `Connection: close`
   * from the beginning, and idle connections are closed after `drain`.
   *
   * @default 1_500, or `grace` where that is shorter
   */
  readonly drain?: number
  /**
   * When to abort requests that are still in progress, counted from the call of `close`.
   *
   * @default 10_000
   */
  readonly grace?: number
  /**
   * How long to wait after that for the `finally` blocks of streams after their clients have disconnected. A stream that observes its
   * `signal` ends soon.
   *
   * @default 5_000
   */
  readonly settle?: number
}

/** A listening server. */
export interface RunningServer {
  /** Empty for a server on a Unix socket. */
  readonly host: string
  /** 0 for a server on a Unix socket. */
  readonly port: number
  /** The path of the Unix socket; undefined for a server on a port. */
  readonly path: string | undefined
  /** The origin: `http://127.0.0.1:8081`, or `https://127.0.0.1:8443` over TLS. On a Unix socket it names the file: `unix:///run/api.sock`. */
  readonly url: string
  /** Fires when `close` is called: what stands beside the server, such as WebSockets, has the time of `drain` and `grace` to end. */
  readonly shutdown: AbortSignal
  /**
   * Closes the server without losing a request: it drains, stops listening, closes idle connections, waits for requests in progress, and
   * aborts them when the grace period is over. It also closes a connection on which the client has sent nothing, but not earlier than half a
   * second after it accepted the connection.
   *
   * @returns a promise that resolves when all connections are closed and streams have run their `finally` blocks, or `settle` has passed.
   * If a client has disconnected, its handler may still run then.
   */
  readonly close: (options?: CloseOptions) => Promise<void>
}

/** Where a server listens. */
export type ServerAddress = Pick<RunningServer, 'host' | 'port' | 'path'>

/** Formats the URL of a server. An IPv6 address is put in brackets. */
export const formatServerUrl = (host: string, port: number, isTls = false): string =>
  `${isTls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The delay of a timer for a wait. @throws TypeError for a time that is no wait. */
const toCloseDelay = (option: string, time: number): number => toTimerDelay(requireTime(`close(): ${option}`, time, 'wait'))

/** Fills in the defaults. @throws TypeError for a time that is no wait. */
const completeCloseOptions = ({
  grace = 10_000,
  drain = Math.min(1_500, grace),
  settle = 5_000,
}: CloseOptions): Required<CloseOptions> => ({
  grace: toCloseDelay('grace', grace),
  drain: toCloseDelay('drain', drain),
  settle: toCloseDelay('settle', settle),
})

/**
 * Creates the handle of a listening server. Once it is asked to close, `lifetime` says so.
 *
 * @param closeServer closes the server; it is called once
 */
export function createRunningServer(
  address: ServerAddress,
  isTls: boolean,
  lifetime: Lifetime,
  closeServer: (options: Required<CloseOptions>) => Promise<void>,
): RunningServer {
  let closed: Promise<void> | undefined
  const shutdown = new AbortController()
  const close = (options: CloseOptions = {}): Promise<void> => {
    if (closed !== undefined) return closed
    try {
      const times = completeCloseOptions(options)
      lifetime.close()
      shutdown.abort()
      closed = closeServer(times)
      return closed
    } catch (error) {
      return Promise.reject(error)
    }
  }
  const { host, port, path } = address
  const url = path === undefined ? formatServerUrl(host, port, isTls) : `unix://${path}`
  return Object.freeze({ host, port, path, url, shutdown: shutdown.signal, close })
}

/** Checks what every `listen` takes. @throws TypeError for a handler and for an `onError` that are no functions. */
export function checkListenArguments(handler: unknown, { onError }: { readonly onError?: unknown }): void {
  requireFunction('listen(): handler', handler)
  checkFunctions('listen()', { onError })
}
