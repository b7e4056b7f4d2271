/** `tracedFetch()`: a span for each request that is sent, and its trace for whoever gets it. */
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { getSpanName, getTracer, toKnownMethod, toOriginalMethod } from './span.js'

/** No query, neither here nor on servers: its values may be anybody's secret. */
function getClientAttributes({ method, url }) {
  const { origin, pathname, protocol, hostname, port } = new URL(url)
  return {
    'http.request.method': toKnownMethod(method),
    'http.request.method_original': toOriginalMethod(method),
    'url.full': origin + pathname,
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  }
}
/** The request with what the propagator says of the context. What a caller gave is left as it is. */
function injectContext(request, own) {
  const added = {}
  propagation.inject(own, added)
  const fields = Object.entries(added)
  if (fields.length === 0) return request
  const headers = new Headers(request.headers)
  for (const [name, value] of fields) headers.set(name, value)
  return new Request(request, { headers })
}
function setSpanError(span, type, message) {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) })
}
async function traceResponse(span, answer) {
  try {
    const response = await answer()
    span.setAttribute('http.response.status_code', response.status)
    if (response.status >= 400) setSpanError(span, `${response.status}`)
    return response
  } catch (error) {
    const thrown = error instanceof Error ? error : new Error(String(error))
    span.recordException(thrown)
    setSpanError(span, thrown.name, thrown.message)
    throw error
  } finally {
    span.end()
  }
}
/**
 * A `fetch` whose requests belong to the trace that is going on: `client(api, url, { fetch: tracedFetch() })`. Each has a span of OpenTelemetry, named
 * by its method, from when it is sent to when the head of its answer is there, and carries what the registered propagator says (`traceparent`,
 * `tracestate`, `baggage`). An answer of 400 or above is an error, as is none at all.
 *
 * `fetch` is what sends them. Default: the global one. While nothing is registered with `@opentelemetry/api`, requests go out as they are.
 */
export function tracedFetch(fetch = (request) => globalThis.fetch(request)) {
  return (request) => {
    const around = context.active()
    const span = getTracer()?.startSpan(
      getSpanName(request.method),
      { kind: SpanKind.CLIENT, attributes: getClientAttributes(request) },
      around,
    )
    if (span === undefined) return fetch(injectContext(request, around))
    const own = trace.setSpan(around, span)
    return traceResponse(span, () => context.with(own, fetch, undefined, injectContext(request, own)))
  }
}
