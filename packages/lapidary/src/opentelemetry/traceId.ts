/** `getTraceId(request)`: the trace of a request, for log lines. Traces are those of W3C Trace Context. */
import { isSpanContextValid, trace } from '@opentelemetry/api'
import type { HttpRequest } from '../http/httpHandler.ts'

const traceparentPattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const zeros = /^0+$/

/**
 * Returns the trace of a `traceparent` header, as 32 hexadecimal digits (https://www.w3.org/TR/trace-context/); undefined for an invalid
 * header. A later version may append further parts after a hyphen (§4.3).
 */
export function parseTraceparent(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined) return undefined
  const [, version, traceId = '', spanId = '', more] = traceparentPattern.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return zeros.test(traceId) || zeros.test(spanId) ? undefined : traceId
}

/**
 * Returns the trace of a request as 32 hexadecimal digits: that of the active span, else the one that the client names in `traceparent`.
 * It needs no SDK. Undefined if there is neither.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { accessLog } from 'lapidary/middleware'
 * import { getTraceId, tracing } from 'lapidary/opentelemetry'
 * import { serve } from 'lapidary/server'
 *
 * const log = accessLog({
 *   onStart: getTraceId,
 *   onEnd: ({ route, status }, traceId) => console.log({ route, status, traceId }),
 * })
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [tracing(), log] })
 * ```
 */
export function getTraceId(request: HttpRequest): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  return span !== undefined && isSpanContextValid(span) ? span.traceId : parseTraceparent(request.header('traceparent'))
}
