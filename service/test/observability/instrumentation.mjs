// Loaded into a service to record its spans: a JSON line each, in the file that SPANS names. Without it they go to a server that does not answer.
import { appendFileSync } from 'node:fs'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/** @param {import('@opentelemetry/sdk-trace-node').ReadableSpan} span */
const toRecord = (span) => ({
  ...span.spanContext(),
  parent: span.parentSpanContext?.spanId,
  name: span.name,
  attributes: span.attributes,
  events: span.events.map(({ attributes }) => attributes),
})

/** @type {import('@opentelemetry/sdk-trace-node').SpanExporter} */
const exporter = {
  export: (spans, done) => {
    const { SPANS } = process.env
    if (SPANS === undefined) return
    appendFileSync(SPANS, spans.map((span) => `${JSON.stringify(toRecord(span))}\n`).join(''))
    done({ code: 0 })
  },
  shutdown: async () => {},
}

// It exports seldom: what a service has done just before it ends is exported because it closes.
new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 3_600_000 })] }).register()
