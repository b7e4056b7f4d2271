/** Ids, log lines and metrics of requests. */
import { type AccessLogEntry, accessLog, type Middleware, requestId } from 'lapidary/middleware'
import { getTraceId } from 'lapidary/opentelemetry'
import type { Logger } from 'pino'
import { redactTarget } from '../redact.ts'
import type { Deployment } from '../settings.ts'
import type { Metrics } from './metrics.ts'

/** Where a deployment reports what happens. */
export interface Observers {
  readonly log: Logger
  readonly metrics?: Metrics | undefined
}

/**
 * Writes one line per request when its response has ended. It contains no header, no body and no value of the query. `status` is absent if
 * no response was sent. `outcome` is there if the response is incomplete: `aborted` means that the client disconnected, `failed` that the
 * service could not continue.
 */
function logRequest(log: Logger, deployment: Deployment, entry: AccessLogEntry, traceId: string | undefined): void {
  const { method, target, route, status, bytes, outcome, milliseconds, remoteAddress, id } = entry
  log.info(
    {
      deployment,
      method,
      target: redactTarget(target),
      route,
      status: status === 0 ? undefined : status,
      bytes,
      ms: Math.round(milliseconds * 1000) / 1000,
      remote: remoteAddress,
      requestId: id,
      traceId,
      outcome: outcome === 'completed' ? undefined : outcome,
    },
    'request',
  )
}

/** Logs and records each request. Responses carry `X-Request-Id`, and reports of unexpected errors contain the same id. */
export function observeRequests(deployment: Deployment, { log, metrics }: Observers): readonly Middleware[] {
  const logEnd = accessLog({ onStart: getTraceId, onEnd: (entry, traceId) => logRequest(log, deployment, entry, traceId) })
  return [requestId(), ...(log.isLevelEnabled('info') ? [logEnd] : []), ...(metrics ? [metrics.requests(deployment)] : [])]
}

/** Returns a function to call for each request that was rejected because of overload. It counts, and logs the number once a second. */
export function observeOverload(deployment: Deployment, { log, metrics }: Observers): () => void {
  let rejected = 0
  const writeLine = (): void => {
    log.warn({ deployment, rejected }, 'overloaded: requests are rejected')
    rejected = 0
  }
  return () => {
    metrics?.onOverload(deployment)
    rejected += 1
    // The timer must not keep the process alive.
    if (rejected === 1) setTimeout(writeLine, 1_000).unref()
  }
}
