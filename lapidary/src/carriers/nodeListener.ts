/** Between node:http and a kernel: a request of the one becomes a request of the other, and so does the answer. */
import { IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import * as complaint from '../describe/complaint.ts'
import type { Kernel, Outgoing } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { internalError, type Report } from '../server/report.ts'
import { NodeIncoming, taken } from './nodeIncoming.ts'
import { NodeRequest } from './nodeRequest.ts'
import { type Sending, send as sendOutgoing } from './nodeSend.ts'
import { framingOf, refuseHttp2, refuseUnsound } from './nodeTrouble.ts'
import { begins, latestOn, spend } from './nodeTurns.ts'
import { goOnBehind } from './nodeUpgrade.ts'
import { isOtherProtocol } from './protocol.ts'
import { flaws } from './unsound.ts'

/** What node:http calls for each request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Node's types are those of answers as well, which have neither. */
type Requested = IncomingMessage & { readonly method: string; readonly url: string }

/** Hands requests to a kernel and sends its answers. `waits`: the client holds its body back until it hears `100 Continue`. */
export function answering(kernel: Kernel, waits: boolean, sending: Sending, report: Report): Listener {
  const { lifetime } = sending
  const send = (outgoing: Outgoing, incoming: NodeIncoming): void => {
    if (outgoing.status === taken.status) return
    // A mounted listener has begun to answer before it failed.
    if (incoming.response.headersSent) {
      cut(incoming)
      return
    }
    const { socket } = incoming.request
    // Those that are carried out behind it are answered first.
    const isLast = lifetime.isClosing && latestOn(socket) === incoming.request
    if (isLast) spend(socket)
    sendOutgoing(outgoing, incoming, incoming.response, isLast, sending)
  }
  /** A server answers for its own failures; here are those of what is around it, and answers that cannot be sent. */
  const fail = (error: unknown, incoming: NodeIncoming): void => {
    // Node keeps the phrase of a head that it has refused to write.
    incoming.response.statusMessage = ''
    send(internalError(error, incoming, report), incoming)
  }
  const answer = (outgoing: Outgoing, incoming: NodeIncoming): void => {
    try {
      send(outgoing, incoming)
    } catch (error) {
      lifetime.dropUnsent(outgoing)
      fail(error, incoming)
    }
  }
  let isWarned = false
  const refuse = (response: ServerResponse): void => {
    if (!isWarned) process.emitWarning(complaint.notByHttp2())
    isWarned = true
    refuseHttp2(response)
  }
  return (request, response) => {
    const isFirst = latestOn(request.socket) === undefined
    if (!begins(request, response)) return
    const { hasBody, mayStop, refusal } = framingOf(request as Requested)
    if (refusal !== undefined) return request instanceof IncomingMessage ? refuseUnsound(refusal, response) : refuse(response)
    if ((isFirst || request.httpVersionMinor === 0) && speaksOtherwise(request as Requested)) return refuseUnsound(flaws.version, response)
    if (mayStop) goOnBehind(request, response)
    if (!hasBody && request instanceof NodeRequest) request.withoutBody()
    const incoming = new NodeIncoming(request, response, hasBody, waits, report, lifetime)
    let outgoing: Outgoing | Promise<Outgoing>
    try {
      outgoing = kernel(incoming)
    } catch (error) {
      return fail(error, incoming)
    }
    if (!isPromise(outgoing)) return answer(outgoing, incoming)
    lifetime.pending += 1
    Promise.resolve(outgoing).then(
      (late) => {
        lifetime.pending -= 1
        answer(late, incoming)
      },
      (error: unknown) => {
        lifetime.pending -= 1
        fail(error, incoming)
      },
    )
  }
}

/** Its protocol is told by the bytes alone. They are looked at where it might be that one: with the first request of a connection, and in its version. */
function speaksOtherwise(request: Requested): boolean {
  const { socket }: { readonly socket: Socket & { readonly parser?: { getCurrentBuffer?(): Buffer } | null } } = request
  return isOtherProtocol(socket, () => socket.parser?.getCurrentBuffer?.(), request, request.url)
}

/** Cuts the connection of an answer that cannot be completed. One that is complete already stays. */
function cut({ request, response }: NodeIncoming): void {
  if (response.writableEnded) return
  spend(request.socket)
  response.destroy()
}
