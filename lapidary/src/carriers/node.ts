/** Carries a kernel on node:http, directly: no web Request or Response in between. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import * as complaint from '../describe/complaint.ts'
import type { Kernel, Outgoing } from '../server/kernel.ts'
import { checkingInterval, type Listening, type ListenOptions, listeningOn, settled } from './listening.ts'
import { NodeIncoming, taken } from './nodeIncoming.ts'
import { limitConnections } from './nodeLimit.ts'
import { type SendLimits, send } from './nodeSend.ts'
import { refusalOf, refuseUnreadable, refuseUnsound, remember } from './nodeTrouble.ts'

const presets = settled({})
const defaultLimits: SendLimits = Object.freeze({ idle: presets.readerTimeout, unread: presets.unreadLimit })

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Hands requests to a kernel and sends its answers. `waits`: the client holds its body back until it hears `100 Continue`. */
function answering(kernel: Kernel, isClosing: () => boolean, waits: boolean, limits: SendLimits): Listener {
  return (request, response) => {
    remember(request)
    const refusal = refusalOf(request)
    if (refusal !== undefined) return refuseUnsound(refusal, response)
    const incoming = new NodeIncoming(request, response, waits)
    // A kernel answers for its own failures. If a wrapper around it throws all the same, or answers what cannot be sent, the connection is cut
    // rather than left hanging, and everybody else is served.
    const cut = (error: unknown): void => {
      incoming.cut = true
      response.destroy(error instanceof Error ? error : undefined)
    }
    const answer = (outgoing: Outgoing): void => {
      if (outgoing.status !== taken.status) send(outgoing, incoming, response, isClosing(), limits)
    }
    try {
      const outgoing = kernel(incoming)
      if (outgoing instanceof Promise) outgoing.then(answer).catch(cut)
      else answer(outgoing)
    } catch (error) {
      cut(error)
    }
  }
}

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
    foreign(request, response)
    return taken
  }

/** A Node request listener for a kernel: `createServer(listener(kernel))`. */
export const listener = (kernel: Kernel): Listener => answering(kernel, () => false, false, defaultLimits)

/** Serves a kernel over HTTP/1.1. Rejects when it cannot listen, with node's error (`EADDRINUSE`, `EACCES`). */
export async function listen(kernel: Kernel, options: ListenOptions = {}): Promise<Listening> {
  const all = settled(options)
  const { requestTimeout, headersTimeout, keepAliveTimeout, readerTimeout, unreadLimit, maxConnections } = all
  const limits = { idle: readerTimeout, unread: unreadLimit }
  let closing = false
  const server = createServer({
    ...{ requestTimeout, headersTimeout, keepAliveTimeout, connectionsCheckingInterval: checkingInterval },
    // It would be refused without a word; ours says why.
    requireHostHeader: false,
  })
  const isClosing = (): boolean => closing
  // The limit of node drops headers; ours refuses them.
  server.maxHeadersCount = 0
  limitConnections(server, maxConnections)
  server.on('clientError', refuseUnreadable)
  server.on('request', answering(kernel, isClosing, false, limits))
  // Node would answer by itself, and a second time when the body that follows is cut off.
  server.on('checkExpectation', (_request, response) => refuseUnsound(417, response))
  // `100 Continue` is sent when the body is asked for; who refuses earlier never asks for it.
  server.on('checkContinue', answering(kernel, isClosing, true, limits))
  return listeningOn(server, all, () => {
    closing = true
  })
}
