/** Between node:http and a kernel: a request of the one becomes a request of the other, and so does the answer. */
import { IncomingMessage } from 'node:http'
import { createInternalErrorResponse } from '../../http/errorReport.js'
import { isPromise } from '../../http/promises.js'
import * as complaint from '../../messages/developerErrors.js'
import { protocolErrors } from '../protocolErrors.js'
import { DirectIncomingMessage } from './internals.js'
import { alreadySent, NodeHttpRequest } from './nodeHttpRequest.js'
import { beginResponse, getLastRequest, refuseFurtherRequests } from './pipelining.js'
import { readRequestFraming, rejectHttp2, rejectMalformed } from './rejectMalformed.js'
import { isOtherProtocol } from './requestFraming.js'
import { sendNodeResponse as sendOutgoing } from './sendResponse.js'
import { parseAfterUpgrade } from './upgrade.js'
/** Hands requests to a kernel and sends its answers. `waits`: the client holds its body back until it hears `100 Continue`. */
export function createRequestListener(kernel, waits, sending, report) {
  const { lifetime } = sending
  const send = (outgoing, incoming) => {
    if (outgoing.status === alreadySent.status) return
    // A mounted listener has begun to answer before it failed.
    if (incoming.response.headersSent) {
      abortConnection(incoming)
      return
    }
    const { socket } = incoming.request
    // Those that are carried out behind it are answered first.
    const isLast = lifetime.isClosing && getLastRequest(socket) === incoming.request
    if (isLast) refuseFurtherRequests(socket)
    sendOutgoing(outgoing, incoming, incoming.response, isLast, sending)
  }
  /** A server answers for its own failures; here are those of what is around it, and answers that cannot be sent. */
  const fail = (error, incoming) => {
    // Node keeps the phrase of a head that it has refused to write.
    incoming.response.statusMessage = ''
    send(createInternalErrorResponse(error, incoming, report), incoming)
  }
  const answer = (outgoing, incoming) => {
    try {
      send(outgoing, incoming)
    } catch (error) {
      lifetime.dropUnsentBody(outgoing)
      fail(error, incoming)
    }
  }
  let isWarned = false
  const refuse = (response) => {
    if (!isWarned) process.emitWarning(complaint.http2NotSupported())
    isWarned = true
    rejectHttp2(response)
  }
  return (request, response) => {
    const isFirst = getLastRequest(request.socket) === undefined
    if (!beginResponse(request, response)) return
    const { hasBody, mayUpgrade: mayStop, protocolError: refusal } = readRequestFraming(request)
    if (refusal !== undefined) return request instanceof IncomingMessage ? rejectMalformed(refusal, response) : refuse(response)
    if ((isFirst || request.httpVersionMinor === 0) && isRtspOrIcecast(request)) return rejectMalformed(protocolErrors.version, response)
    if (mayStop) parseAfterUpgrade(request, response)
    if (!hasBody && request instanceof DirectIncomingMessage) request.markBodiless()
    const incoming = new NodeHttpRequest(request, response, hasBody, waits, report, lifetime)
    let outgoing
    try {
      outgoing = kernel(incoming)
    } catch (error) {
      return fail(error, incoming)
    }
    if (!isPromise(outgoing)) return answer(outgoing, incoming)
    lifetime.pendingResponses += 1
    Promise.resolve(outgoing).then(
      (late) => {
        lifetime.pendingResponses -= 1
        answer(late, incoming)
      },
      (error) => {
        lifetime.pendingResponses -= 1
        fail(error, incoming)
      },
    )
  }
}
/** Its protocol is told by the bytes alone. They are looked at where it might be that one: with the first request of a connection, and in its version. */
function isRtspOrIcecast(request) {
  const { socket } = request
  return isOtherProtocol(socket, () => socket.parser?.getCurrentBuffer?.(), request, request.url)
}
/** Cuts the connection of an answer that cannot be completed. One that is complete already stays. */
function abortConnection({ request, response }) {
  if (response.writableEnded) return
  refuseFurtherRequests(request.socket)
  response.destroy()
}
