/** `tracedFetch()`: an OpenTelemetry span for each request that is sent, and its trace in the headers. */
import { type Attributes, type Context, context, propagation, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { FetchLike } from '../client/redirects.ts'
import { checkFunctions } from '../http/functions.ts'
import { toKnownMethod, toOriginalMethod } from '../http/knownMethods.ts'
import { getSpanName, getTracer } from './tracing.ts'

/** Returns the attributes of a request. The query is left out, as in servers, because its values can be secret. */
function getClientAttributes({ method, url }: Request): Attributes {
  const { origin, pathname, protocol, hostname, port } = new URL(url)
  return {
    'http.request.method': toKnownMethod(method),
    'http.request.method_original': toOriginalMethod(method),
    'url.full': origin + pathname,
    'server.address': hostname.replace(/^\[|\]$/g, ''),
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  }
}

/** Returns a copy of the request with the headers that the propagator makes of a context; the request itself if there are none. */
function injectContext(request: Request, requestContext: Context): Request {
  const fields: Record<string, string> = {}
  propagation.inject(requestContext, fields)
  const entries = Object.entries(fields)
  if (entries.length === 0) return request
  const headers = new Headers(request.headers)
  for (const [name, value] of entries) headers.set(name, value)
  return new Request(request, { headers })
}

function setSpanError(span: Span, type: string, message?: string): void {
  span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) })
}

async function traceResponse(span: Span, send: () => Promise<Response>): Promise<Response> {
  try {
    const response = await send()
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
 * Returns a `fetch` whose requests belong to the active trace: `client(api, url, { fetch: tracedFetch() })`.
 *
 * Each request has a span, named by its method, from its start until the head of the response arrives. The request has the headers of the
 * registered propagator (`traceparent`, `tracestate`, `baggage`). A response of 400 or above is an error, and so is a request without a
 * response. While nothing is registered with `@opentelemetry/api`, requests are sent unchanged.
 *
 * @param fetch sends the requests. Default: the global `fetch`.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 * import { tracedFetch } from 'lapidary/opentelemetry'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const call = client(api, 'http://127.0.0.1:8081', { fetch: tracedFetch() })
 * ```
 */
export function tracedFetch(fetch: FetchLike = (request) => globalThis.fetch(request)): FetchLike {
  checkFunctions('tracedFetch()', { fetch })
  return (request) => {
    const active = context.active()
    const span = getTracer()?.startSpan(
      getSpanName(request.method),
      { kind: SpanKind.CLIENT, attributes: getClientAttributes(request) },
      active,
    )
    if (span === undefined) return fetch(injectContext(request, active))
    const requestContext = trace.setSpan(active, span)
    return traceResponse(span, () => context.with(requestContext, fetch, undefined, injectContext(request, requestContext)))
  }
}
