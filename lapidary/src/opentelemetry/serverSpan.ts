/** What the span of a request says, by OpenTelemetry's conventions (https://opentelemetry.io/docs/specs/semconv/http/http-spans/). */
import { type Attributes, type Span, SpanStatusCode } from '@opentelemetry/api'
import type { HttpRequest, RequestEnd } from '../server/kernel.ts'
import { getSpanName, toKnownMethod, toOriginalMethod } from './method.ts'

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
  if (how !== 'sent') span.setAttribute('lapidary.ending', how)
  if (status >= 500 || how === 'cut') {
    span.setAttribute('error.type', how === 'cut' ? how : `${status}`).setStatus({ code: SpanStatusCode.ERROR })
  }
  span.end()
}
