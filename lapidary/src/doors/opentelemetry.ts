/** The public door of OpenTelemetry: spans of requests, served and sent. */
export { type TracingOptions, tracing } from '../opentelemetry/traced.ts'
export { tracedFetch } from '../opentelemetry/tracedFetch.ts'
