/** Rejects connections: those that send no valid request, and those above the limit. The same on node:http and on its parser alone. */
import type { Server, Socket } from 'node:net'
import { createProblem } from '../../http/httpError.ts'
import { getReasonPhrase } from '../../http/status.ts'
import { getRejectionDetail } from '../protocolErrors.ts'

const parserErrorStatuses: Readonly<Record<string, number>> = {
  CONNECT: 501,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** The status for an error code of the parser, for a timeout, and for a request of a tunnel. */
export const getParserErrorStatus = (code: string | undefined): number => parserErrorStatuses[code ?? ''] ?? 400

/**
 * Formats a whole response, for a connection that has no request to respond to. The response to HEAD has the length of its body, but no
 * body.
 */
function formatRejection(status: number, isHead: boolean, detail: string): string {
  const body = JSON.stringify(createProblem(status, { detail }))
  const head = [
    `HTTP/1.1 ${status} ${getReasonPhrase(status)}`,
    'Content-Type: application/problem+json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    ...(status === 503 ? ['Retry-After: 1'] : []),
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${isHead ? '' : body}`
}

/** How long a rejected client is still read, so that it can go on sending until it reads the response. In milliseconds. */
const rejectionReadTime = 1_000
/** How many bytes of a rejected client are read. */
const maxRejectionReadBytes = 1_048_576

/**
 * Sends the last response of a connection. What the client still sends is read and discarded: closing a socket with unread bytes resets the
 * connection, and the reset may overtake the response.
 */
export function rejectConnection(socket: Socket, status: number, isHead = false, detail: string = getRejectionDetail(status)): void {
  const timer = setTimeout(() => socket.destroy(), rejectionReadTime)
  let length = 0
  // The client may have disconnected already.
  socket.on('error', () => {})
  socket.once('close', () => clearTimeout(timer))
  // Node's parser would go on, and fail again.
  socket.removeAllListeners('data')
  socket.on('data', (bytes: Buffer) => {
    length += bytes.length
    if (length > maxRejectionReadBytes) socket.destroy()
  })
  socket.resume()
  socket.end(formatRejection(status, isHead, detail))
}

/** Whether bytes that are no valid request begin like a HEAD: its client expects no body. */
export const isHeadRequestText = (bytes: Buffer | undefined): boolean => bytes?.toString('latin1', 0, 5) === 'HEAD '

/** How many rejected clients at a time get a response. Further ones are disconnected. */
const maxRejectedConnections = 100

/**
 * Limits how many connections a server serves at once, so that these stay well served. Others are answered 503. Node's own `maxConnections`
 * would disconnect them without a response, and so are those of TLS, which has none before its handshake.
 */
export function limitConnections(server: Server, maxConnections: number, isTls = false): void {
  /** Node's own listeners, which read requests. */
  const connectionListeners = server.listeners('connection')
  let openCount = 0
  let rejectedCount = 0

  const reject = (socket: Socket): void => {
    if (isTls || rejectedCount >= maxRejectedConnections) return void socket.destroy()
    rejectedCount += 1
    socket.once('close', () => {
      rejectedCount -= 1
    })
    rejectConnection(socket, 503)
  }

  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    if (openCount >= maxConnections) return reject(socket)
    openCount += 1
    socket.once('close', () => {
      openCount -= 1
    })
    for (const listener of connectionListeners) Reflect.apply(listener, server, [socket])
  })
}
