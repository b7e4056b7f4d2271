/** Traces: W3C Trace Context and OpenTelemetry. */
import { setTimeout } from 'node:timers/promises'
import { isSpanContextValid, ProxyTracerProvider, trace } from '@opentelemetry/api'
import type { HttpRequest } from 'lapidary/server'
import type { Logger } from 'pino'

const traceparentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/
const zeros = /^0+$/

/**
 * The trace of a `traceparent` header, as 32 hexadecimal digits (https://www.w3.org/TR/trace-context/). Undefined for an invalid header. A
 * later version may append further parts after a hyphen (§4.3).
 */
export function parseTraceId(traceparent: string | undefined): string | undefined {
  if (traceparent === undefined) return undefined
  const [, version, traceId = '', spanId = '', more] = traceparentForm.exec(traceparent) ?? []
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return zeros.test(traceId) || zeros.test(spanId) ? undefined : traceId
}

/** The trace of a request: that of the active span, else the one that the client names. */
export function traceIdOf(request: HttpRequest): string | undefined {
  const span = trace.getActiveSpan()?.spanContext()
  return span !== undefined && isSpanContextValid(span) ? span.traceId : parseTraceId(request.header('traceparent'))
}

/** How long a closing process waits for the span exporter, in milliseconds. */
const flushTimeout = 500

/** The API of OpenTelemetry has no flush, but the providers of its SDKs do. */
const hasFlush = (provider: object): provider is { readonly forceFlush: () => Promise<void> } =>
  'forceFlush' in provider && typeof provider.forceFlush === 'function'

/** Exports the spans that have ended. Resolves when they are exported or lost. */
export async function flushSpans(log: Logger): Promise<void> {
  const registered = trace.getTracerProvider()
  const provider = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered
  if (!hasFlush(provider)) return
  const flushed = provider.forceFlush().then(
    () => undefined,
    (reason: unknown) => reason,
  )
  const late = new Error(`The span exporter has not finished within ${flushTimeout} ms.`)
  const err = await Promise.race([flushed, setTimeout(flushTimeout, late, { ref: false })])
  if (err !== undefined) log.warn({ err }, 'the last spans are lost')
}
