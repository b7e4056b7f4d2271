/** Serves a handler on Node.js, without a web Request or Response in between. */
import { chmod } from 'node:fs/promises'
import { createServer, type Server as HttpServer, IncomingMessage, type ServerOptions } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { SecureContextOptions } from 'node:tls'
import type { HttpHandler } from '../../http/httpHandler.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import { Lifetime } from '../lifetime.ts'
import { protocolErrors } from '../protocolErrors.ts'
import { type CloseOptions, checkListenArguments, createRunningServer, type RunningServer } from '../runningServer.ts'
import { rejectMalformed, rejectUnreadable } from './clientErrors.ts'
import { type ClosableServer, closeNodeServer } from './closeServer.ts'
import { DirectIncomingMessage } from './internals.ts'
import { connectionCheckInterval, type NodeListenOptions, type ResolvedListenOptions, resolveListenOptions } from './listenOptions.ts'
import { beginResponse } from './pipelining.ts'
import { hasKnownInternals } from './probe.ts'
import { limitConnections } from './rejectConnection.ts'
import { createRequestListener } from './requestListener.ts'
import { formatKeepAliveLine } from './responseHead.ts'
import { removeStaleSocket } from './socketFile.ts'
import { createHttp2Connections, createTlsServer } from './tlsServer.ts'
import { trackConnections } from './trackConnections.ts'

/** A server that listens on Node.js. */
export interface RunningNodeServer extends RunningServer {
  /**
   * The server of Node.js itself, of node:https where it listens over TLS. A listener for `upgrade` puts WebSockets beside the API. `close` of
   * `RunningServer` closes it; its own would lose requests.
   *
   * @example
   * ```ts
   * import { listen } from 'lapidary/node'
   * import { WebSocketServer } from 'ws'
   *
   * const { server, shutdown } = await listen(() => ({ status: 404, headers: [], body: null }), { port: 8081 })
   * const sockets = new WebSocketServer({ server, path: '/live' })
   * sockets.on('connection', (socket) => socket.send('Hello!'))
   * shutdown.addEventListener('abort', () => {
   *   for (const socket of sockets.clients) socket.close(1001)
   * })
   * ```
   */
  readonly server: HttpServer | HttpsServer
  /**
   * Replaces the certificate, without a restart: connections that are open go on, further ones get the new one. Options that are left out stay.
   *
   * @throws TypeError for a server without TLS; Node's error for a key that does not fit the certificate, and the old one stays
   */
  readonly setSecureContext: (options: SecureContextOptions) => void
}

/**
 * Serves a handler on node:http: over HTTP/1.1, and with the option `tls` over HTTP/2 as well.
 *
 * @returns a promise of the running server; it rejects with Node's error (`EADDRINUSE`, `EACCES`) where the server cannot listen
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { listen } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * const running = await listen(server, { port: 8081 })
 * process.once('SIGTERM', () => void running.close())
 * ```
 */
export async function listenOnNode(handler: HttpHandler, options: NodeListenOptions = {}): Promise<RunningNodeServer> {
  return listenOnNodeWith(handler, options, await hasKnownInternals())
}

/**
 * As `listenOnNode`.
 *
 * @param isDirect whether to use what `internals.ts` offers beyond Node's documentation
 */
export async function listenOnNodeWith(handler: HttpHandler, options: NodeListenOptions, isDirect: boolean): Promise<RunningNodeServer> {
  checkListenArguments(handler, options)
  const listenOptions = resolveListenOptions(options)
  const { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, unreadLimit, maxConnections, onError, tls } = listenOptions
  const lifetime = new Lifetime()
  const keepAliveLine = isDirect ? formatKeepAliveLine(keepAliveTimeout) : undefined
  const sendOptions = { readerTimeout, unreadLimit, keepAliveLine, lifetime }
  const serverOptions: ServerOptions = {
    IncomingMessage: isDirect ? DirectIncomingMessage : IncomingMessage,
    ...{ requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval: connectionCheckInterval },
    // Node would reject a request without Host and not say why. `readRequestFraming` does both.
    requireHostHeader: false,
  }
  const http2 = tls === undefined ? undefined : createHttp2Connections(handler, listenOptions, lifetime)
  const server = tls !== undefined && http2 ? createTlsServer(serverOptions, tls, listenOptions, http2) : createServer(serverOptions)
  // Above its own limit Node would drop headers. `readRequestFraming` rejects the request.
  server.maxHeadersCount = 0
  limitConnections(server, maxConnections, tls !== undefined)
  server.on('clientError', rejectUnreadable)
  server.on('request', createRequestListener(handler, false, sendOptions, onError))
  // Node would respond itself, and a second time when the body that follows is cut off.
  server.on('checkExpectation', (incomingMessage, serverResponse) => {
    if (beginResponse(incomingMessage, serverResponse)) rejectMalformed(protocolErrors.expectation, serverResponse)
  })
  // `100 Continue` is sent when the handler asks for the body, so a request that is rejected earlier never sends it.
  server.on('checkContinue', createRequestListener(handler, true, sendOptions, onError))
  const running = await startNodeServer(trackConnections(server, listenOptions, http2), listenOptions, lifetime)
  let context: SecureContextOptions | undefined = tls
  const setSecureContext = (renewed: SecureContextOptions): void => {
    if (context === undefined) throw new TypeError(adapterErrors.tlsNotUsed())
    const next = { ...context, ...renewed }
    ;(server as HttpsServer).setSecureContext(next)
    context = next
  }
  return Object.freeze({ ...running, server, setSecureContext })
}

/**
 * Makes a server listen.
 *
 * @returns a promise that rejects with Node's error (`EADDRINUSE`, `EACCES`) where the server cannot listen
 */
export async function startNodeServer(
  server: ClosableServer,
  { port, host, path, mode, tls }: Pick<ResolvedListenOptions, 'port' | 'host' | 'path' | 'mode' | 'tls'>,
  lifetime: Lifetime,
): Promise<RunningServer> {
  if (path !== undefined) await removeStaleSocket(path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path === undefined ? { port, host } : { path }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  try {
    if (path !== undefined && mode !== undefined) await chmod(path, mode)
  } catch (error) {
    server.close()
    throw error
  }
  const { address, port: boundPort } = path === undefined ? (server.address() as AddressInfo) : { address: '', port: 0 }
  const close = (options: Required<CloseOptions>): Promise<void> => closeNodeServer(server, options, lifetime)
  return createRunningServer({ host: address, port: boundPort, path }, tls !== undefined, lifetime, close)
}
