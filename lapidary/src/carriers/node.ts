/** Carries a kernel on node:http, directly: no web Request or Response in between. */
import { createServer, IncomingMessage } from 'node:http'
import * as complaint from '../describe/complaint.ts'
import type { HttpHandler } from '../server/kernel.ts'
import { createErrorListener } from '../server/report.ts'
import { detachedLifetime, Lifetime } from './lifetime.ts'
import type { RunningServer } from './listening.ts'
import { formatKeepAliveLine } from './nodeHead.ts'
import { alreadySent, NodeHttpRequest } from './nodeIncoming.ts'
import { limitConnections } from './nodeLimit.ts'
import { createRequestListener, type NodeListener } from './nodeListener.ts'
import { connectionCheckInterval, type NodeListenOptions, resolveListenOptions, startNodeServer } from './nodeListening.ts'
import { DirectIncomingMessage } from './nodeRequest.ts'
import type { NodeSendOptions } from './nodeSend.ts'
import { hasKnownInternals } from './nodeTrial.ts'
import { rejectMalformed, rejectTunnels, rejectUnreadable } from './nodeTrouble.ts'
import { beginResponse } from './nodeTurns.ts'
import { protocolErrors } from './unsound.ts'

const defaultListenOptions = resolveListenOptions({})
const defaultSendOptions: NodeSendOptions = Object.freeze({
  ...{ readerTimeout: defaultListenOptions.readerTimeout, unreadLimit: defaultListenOptions.unreadLimit, keepAliveLine: undefined },
  lifetime: detachedLifetime,
})

/**
 * A foreign Node listener as a kernel, to be mounted: `fromNodeListener(express())`. It sees its URL without the prefix, and answers by itself.
 *
 * @throws TypeError (when it runs) on another carrier, where there is no Node request.
 */
export const fromNodeListener =
  (foreign: NodeListener): HttpHandler =>
  (incoming) => {
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
export const toNodeListener = (kernel: HttpHandler, { onError: report }: Pick<NodeListenOptions, 'onError'> = {}): NodeListener =>
  createRequestListener(kernel, false, defaultSendOptions, createErrorListener(report))

/** Serves a kernel over HTTP/1.1. Rejects when it cannot listen, with node's error (`EADDRINUSE`, `EACCES`). */
export async function listenOnNode(kernel: HttpHandler, options: NodeListenOptions = {}): Promise<RunningServer> {
  return listenOnNodeWith(kernel, options, await hasKnownInternals())
}

/** The same; `direct`: past what this node was seen to do without (see `nodeTrial.ts`). */
export async function listenOnNodeWith(kernel: HttpHandler, options: NodeListenOptions, direct: boolean): Promise<RunningServer> {
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
