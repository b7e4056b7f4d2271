/** Carries a kernel on Bun.serve, directly. */
import type { Kernel, Outgoing } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { internalError, type Report, safeReport } from '../server/report.ts'
import { responseOf } from './bunAnswer.ts'
import { closedAfter } from './bunClose.ts'
import { BunIncoming } from './bunIncoming.ts'
import { type BunFetch, bunServe } from './bunRuntime.ts'
import { refusalOf, refused } from './bunTrouble.ts'
import { Lifetime } from './lifetime.ts'
import { type CloseOptions, type Listening, urlOf } from './listening.ts'

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
  /** Told of what fails outside of any server: middleware that throws, an answer that cannot be sent, a listener of `onEnd`. Default: `console.error`. */
  readonly report?: Report
}

/** The Response, at once; behind the rest of a request whose connection it ends. @throws TypeError, RangeError for what cannot be sent. */
function answered(outgoing: Outgoing, incoming: BunIncoming, closing: boolean): Response | Promise<Response> {
  try {
    if (incoming.holdsBack) return responseOf(outgoing, incoming, true)
    const response = responseOf(outgoing, incoming, closing)
    return incoming.isLeftUnread(closing) ? incoming.drop().then(() => response) : response
  } catch (error) {
    incoming.lifetime.dropUnsent(outgoing)
    throw error
  }
}

/** Hands requests to a kernel, and its answers to Bun. */
function answering(kernel: Kernel, lifetime: Lifetime, idle: number, report: Report): BunFetch {
  /** A server answers for its own failures; here are those of what is around it, and answers that cannot be sent. */
  const fail = (error: unknown, incoming: BunIncoming): Response | Promise<Response> =>
    answered(internalError(error, incoming, report), incoming, lifetime.isClosing)
  return (request, server) => {
    const refusal = refusalOf(request)
    if (refusal !== undefined) return refused(refusal)
    const incoming = new BunIncoming(request, server, idle, report, lifetime)
    try {
      const outgoing = kernel(incoming)
      if (!isPromise(outgoing)) return answered(outgoing, incoming, lifetime.isClosing)
      incoming.unhurried()
      lifetime.pending += 1
      return Promise.resolve(outgoing)
        .then(
          (late) => {
            lifetime.pending -= 1
            return answered(late, incoming, lifetime.isClosing)
          },
          (error: unknown) => {
            lifetime.pending -= 1
            throw error
          },
        )
        .catch((error: unknown) => fail(error, incoming))
    } catch (error) {
      return fail(error, incoming)
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
  const lifetime = new Lifetime()
  const server = bunServe({
    ...{ port: wanted, hostname: host, idleTimeout: idle, maxRequestBodySize, development: false, reusePort: false },
    fetch: answering(kernel, lifetime, idle, safeReport(options.report)),
  })
  let closed: Promise<void> | undefined
  const close = (times: CloseOptions = {}): Promise<void> => {
    if (closed === undefined) {
      lifetime.close()
      closed = closedAfter(server, times, lifetime)
    }
    return closed
  }
  const { hostname, port } = server
  return Object.freeze({ host: hostname, port, url: urlOf(hostname, port), close })
}
