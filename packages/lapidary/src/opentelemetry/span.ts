/** What server and client spans have in common: the tracer, the name of a span, and its method. */
import { ProxyTracerProvider, type Tracer, trace } from '@opentelemetry/api'

/** The instrumentation scope: a backend tells the spans of this toolkit from others by it. */
const tracerScope = 'lapidary'

/**
 * Returns the tracer, or undefined as long as no provider is registered. A tracer that does nothing would need all attributes as well,
 * which takes ten times as long as this check.
 */
export function getTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider()
  return provider instanceof ProxyTracerProvider ? provider.getDelegateTracer(tracerScope) : provider.getTracer(tracerScope)
}

/** RFC 9110 §9.1 and RFC 5789. A client can send any method, and span names must be few. */
const knownMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])

/** Returns a method as `http.request.method` has it. */
export const toKnownMethod = (method: string): string => (knownMethods.has(method) ? method : '_OTHER')

/** Returns an unknown method, as `http.request.method_original` has it. */
export const toOriginalMethod = (method: string): string | undefined => (knownMethods.has(method) ? undefined : method)

/** Returns `GET /users/:id`; only the method without a route, and `HTTP` for an unknown method. */
export function getSpanName(method: string, route?: string): string {
  const name = knownMethods.has(method) ? method : 'HTTP'
  return route === undefined ? name : `${name} ${route}`
}
