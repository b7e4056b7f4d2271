/** `lapidary/opentelemetry`: spans of served and sent requests. */

export { tracedFetch } from './opentelemetry/tracedFetch.ts'
export { type TracingOptions, tracing } from './opentelemetry/tracing.ts'
