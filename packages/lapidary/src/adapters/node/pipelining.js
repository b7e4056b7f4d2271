const lastRequestKey = Symbol('latest request')
const waitingResponsesKey = Symbol('answers that wait')
const closedForRequestsKey = Symbol('no request follows')
/** So many answers wait behind the one that is given, before no more requests are read. Those of one read come all at once. */
const maxWaitingResponses = 16
/** The answer that a connection is giving. */
export const getActiveResponse = (socket) => socket._httpMessage ?? undefined
/** The request that a connection has made last. */
export const getLastRequest = (socket) => socket[lastRequestKey]
/** Hands no further request of a connection to anybody: what is carried out behind its last answer would never be answered. */
export function refuseFurtherRequests(socket) {
  socket[closedForRequestsKey] = true
}
/** Reads no further where a client asks on and on without waiting: node would make a request of everything, however many wait for their turn. */
function pauseReading(socket) {
  if (socket._paused !== false) return
  socket._paused = true
  socket.pause()
}
function resumeReading(socket) {
  if (socket._paused !== true) return
  socket._paused = false
  socket.parser?.resume?.()
  socket.resume()
}
/** Node gives an answer its socket when its turn has come. */
function onResponseTurn() {
  const socket = this.req.socket
  const answers = socket[waitingResponsesKey]
  answers?.delete(this)
  if (answers !== undefined && answers.size < maxWaitingResponses) resumeReading(socket)
}
/** Node tells an answer that its connection has closed while it is given, and nothing to those that wait behind it. */
function onConnectionClosed() {
  for (const response of this[waitingResponsesKey] ?? []) {
    response.destroyed = true
    response.emit('close')
  }
}
/**
 * Begins a request in its turn. What cannot be read later may be the rest of it, though it is answered already; and when its connection closes
 * while its answer waits behind another, its answer is told of it as any other is, by `close`.
 *
 * @returns false where nobody is to carry it out
 */
export function beginResponse(request, response) {
  const socket = request.socket
  if (socket[closedForRequestsKey] === true || socket.destroyed) return false
  socket[lastRequestKey] = request
  if (response.socket !== null) return true
  if (socket[waitingResponsesKey] === undefined) {
    socket[waitingResponsesKey] = new Set()
    socket.once('close', onConnectionClosed)
  }
  socket[waitingResponsesKey].add(response)
  if (socket[waitingResponsesKey].size >= maxWaitingResponses) pauseReading(socket)
  response.once('socket', onResponseTurn)
  return true
}
/** Ends a connection behind the answers that it still has to give. What is not whole of its requests gets none. */
export function endAfterResponses(socket) {
  const underWay = getActiveResponse(socket)
  if (socket[closedForRequestsKey] === true && underWay !== undefined) return
  refuseFurtherRequests(socket)
  const next = () => {
    const answer = getActiveResponse(socket)
    if (answer?.req.complete === true) answer.once('finish', next)
    else socket.destroySoon()
  }
  next()
}
