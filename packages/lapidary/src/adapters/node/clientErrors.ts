/** Rejects what node:http leaves to its user: bytes that its parser refuses, tunnels, and requests that break the rules of HTTP. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createProblem } from '../../http/httpError.ts'
import { adapterDetail } from '../../messages/problemMessages.ts'
import { type ProtocolError, toProtocolErrorResponse } from '../protocolErrors.ts'
import { takePausedTime } from './bodyPauses.ts'
import { getActiveResponse } from './internals.ts'
import { endAfterResponses, getLastRequest, refuseFurtherRequests } from './pipelining.ts'
import { getParserErrorStatus, isHeadRequestText, rejectConnection } from './rejectConnection.ts'

/** The error of a `clientError` event, with the bytes that the parser has read last. */
type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/**
 * Handles `clientError`: what the parser has refused, and what took too long. It never writes into a response that is being sent, and never
 * answers a request twice. The responses to whole requests are the last of their connection.
 */
export function rejectUnreadable(error: ClientError, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && extendRequestTime(error, socket)) return
  const active = getActiveResponse(socket)
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error)
  // The client has half-closed the connection after its last request. Node itself ends it after the response.
  else if (active?.req.complete === true && socket.readableEnded) socket.end()
  else if (active?.req.complete === true) endAfterResponses(socket)
  else if (active?.headersSent === true) socket.destroy(error)
  else if (!active && getLastRequest(socket)?.complete === false) socket.destroySoon()
  else
    rejectConnection(socket, getParserErrorStatus(error.code), active ? active.req.method === 'HEAD' : isHeadRequestText(error.rawPacket))
}

/** Waits on for a request whose body the server itself has paused. Node reports a slow request once. */
function extendRequestTime(error: ClientError, socket: Socket): boolean {
  const incomingMessage = getLastRequest(socket)
  const time = incomingMessage === undefined ? 0 : takePausedTime(incomingMessage)
  if (incomingMessage === undefined || incomingMessage.complete || time === 0) return false
  const timer = setTimeout(() => incomingMessage.complete || rejectUnreadable(error, socket), time)
  socket.once('close', () => clearTimeout(timer))
  return true
}

/**
 * How long responses in front of a CONNECT may take, in milliseconds. Without a limit, discarded bytes would keep the connection open for
 * ever.
 */
const tunnelTimeout = 10_000

/** Rejects a CONNECT in its turn, and discards the bytes after it, which are meant for the tunnel. */
function rejectTunnel(socket: Socket): void {
  if (getActiveResponse(socket) === undefined) {
    rejectConnection(socket, getParserErrorStatus('CONNECT'))
    return
  }
  const timer = setTimeout(() => socket.destroy(), tunnelTimeout)
  socket.once('close', () => clearTimeout(timer))
  // Node has removed its listeners.
  socket.on('error', () => {})
  socket.on('timeout', () => socket.destroy())
  socket.on('end', () => socket.end())
  socket.resume()
  endAfterResponses(socket)
}

/** Makes a server reject CONNECT. @param keep called with each connection of a tunnel, which Node no longer counts as its own */
export function rejectTunnels(server: Server, keep: (socket: Socket) => void): void {
  server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    keep(socket)
    rejectTunnel(socket)
  })
}

/** Rejects a request that breaks the rules of HTTP, and ends its connection. */
export function rejectMalformed(error: ProtocolError, serverResponse: ServerResponse): void {
  const { status, headers, body } = toProtocolErrorResponse(error)
  refuseFurtherRequests(serverResponse.req.socket)
  serverResponse.writeHead(status, [...headers, 'Content-Length', `${Buffer.byteLength(body)}`])
  serverResponse.end(body)
}

/** Rejects a request of node:http2, whose compatibility objects resemble those of node:http without being them. */
export function rejectHttp2(serverResponse: ServerResponse): void {
  const body = JSON.stringify(createProblem(505, { detail: adapterDetail.http2() }))
  serverResponse.writeHead(505, { 'content-type': 'application/problem+json', 'x-content-type-options': 'nosniff' })
  serverResponse.end(body)
}
