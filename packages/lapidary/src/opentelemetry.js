/** `lapidary/opentelemetry`: spans of served and sent requests. */
export { tracedFetch } from './opentelemetry/tracedFetch.js'
export { tracing } from './opentelemetry/tracing.js'
