/**
 * Goes on behind a request for another protocol, which nobody here speaks. Node's parser stops at its end; node takes such a request for one like
 * others, and drops what has come with it, so that what comes next would be read from its middle: the body of another request as a request.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { latestOn, spend } from './nodeTurns.ts'

type Executed = number | Error

/** A parser that reads from the handle of its socket by itself, and tells under this number how far it has come. */
interface Parser {
  readonly _consumed: true
  /** The request that came last. */
  readonly incoming?: IncomingMessage | null
  getCurrentBuffer(): Buffer
  execute(bytes: Buffer): Executed
  [executed: number]: (result: Executed) => void
}

/** The parser of a connection, and the number under which it calls node; undefined where it is not one as it is known here. */
function parserOf(socket: Socket & { readonly parser?: unknown }): { readonly parser: Parser; readonly executed: number } | undefined {
  const parser = socket.parser as Partial<Parser> | null | undefined
  const executed = (parser?.constructor as { readonly kOnExecute?: unknown } | undefined)?.kOnExecute
  if (parser?._consumed !== true || typeof executed !== 'number' || typeof parser[executed] !== 'function') return undefined
  const isKnown = typeof parser.getCurrentBuffer === 'function' && typeof parser.execute === 'function'
  return isKnown ? { parser: parser as Parser, executed } : undefined
}

/** The last request for another protocol of a connection. */
interface Wish {
  request: IncomingMessage
  /** Whether the parser has gone on behind it. */
  isPast: boolean
}

const wish: unique symbol = Symbol('request for another protocol')
type Wishing = Socket & { [wish]?: Wish | undefined }

/** What a parser means that has read less than there is: until the next head it says nothing of what it cannot read. */
export const unreadable = (): Error => Object.assign(new Error('These bytes are no request.'), { code: 'HPE_INVALID_METHOD' })

/** Sees to it that what comes behind this request is read. Where that cannot be, its answer is the last of its connection. */
export function goOnBehind(request: IncomingMessage, response: ServerResponse): void {
  const socket: Wishing = request.socket
  if (socket[wish] !== undefined) {
    Object.assign(socket[wish], { request, isPast: false })
    return
  }
  const found = parserOf(socket)
  if (found === undefined) {
    spend(socket)
    response.shouldKeepAlive = false
    // What a mounted listener says of the connection does not count.
    response.once('finish', () => socket.destroySoon())
    return
  }
  const { parser, executed } = found
  const own = parser[executed] as Parser[number]
  const last: Wish = { request, isPast: false }
  socket[wish] = last
  parser[executed] = (first) => {
    let result = first
    let bytes = parser.getCurrentBuffer()
    // It stops at a tunnel as well, which is node's to see.
    while (typeof result === 'number' && result < bytes.length && parser.incoming?.method !== 'CONNECT') {
      if (last.isPast || !last.request.complete) {
        result = unreadable()
        break
      }
      last.isPast = true
      bytes = bytes.subarray(result)
      result = parser.execute(bytes)
    }
    last.isPast ||= last.request.complete
    if (latestOn(socket) !== last.request) {
      socket[wish] = undefined
      parser[executed] = own
    }
    own(result)
  }
}
