/** Connects node:http with a handler: a request listener that calls the handler and sends its response. */
import { IncomingMessage, type ServerResponse } from 'node:http'
import { constants } from 'node:http2'
import { createErrorListener, type ErrorListener } from '../../http/errorReport.ts'
import { checkFunctions, requireFunction } from '../../http/functions.ts'
import { alreadySent, type HttpHandler, type HttpResponse, isAlreadySent } from '../../http/httpHandler.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import { detachedLifetime } from '../lifetime.ts'
import { protocolErrors } from '../protocolErrors.ts'
import { createCaller } from './caller.ts'
import { rejectHttp2, rejectMalformed } from './clientErrors.ts'
import { Http2Request } from './http2Request.ts'
import { DirectIncomingMessage, getReceivedBytes } from './internals.ts'
import { type NodeListenOptions, resolveListenOptions } from './listenOptions.ts'
import { NodeHttpRequest } from './nodeHttpRequest.ts'
import { beginResponse, getLastRequest, refuseFurtherRequests } from './pipelining.ts'
import { isOtherProtocol, readRequestFraming, toOriginForm } from './requestFraming.ts'
import { type NodeSendOptions, sendNodeResponse } from './sendResponse.ts'
import { parseAfterUpgrade } from './upgrade.ts'

/** A request listener of node:http. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void

/** A request listener that is middleware of Connect as well: it calls `next`, if there is one, for a path that is not its own. */
export type NodeMiddleware = (request: IncomingMessage, response: ServerResponse, next?: () => void) => void

const defaultListenOptions = resolveListenOptions({})
const defaultSendOptions: NodeSendOptions = Object.freeze({
  readerTimeout: defaultListenOptions.readerTimeout,
  unreadLimit: defaultListenOptions.unreadLimit,
  keepAliveLine: undefined,
  lifetime: detachedLifetime,
})

/**
 * Creates a request listener of node:http for a handler, to serve it from your own server. In Express, Connect and the hooks of Fastify it is
 * middleware: where the third argument is a function, and `handler` is a served API without this path, it calls the function, and leaves
 * request and response as they are. Below a mount of Express it takes the path without the mount, or, if the API does not have that, the
 * whole one.
 *
 * @param handler a served API; any other `HttpHandler` answers every path
 * @param options.onError as for `listen`
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { endpoint, ok, text } from 'lapidary'
 * import { toNodeListener } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * createServer(toNodeListener(server)).listen(8081)
 * ```
 */
export function toNodeListener(
  handler: HttpHandler & { readonly hasPath?: (target: string) => boolean },
  { onError }: Pick<NodeListenOptions, 'onError'> = {},
): NodeMiddleware {
  requireFunction('toNodeListener(): handler', handler)
  checkFunctions('toNodeListener()', { onError })
  const listener = createRequestListener(handler, false, defaultSendOptions, createErrorListener(onError))
  const isForeign = (url: string): boolean => handler.hasPath?.(toOriginForm(url)) === false
  return (request: IncomingMessage & { readonly originalUrl?: unknown }, response, next) => {
    const { url = '/', originalUrl } = request
    if (typeof next === 'function' && isForeign(url)) {
      if (typeof originalUrl !== 'string' || isForeign(originalUrl)) return next()
      // The base path is in the description, and the path of the mount says it again.
      request.url = originalUrl
    }
    return listener(request, response)
  }
}

/**
 * Creates a handler from a request listener of node:http, such as an Express application, to mount it. The listener sees its URL without
 * the prefix of the mount, and writes the response itself.
 *
 * @returns a handler that throws a TypeError on adapters other than node:http, and resets a request over HTTP/2 with `HTTP_1_1_REQUIRED`
 * @example
 * ```ts
 * import type { IncomingMessage, ServerResponse } from 'node:http'
 * import { mount } from 'lapidary'
 * import { fromNodeListener } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const legacy = (_request: IncomingMessage, response: ServerResponse) => void response.end('Hello!')
 * serve({ legacy: mount('/legacy') }, { legacy: fromNodeListener(legacy) })
 * ```
 */
