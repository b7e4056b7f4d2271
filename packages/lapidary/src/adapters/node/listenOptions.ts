/** The options of a server on Node.js, the same on node:http and on its parser alone. */

import type { Server } from 'node:net'
import type { TlsOptions } from 'node:tls'
import { createErrorListener, type ErrorListener } from '../../http/errorReport.ts'
import { type ByteSize, requireByteSize, requireLimit, requireTime } from '../../http/limits.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'

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
   * Where to listen in place of `port` and `host`: the path of a Unix socket, or of a named pipe on Windows (`\\\\.\\pipe\\api`). A socket file
   * that a process has left behind is replaced; one that a process listens on is not: `EADDRINUSE`.
   */
  readonly path?: string
  /**
   * The permissions of the socket file at `path`, such as `0o660`. A client needs the permission to write. Without it, the umask of the
   * process decides.
   */
  readonly mode?: number
  /**
   * Serves over TLS: `{ key, cert }`, and the other options of `tls.createServer` of Node.js. Clients choose HTTP/2 or HTTP/1.1 by ALPN;
   * `ALPNProtocols: ['http/1.1']` leaves HTTP/2 out. A handshake may take as long as `headersTimeout`.
   */
  readonly tls?: TlsOptions
  /**
   * How many requests a connection of HTTP/2 may make at once. The client waits with further ones.
   *
   * @default 100
   */
  readonly maxConcurrentStreams?: number
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
export interface ResolvedListenOptions extends Required<Omit<NodeListenOptions, 'path' | 'mode' | 'tls'>> {
  readonly path: string | undefined
  readonly mode: number | undefined
  readonly tls: TlsOptions | undefined
  /** In bytes. */
  readonly unreadLimit: number
}

/** Checks a time limit. @returns it as Node's servers and sockets take it: 0 is no limit, and a part of a millisecond is a whole one. */
function toNodeTimeout(option: string, time: number): number {
  const limit = requireTime(`listen(): ${option}`, time, 'limit')
  return limit === Number.POSITIVE_INFINITY ? 0 : Math.ceil(limit)
}

/** Fills in the defaults. @throws TypeError for a time that is no limit, for a limit that is no number or size, and for a path beside a port */
export function resolveListenOptions(options: NodeListenOptions): ResolvedListenOptions {
  const { port = 0, host = '127.0.0.1', path, mode, tls, onError, unreadLimit = 67_108_864 } = options
  const { requestTimeout = 9_000, headersTimeout = 8_000, keepAliveTimeout = 5_000, readerTimeout = 30_000 } = options
  const { maxConnections = 10_000, maxConcurrentStreams = 100 } = options
  if (path !== undefined && (options.port !== undefined || options.host !== undefined)) throw new TypeError(adapterErrors.pathWithPort())
  return {
    ...{ port, host, path, mode, tls },
    requestTimeout: toNodeTimeout('requestTimeout', requestTimeout),
    headersTimeout: toNodeTimeout('headersTimeout', headersTimeout),
    keepAliveTimeout: toNodeTimeout('keepAliveTimeout', keepAliveTimeout),
    readerTimeout: toNodeTimeout('readerTimeout', readerTimeout),
    maxConnections: requireLimit('listen(): maxConnections', maxConnections, 1),
    maxConcurrentStreams: requireLimit('listen(): maxConcurrentStreams', maxConcurrentStreams, 1),
    unreadLimit: requireByteSize('listen()', 'unreadLimit', unreadLimit),
    onError: createErrorListener(onError),
  }
}

/** Checks the connections of a server as long as it listens. One whose port is in use never listens, and does not close. */
export function checkConnections(server: Server, check: () => void): void {
  server.once('listening', () => {
    const timer = setInterval(check, connectionCheckInterval).unref()
    server.once('close', () => clearInterval(timer))
  })
}
