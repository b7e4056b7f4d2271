/** `tracing(kernel)`: a span for each request, within the trace that it belongs to. */
import { type Attributes, context, propagation, SpanKind, type TextMapGetter, trace } from '@opentelemetry/api'
import type { HttpHandler, HttpRequest, HttpResponse } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { getSpanName } from './method.ts'
import { endSpan, getServerAttributes } from './serverSpan.ts'
import { getTracer } from './tracer.ts'
import { bindResponseBody } from './within.ts'

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
