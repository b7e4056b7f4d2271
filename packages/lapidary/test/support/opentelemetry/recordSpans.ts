/** OpenTelemetry's SDK, registered for as long as a test runs, and the spans that it has recorded. */
import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { expect, onTestFinished, vi } from 'vitest'

/** What was recorded. */
export interface Recorded {
  /** Resolves with the spans that have ended, as soon as they are this many. */
  readonly spans: (count: number) => Promise<readonly ReadableSpan[]>
  /** Resolves with the first that has ended of this kind. */
  readonly first: (kind: SpanKind) => Promise<ReadableSpan>
  /** All of them, as soon as they are this many, as their ways from the first of their trace: `CLIENT GET > SERVER GET /users > INTERNAL work`. */
  readonly ways: (count: number) => Promise<readonly string[]>
}

const wayOf = (span: ReadableSpan, all: readonly ReadableSpan[]): string => {
  const parent = all.find((other) => other.spanContext().spanId === span.parentSpanContext?.spanId)
  const own = `${SpanKind[span.kind]} ${span.name}`
  return parent === undefined ? own : `${wayOf(parent, all)} > ${own}`
}

/** Registers the SDK as most people do. */
export function recorded(sampler?: Sampler): Recorded {
  const exporter = new InMemorySpanExporter()
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)], ...(sampler && { sampler }) })
  provider.register()
  onTestFinished(async () => {
    trace.disable()
    context.disable()
    propagation.disable()
    await provider.shutdown()
  })
  // A server learns that its answer is sent when its client has read it already.
  const spans = (count: number): Promise<readonly ReadableSpan[]> =>
    vi.waitFor(() => {
      const finished = exporter.getFinishedSpans()
      expect(finished).toHaveLength(count)
      return finished
    }, 10_000)
  const first = (kind: SpanKind): Promise<ReadableSpan> =>
    vi.waitFor(() => {
      const found = exporter.getFinishedSpans().find((span) => span.kind === kind)
      if (found === undefined) throw new Error(`No span of the kind ${SpanKind[kind]} has ended.`)
      return found
    }, 10_000)
  const ways = async (count: number): Promise<readonly string[]> => {
    const all = await spans(count)
    expect(new Set(all.map((span) => span.spanContext().traceId)).size).toBe(1)
    return all.map((span) => wayOf(span, all)).sort()
  }
  return { spans, first, ways }
}
