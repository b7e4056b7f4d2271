/** What a server on Node.js knows of its connections: which are idle, silent, handed over, or of HTTP/2. */
import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { rejectTunnels } from './clientErrors.ts'
import type { ClosableServer } from './closeServer.ts'
import { watchUpgrades } from './handedOverSockets.ts'
import { getActiveResponse, hasBegunRequest, watchFirstRequest } from './internals.ts'
import { checkConnections, type ResolvedListenOptions } from './listenOptions.ts'
import { getLastRequest } from './pipelining.ts'
import { type Http2Connections, trackHandshakes } from './tlsServer.ts'

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
export function trackConnections(
  server: HttpServer | HttpsServer,
  { keepAliveTimeout, headersTimeout, requestTimeout, tls }: ResolvedListenOptions,
  http2: Http2Connections | undefined,
): ClosableServer {
  const http2Connections = http2?.open ?? new Set()
  const connections = new Map<Socket, TrackedConnection>()
  const handedOver = new Set<Duplex>()
  const handOver = (socket: Duplex): void => {
    connections.delete(socket as Socket)
    handedOver.add(socket)
    socket.once('close', () => handedOver.delete(socket))
  }
  rejectTunnels(server, handOver)
  watchUpgrades(server, handOver)
  const handshakes = tls === undefined ? new Map<Socket, number>() : trackHandshakes(server as HttpsServer)
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket & { readonly alpnProtocol?: string }) => {
    if (socket.alpnProtocol === 'h2') return
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
  if (http2 !== undefined) {
    checkConnections(server, () => {
      const now = performance.now()
      for (const connection of http2.open) connection.check(now)
    })
  }
  let keepsIdle = false
  const closeHttp1 = { all: server.closeAllConnections.bind(server), idle: server.closeIdleConnections.bind(server) }
  return Object.assign(server, {
    closeAllConnections: () => {
      closeHttp1.all()
      for (const socket of [...handedOver, ...handshakes.keys()]) socket.destroy()
      for (const connection of http2Connections) connection.destroy()
    },
    closeIdleConnections: () => {
      if (keepsIdle) return
      closeHttp1.idle()
      for (const connection of http2Connections) connection.endBegun()
    },
    stopListening: (onEnd: () => void) => {
      // `close` of node:http calls `closeIdleConnections`.
      keepsIdle = true
      server.close(onEnd)
      keepsIdle = false
    },
    announceClose: () => {
      for (const connection of http2Connections) connection.announceEnd()
    },
    closeSilentConnections: (before: number) => {
      for (const [socket, accepted] of handshakes) if (accepted < before) socket.destroy()
      for (const connection of http2Connections) if (connection.isSilentSince(before)) connection.destroy()
      for (const [socket, { accepted }] of connections) {
        if (accepted < before && !hasBegunRequest(socket) && getLastRequest(socket) === undefined) socket.destroy()
      }
    },
  })
}
