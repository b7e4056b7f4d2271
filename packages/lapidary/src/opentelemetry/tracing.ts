/** `tracing(kernel)`: a span for each request, within the trace that it belongs to. */

import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api'
import type { HttpHandler, HttpRequest, HttpResponse, RequestEnd } from '../http/httpHandler.ts'
import { isPromise } from '../http/promises.ts'
import { getSpanName, getTracer, toKnownMethod, toOriginalMethod } from './span.ts'

// What the span of a request says, by OpenTelemetry's conventions (https://opentelemetry.io/docs/specs/semconv/http/http-spans/).

/** `example.org:8081`, `[::1]`. */
const hostHeaderPattern = /^(?:\[(?<literal>[\da-f:.]+)\]|(?<name>[^:]+))(?::(?<port>\d{1,5}))?$/i

/**
 * What is known before a request is looked at, so that samplers can decide by it. No `url.query`: its values may be anybody's secret. What is not
 * known is undefined, and no attribute: an object of one shape is made in a tenth of the time that it takes to put one together.
 */
export function getServerAttributes(incoming: HttpRequest): Attributes {
  const { method, target, remoteAddress: remote } = incoming
  const mark = target.indexOf('?')
  // The server as the client calls it.
  const { literal, name = literal, port } = hostHeaderPattern.exec(incoming.header('host') ?? '')?.groups ?? {}
  return {
    'http.request.method': toKnownMethod(method),
    'http.request.method_original': toOriginalMethod(method),
    'url.scheme': 'http',
    'url.path': mark < 0 ? target : target.slice(0, mark),
    'server.address': name,
    'server.port': port === undefined ? undefined : Number(port),
    'client.address': remote === '' ? undefined : remote,
    'user_agent.original': incoming.header('user-agent'),
  }
}

/** Says how a request was answered, and ends its span. A refusal is the client's doing; what could not be answered, or not to the end, is ours. */
export function endSpan(span: Span, method: string, { status, outcome: how }: RequestEnd, line?: string | undefined): void {
  if (line !== undefined) {
    // The route line of an endpoint begins with its method, which may be another one than the request's: HEAD.
    const route = line.slice(line.indexOf('/'))
    span.updateName(getSpanName(method, route)).setAttribute('http.route', route)
  }
  if (status !== 0) span.setAttribute('http.response.status_code', status)
  if (how !== 'completed') span.setAttribute('lapidary.ending', how)
  if (status >= 500 || how === 'failed') {
    span.setAttribute('error.type', how === 'failed' ? how : `${status}`).setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}

// Work that is done later, in the context that it is done for.

type ContextStream = AsyncIterable<string | Uint8Array>

/** A adapter asks for each piece out of nowhere. No generator: one that is left before it began would not hear of it. */
const bindStream = (pieces: ContextStream, own: Context): ContextStream => ({
  [Symbol.asyncIterator]: () => {
    const iterator = context.with(own, () => pieces[Symbol.asyncIterator]())
    return {
      next: () => context.with(own, () => iterator.next()),
      return: async () => {
        await context.with(own, () => iterator.return?.())
        return { done: true, value: undefined }
      },
    }
  },
})

/** The same answer, the pieces of which are made within this context. */
export function bindResponseBody(outgoing: HttpResponse, own: Context): HttpResponse {
  const { body } = outgoing
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return outgoing
  return { ...outgoing, body: bindStream(body, own) }
}

/** What to say of requests. */
export interface TracingOptions {
  /** Further attributes of every span, which win: `{ 'url.scheme': 'https', 'server.address': 'api.example.org' }` behind a proxy. */
  readonly attributes?: Attributes
}

const requestHeaderGetter: TextMapGetter<HttpRequest> = {
  get: (incoming, name) => incoming.header(name.toLowerCase()),
  keys: ({ rawHeaders }) => rawHeaders.filter((_, index) => index % 2 === 0),
}

/**
 * The same kernel, with a span of OpenTelemetry for each request: named by its route (`GET /users/:id`), a child of the one that the request names
 * (`traceparent`, or whatever the registered propagator reads), and ended when the last byte of the answer is sent, the client has left or the
 * connection was cut. Handlers run within it, and so do the pieces of a stream: spans that they start, and calls by `tracedFetch`, are its children.
 *
 * Attributes are those of the semantic conventions for HTTP servers, without `url.query`, whose values may be secret. 5xx and `cut` are errors;
 * `lapidary.ending` is `left` or `cut` where an answer did not end whole. Put it outside of all other kernels, so that they run within the span too.
 *
 * It uses what is registered with `@opentelemetry/api`, whenever that is, and costs next to nothing while nothing is. With a propagator and a context
 * manager but no tracer, a trace is passed on without a span of ours.
 */
export function tracing(kernel: HttpHandler, { attributes }: TracingOptions = {}): HttpHandler {
  const attributesOf = (incoming: HttpRequest): Attributes =>
    attributes === undefined ? getServerAttributes(incoming) : { ...getServerAttributes(incoming), ...attributes }

  return (incoming) => {
    const { method } = incoming
    const around = context.active()
    const parent = propagation.extract(around, incoming, requestHeaderGetter)
    const span = getTracer()?.startSpan(getSpanName(method), { kind: SpanKind.SERVER, attributes: attributesOf(incoming) }, parent)
    if (span === undefined && parent === around) return kernel(incoming)

    const own = span === undefined ? parent : trace.setSpan(parent, span)
    const end = (outgoing?: HttpResponse): void => {
      // One that is not recorded is there for those behind it alone, so that they are not recorded either.
      if (span?.isRecording() === true) incoming.onEnd((ending) => endSpan(span, method, ending, outgoing?.route))
    }
    const answered = (outgoing: HttpResponse): HttpResponse => {
      end(outgoing)
      return bindResponseBody(outgoing, own)
    }
    const failed = (error: unknown): never => {
      span?.recordException(error instanceof Error ? error : String(error))
      end()
      throw error
    }
    try {
      const outgoing = context.with(own, kernel, undefined, incoming)
      return isPromise(outgoing) ? outgoing.then(answered, failed) : answered(outgoing)
    } catch (error) {
      return failed(error)
    }
  }
}
