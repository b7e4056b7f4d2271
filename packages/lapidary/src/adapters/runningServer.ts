/** What every adapter that listens gives back. */

/** How to stop. Times are in milliseconds. */
export interface CloseOptions {
  /** For how long connections are still accepted, and each answered with `Connection: close`, so that no request is lost. Default: 1,500. */
  readonly drain?: number
  /** When what is still under way is cut. Default: 10,000. */
  readonly grace?: number
  /**
   * For how long, behind that, to wait for the `finally` of streams whose client has left or was cut. One that heeds its `signal` ends soon; one that
   * does not may never end. Default: 5,000.
   */
  readonly settle?: number
}

/** A server that listens. */
export interface RunningServer {
  readonly host: string
  readonly port: number
  /** `http://127.0.0.1:8081` */
  readonly url: string
  /**
   * Stops without losing a request: drains, waits for what is under way, cuts it when the grace is over. Resolves when all
   * connections are closed, and streams have run their `finally` or `settle` is over. A handler whose client has left, or was cut, may still run.
   */
  readonly close: (options?: CloseOptions) => Promise<void>
}

/** Where a server is, for whoever calls it; an address of IPv6 stands in brackets. */
export const formatServerUrl = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`
