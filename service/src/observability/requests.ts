/** Observes requests, and logs them. */
import { randomUUID } from 'node:crypto'
import type { HttpHandler, HttpResponse, RequestEnd } from 'lapidary/server'
import type { Logger } from 'pino'
import { redactTarget } from '../redact.ts'
import type { Deployment } from '../settings.ts'
import type { RequestObserver, ServiceObserver } from './observers.ts'
import { traceIdOf } from './tracing.ts'

/** A request id that is safe in a header, in a log line and in a support ticket. */
const requestIdForm = /^[A-Za-z0-9._-]{1,64}$/

/** The valid value of `X-Request-Id`, or a new id. */
export const requestIdFrom = (given: string | undefined): string =>
  given !== undefined && requestIdForm.test(given) ? given : randomUUID()

/** Calls the observers for each request. Responses carry `X-Request-Id`, and reports of unexpected errors contain the same id. */
export function observeRequests(handler: HttpHandler, deployment: Deployment, observers: readonly RequestObserver[]): HttpHandler {
  return (request) => {
    const start = performance.now()
    const id = requestIdFrom(request.header('x-request-id'))
    const traceId = traceIdOf(request)
    const { method, target, remoteAddress: remote } = request
    for (const observer of observers) observer.onStart?.(deployment)

    let end: RequestEnd | undefined
    let milliseconds = 0
    let answered: HttpResponse | undefined
    // The end may come before the response: the client has left, or a mounted listener has sent its own.
    const report = (): void => {
      if (end === undefined || answered === undefined) return
      const { status, bytes, outcome } = end
      const { route } = answered
      const record = { status, bytes, outcome, milliseconds, deployment, route, method, target, id, traceId, remote }
      for (const observer of observers) observer.onEnd(record)
    }
    request.onEnd((ending) => {
      end = ending
      milliseconds = performance.now() - start
      report()
    })
    const addId = (response: HttpResponse): HttpResponse => {
      answered = response
      report()
      const { status, reason, headers, body, route } = response
      // Status 0: a mounted Node listener has sent the response.
      return status === 0 ? response : { status, reason, headers: [...headers, 'X-Request-Id', id], body, route }
    }

    request.id = id
    const response = handler(request)
    return response instanceof Promise ? response.then(addId) : addId(response)
  }
}

/**
 * Logs one line per request when its response has ended. It contains no header, no body and no value of the query. `status` is absent if no
 * response was sent. `aborted` means that the client left, `cut` that the response could not be finished.
 */
export const logRequests = (log: Logger): RequestObserver => ({
  onEnd: ({ deployment, route, method, target, status, bytes, outcome: how, milliseconds, id, traceId, remote }) =>
    log.info(
      {
        deployment,
        method,
        target: redactTarget(target),
        route,
        status: status === 0 ? undefined : status,
        bytes,
        ms: Math.round(milliseconds * 1000) / 1000,
        remote,
        requestId: id,
        traceId,
        aborted: how === 'aborted' ? true : undefined,
        cut: how === 'failed' ? true : undefined,
      },
      'request',
    ),
})

/** The time between two log lines about overload, in milliseconds. */
const overloadInterval = 1_000

/** Returns a function to call for each request that was rejected because of overload. It counts, and logs the number once a second. */
export function logOverload(log: Logger, deployment: Deployment, observer: ServiceObserver | undefined): () => void {
  let refused = 0
  const writeLine = (): void => {
    log.warn({ deployment, refused }, 'more is asked than can be answered in time')
    refused = 0
  }
  return () => {
    observer?.onOverload(deployment)
    refused += 1
    // The timer must not keep the process alive.
    if (refused === 1) setTimeout(writeLine, overloadInterval).unref()
  }
}
