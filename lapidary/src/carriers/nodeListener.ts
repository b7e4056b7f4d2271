/** Between node:http and a kernel: a request of the one becomes a request of the other, and so does the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Kernel, Outgoing } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { internalError, type Report } from '../server/report.ts'
import { NodeIncoming, taken } from './nodeIncoming.ts'
import { enqueued } from './nodePipeline.ts'
import { NodeRequest } from './nodeRequest.ts'
import { type Sending, send as sendOutgoing } from './nodeSend.ts'
import { framingOf, refuseUnsound, remember } from './nodeTrouble.ts'

/** What node:http calls for each request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Hands requests to a kernel and sends its answers. `waits`: the client holds its body back until it hears `100 Continue`. */
export function answering(kernel: Kernel, waits: boolean, sending: Sending, report: Report): Listener {
  const { lifetime } = sending
  const send = (outgoing: Outgoing, incoming: NodeIncoming): void => {
    if (outgoing.status === taken.status) return
    // A mounted listener has begun to answer before it failed.
    if (incoming.response.headersSent) cut(incoming)
    else sendOutgoing(outgoing, incoming, incoming.response, lifetime.isClosing, sending)
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
      fail(error, incoming)
    }
  }
  return (request, response) => {
    remember(request)
    if (response.socket === null) enqueued(request.socket, response)
    const framing = framingOf(request)
    if (typeof framing === 'number') return refuseUnsound(framing, response)
    const hasBody = framing === 'body'
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

/** Cuts the connection of an answer that cannot be completed. One that is complete already stays. */
function cut({ response }: NodeIncoming): void {
  if (!response.writableEnded) response.destroy()
}
