/** Carries a kernel on node:http, directly: no web Request or Response in between. */
import { createServer, IncomingMessage } from 'node:http'
import { createErrorListener } from '../../http/errorReport.js'
import * as complaint from '../../messages/developerErrors.js'
import { detachedLifetime, Lifetime } from '../lifetime.js'
import { protocolErrors } from '../protocolErrors.js'
import { formatServerUrl } from '../runningServer.js'
import { closeNodeServer } from './closeServer.js'
import { DirectIncomingMessage } from './internals.js'
import { alreadySent, NodeHttpRequest } from './nodeHttpRequest.js'
import { beginResponse } from './pipelining.js'
import { hasKnownInternals } from './probe.js'
import { limitConnections, rejectMalformed, rejectTunnels, rejectUnreadable } from './rejectMalformed.js'
import { createRequestListener } from './requestListener.js'
import { formatKeepAliveLine } from './responseHead.js'
/** How often open connections are looked at, so that a time-out is a time-out and not half a minute more. In milliseconds. */
export const connectionCheckInterval = 500
/** What was asked for, and the presets for what was not. */
export const resolveListenOptions = ({
  port = 0,
  host = '127.0.0.1',
  requestTimeout = 9_000,
  headersTimeout = 8_000,
  keepAliveTimeout = 5_000,
  readerTimeout = 30_000,
  maxConnections = 10_000,
  unreadLimit = 67_108_864,
  onError: report,
}) => ({
  port,
  host,
  requestTimeout,
  headersTimeout,
  keepAliveTimeout,
  readerTimeout,
  maxConnections,
  unreadLimit,
  onError: createErrorListener(report),
})
/**
 * Resolves when the server listens. When it is asked to close, `lifetime` says so: its answers end their connections from then on.
 * Rejects when it cannot listen, with node's error (`EADDRINUSE`, `EACCES`).
 */
export async function startNodeServer(server, { port, host }, lifetime) {
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const address = server.address()
  let closed
  const close = (times = {}) => {
    if (closed === undefined) {
      lifetime.close()
      closed = closeNodeServer(server, times, lifetime)
    }
    return closed
  }
  return Object.freeze({ host: address.address, port: address.port, url: formatServerUrl(address.address, address.port), close })
}
const defaultListenOptions = resolveListenOptions({})
const defaultSendOptions = Object.freeze({
  ...{ readerTimeout: defaultListenOptions.readerTimeout, unreadLimit: defaultListenOptions.unreadLimit, keepAliveLine: undefined },
  lifetime: detachedLifetime,
})
/**
 * A foreign Node listener as a kernel, to be mounted: `fromNodeListener(express())`. It sees its URL without the prefix, and answers by itself.
 *
 * @throws TypeError (when it runs) on another adapter, where there is no Node request.
 */
export const fromNodeListener = (foreign) => (incoming) => {
  if (!(incoming instanceof NodeHttpRequest)) throw new TypeError(complaint.nodeListenerNeedsNode())
  const { request, response, target } = incoming
  request.url = target.startsWith('/') ? target : `/${target}`
  // It knows nothing of clients that wait, as no listener does: node itself tells them to go on.
  incoming.sendContinue()
  if (request instanceof DirectIncomingMessage) request.restoreStream()
  foreign(request, response)
  return alreadySent
}
/** A Node request listener for a kernel: `createServer(listener(kernel))`. `report` is that of `listenOnNode`. */
export const toNodeListener = (kernel, { onError: report } = {}) =>
  createRequestListener(kernel, false, defaultSendOptions, createErrorListener(report))
/** Serves a kernel over HTTP/1.1. Rejects when it cannot listen, with node's error (`EADDRINUSE`, `EACCES`). */
export async function listenOnNode(kernel, options = {}) {
  return listenOnNodeWith(kernel, options, await hasKnownInternals())
}
/** The same; `direct`: past what this node was seen to do without (see `nodeTrial.ts`). */
export async function listenOnNodeWith(kernel, options, direct) {
  const all = resolveListenOptions(options)
  const { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, unreadLimit, maxConnections, onError: report } = all
  const lifetime = new Lifetime()
  const keepAliveLine = direct ? formatKeepAliveLine(keepAliveTimeout) : undefined
  const sending = { readerTimeout, unreadLimit, keepAliveLine, lifetime }
  const server = createServer({
    IncomingMessage: direct ? DirectIncomingMessage : IncomingMessage,
    ...{ requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval: connectionCheckInterval },
    // It would be refused without a word; ours says why.
    requireHostHeader: false,
  })
  // The limit of node drops headers; ours refuses them.
  server.maxHeadersCount = 0
  limitConnections(server, maxConnections)
  server.on('clientError', rejectUnreadable)
  rejectTunnels(server)
  server.on('request', createRequestListener(kernel, false, sending, report))
  // Node would answer by itself, and a second time when the body that follows is cut off.
  server.on('checkExpectation', (request, response) => {
    if (beginResponse(request, response)) rejectMalformed(protocolErrors.expectation, response)
  })
  // `100 Continue` is sent when the body is asked for; who refuses earlier never asks for it.
  server.on('checkContinue', createRequestListener(kernel, true, sending, report))
  return startNodeServer(server, all, lifetime)
}
