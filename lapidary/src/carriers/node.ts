/** Carries a kernel on node:http, directly: no web Request or Response in between. */
import { createServer, IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as complaint from '../describe/complaint.ts'
import type { Kernel } from '../server/kernel.ts'
import { type CloseOptions, type Listening, urlOf } from './listening.ts'
import { closedAfter } from './nodeClose.ts'
import { NodeIncoming, taken } from './nodeIncoming.ts'
import { limitConnections } from './nodeLimit.ts'
import { answering, type Listener } from './nodeListener.ts'
import { NodeRequest } from './nodeRequest.ts'
import type { Sending } from './nodeSend.ts'
import { isDirect } from './nodeTrial.ts'
import { refuseUnreadable, refuseUnsound } from './nodeTrouble.ts'

/** How to listen. Times are in milliseconds. */
export interface ListenOptions {
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
}

/** How often node looks for requests that take too long, so that a time-out is a time-out and not half a minute more. */
const checkingInterval = 500

const defaults: Sending = Object.freeze({ idle: 30_000, unread: 67_108_864, keepAlive: undefined })

/** As node writes it. */
const keepAliveLine = (timeout: number): string => (timeout === 0 ? '' : `Keep-Alive: timeout=${Math.floor(timeout / 1_000)}\r\n`)

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

/** A Node request listener for a kernel: `createServer(listener(kernel))`. */
export const listener = (kernel: Kernel): Listener => answering(kernel, () => false, false, defaults)

/** Serves a kernel over HTTP/1.1. Rejects when it cannot listen, with node's error (`EADDRINUSE`, `EACCES`). */
export async function listen(kernel: Kernel, options: ListenOptions = {}): Promise<Listening> {
  return listenBy(kernel, options, await isDirect())
}

/** The same; `direct`: past what this node was seen to do without (see `nodeTrial.ts`). */
export async function listenBy(kernel: Kernel, options: ListenOptions, direct: boolean): Promise<Listening> {
  const { port = 0, host = '127.0.0.1', requestTimeout = 9_000, headersTimeout = 8_000, keepAliveTimeout = 5_000 } = options
  const { readerTimeout = defaults.idle, unreadLimit = defaults.unread, maxConnections = 10_000 } = options
  const sending = { idle: readerTimeout, unread: unreadLimit, keepAlive: direct ? keepAliveLine(keepAliveTimeout) : undefined }
  let closing = false
  const server = createServer({
    IncomingMessage: direct ? NodeRequest : IncomingMessage,
    requestTimeout,
    headersTimeout,
    keepAliveTimeout,
    connectionsCheckingInterval: checkingInterval,
  })
  const isClosing = (): boolean => closing
  // The limit of node drops headers; ours refuses them.
  server.maxHeadersCount = 0
  limitConnections(server, maxConnections)
  server.on('clientError', refuseUnreadable)
  server.on('request', answering(kernel, isClosing, false, sending))
  // Node would answer by itself, and a second time when the body that follows is cut off.
  server.on('checkExpectation', (_request, response) => refuseUnsound(417, response))
  // `100 Continue` is sent when the body is asked for; who refuses earlier never asks for it.
  server.on('checkContinue', answering(kernel, isClosing, true, sending))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host }, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { address, port: at } = server.address() as AddressInfo
  let closed: Promise<void> | undefined
  const close = (times: CloseOptions = {}): Promise<void> => {
    closing = true
    closed ??= closedAfter(server, times)
    return closed
  }
  return Object.freeze({ host: address, port: at, url: urlOf(address, at), close })
}
