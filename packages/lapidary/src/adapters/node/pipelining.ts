/**
 * The order of pipelined requests on a connection: which response is being sent, which wait behind it, and whether another request may
 * follow.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getActiveResponse, onSocketAssigned, pauseRequests, resumeRequests, setActiveResponse } from './internals.ts'

const lastRequestKey: unique symbol = Symbol('last request')
const waitingResponsesKey: unique symbol = Symbol('waiting responses')
const closedForRequestsKey: unique symbol = Symbol('closed for requests')

/** How many responses may wait before no further requests are read. One read may contain more. */
const maxWaitingResponses = 16

interface PipelinedSocket extends Socket {
  [lastRequestKey]?: IncomingMessage
  [waitingResponsesKey]?: Set<ServerResponse>
  [closedForRequestsKey]?: boolean
}

/** The last request of a connection. */
export const getLastRequest = (socket: PipelinedSocket): IncomingMessage | undefined => socket[lastRequestKey]

/** Ignores all further requests of a connection: after its last response, they would run and never get a response. */
export function refuseFurtherRequests(socket: PipelinedSocket): void {
  socket[closedForRequestsKey] = true
}

function onResponseTurn(this: ServerResponse): void {
  const socket: PipelinedSocket = this.req.socket
  setActiveResponse(socket, this)
  const responses = socket[waitingResponsesKey]
  responses?.delete(this)
  if (responses !== undefined && responses.size < maxWaitingResponses) resumeRequests(socket)
}

/** When a connection closes, Node emits `close` on the active response only. */
function onConnectionClosed(this: PipelinedSocket): void {
  for (const response of this[waitingResponsesKey] ?? []) {
    response.destroyed = true
    response.emit('close')
  }
}

/**
 * Registers a request and its response. If the connection closes while the response waits behind another one, the response emits `close` as
 * any other does.
 *
 * @returns false where the request must be ignored
 */
export function beginResponse(incomingMessage: IncomingMessage, serverResponse: ServerResponse): boolean {
  const socket: PipelinedSocket = incomingMessage.socket
  const isActive = serverResponse.socket !== null
  if (isActive) setActiveResponse(socket, serverResponse)
  if (socket[closedForRequestsKey] === true || socket.destroyed) return false
  socket[lastRequestKey] = incomingMessage
  if (isActive) return true
  if (socket[waitingResponsesKey] === undefined) {
    socket[waitingResponsesKey] = new Set()
    socket.once('close', onConnectionClosed)
  }
  socket[waitingResponsesKey].add(serverResponse)
  // Otherwise Node would make a request of everything that a client sends without waiting for responses.
  if (socket[waitingResponsesKey].size >= maxWaitingResponses) pauseRequests(socket)
  onSocketAssigned(serverResponse, onResponseTurn)
  return true
}

/** Ends a connection after the responses that are still due. Requests that have not arrived whole get none. */
export function endAfterResponses(socket: PipelinedSocket): void {
  const active = getActiveResponse(socket)
  if (socket[closedForRequestsKey] === true && active !== undefined) return
  refuseFurtherRequests(socket)
  const next = (): void => {
    const response = getActiveResponse(socket)
    if (response?.req.complete === true) response.once('finish', next)
    else socket.destroySoon()
  }
  next()
}