export function fromNodeListener(listener: NodeListener): HttpHandler {
  requireFunction('fromNodeListener(): listener', listener)
  return (request) => {
    const original = request.original ?? request
    if (original instanceof Http2Request) {
      // Curl and browsers send the request again over HTTP/1.1.
      original.stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED)
      return alreadySent
    }
    if (!(original instanceof NodeHttpRequest)) throw new TypeError(adapterErrors.nodeListenerNeedsNode())
    const { incomingMessage, serverResponse } = original
    const { target } = request
    // Many listeners would find a path in a target that is none, such as `ftp://a/admin`, which middleware in front has not seen as that path.
    incomingMessage.url = target.startsWith('/') ? target : `/${target}`
    // Like Node itself, which sends `100 Continue` before it calls a listener.
    original.sendContinue()
    original.isHandedOver = true
    if (incomingMessage instanceof DirectIncomingMessage) incomingMessage.restoreStream()
    listener(incomingMessage, serverResponse)
    return alreadySent
  }
}

/** A message of a request. Node's type is that of received responses as well, which have neither method nor URL. */
type RequestMessage = IncomingMessage & { readonly method: string; readonly url: string }

/**
 * Creates a listener that calls a handler and sends its response.
 *
 * @param expectsContinue whether the client waits for `100 Continue` before it sends the body
 */
export function createRequestListener(
  handler: HttpHandler,
  expectsContinue: boolean,
  options: NodeSendOptions,
  onError: ErrorListener,
): NodeListener {
  const { lifetime } = options
  const send = (response: HttpResponse, request: NodeHttpRequest): void => {
    if (isAlreadySent(response) && request.isHandedOver) return
    // A mounted listener has failed in the middle of its response.
    if (request.serverResponse.headersSent) {
      abortConnection(request)
      return
    }
    const { socket } = request.incomingMessage
    // Responses to pipelined requests are sent before the connection is closed.
    const isLast = !lifetime.isListening && getLastRequest(socket) === request.incomingMessage
    if (isLast) refuseFurtherRequests(socket)
    sendNodeResponse(response, request, isLast, options)
  }
  const sendFailure = (response: HttpResponse, request: NodeHttpRequest): void => {
    // Node keeps the reason phrase of a head that it has refused to write.
    request.serverResponse.statusMessage = ''
    send(response, request)
  }
  const respond = createCaller(handler, lifetime, onError, send, sendFailure)
  let hasWarned = false
  const rejectWithWarning = (serverResponse: ServerResponse): void => {
    if (!hasWarned) process.emitWarning(adapterErrors.http2NotSupported())
    hasWarned = true
    rejectHttp2(serverResponse)
  }
  return (incomingMessage, serverResponse) => {
    const isFirst = getLastRequest(incomingMessage.socket) === undefined
    if (!beginResponse(incomingMessage, serverResponse)) return
    const { hasBody, mayUpgrade, protocolError } = readRequestFraming(incomingMessage as RequestMessage)
    if (protocolError !== undefined) {
      return incomingMessage instanceof IncomingMessage ? rejectMalformed(protocolError, serverResponse) : rejectWithWarning(serverResponse)
    }
    if ((isFirst || incomingMessage.httpVersionMinor === 0) && isRtspOrIcecast(incomingMessage as RequestMessage)) {
      return rejectMalformed(protocolErrors.version, serverResponse)
    }
    if (mayUpgrade) parseAfterUpgrade(incomingMessage, serverResponse)
    if (!hasBody && incomingMessage instanceof DirectIncomingMessage) incomingMessage.markBodiless()
    respond(new NodeHttpRequest(incomingMessage, serverResponse, hasBody, expectsContinue, onError, lifetime))
  }
}

/** Looks at the bytes, since the parser does not tell. Only the first request of a connection and those of version 1.0 can be one. */
const isRtspOrIcecast = (incomingMessage: RequestMessage): boolean =>
  isOtherProtocol(incomingMessage.socket, () => getReceivedBytes(incomingMessage.socket), incomingMessage, incomingMessage.url)

/** Ends the connection of a response that cannot be completed, unless it is complete. */
function abortConnection({ incomingMessage, serverResponse }: NodeHttpRequest): void {
  if (serverResponse.writableEnded) return
  refuseFurtherRequests(incomingMessage.socket)
  serverResponse.destroy()
}
