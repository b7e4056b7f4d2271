/** Carries a kernel on node:http, directly: no web Request or Response in between. */

import { createServer, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createErrorListener, type ErrorListener } from '../../http/errorReport.ts'
import type { HttpHandler } from '../../http/httpHandler.ts'
import * as complaint from '../../messages/developerErrors.ts'
import { detachedLifetime, Lifetime } from '../lifetime.ts'
import { protocolErrors } from '../protocolErrors.ts'
import { type CloseOptions, formatServerUrl, type RunningServer } from '../runningServer.ts'
import { type ClosableServer, closeNodeServer } from './closeServer.ts'
import { DirectIncomingMessage } from './internals.ts'
import { alreadySent, NodeHttpRequest } from './nodeHttpRequest.ts'
import { beginResponse } from './pipelining.ts'
import { hasKnownInternals } from './probe.ts'
import { limitConnections, rejectMalformed, rejectTunnels, rejectUnreadable } from './rejectMalformed.ts'
import { createRequestListener, type NodeListener } from './requestListener.ts'
import { formatKeepAliveLine } from './responseHead.ts'
import type { NodeSendOptions } from './sendResponse.ts'

// How to listen on Node.js: the same on node:http and on its parser alone.

/** How to listen. Times are in milliseconds. */
export interface NodeListenOptions {
  /** Default: 0, which picks a free one. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /** A request that is not whole in this time is answered 408. Default: 9,000. */
  readonly requestTimeout?: number
  /** The same for its headers. Default: 8,000. */
  readonly headersTimeout?: number
  /** How long an idle connection is kept. Default: 5,000. */
  readonly keepAliveTimeout?: number
  /** A client that takes nothing of its answer for this long is cut. Default: 30,000. */
  readonly readerTimeout?: number
  /** How many connections are served at once; more are answered 503 and closed. Default: 10,000. */
  readonly maxConnections?: number
  /** How many bytes of a request that is answered already are still read, so that its client gets to read the answer. Default: 67,108,864. */
  readonly unreadLimit?: number
  /** Told of what fails outside of any server: middleware that throws, an answer that cannot be sent, a listener of `onEnd`. Default: `console.error`. */
  readonly onError?: ErrorListener
}

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
}: NodeListenOptions): Required<NodeListenOptions> => ({
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
  let closed: Promise<void> | undefined
  const close = (times: CloseOptions = {}): Promise<void> => {
    if (closed === undefined) {
      lifetime.close()
      closed = closeNodeServer(server, times, lifetime)
    }
    return closed
  }
  return Object.freeze({ host: address.address, port: address.port, url: formatServerUrl(address.address, address.port), close })
}

const defaultListenOptions = resolveListenOptions({})
const defaultSendOptions: NodeSendOptions = Object.freeze({
  ...{ readerTimeout: defaultListenOptions.readerTimeout, unreadLimit: defaultListenOptions.unreadLimit, keepAliveLine: undefined },
  lifetime: detachedLifetime,
})

/**
 * A foreign Node listener as a kernel, to be mounted: `fromNodeListener(express())`. It sees its URL without the prefix, and answers by itself.
 *
 * @throws TypeError (when it runs) on another adapter, where there is no Node request.
 */
export const fromNodeListener =
  (foreign: NodeListener): HttpHandler =>
  (incoming) => {
    const original = incoming.original ?? incoming
    if (!(original instanceof NodeHttpRequest)) throw new TypeError(complaint.nodeListenerNeedsNode())
    const { target } = incoming
    const { request, response } = original
    request.url = target.startsWith('/') ? target : `/${target}`
    // It knows nothing of clients that wait, as no listener does: node itself tells them to go on.
    original.sendContinue()
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
