/** The options of a server on Node.js, the same on node:http and on its parser alone. */

import type { Server } from 'node:net'
import { createErrorListener, type ErrorListener } from '../../http/errorReport.ts'
import { type ByteSize, requireByteSize, requireLimit, requireTime } from '../../http/limits.ts'

/** How to listen. A time limit is a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days); `Infinity` is no limit. */
export interface NodeListenOptions {
  /**
   * The port; 0 picks a free one.
   *
   * @default 0
   */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /**
   * How long a request may take to arrive as a whole. A slower request gets 408.
   *
   * @default 9_000
   */
  readonly requestTimeout?: number
  /**
   * How long the head of a request may take to arrive. A slower request gets 408.
   *
   * @default 8_000
   */
  readonly headersTimeout?: number
  /**
   * How long an idle connection is kept open.
   *
   * @default 5_000
   */
  readonly keepAliveTimeout?: number
  /**
   * How long a client may read nothing of its response, even while it sends its request. After that the server closes the connection.
   *
   * @default 30_000
   */
  readonly readerTimeout?: number
  /**
   * How many connections are served at once. Further connections get 503 and are closed.
   *
   * @default 10_000
   */
  readonly maxConnections?: number
  /**
   * How many bytes of a request are still read after its response, so that the client can continue to send until it reads the response. A
   * number of bytes, or a size such as `'5 MB'`.
   *
   * @default 67_108_864
   */
  readonly unreadLimit?: ByteSize
  /**
   * Called with errors that occur outside of the handlers: in middleware, in an `onEnd` listener, and for a response that cannot be sent.
   *
   * @default console.error
   */
  readonly onError?: ErrorListener
}

/**
 * How often the timeouts of open connections are checked, in milliseconds. Node's default of half a minute would be added to each timeout.
 */
export const connectionCheckInterval = 500

/** The options with their defaults. Time limits are those of Node's servers and sockets, for which 0 is no limit. */
export interface ResolvedListenOptions extends Required<NodeListenOptions> {
  /** In bytes. */
  readonly unreadLimit: number
}

/** Checks a time limit. @returns it as Node's servers and sockets take it: 0 is no limit, and a part of a millisecond is a whole one. */
function toNodeTimeout(option: string, time: number): number {
  const limit = requireTime(`listen(): ${option}`, time, 'limit')
  return limit === Number.POSITIVE_INFINITY ? 0 : Math.ceil(limit)
}

/** Fills in the defaults. @throws TypeError for a time that is no limit, and for a limit that is no number or size. */
export const resolveListenOptions = ({
  port = 0,
  host = '127.0.0.1',
  requestTimeout = 9_000,
  headersTimeout = 8_000,
  keepAliveTimeout = 5_000,
  readerTimeout = 30_000,
  maxConnections = 10_000,
  unreadLimit = 67_108_864,
  onError,
}: NodeListenOptions): ResolvedListenOptions => ({
  port,
  host,
  requestTimeout: toNodeTimeout('requestTimeout', requestTimeout),
  headersTimeout: toNodeTimeout('headersTimeout', headersTimeout),
  keepAliveTimeout: toNodeTimeout('keepAliveTimeout', keepAliveTimeout),
  readerTimeout: toNodeTimeout('readerTimeout', readerTimeout),
  maxConnections: requireLimit('listen(): maxConnections', maxConnections, 1),
  unreadLimit: requireByteSize('listen()', 'unreadLimit', unreadLimit),
  onError: createErrorListener(onError),
})

/** Checks the connections of a server as long as it listens. One whose port is in use never listens, and does not close. */
export function checkConnections(server: Server, check: () => void): void {
  server.once('listening', () => {
    const timer = setInterval(check, connectionCheckInterval).unref()
    server.once('close', () => clearInterval(timer))
  })
}
