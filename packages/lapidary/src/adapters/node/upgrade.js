import { getLastRequest, refuseFurtherRequests } from './pipelining.js'

/** The parser of a connection, and the number under which it calls node; undefined where it is not one as it is known here. */
function getConsumingParser(socket) {
  const parser = socket.parser
  const executed = parser?.constructor?.kOnExecute
  if (parser?._consumed !== true || typeof executed !== 'number' || typeof parser[executed] !== 'function') return undefined
  const isKnown = typeof parser.getCurrentBuffer === 'function' && typeof parser.execute === 'function'
  return isKnown ? { parser: parser, executed } : undefined
}
const upgradeRequestKey = Symbol('request for another protocol')
/** What a parser means that has read less than there is: until the next head it says nothing of what it cannot read. */
export const createUnreadableError = () => Object.assign(new Error('These bytes are no request.'), { code: 'HPE_INVALID_METHOD' })
/** Sees to it that what comes behind this request is read. Where that cannot be, its answer is the last of its connection. */
export function parseAfterUpgrade(request, response) {
  const socket = request.socket
  if (socket[upgradeRequestKey] !== undefined) {
    Object.assign(socket[upgradeRequestKey], { request, isPast: false })
    return
  }
  const found = getConsumingParser(socket)
  if (found === undefined) {
    refuseFurtherRequests(socket)
    response.shouldKeepAlive = false
    // What a mounted listener says of the connection does not count.
    response.once('finish', () => socket.destroySoon())
    return
  }
  const { parser, executed } = found
  const own = parser[executed]
  const last = { request, isParsedPast: false }
  socket[upgradeRequestKey] = last
  parser[executed] = (first) => {
    let result = first
    let bytes = parser.getCurrentBuffer()
    // It stops at a tunnel as well, which is node's to see.
    while (typeof result === 'number' && result < bytes.length && parser.incoming?.method !== 'CONNECT') {
      if (last.isParsedPast || !last.request.complete) {
        result = createUnreadableError()
        break
      }
      last.isParsedPast = true
      bytes = bytes.subarray(result)
      result = parser.execute(bytes)
    }
    last.isParsedPast ||= last.request.complete
    if (getLastRequest(socket) !== last.request) {
      socket[upgradeRequestKey] = undefined
      parser[executed] = own
    }
    own(result)
  }
}
