/** Between node:http and a kernel: a request of the one becomes a request of the other, and so does the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Kernel, Outgoing } from '../server/kernel.ts'
import { NodeIncoming, taken } from './nodeIncoming.ts'
import { NodeRequest } from './nodeRequest.ts'
import { type Sending, send } from './nodeSend.ts'
import { framingOf, refuseUnsound, remember } from './nodeTrouble.ts'

/** What node:http calls for each request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Hands requests to a kernel and sends its answers. `waits`: the client holds its body back until it hears `100 Continue`. */
export function answering(kernel: Kernel, isClosing: () => boolean, waits: boolean, sending: Sending): Listener {
  const answer = (outgoing: Outgoing, incoming: NodeIncoming): void => {
    try {
      if (outgoing.status !== taken.status) send(outgoing, incoming, incoming.response, isClosing(), sending)
    } catch (error) {
      cut(error, incoming)
    }
  }
  return (request, response) => {
    remember(request)
    const framing = framingOf(request)
    if (typeof framing === 'number') return refuseUnsound(framing, response)
    const hasBody = framing === 'body'
    if (!hasBody && request instanceof NodeRequest) request.withoutBody()
    const incoming = new NodeIncoming(request, response, hasBody, waits)
    let outgoing: Outgoing | Promise<Outgoing>
    try {
      outgoing = kernel(incoming)
    } catch (error) {
      return cut(error, incoming)
    }
    if (!(outgoing instanceof Promise)) return answer(outgoing, incoming)
    outgoing.then(
      (late) => answer(late, incoming),
      (error: unknown) => cut(error, incoming),
    )
  }
}

/**
 * A kernel answers for its own failures. If a wrapper around it throws all the same, or answers what cannot be sent, the connection is cut rather than
 * left hanging, and everybody else is served.
 */
function cut(error: unknown, incoming: NodeIncoming): void {
  incoming.cut = true
  incoming.response.destroy(error instanceof Error ? error : undefined)
}
