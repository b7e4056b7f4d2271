/** `tracing()`: an OpenTelemetry span for each request. Conventions: https://opentelemetry.io/docs/specs/semconv/http/http-spans/ */
import {
  type Attributes,
  type Context,
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { HttpRequest, HttpResponse, RequestEnd, ResponseStream } from '../http/httpHandler.ts'
import { toKnownMethod, toOriginalMethod } from '../http/knownMethods.ts'
import { isPromise } from '../http/promises.ts'
import { isResponseStream } from '../http/responseStream.ts'
import type { Middleware } from '../middleware/compose.ts'
import { checkMiddlewareOptions } from '../middleware/options.ts'
import { withTraits } from '../middleware/order.ts'

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

/** Returns `GET /users/:id`; only the method without a route, and `HTTP` for an unknown method. */
export function getSpanName(method: string, route?: string): string {
  const name = toOriginalMethod(method) === undefined ? method : 'HTTP'
  return route === undefined ? name : `${name} ${route}`
}

/** Options of `tracing`: the content of spans. */
export interface TracingOptions {
  /**
   * Further attributes of every span. They take precedence: `{ 'url.scheme': 'https', 'server.address': 'api.example.org' }` behind a
   * proxy.
   */
  readonly attributes?: Attributes
}

const requestHeaderGetter: TextMapGetter<HttpRequest> = {
  get: (request, name) => request.header(name.toLowerCase()),
  keys: ({ rawHeaders }) => rawHeaders.filter((_, index) => index % 2 === 0),
}

/** `example.org:8081`, `[::1]`. */
const hostHeaderPattern = /^(?:\[(?<literal>[\da-f:.]+)\]|(?<name>[^:]+))(?::(?<port>\d{1,5}))?$/i

/**
 * Returns the attributes that are known at the start, so that samplers can use them. `url.query` is left out, because its values can be
 * secret. An unknown value is undefined, which is no attribute: an object of one shape is created ten times faster than one that is
 * assembled.
 */
function getServerAttributes(request: HttpRequest): Attributes {
  const { method, target, remoteAddress } = request
  const queryStart = target.indexOf('?')
  // The server as the client calls it.
  const { literal, name = literal, port } = hostHeaderPattern.exec(request.header('host') ?? '')?.groups ?? {}
  return {
    'http.request.method': toKnownMethod(method),
    'http.request.method_original': toOriginalMethod(method),
    'url.scheme': 'http',
    'url.path': queryStart < 0 ? target : target.slice(0, queryStart),
    'server.address': name,
    'server.port': port === undefined ? undefined : Number(port),
    'client.address': remoteAddress === '' ? undefined : remoteAddress,
    'user_agent.original': request.header('user-agent'),
  }
}

/**
 * Records how a request ended, and ends its span. 5xx and a cut connection are errors of the server; a rejected request is the client's
 * error.
 */
function endSpan(span: Span, method: string, { status, outcome }: RequestEnd, routeLine: string | undefined): void {
  if (routeLine !== undefined) {
    // The route line begins with the method of the endpoint, which is not that of the request for HEAD.
    const route = routeLine.slice(routeLine.indexOf('/'))
    span.updateName(getSpanName(method, route)).setAttribute('http.route', route)
  }
  if (status !== 0) span.setAttribute('http.response.status_code', status)
  if (outcome !== 'completed') span.setAttribute('lapidary.outcome', outcome)
  if (status >= 500 || outcome === 'failed') {
    span.setAttribute('error.type', outcome === 'failed' ? outcome : `${status}`).setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

/** Returns a stream of the same chunks, created in a context. An adapter reads them outside of any context. */
// Not a generator: one that is ended before its first step would not end its source.
const bindStream = (stream: ResponseStream, requestContext: Context): ResponseStream => ({
  [Symbol.asyncIterator]: () => {
    const iterator = context.with(requestContext, () => stream[Symbol.asyncIterator]())
    return {
      next: () => context.with(requestContext, () => iterator.next()),
      return: async () => {
        await context.with(requestContext, () => iterator.return?.())
        return { done: true, value: undefined }
      },
    }
  },
})

/** Returns a response whose stream is created in a context. */
function bindResponseBody(response: HttpResponse, requestContext: Context): HttpResponse {
  const { body } = response
  if (!isResponseStream(body)) return response
  return { ...response, body: bindStream(body, requestContext) }
}

/**
 * Creates an OpenTelemetry span for each request. It is named by the route (`GET /users/:id`), is a child of the span that the request
 * names (`traceparent`, or what the registered propagator reads), and ends with the response: the last byte is sent, the client has left,
 * or the connection was cut. Handlers run in its context, and so do streams: their spans, and calls by `tracedFetch`, are its children.
 *
 * The attributes follow the semantic conventions for HTTP servers, without `url.query`, because its values can be secret. 5xx and a cut
 * connection are errors; `lapidary.outcome` is `aborted` or `failed` if the response is incomplete. Put it before all middleware whose work
 * and responses belong to the span.
 *
 * It uses what is registered with `@opentelemetry/api` at the time of a request, and costs almost nothing if nothing is registered. With a
 * propagator and a context manager, but no tracer, it passes the trace on without creating a span.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { tracing } from 'lapidary/opentelemetry'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [tracing()] })
 * ```
 */
export function tracing(options: TracingOptions = {}): Middleware {
  checkMiddlewareOptions('tracing()', options, ['attributes'])
  const { attributes } = options
  const getAttributes = (request: HttpRequest): Attributes =>
    attributes === undefined ? getServerAttributes(request) : { ...getServerAttributes(request), ...attributes }

  const middleware: Middleware = (next) => (request) => {
    const { method, remoteAddress } = request
    const active = context.active()
    const parent = propagation.extract(active, request, requestHeaderGetter)
    const span = getTracer()?.startSpan(getSpanName(method), { kind: SpanKind.SERVER, attributes: getAttributes(request) }, parent)
    if (span === undefined && parent === active) return next(request)

    const requestContext = span === undefined ? parent : trace.setSpan(parent, span)
    const endOnRequestEnd = (response?: HttpResponse): void => {
      // A span that is not recorded only tells its children that they are not recorded either.
      if (span?.isRecording() !== true) return
      request.onEnd((end) => {
        const client = request.remoteAddress
        // `trustProxy` after this one has set the address.
        if (client !== '' && client !== remoteAddress) span.setAttributes({ 'client.address': client, ...attributes })
        endSpan(span, method, end, response?.route)
      })
    }
    const finish = (response: HttpResponse): HttpResponse => {
      endOnRequestEnd(response)
      return bindResponseBody(response, requestContext)
    }
    const fail = (error: unknown): never => {
      span?.recordException(error instanceof Error ? error : String(error))
      endOnRequestEnd()
      throw error
    }
    try {
      const response = context.with(requestContext, next, undefined, request)
      return isPromise(response) ? response.then(finish, fail) : finish(response)
    } catch (error) {
      return fail(error)
    }
  }
  return withTraits('tracing', middleware)
}
