/** The trace of a request: the parser of `traceparent` is as strict as W3C Trace Context. And the last spans, exported before a process ends. */
import { trace as traces } from '@opentelemetry/api'
import { BatchSpanProcessor, InMemorySpanExporter, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node'
import { compose } from 'lapidary/middleware'
import { flushSpans, getTraceId, tracing } from 'lapidary/opentelemetry'
import { expect, onTestFinished, test } from 'vitest'
import { parseTraceparent } from '../../src/opentelemetry/traceId.ts'
import { createRequest } from '../support/httpRequest.ts'
import { recorded } from '../support/opentelemetry/recordSpans.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const span = 'b7ad6b7169203331'
const sound = `00-${trace}-${span}-01`

test.each([
  ['recorded', sound],
  ['not recorded', `00-${trace}-${span}-00`],
  ['with flags that are not known yet', `00-${trace}-${span}-fe`],
  ['of a later version', `01-${trace}-${span}-01`],
  ['of a later version, which has more to say', `cc-${trace}-${span}-01-what-the-future-brings`],
])('a trace %s is accepted', (_what, traceparent) => {
  expect(parseTraceparent(traceparent)).toBe(trace)
})

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['upper case', sound.toUpperCase()],
  ['the version that is none', `ff-${trace}-${span}-01`],
  ['more than its version has', `${sound}-more`],
  ['something behind it', `${sound}.`],
  ['more of a later version, without a hyphen', `01-${trace}-${span}-01.more`],
  ['a trace of zeros', `00-${'0'.repeat(32)}-${span}-01`],
  ['a span of zeros', `00-${trace}-${'0'.repeat(16)}-01`],
  ['a short trace', `00-${trace.slice(1)}-${span}-01`],
  ['signs that are no digits', `00-${trace.slice(1)}g-${span}-01`],
  ['two lines', `${sound}, ${sound}`],
  ['a space before it', ` ${sound}`],
  ['a line feed behind it', `${sound}\n`],
])('%s is no valid trace', (_what, traceparent) => {
  expect(parseTraceparent(traceparent)).toBeUndefined()
})

test('without an SDK the trace is the one that the client names', () => {
  expect(getTraceId(createRequest('/', { traceparent: sound }))).toBe(trace)
  expect(getTraceId(createRequest('/'))).toBeUndefined()
})

test('with an SDK the trace is that of the span', async () => {
  const { spans } = recorded()
  const found: (string | undefined)[] = []
  const handler = compose([tracing()], (request) => {
    found.push(getTraceId(request))
    return { status: 204, headers: [], body: null }
  })
  await handler(createRequest('/', { traceparent: sound }))
  await handler(createRequest('/'))
  expect(found[0]).toBe(trace)
  expect(found[1]).toMatch(/^[0-9a-f]{32}$/)
  expect(found[1]).not.toBe(trace)
  expect(await spans(0)).toEqual([])
})

/** Registers an SDK that exports seldom, and ends a span. */
function endSpanWith(exporter: SpanExporter): void {
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter, { scheduledDelayMillis: 3_600_000 })] })
  provider.register()
  onTestFinished(() => void traces.disable())
  traces.getTracer('test').startSpan('last').end()
}

test('the last spans are exported', async () => {
  const exporter = new InMemorySpanExporter()
  endSpanWith(exporter)
  expect(exporter.getFinishedSpans()).toEqual([])
  await flushSpans()
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['last'])
})

test('spans that are lost are an error', async () => {
  const shutdown = async (): Promise<void> => {}
  endSpanWith({ export: () => {}, shutdown })
  await expect(flushSpans({ timeout: 20 })).rejects.toThrow('The span exporter has not finished within 20 ms.')
  traces.disable()
  endSpanWith({ export: (_spans, done) => done({ code: 1, error: new Error('planted') }), shutdown })
  await expect(flushSpans()).rejects.toThrow('planted')
  traces.disable()
  endSpanWith({ export: (_spans, done) => done({ code: 1, error: new Error('planted') }), shutdown })
  await expect(flushSpans({ timeout: Number.POSITIVE_INFINITY })).rejects.toThrow('planted')
})

test('without an SDK there is nothing to export', async () => {
  expect(await flushSpans({ timeout: 1 })).toBeUndefined()
})
