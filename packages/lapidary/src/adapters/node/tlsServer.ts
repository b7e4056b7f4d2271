/** TLS: one port for HTTP/2 and HTTP/1.1, which clients choose by ALPN. HTTP/1.1 is served as without TLS, on node:https. */
import { createServer as createHttp2Server, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { createServer, type Server as HttpsServer, type ServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket, TlsOptions } from 'node:tls'
import type { HttpHandler, HttpResponse } from '../../http/httpHandler.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import { adapterDetail } from '../../messages/problemMessages.ts'
import type { Lifetime } from '../lifetime.ts'
import { createCaller } from './caller.ts'
import { Http2Connection } from './http2Connection.ts'
import { Http2Request } from './http2Request.ts'
import { sendHttp2Response } from './http2Response.ts'
import { getRawSocket } from './internals.ts'
import type { ResolvedListenOptions } from './listenOptions.ts'
import { rejectConnection } from './rejectConnection.ts'

/** How large the headers of a request may be until the stream is reset, in bytes with 32 for each line. `readHttp2Head` answers 431 before. */
const maxHeaderListSize = 65_536
/** How many lines the headers may have until then. */
const maxHeaderListPairs = 2_000

/** How long a handshake may take where heads have no limit, in milliseconds: Node's default. */
const maxHandshakeTime = 120_000

/** What Node calls a client that speaks no TLS: HTTP, or something else. */
const plainTextCodes = new Set(['ERR_SSL_HTTP_REQUEST', 'ERR_SSL_HTTPS_PROXY_REQUEST'])

/** Checks that there is a certificate. Node would fail at each handshake. @throws TypeError where there is none */
function checkTlsOptions(tls: TlsOptions | null): void {
  const { key, cert, pfx, SNICallback } = tls ?? {}
  if ((key && cert) || pfx || SNICallback) return
  throw new TypeError(
    adapterErrors.tlsWithoutKey(key ? 'it has a key alone' : cert ? 'it has a cert alone' : 'it has neither key nor cert'),
  )
}

/** The connections of HTTP/2 of one server. */
export interface Http2Connections {
  /** Serves a connection whose client has chosen HTTP/2. */
  readonly accept: (socket: TLSSocket) => void
  readonly open: ReadonlySet<Http2Connection>
}

/** Creates what serves connections of HTTP/2. */
export function createHttp2Connections(handler: HttpHandler, options: ResolvedListenOptions, lifetime: Lifetime): Http2Connections {
  const { unreadLimit, maxConcurrentStreams, onError } = options
  const open = new Set<Http2Connection>()
  const send = (response: HttpResponse, request: Http2Request): void => {
    request.connection.markSettled(request)
    sendHttp2Response(response, request, lifetime, unreadLimit)
  }
  const respond = createCaller(handler, lifetime, onError, send, send)
  const server = createHttp2Server({
    settings: { maxConcurrentStreams: Math.min(maxConcurrentStreams, 2 ** 32 - 1), maxHeaderListSize },
    maxHeaderListPairs,
  })
  let accepting: TLSSocket | undefined
  server.on('session', (session: ServerHttp2Session) => {
    if (accepting === undefined) return
    const socket = accepting
    const connection = new Http2Connection(session, socket, options, lifetime)
    open.add(connection)
    socket.once('close', () => open.delete(connection))
    session.on('stream', (stream: ServerHttp2Stream, _headers: object, _flags: number, fields: readonly string[]) =>
      connection.begin(stream, fields, (head) => new Http2Request(stream, head, connection, onError), respond),
    )
  })
  return {
    open,
    accept: (socket) => {
      // HTTP/1.1 answers a client that has half-closed its connection. One of HTTP/2 has left.
      socket.allowHalfOpen = false
      // The session is created at once. `session.socket` is a proxy of Node's, not this object.
      accepting = socket
      server.emit('connection', socket)
      accepting = undefined
    },
  }
}

/** Creates a server of node:https, which hands connections of HTTP/2 to others. */
export function createTlsServer(
  options: ServerOptions,
  tls: TlsOptions,
  { headersTimeout }: ResolvedListenOptions,
  http2: Http2Connections,
): HttpsServer {
  checkTlsOptions(tls)
  const handshakeTimeout = headersTimeout || maxHandshakeTime
  // Node takes one of the two.
  const alpn = tls.ALPNCallback === undefined && { ALPNProtocols: ['h2', 'http/1.1'] }
  const server = createServer({ ...alpn, handshakeTimeout, ...tls, ...options })
  const serveHttp1 = server.listeners('secureConnection')
  server.removeAllListeners('secureConnection')
  server.on('secureConnection', (socket: TLSSocket) => {
    if (socket.alpnProtocol === 'h2') http2.accept(socket)
    else for (const listener of serveHttp1) Reflect.apply(listener, server, [socket])
  })
  // Node would report a failed handshake as a request that cannot be read.
  server.removeAllListeners('tlsClientError')
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    const raw = plainTextCodes.has(error.code ?? '') ? getRawSocket(socket) : undefined
    if (raw?.writable) rejectConnection(raw, 400, false, adapterDetail.needsTls())
    else socket.destroy()
  })
  return server
}

/** The sockets of a server whose handshake has not ended, each with when it was accepted, by `performance.now()`. */
export function trackHandshakes(server: HttpsServer): ReadonlyMap<Socket, number> {
  const handshakes = new Map<Socket, number>()
  server.on('connection', (socket: Socket) => {
    handshakes.set(socket, performance.now())
    socket.once('close', () => handshakes.delete(socket))
  })
  server.on('secureConnection', (socket: TLSSocket) => {
    const raw = getRawSocket(socket)
    if (raw === undefined) handshakes.clear()
    else handshakes.delete(raw)
  })
  return handshakes
}
