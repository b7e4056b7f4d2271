/** The public door of OpenTelemetry: spans of requests, served and sent. */
export { type TracedOptions, traced } from '../opentelemetry/traced.ts'
export { tracedFetch } from '../opentelemetry/tracedFetch.ts'
