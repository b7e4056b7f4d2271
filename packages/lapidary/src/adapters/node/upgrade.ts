/**
 * Goes on behind a request for another protocol, which nobody here speaks. Node's parser stops at its end; node takes such a request for one like
 * others, and drops what has come with it, so that what comes next would be read from its middle: the body of another request as a request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getLastRequest, refuseFurtherRequests } from './pipelining.ts'

type UpgradeParserResult = number | Error

/** A parser that reads from the handle of its socket by itself, and tells under this number how far it has come. */
interface ConsumingParser {
  readonly _consumed: true
  /** The request that came last. */
  readonly incoming?: IncomingMessage | null
  getCurrentBuffer(): Buffer
  execute(bytes: Buffer): UpgradeParserResult
  [executed: number]: (result: UpgradeParserResult) => void
}

/** The parser of a connection, and the number under which it calls node; undefined where it is not one as it is known here. */
function getConsumingParser(
  socket: Socket & { readonly parser?: unknown },
): { readonly parser: ConsumingParser; readonly executed: number } | undefined {
  const parser = socket.parser as Partial<ConsumingParser> | null | undefined
  const executed = (parser?.constructor as { readonly kOnExecute?: unknown } | undefined)?.kOnExecute
  if (parser?._consumed !== true || typeof executed !== 'number' || typeof parser[executed] !== 'function') return undefined
  const isKnown = typeof parser.getCurrentBuffer === 'function' && typeof parser.execute === 'function'
  return isKnown ? { parser: parser as ConsumingParser, executed } : undefined
}

/** The last request for another protocol of a connection. */
interface UpgradeRequest {
  request: IncomingMessage
  /** Whether the parser has gone on behind it. */
  isParsedPast: boolean
}

const upgradeRequestKey: unique symbol = Symbol('request for another protocol')
type UpgradingSocket = Socket & { [upgradeRequestKey]?: UpgradeRequest | undefined }

/** What a parser means that has read less than there is: until the next head it says nothing of what it cannot read. */
export const createUnreadableError = (): Error => Object.assign(new Error('These bytes are no request.'), { code: 'HPE_INVALID_METHOD' })

/** Sees to it that what comes behind this request is read. Where that cannot be, its answer is the last of its connection. */
export function parseAfterUpgrade(request: IncomingMessage, response: ServerResponse): void {
  const socket: UpgradingSocket = request.socket
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
  const own = parser[executed] as ConsumingParser[number]
  const last: UpgradeRequest = { request, isParsedPast: false }
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
