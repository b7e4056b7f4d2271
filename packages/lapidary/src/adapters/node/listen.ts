/** Serves a handler on node:http, without a web Request or Response in between. */
import { createServer, IncomingMessage, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { HttpHandler } from '../../http/httpHandler.ts'
import { Lifetime } from '../lifetime.ts'
import { protocolErrors } from '../protocolErrors.ts'
import { checkListenArguments, createRunningServer, type RunningServer } from '../runningServer.ts'
import { rejectMalformed, rejectTunnels, rejectUnreadable } from './clientErrors.ts'
import { type ClosableServer, closeNodeServer } from './closeServer.ts'
import { DirectIncomingMessage, getActiveResponse, hasBegunRequest, watchFirstRequest } from './internals.ts'
import {
  checkConnections,
  connectionCheckInterval,
  type NodeListenOptions,
  type ResolvedListenOptions,
  resolveListenOptions,
} from './listenOptions.ts'
import { beginResponse, getLastRequest } from './pipelining.ts'
import { hasKnownInternals } from './probe.ts'
import { limitConnections } from './rejectConnection.ts'
import { createRequestListener } from './requestListener.ts'
import { formatKeepAliveLine } from './responseHead.ts'

/**
 * Serves a handler over HTTP/1.1 on node:http.
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
export async function listenOnNode(handler: HttpHandler, options: NodeListenOptions = {}): Promise<RunningServer> {
  return listenOnNodeWith(handler, options, await hasKnownInternals())
}

/**
 * As `listenOnNode`.
 *
 * @param isDirect whether to use what `internals.ts` offers beyond Node's documentation
 */
export async function listenOnNodeWith(handler: HttpHandler, options: NodeListenOptions, isDirect: boolean): Promise<RunningServer> {
  checkListenArguments(handler, options)
  const listenOptions = resolveListenOptions(options)
  const { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, unreadLimit, maxConnections, onError } = listenOptions
  const lifetime = new Lifetime()
  const keepAliveLine = isDirect ? formatKeepAliveLine(keepAliveTimeout) : undefined
  const sendOptions = { readerTimeout, unreadLimit, keepAliveLine, lifetime }
  const server = createServer({
    IncomingMessage: isDirect ? DirectIncomingMessage : IncomingMessage,
    ...{ requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval: connectionCheckInterval },
    // Node would reject a request without Host and not say why. `readRequestFraming` does both.
    requireHostHeader: false,
  })
  // Above its own limit Node would drop headers. `readRequestFraming` rejects the request.
  server.maxHeadersCount = 0
  limitConnections(server, maxConnections)
  server.on('clientError', rejectUnreadable)
  rejectTunnels(server)
  server.on('request', createRequestListener(handler, false, sendOptions, onError))
  // Node would respond itself, and a second time when the body that follows is cut off.
  server.on('checkExpectation', (incomingMessage, serverResponse) => {
    if (beginResponse(incomingMessage, serverResponse)) rejectMalformed(protocolErrors.expectation, serverResponse)
  })
  // `100 Continue` is sent when the handler asks for the body, so a request that is rejected earlier never sends it.
  server.on('checkContinue', createRequestListener(handler, true, sendOptions, onError))
  return startNodeServer(trackConnections(server, listenOptions), listenOptions, lifetime)
}

/** What is known of a connection. Times are by `performance.now()`. */
interface TrackedConnection {
  readonly accepted: number
  /** Its last request when it was first seen without a response to send; undefined while it has one. */
  idleBehind: IncomingMessage | undefined
  /** When that was. */
  idleSince: number
}

/** How much longer than its timeouts allow a connection may be idle, in milliseconds: Node's own timers come first. */
const idleTolerance = 1_000

/**
 * Closes the connections of a server that Node leaves open: those that have begun no request when the server closes, since for Node their
 * first request has begun with them; and those that send line ends after a response, which Node takes for activity and not for a request.
 * What comes after a response has to begin within `keepAliveTimeout`, and its head has to arrive within `headersTimeout`.
 */
function trackConnections(server: Server, { keepAliveTimeout, headersTimeout, requestTimeout }: ResolvedListenOptions): ClosableServer {
  const connections = new Map<Socket, TrackedConnection>()
  server.on('connection', (socket: Socket) => {
    watchFirstRequest(socket)
    connections.set(socket, { accepted: performance.now(), idleBehind: undefined, idleSince: 0 })
    socket.once('close', () => connections.delete(socket))
  })
  const headTime = headersTimeout || requestTimeout
  if (keepAliveTimeout > 0 && headTime > 0) {
    const limit = keepAliveTimeout + headTime + idleTolerance
    const closeIdle = (): void => {
      const now = performance.now()
      for (const [socket, connection] of connections) {
        const last = getActiveResponse(socket) === undefined ? getLastRequest(socket) : undefined
        if (last !== connection.idleBehind) {
          connection.idleBehind = last
          connection.idleSince = now
        } else if (last?.complete === true && now - connection.idleSince > limit) socket.destroy()
      }
    }
    checkConnections(server, closeIdle)
  }
  return Object.assign(server, {
    closeSilentConnections: (before: number) => {
      for (const [socket, { accepted }] of connections) {
        if (accepted < before && !hasBegunRequest(socket) && getLastRequest(socket) === undefined) socket.destroy()
      }
    },
  })
}

/**
 * Makes a server listen.
 *
 * @returns a promise that rejects with Node's error (`EADDRINUSE`, `EACCES`) where the server cannot listen
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
  return createRunningServer(address.address, address.port, lifetime, (options) => closeNodeServer(server, options, lifetime))
}
