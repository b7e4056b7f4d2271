/** `accessLog(listener)`: tells a listener of each request when its response has ended, for logs and metrics. */
import { isMount, operations } from '../contract/api.ts'
import type { EndpointMeta } from '../contract/endpointParts.ts'
import { describeKind } from '../http/functions.ts'
import type { HttpRequest, HttpResponse, RequestEnd } from '../http/httpHandler.ts'
import { isPromise, requireSync } from '../http/promises.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import type { Middleware } from './compose.ts'
import { withTraits } from './order.ts'

/** A request whose response has ended: `status`, `bytes` and `outcome` are the values at its end. */
export interface AccessLogEntry extends RequestEnd {
  readonly method: string
  /** The request target as received. The values of its query can be secret. */
  readonly target: string
  /**
   * The route line of the endpoint, or the prefix of the mount. Undefined if neither matched, so that all unknown paths get one label in a
   * metric.
   */
  readonly route: string | undefined
  /** The `meta` of the endpoint; undefined if it has none, and where `route` is not the one of an endpoint. */
  readonly meta: EndpointMeta | undefined
  /** The time from the request to the end of its response, streams included. */
  readonly milliseconds: number
  /** `request.id`, as `requestId` sets it. */
  readonly id: string | undefined
  /** The address of the client; empty if the adapter does not know it. */
  readonly remoteAddress: string
}

/**
 * How long the report of a client that has left waits for the response, which knows the route, in milliseconds. A handler that observes its
 * signal ends soon; another one may never end.
 */
const maxRouteWait = 200

/** Receives each request when its response has ended. */
type AccessLogListener = (entry: AccessLogEntry) => void

/** Receives the start and the end of each request. */
interface AccessLogListeners<Start> {
  /** Called before the handler. Its return value is passed to `onEnd`. */
  readonly onStart: (request: HttpRequest) => Start
  /** Called when the response has ended. */
  readonly onEnd: (entry: AccessLogEntry, start: Start) => void
}

/** @throws TypeError for anything but listeners, which plain JavaScript can give. */
function checkListeners<Start>(listeners: AccessLogListeners<Start>): AccessLogListeners<Start> {
  if (typeof listeners?.onEnd === 'function' && typeof listeners.onStart === 'function') return listeners
  throw new TypeError(middlewareErrors.invalidAccessLogListener(describeKind(listeners)))
}

/**
 * Tells a listener of each request, once, when its response has ended: the last byte is sent, the client has left, or the connection was
 * cut. `outcome` says which. `status` is 0 if no response was sent. If the client leaves before the handler is done, and the handler needs
 * more than 200 ms after that, `route` is undefined.
 *
 * The entry contains no header and no body. An error of the listener is reported, and does not affect the response. The entry has the
 * address of the client and the id, wherever `trustProxy` and `requestId` are in the list. `onStart` sees only the values that middleware
 * before this one has set.
 *
 * @param listener a function, or two: `{ onStart, onEnd }` also counts the requests in progress, and can keep values from the start
 * @throws TypeError for anything else.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { accessLog, requestId } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const log = accessLog(({ id, method, route, status, milliseconds }) => {
 *   console.log(JSON.stringify({ id, method, route, status, milliseconds }))
 * })
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [requestId(), log] })
 * ```
 */
export function accessLog<Start>(listener: AccessLogListener | AccessLogListeners<Start>): Middleware {
  const { onStart, onEnd } = typeof listener === 'function' ? { onStart: undefined, onEnd: listener } : checkListeners(listener)
  const middleware: Middleware = (next, { api }) => {
    const metas = new Map(
      operations(api).map(({ operation }) => (isMount(operation) ? [operation.prefix, undefined] : [operation.route, operation.meta])),
    )
    return (request) => {
      const begin = performance.now()
      // Read now: a closed connection no longer knows the address.
      const { method, target, remoteAddress } = request
      const start = requireSync(onStart?.(request) as Start, 'The function "onStart" of accessLog()') // a single listener ignores it

      let end: RequestEnd | undefined
      let milliseconds = 0
      let route: string | undefined
      let isHandled = false
      let isReported = false
      let timer: ReturnType<typeof setTimeout> | undefined
      // The end may come before the response: the client has left, or a mounted listener has sent its own.
      const report = (): unknown => {
        if (end === undefined || !isHandled || isReported) return undefined
        isReported = true
        clearTimeout(timer)
        const { status, bytes, outcome } = end
        // `trustProxy` after this one has set it since.
        const address = request.remoteAddress || remoteAddress
        // The adapter reports what it throws, or rejects with.
        const meta = route === undefined ? undefined : metas.get(route)
        return onEnd({ method, target, route, meta, status, bytes, outcome, milliseconds, id: request.id, remoteAddress: address }, start)
      }
      request.onEnd((ending) => {
        end = ending
        milliseconds = performance.now() - begin
        if (!isHandled) timer = setTimeout(() => setHandled(), maxRouteWait)
        return report()
      })
      const setHandled = (): void => {
        isHandled = true
        // It has ended, so the adapter calls the listener at once, and reports its error.
        if (end !== undefined) request.onEnd(report)
      }
      const finish = (response: HttpResponse): HttpResponse => {
        route = response.route
        setHandled()
        return response
      }
      const fail = (error: unknown): never => {
        setHandled()
        throw error
      }
      try {
        const response = next(request)
        return isPromise(response) ? response.then(finish, fail) : finish(response)
      } catch (error) {
        return fail(error)
      }
    }
  }
  return withTraits('accessLog', middleware)
}
