/**
 * Reads on after a request that asks for another protocol, which this server does not speak. Node's parser stops at the end of such a
 * request. Node answers it like any other, but drops the bytes that came with it, and would read what follows from its middle: the body of
 * a request as a request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type InterceptedParser, interceptParser, type UpgradeParserResult } from './internals.ts'
import { getLastRequest, refuseFurtherRequests } from './pipelining.ts'

/** The last upgrade request of a connection. */
interface UpgradeRequest {
  incomingMessage: IncomingMessage
  /** Whether the parser has gone on after it. */
  isParsedPast: boolean
}

const upgradeRequestKey: unique symbol = Symbol('upgrade request')
type UpgradingSocket = Socket & { [upgradeRequestKey]?: UpgradeRequest | undefined }

/** The error of a parser that has stopped before the end of its input: until the next head it does not report what it cannot read. */
const createUnreadableError = (): Error => Object.assign(new Error('These bytes are no request.'), { code: 'HPE_INVALID_METHOD' })

/** Makes sure that what follows an upgrade request is read. Where that is not possible, its response is the last of its connection. */
export function parseAfterUpgrade(incomingMessage: IncomingMessage, serverResponse: ServerResponse): void {
  const socket: UpgradingSocket = incomingMessage.socket
  const known = socket[upgradeRequestKey]
  if (known !== undefined) {
    known.incomingMessage = incomingMessage
    known.isParsedPast = false
    return
  }
  const upgrade: UpgradeRequest = { incomingMessage, isParsedPast: false }
  const readOn = (first: UpgradeParserResult, parser: InterceptedParser): UpgradeParserResult => {
    let result = first
    let bytes = parser.getBytes()
    // A tunnel is for Node to see.
    while (typeof result === 'number' && result < bytes.length && !parser.isAtTunnel()) {
      if (upgrade.isParsedPast || !upgrade.incomingMessage.complete) {
        result = createUnreadableError()
        break
      }
      upgrade.isParsedPast = true
      bytes = bytes.subarray(result)
      result = parser.execute(bytes)
    }
    upgrade.isParsedPast ||= upgrade.incomingMessage.complete
    if (getLastRequest(socket) !== upgrade.incomingMessage) {
      socket[upgradeRequestKey] = undefined
      parser.restore()
    }
    return result
  }
  if (interceptParser(socket, readOn) !== undefined) {
    socket[upgradeRequestKey] = upgrade
    return
  }
  refuseFurtherRequests(socket)
  serverResponse.shouldKeepAlive = false
  // A mounted listener may set headers that keep the connection open.
  serverResponse.once('finish', () => socket.destroySoon())
}
