/** Carries a kernel on node:http, directly: no web Request or Response in between. */
import { createServer, IncomingMessage } from 'node:http'
import * as complaint from '../describe/complaint.ts'
import type { Kernel } from '../server/kernel.ts'
import { safeReport } from '../server/report.ts'
import { everlasting, Lifetime } from './lifetime.ts'
import type { Listening } from './listening.ts'
import { keepAliveLine } from './nodeHead.ts'
import { NodeIncoming, taken } from './nodeIncoming.ts'
import { limitConnections } from './nodeLimit.ts'
import { answering, type Listener } from './nodeListener.ts'
import { checkingInterval, type ListenOptions, listeningOn, settled } from './nodeListening.ts'
import { NodeRequest } from './nodeRequest.ts'
import type { Sending } from './nodeSend.ts'
import { isDirect } from './nodeTrial.ts'
import { refuseTunnels, refuseUnreadable, refuseUnsound } from './nodeTrouble.ts'
import { begins } from './nodeTurns.ts'
import { flaws } from './unsound.ts'

const presets = settled({})
const defaults: Sending = Object.freeze({
  ...{ idle: presets.readerTimeout, unread: presets.unreadLimit, keepAlive: undefined },
  lifetime: everlasting,
})

/**
 * A foreign Node listener as a kernel, to be mounted: `fromListener(express())`. It sees its URL without the prefix, and answers by itself.
 *
 * @throws TypeError (when it runs) on another carrier, where there is no Node request.
 */
export const fromListener =
  (foreign: Listener): Kernel =>
  (incoming) => {
    if (!(incoming instanceof NodeIncoming)) throw new TypeError(complaint.listenerCarrier())
    const { request, response, target } = incoming
    request.url = target.startsWith('/') ? target : `/${target}`
    // It knows nothing of clients that wait, as no listener does: node itself tells them to go on.
    incoming.proceed()
    if (request instanceof NodeRequest) request.asStream()
    foreign(request, response)
    return taken
  }

/** A Node request listener for a kernel: `createServer(listener(kernel))`. `report` is that of `listen`. */
export const listener = (kernel: Kernel, { report }: Pick<ListenOptions, 'report'> = {}): Listener =>
  answering(kernel, false, defaults, safeReport(report))

/** Serves a kernel over HTTP/1.1. Rejects when it cannot listen, with node's error (`EADDRINUSE`, `EACCES`). */
export async function listen(kernel: Kernel, options: ListenOptions = {}): Promise<Listening> {
  return listenBy(kernel, options, await isDirect())
}

/** The same; `direct`: past what this node was seen to do without (see `nodeTrial.ts`). */
export async function listenBy(kernel: Kernel, options: ListenOptions, direct: boolean): Promise<Listening> {
  const all = settled(options)
  const { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, unreadLimit, maxConnections, report } = all
  const lifetime = new Lifetime()
  const keepAlive = direct ? keepAliveLine(keepAliveTimeout) : undefined
  const sending = { idle: readerTimeout, unread: unreadLimit, keepAlive, lifetime }
  const server = createServer({
    IncomingMessage: direct ? NodeRequest : IncomingMessage,
    ...{ requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval: checkingInterval },
    // It would be refused without a word; ours says why.
    requireHostHeader: false,
  })
  // The limit of node drops headers; ours refuses them.
  server.maxHeadersCount = 0
  limitConnections(server, maxConnections)
  server.on('clientError', refuseUnreadable)
  refuseTunnels(server)
  server.on('request', answering(kernel, false, sending, report))
  // Node would answer by itself, and a second time when the body that follows is cut off.
  server.on('checkExpectation', (request, response) => {
    if (begins(request, response)) refuseUnsound(flaws.expectation, response)
  })
  // `100 Continue` is sent when the body is asked for; who refuses earlier never asks for it.
  server.on('checkContinue', answering(kernel, true, sending, report))
  return listeningOn(server, all, lifetime)
}
