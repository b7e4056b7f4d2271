/** `lapidary/opentelemetry`: spans of served and sent requests. */
export { type FlushOptions, flushSpans } from './opentelemetry/flushSpans.ts'
export { tracedFetch } from './opentelemetry/tracedFetch.ts'
export { getTraceId } from './opentelemetry/traceId.ts'
export { type TracingOptions, tracing } from './opentelemetry/tracing.ts'
