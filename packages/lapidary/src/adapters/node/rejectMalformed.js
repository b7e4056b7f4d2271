/** What node:http leaves to its user: requests that are none, and those that no request may be made of. */
import { METHODS } from 'node:http'
import { isHeaderNamed, isHost } from '../../http/headerFields.js'
import { createProblem } from '../../http/problemDetails.js'
import { getReasonPhrase } from '../../http/status.js'
import { adapterDetail } from '../../messages/problemMessages.js'
import { getRejectionDetail, protocolErrors, toProtocolErrorResponse } from '../protocolErrors.js'
import { endAfterResponses, getActiveResponse, getLastRequest, refuseFurtherRequests } from './pipelining.js'

/** More lines than this are refused; node itself would drop the ones past its limit in silence. */
const maxHeaderLines = 1_000
const parserErrorStatuses = {
  CONNECT: 501,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}
/** The status for what the parser says of bytes that are no request, for what takes too long, and for who wants a tunnel. */
export const getParserErrorStatus = (code) => parserErrorStatuses[code ?? ''] ?? 400
/** A whole answer as text, for a connection that has no request to answer. One to HEAD has no body, only its length. */
function formatRejection(status, toHead) {
  const body = JSON.stringify(createProblem(status, { detail: getRejectionDetail(status) }))
  const head = [
    `HTTP/1.1 ${status} ${getReasonPhrase(status)}`,
    'Content-Type: application/problem+json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    ...(status === 503 ? ['Retry-After: 1'] : []),
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${toHead ? '' : body}`
}
/** How long a client that sends on behind a refusal is still read, in milliseconds: long enough to get to the answer. */
const rejectionReadTime = 1_000
/** How much of it is read, in bytes. */
const maxRejectionReadBytes = 1_048_576
/**
 * Sends the last answer of a connection that can't be understood any further. What still comes is dropped: unread it would reset the connection,
 * and the reset might overtake the answer.
 */
export function rejectConnection(socket, status, toHead = false) {
  const cut = setTimeout(() => socket.destroy(), rejectionReadTime)
  let length = 0
  // It may have gone already.
  socket.on('error', () => {})
  socket.once('close', () => clearTimeout(cut))
  // Node's parser would read on, and fail again.
  socket.removeAllListeners('data')
  socket.on('data', (bytes) => {
    length += bytes.length
    if (length > maxRejectionReadBytes) socket.destroy()
  })
  socket.resume()
  socket.end(formatRejection(status, toHead))
}
/** Whether what cannot be read would have been a HEAD: then nobody expects a body behind the refusal. */
export const isHeadRequestText = (bytes) => bytes?.toString('latin1', 0, 5) === 'HEAD '
/**
 * Answers what llhttp refused, or what took too long. An answer that is under way is never written into: those of the requests that are whole are
 * the last of their connection. So is one that was given before the rest of its request came: no request is answered twice.
 */
export function rejectUnreadable(error, socket) {
  const underWay = getActiveResponse(socket)
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error)
  // Node itself ends a connection whose client says no more, where it has said all.
  else if (underWay?.req.complete === true && socket.readableEnded) socket.end()
  else if (underWay?.req.complete === true) endAfterResponses(socket)
  else if (underWay?.headersSent === true) socket.destroy(error)
  else if (!underWay && getLastRequest(socket)?.complete === false) socket.destroySoon()
  else
    rejectConnection(
      socket,
      getParserErrorStatus(error.code),
      underWay ? underWay.req.method === 'HEAD' : isHeadRequestText(error.rawPacket),
    )
}
/** So long the answers in front of such a request may take, in milliseconds. What is dropped behind them would keep a connection alive for ever. */
const tunnelTimeout = 10_000
/** Refuses to make a tunnel of a connection, in its turn: what comes behind is for whoever would be at its other end. */
function rejectTunnel(socket) {
  if (getActiveResponse(socket) === undefined) {
    rejectConnection(socket, getParserErrorStatus('CONNECT'))
    return
  }
  const cut = setTimeout(() => socket.destroy(), tunnelTimeout)
  socket.once('close', () => clearTimeout(cut))
  // Node has let go of the connection: its errors and its time-out are ours, and what comes is dropped.
  socket.on('error', () => {})
  socket.on('timeout', () => socket.destroy())
  socket.on('end', () => socket.end())
  socket.resume()
  endAfterResponses(socket)
}
/** Refuses those who want a tunnel. Node counts their connections no more among its own, and so would not cut them with these. */
export function rejectTunnels(server) {
  const sockets = new Set()
  const cutOthers = server.closeAllConnections.bind(server)
  server.closeAllConnections = () => {
    cutOthers()
    for (const socket of sockets) socket.destroy()
  }
  server.on('connect', (_request, socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    rejectTunnel(socket)
  })
}
const validFramings = [false, true].flatMap((mayStop) =>
  [false, true].map((hasBody) => Object.freeze({ hasBody, mayUpgrade: mayStop, protocolError: undefined })),
)
const createRejectedFraming = (refusal) => ({ hasBody: true, mayUpgrade: true, protocolError: refusal })
/** Those of HTTP. The parser knows those of RTSP as well. */
const httpMethods = new Set(METHODS)
/** Where a request ends by its head, or why it is none. */
export function readRequestFraming({ method, rawHeaders, httpVersion }) {
  // llhttp takes 0.9 and 2.0 for two more.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return createRejectedFraming(protocolErrors.version)
  if (!httpMethods.has(method)) return createRejectedFraming(protocolErrors.method)
  if (rawHeaders.length > 2 * maxHeaderLines) return createRejectedFraming(protocolErrors.headers)
  let hosts = 0
  let framing = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    const value = rawHeaders[index + 1]
    if (isHeaderNamed(name, 'host')) {
      hosts += 1
      if (!isHost(value)) return createRejectedFraming(protocolErrors.host)
    } else if (isHeaderNamed(name, 'content-length')) {
      if (Number(value) > 0) framing |= 1
    } else if (isHeaderNamed(name, 'transfer-encoding')) {
      // An older client cannot have meant it, and who stands between us may not have seen it (RFC 9112 §6.1).
      if (httpVersion === '1.0') return createRejectedFraming(protocolErrors.oldChunks)
      // What is coded before it is cut into chunks nobody here decodes, and no coding at all is no end of a body (RFC 9112 §6.1).
      if (value.toLowerCase() !== 'chunked') return createRejectedFraming(protocolErrors.coding)
      framing |= 1
    } else if (isHeaderNamed(name, 'upgrade')) framing |= 2
  }
  // Two hosts are two answers to the question of who was asked, and none is none (RFC 9112 §3.2). There was no such line before 1.1.
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? createRejectedFraming(protocolErrors.host) : validFramings[framing]
}
/** Refuses such a request, and ends its connection. */
export function rejectMalformed(flaw, response) {
  const { status, headers, body } = toProtocolErrorResponse(flaw)
  refuseFurtherRequests(response.req.socket)
  response.writeHead(status, [...headers, 'Content-Length', `${Buffer.byteLength(body)}`])
  response.end(body)
}
/** Refuses a request of node:http2, of which the compatibility layer makes something that is like one of node:http and is none. */
export function rejectHttp2(response) {
  const body = JSON.stringify(createProblem(505, { detail: adapterDetail.http2() }))
  response.writeHead(505, { 'content-type': 'application/problem+json', 'x-content-type-options': 'nosniff' })
  response.end(body)
}
// Refuses connections beyond a limit: at once, with an answer, so that those that are there stay well served.
/** So many refused clients are given the time to read it; beyond them connections are cut. */
const maxRejectedConnections = 100
/** Serves `most` connections at once. Node's own `maxConnections` would cut the others without a word. */
export function limitConnections(server, most) {
  /** Those that make requests of what comes. */
  const serving = server.listeners('connection')
  let open = 0
  let refused = 0
  const refuse = (socket) => {
    if (refused >= maxRejectedConnections) return void socket.destroy()
    refused += 1
    socket.once('close', () => {
      refused -= 1
    })
    rejectConnection(socket, 503)
  }
  server.removeAllListeners('connection')
  server.on('connection', (socket) => {
    if (open >= most) return refuse(socket)
    open += 1
    socket.once('close', () => {
      open -= 1
    })
    for (const serve of serving) Reflect.apply(serve, server, [socket])
  })
}
