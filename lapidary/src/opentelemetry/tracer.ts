/** The tracer of whoever has registered one. */
import { ProxyTracerProvider, type Tracer, trace } from '@opentelemetry/api'

/** By which a backend tells our spans from those of others. */
const tracerScope = 'lapidary'

/**
 * Undefined for as long as nobody has registered a provider: a tracer that does nothing would have to be told everything all the same, which takes
 * ten times as long as finding that out.
 */
export function getTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider()
  return provider instanceof ProxyTracerProvider ? provider.getDelegateTracer(tracerScope) : provider.getTracer(tracerScope)
}
