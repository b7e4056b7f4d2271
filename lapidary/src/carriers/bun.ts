/** Carries a kernel on Bun.serve, directly. */
import type { Kernel, Outgoing } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { responseOf } from './bunAnswer.ts'
import { closedAfter } from './bunClose.ts'
import { BunIncoming } from './bunIncoming.ts'
import { type BunFetch, bunServe } from './bunRuntime.ts'
import { refusalOf, refused } from './bunTrouble.ts'
import { type CloseOptions, type Listening, urlOf } from './listening.ts'
import type { WebIncoming } from './webIncoming.ts'

/** How to listen. */
export interface ListenOptions {
  /** Default: 0, which picks a free one. */
  readonly port?: number
  /** Default: `127.0.0.1`. */
  readonly host?: string
  /**
   * A connection on which nothing moves for so long is closed: one that is kept, one whose request stalls, one whose client takes nothing of its
   * answer. What a handler takes does not count. In milliseconds; Bun knows whole seconds, from 1 to 255. Default: 9,000.
   */
  readonly idleTimeout?: number
  /**
   * The most bytes of a request that Bun keeps in memory until the handler asks for them. A longer one is refused by Bun itself, 413 without
   * a body, before the body limit of the server can say so in its own words. Default: 67,108,864.
   */
  readonly maxRequestBodySize?: number
}

/** A stream that fails before its head is sent: how Bun is made to cut a connection. */
const cutting = (error: unknown): Response =>
  new Response(
    new ReadableStream({
      start: (controller) => controller.error(error),
    }),
  )

/** The Response, at once; behind the rest of a request whose connection it ends. */
function answered(outgoing: Outgoing, incoming: BunIncoming, closing: boolean): Response | Promise<Response> {
  if (incoming.holdsBack) return responseOf(outgoing, incoming, true)
  const response = responseOf(outgoing, incoming, closing)
  return incoming.isLeftUnread(closing) ? incoming.drop().then(() => response) : response
}

/** Hands requests to a kernel, and its answers to Bun. */
function answering(kernel: Kernel, isClosing: () => boolean, idle: number): BunFetch {
  // A kernel answers for its own failures. If a wrapper around it throws all the same, or answers what cannot be sent, the connection is cut
  // rather than left hanging, and everybody else is served.
  const cut = (error: unknown, incoming: WebIncoming): Response => {
    incoming.end({ status: 0, bytes: 0, how: 'cut' })
    return cutting(error)
  }
  return (request, server) => {
    const refusal = refusalOf(request)
    if (refusal !== undefined) return refused(refusal)
    const incoming = new BunIncoming(request, server, idle)
    try {
      const outgoing = kernel(incoming)
      if (!isPromise(outgoing)) return answered(outgoing, incoming, isClosing())
      incoming.unhurried()
      return outgoing.then((late) => answered(late, incoming, isClosing())).catch((error: unknown) => cut(error, incoming))
    } catch (error) {
      return cut(error, incoming)
    }
  }
}

/**
 * Serves a kernel over HTTP/1.1 by Bun.serve. Rejects when it cannot listen, with Bun's error (`EADDRINUSE`, `EACCES`).
 *
 * @throws TypeError where there is no Bun.
 */
export async function listen(kernel: Kernel, options: ListenOptions = {}): Promise<Listening> {
  const { port: wanted = 0, host = '127.0.0.1', idleTimeout = 9_000, maxRequestBodySize = 67_108_864 } = options
  const idle = Math.min(255, Math.max(1, Math.ceil(idleTimeout / 1_000)))
  let closing = false
  const server = bunServe({
    ...{ port: wanted, hostname: host, idleTimeout: idle, maxRequestBodySize, development: false, reusePort: false },
    fetch: answering(kernel, () => closing, idle),
  })
  let closed: Promise<void> | undefined
  const close = (times: CloseOptions = {}): Promise<void> => {
    closing = true
    closed ??= closedAfter(server, times)
    return closed
  }
  const { hostname, port } = server
  return Object.freeze({ host: hostname, port, url: urlOf(hostname, port), close })
}
