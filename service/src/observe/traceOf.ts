/** To which trace a request belongs: that of the span which is open for it, or else the one that its client names. */
import { isSpanContextValid, trace } from '@opentelemetry/api'
import type { HttpRequest } from 'lapidary/server'
import { traceId } from './traceId.ts'

/** The trace as 32 hexadecimal digits, if there is any. With an SDK of OpenTelemetry it is the one that its backend shows. */
export function traceOf(incoming: HttpRequest): string | undefined {
  const open = trace.getActiveSpan()?.spanContext()
  return open !== undefined && isSpanContextValid(open) ? open.traceId : traceId(incoming.header('traceparent'))
}
