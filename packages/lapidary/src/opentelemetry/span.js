/** The method of a request in the words of a span: anybody can make one up, and names of spans have to be few. */
import { ProxyTracerProvider, trace } from '@opentelemetry/api'

/** RFC 9110 §9.1 and RFC 5789. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'])
/** A method, as `http.request.method` has it. */
export const toKnownMethod = (method) => (knownMethods.has(method) ? method : '_OTHER')
/** A method that is not known, as `http.request.method_original` has it. */
export const toOriginalMethod = (method) => (knownMethods.has(method) ? undefined : method)
/** `GET /users/:id`; the method alone where there is no route, and `HTTP` for one that is not known. */
export function getSpanName(method, route) {
  const name = knownMethods.has(method) ? method : 'HTTP'
  return route === undefined ? name : `${name} ${route}`
}
// The tracer of whoever has registered one.
/** By which a backend tells our spans from those of others. */
const tracerScope = 'lapidary'
/**
 * Undefined for as long as nobody has registered a provider: a tracer that does nothing would have to be told everything all the same, which takes
 * ten times as long as finding that out.
 */
export function getTracer() {
  const provider = trace.getTracerProvider()
  return provider instanceof ProxyTracerProvider ? provider.getDelegateTracer(tracerScope) : provider.getTracer(tracerScope)
}
