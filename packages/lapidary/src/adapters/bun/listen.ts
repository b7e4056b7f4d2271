/** Serves a handler on Bun.serve, directly. */
import { createErrorListener, createInternalErrorResponse, type ErrorListener } from '../../http/errorReport.ts'
import { isHost } from '../../http/headerFields.ts'
import type { HttpHandler, HttpResponse } from '../../http/httpHandler.ts'
import { requireTime } from '../../http/limits.ts'
import { type Awaitable, isPromise } from '../../http/promises.ts'
import { Lifetime, sleep } from '../lifetime.ts'
import { type ProtocolError, protocolErrors, toProtocolErrorResponse } from '../protocolErrors.ts'
import { type CloseOptions, checkListenArguments, createRunningServer, type RunningServer } from '../runningServer.ts'
import { BunHttpRequest } from './bunHttpRequest.ts'
import { toBunHeaders, toBunResponse } from './bunResponse.ts'
import { type BunFetch, type BunServer, type BunTlsOptions, startBunServer } from './bunRuntime.ts'

/** How to listen. */
export interface BunListenOptions {
  /**
   * The port; 0 picks a free one.
   *
   * @default 0
   */
  readonly port?: number
  /** @default '127.0.0.1' */
  readonly host?: string
  /** Where to listen in place of `port` and `host`: the path of a Unix socket. */
  readonly path?: string
  /** Serves over TLS, and HTTP/1.1. */
  readonly tls?: BunTlsOptions
  /**
   * How long a connection may be idle before it is closed: between requests, in the middle of a request, and while the client reads nothing
   * of its response. The time of the handler does not count. A time limit is a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days);
   * `Infinity` is no limit. Bun counts in whole seconds, at most 255: the time is rounded up, and a longer one is 255 s.
   *
   * @default 9_000
   */
  readonly idleTimeout?: number
  /**
   * The most bytes of a request body that Bun keeps in memory until the handler asks for it. Bun itself answers a longer body with 413 and
   * no body. This happens before the body limit of the server applies.
   *
   * @default 67_108_864
   */
  readonly maxRequestBodySize?: number
  /**
   * Called with errors that occur outside of the handlers: in middleware, in an `onEnd` listener, and for a response that cannot be sent.
   *
   * @default console.error
   */
  readonly onError?: ErrorListener
}

/**
 * Serves a handler over HTTP/1.1 on Bun.serve.
 *
 * @returns a promise of the running server; it rejects with Bun's error (`EADDRINUSE`, `EACCES`) where the server cannot listen
 * @throws TypeError on another runtime
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { listen } from 'lapidary/bun'
 * import { serve } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * const running = await listen(server, { port: 8081 })
 * process.once('SIGTERM', () => void running.close())
 * ```
 */
export async function listenOnBun(handler: HttpHandler, options: BunListenOptions = {}): Promise<RunningServer> {
  checkListenArguments(handler, options)
  const { port = 0, host = '127.0.0.1', path, tls, idleTimeout = 9_000, maxRequestBodySize = 67_108_864 } = options
  const idleSeconds = toBunSeconds(requireTime('listen(): idleTimeout', idleTimeout, 'limit'))
  const lifetime = new Lifetime()
  const server = startBunServer({
    ...(path === undefined ? { port, hostname: host } : { unix: path }),
    ...{ tls, idleTimeout: idleSeconds, maxRequestBodySize, development: false, reusePort: false },
    fetch: createBunHandler(handler, lifetime, idleSeconds, createErrorListener(options.onError)),
  })
  const address = path === undefined ? { host: server.hostname, port: server.port, path } : { host: '', port: 0, path }
  return createRunningServer(address, tls !== undefined, lifetime, (closeOptions) => closeBunServer(server, closeOptions, lifetime))
}

/** A time limit as Bun takes it: in whole seconds, at most 255; 0 is no limit. */
const toBunSeconds = (time: number): number => (time === Number.POSITIVE_INFINITY ? 0 : Math.min(255, Math.ceil(time / 1_000)))

/** Creates a function for Bun.serve that calls a handler and sends its response. */
function createBunHandler(handler: HttpHandler, lifetime: Lifetime, idleSeconds: number, onError: ErrorListener): BunFetch {
  /**
   * Answers 500. A server handles the errors of its handlers itself: these are errors of middleware, and of responses that cannot be sent.
   */
  const fail = (error: unknown, request: BunHttpRequest): Response | Promise<Response> =>
    respondOnBun(createInternalErrorResponse(error, request, onError), request, lifetime.isClosing)
  const respond = (response: HttpResponse, request: BunHttpRequest): Response | Promise<Response> => {
    try {
      return respondOnBun(response, request, lifetime.isClosing)
    } catch (error) {
      request.lifetime.dropUnsentBody(response)
      return fail(error, request)
    }
  }
  return (webRequest, server) => {
    const protocolError = findBunProtocolError(webRequest)
    if (protocolError !== undefined) return rejectOnBun(protocolError)
    const request = new BunHttpRequest(webRequest, server, idleSeconds, onError, lifetime)
    let result: Awaitable<HttpResponse>
    try {
      result = handler(request)
    } catch (error) {
      return fail(error, request)
    }
    if (!isPromise(result)) return respond(result, request)
    request.stopIdleTimeout()
    return lifetime.awaitResponse(
      result,
      (response) => respond(response, request),
      (error) => fail(error, request),
    )
  }
}

/**
 * Creates the Response, which waits until the rest of the request has been read where it ends the connection.
 *
 * @throws TypeError, RangeError for a response that cannot be sent
 */
function respondOnBun(response: HttpResponse, request: BunHttpRequest, isClosing: boolean): Response | Promise<Response> {
  if (request.withholdsBody) return toBunResponse(response, request, true)
  const webResponse = toBunResponse(response, request, isClosing)
  return request.hasUnreadBody(isClosing) ? request.drainBody().then(() => webResponse) : webResponse
}

/**
 * Closes a server whose responses say `Connection: close` from now on.
 *
 * @returns a promise that resolves when all connections are closed and the producers of streams have ended
 */
async function closeBunServer(server: BunServer, { drain, grace, settle }: Required<CloseOptions>, lifetime: Lifetime): Promise<void> {
  const start = Date.now()
  // Bun does not tell how many connections there are, so this cannot be cut short.
  await sleep(drain)
  const timer = setTimeout(() => void server.stop(true), Math.max(0, grace - (Date.now() - start)))
  await server.stop()
  clearTimeout(timer)
  await lifetime.waitForStreams(settle)
}

/** Finds what Bun's parser lets through although it breaks the rules of HTTP. */
function findBunProtocolError({ method, headers }: Request): ProtocolError | undefined {
  // Bun joins the lines of one name, so that two Host lines are one invalid host (RFC 9112 §3.2).
  if (!isHost(headers.get('host') ?? '')) return protocolErrors.host
  if (method === 'GET' || method === 'HEAD') return undefined
  // What follows a CONNECT is the content of the tunnel (RFC 9110 §9.3.6).
  if (method === 'CONNECT') return protocolErrors.tunnel
  if (method === 'SOURCE') return protocolErrors.method
  if (headers.get('content-length')?.includes(',') === true) return protocolErrors.lengths
  const expectation = headers.get('expect')
  return expectation === null || expectation.toLowerCase() === '100-continue' ? undefined : protocolErrors.expectation
}

/** Rejects such a request, and ends its connection. */
function rejectOnBun(error: ProtocolError): Response {
  const { status, headers, body } = toProtocolErrorResponse(error)
  return new Response(body, { status, headers: toBunHeaders(headers) })
}
