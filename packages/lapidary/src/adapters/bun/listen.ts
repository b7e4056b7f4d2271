/** Carries a kernel on Bun.serve, directly. */

import { createErrorListener, createInternalErrorResponse, type ErrorListener } from '../../http/errorReport.ts'
import { isHost } from '../../http/headerFields.ts'
import type { HttpHandler, HttpResponse } from '../../http/httpHandler.ts'
import { isPromise } from '../../http/promises.ts'
import { Lifetime, sleep } from '../lifetime.ts'
import { type ProtocolError, protocolErrors, toProtocolErrorResponse } from '../protocolErrors.ts'
import { type CloseOptions, formatServerUrl, type RunningServer } from '../runningServer.ts'
import { BunHttpRequest } from './bunHttpRequest.ts'
import { toBunHeaders, toBunResponse } from './bunResponse.ts'
import { type BunFetch, type BunServer, startBunServer } from './bunRuntime.ts'

// Stops a server of Bun's without losing a request: drains, then closes, then cuts what is left.

/** Resolves when the server is closed, and the producers of its streams have ended; whoever calls it answers with `Connection: close` from now on. */
export async function closeBunServer(
  server: BunServer,
  { drain = 1_500, grace = 10_000, settle = 5_000 }: CloseOptions,
  lifetime: Lifetime,
): Promise<void> {
  const begun = Date.now()
  // Bun does not tell how many connections there are, so nobody knows earlier whether somebody will come back.
  await sleep(drain)
  const cut = setTimeout(() => void server.stop(true), Math.max(0, grace - (Date.now() - begun)))
  await server.stop()
  clearTimeout(cut)
  await lifetime.waitForStreams(settle)
}

// What Bun leaves to its user: requests that its parser lets through, and that nobody is to answer.

/** Why to refuse a request that Bun let through; undefined for a sound one. */
export function findBunProtocolError({ method, headers }: Request): ProtocolError | undefined {
  // Bun joins the lines of one name. Two hosts are two answers to the question of who was asked (RFC 9112 §3.2), two lengths to where the body ends.
  if (!isHost(headers.get('host') ?? '')) return protocolErrors.host
  if (method === 'GET' || method === 'HEAD') return undefined
  // What follows would be the bytes of the tunnel (RFC 9110 §9.3.6).
  if (method === 'CONNECT') return protocolErrors.tunnel
  if (method === 'SOURCE') return protocolErrors.method
  if (headers.get('content-length')?.includes(',') === true) return protocolErrors.lengths
  const expectation = headers.get('expect')
  return expectation === null || expectation.toLowerCase() === '100-continue' ? undefined : protocolErrors.expectation
}

/** Refuses such a request, and ends its connection. */
export function rejectOnBun(flaw: ProtocolError): Response {
  const { status, headers, body } = toProtocolErrorResponse(flaw)
  return new Response(body, { status, headers: toBunHeaders(headers) })
}

/** How to listen. */
export interface BunListenOptions {
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
  readonly onError?: ErrorListener
}

/** The Response, at once; behind the rest of a request whose connection it ends. @throws TypeError, RangeError for what cannot be sent. */
function respondOnBun(outgoing: HttpResponse, incoming: BunHttpRequest, closing: boolean): Response | Promise<Response> {
  try {
    if (incoming.withholdsBody) return toBunResponse(outgoing, incoming, true)
    const response = toBunResponse(outgoing, incoming, closing)
    return incoming.hasUnreadBody(closing) ? incoming.drainBody().then(() => response) : response
  } catch (error) {
    incoming.lifetime.dropUnsentBody(outgoing)
    throw error
  }
}

/** Hands requests to a kernel, and its answers to Bun. */
function createBunHandler(kernel: HttpHandler, lifetime: Lifetime, idle: number, report: ErrorListener): BunFetch {
  /** A server answers for its own failures; here are those of what is around it, and answers that cannot be sent. */
  const fail = (error: unknown, incoming: BunHttpRequest): Response | Promise<Response> =>
    respondOnBun(createInternalErrorResponse(error, incoming, report), incoming, lifetime.isClosing)
  return (request, server) => {
    const refusal = findBunProtocolError(request)
    if (refusal !== undefined) return rejectOnBun(refusal)
    const incoming = new BunHttpRequest(request, server, idle, report, lifetime)
    try {
      const outgoing = kernel(incoming)
      if (!isPromise(outgoing)) return respondOnBun(outgoing, incoming, lifetime.isClosing)
      incoming.stopIdleTimeout()
      lifetime.pendingResponses += 1
      return Promise.resolve(outgoing)
        .then(
          (late) => {
            lifetime.pendingResponses -= 1
            return respondOnBun(late, incoming, lifetime.isClosing)
          },
          (error: unknown) => {
            lifetime.pendingResponses -= 1
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
export async function listenOnBun(kernel: HttpHandler, options: BunListenOptions = {}): Promise<RunningServer> {
  const { port: wanted = 0, host = '127.0.0.1', idleTimeout = 9_000, maxRequestBodySize = 67_108_864 } = options
  const idle = Math.min(255, Math.max(1, Math.ceil(idleTimeout / 1_000)))
  const lifetime = new Lifetime()
  const server = startBunServer({
    ...{ port: wanted, hostname: host, idleTimeout: idle, maxRequestBodySize, development: false, reusePort: false },
    fetch: createBunHandler(kernel, lifetime, idle, createErrorListener(options.onError)),
  })
  let closed: Promise<void> | undefined
  const close = (times: CloseOptions = {}): Promise<void> => {
    if (closed === undefined) {
      lifetime.close()
      closed = closeBunServer(server, times, lifetime)
    }
    return closed
  }
  const { hostname, port } = server
  return Object.freeze({ host: hostname, port, url: formatServerUrl(hostname, port), close })
}
