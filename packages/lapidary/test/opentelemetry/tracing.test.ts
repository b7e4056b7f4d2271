/** Each request of a server has a span: in the trace of the client, and around the work of the handler; without a registered SDK there is none. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { context, createContextKey, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ParentBasedSampler, type ReadableSpan, type Sampler, SamplingDecision } from '@opentelemetry/sdk-trace-node'
import { client } from 'lapidary/client'
import { compose, trustProxy } from 'lapidary/middleware'
import { type TracingOptions, tracedFetch, tracing } from 'lapidary/opentelemetry'
import { type HttpHandler, toFetch } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { createRequest } from '../support/httpRequest.ts'
import { onNode } from '../support/matrix/adapters.ts'
import { recorded } from '../support/opentelemetry/recordSpans.ts'
import { api, handler, listening } from '../support/opentelemetry/server.ts'
import { printedErrors } from '../support/printedErrors.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'
const traceparent = `00-${traceId}-${spanId}-01`

type Send = (handler: HttpHandler, path: string, init?: RequestInit) => Promise<Response>

const adapters: readonly (readonly [name: string, send: Send])[] = [
  ['on node:http', async (handler, path, init) => fetch(`${(await listening(handler)).url}${path}`, init)],
  ['on Request and Response', async (handler, path, init) => toFetch(handler)(new Request(`http://a${path}`, init))],
]

/** A handler with a span for each request. */
const traced = (traceable: HttpHandler, options?: TracingOptions): HttpHandler => compose([tracing(options)], traceable)

/** What a span says of how its request ended. */
const endOf = ({ name, status, attributes }: ReadableSpan): readonly unknown[] => [
  name,
  attributes['http.route'],
  attributes['http.response.status_code'],
  SpanStatusCode[status.code],
  attributes['error.type'],
  attributes['lapidary.outcome'],
]

test('a call, its request and the work of its handler are one trace, through several servers', async () => {
  const { ways } = recorded()
  const { url: behind } = await listening(traced(handler))
  const { url } = await listening(traced(handler))
  expect(await client(api, url, { fetch: tracedFetch() }).through({ query: { url: behind } })).toBe('ooo')
  const front = 'CLIENT GET > SERVER GET /through'
  const back = `${front} > CLIENT GET > SERVER GET /hello/:times`
  expect(await ways(5)).toEqual(['CLIENT GET', front, `${front} > CLIENT GET`, back, `${back} > INTERNAL work`])
})

describe.each(adapters)('%s', (_name, send) => {
  test('chunks of a stream are made within the trace of their request', async () => {
    const { ways } = recorded()
    expect(await (await send(traced(handler), '/count')).text()).toBe('"one"\n"two"\n')
    expect(await ways(3)).toEqual(['SERVER GET /count', 'SERVER GET /count > INTERNAL one', 'SERVER GET /count > INTERNAL two'])
  })

  test('a stream that its client cancels ends within the trace, with the outcome aborted', async () => {
    const { ways, first } = recorded()
    const reader = (await send(traced(handler), '/endless')).body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await ways(2)).toEqual(['SERVER GET /endless', 'SERVER GET /endless > INTERNAL cleaning'])
    expect(endOf(await first(SpanKind.SERVER))).toEqual(['GET /endless', '/endless', 200, 'UNSET', undefined, 'aborted'])
  })

  test('the span of a stream that fails after its start has the error', async () => {
    const { first } = recorded()
    await expect(send(traced(handler), '/failing').then((response) => response.text())).rejects.toThrow()
    const span = await first(SpanKind.SERVER)
    expect(endOf(span)).toEqual(['GET /failing', '/failing', 200, 'ERROR', 'failed', 'failed'])
    expect(span.events.map(({ name, attributes }) => [name, attributes?.['exception.message']])).toEqual([['exception', 'failing']])
  })

  test.each<readonly [line: string, name: string, route: string | undefined, status: number, error: string | undefined]>([
    ['GET /headers', 'GET /headers', '/headers', 200, undefined],
    ['HEAD /headers', 'HEAD /headers', '/headers', 200, undefined],
    ['HEAD /count?x=1', 'HEAD /count', '/count', 200, undefined],
    ['GET /hello/often', 'GET /hello/:times', '/hello/:times', 400, undefined],
    ['POST /taken', 'POST /taken', '/taken', 409, undefined],
    ['GET /broken', 'GET /broken', '/broken', 500, '500'],
    ['GET /kernel/deep', 'GET /kernel', '/kernel', 200, undefined],
    ['GET /nowhere', 'GET', undefined, 404, undefined],
    ['OPTIONS /headers', 'OPTIONS', undefined, 204, undefined],
    ['PROPFIND /headers', 'HTTP', undefined, 405, undefined],
  ])('%s is the span "%s"', async (line, name, route, status, error) => {
    const { first } = recorded()
    const [method = '', path = ''] = line.split(' ')
    await (await send(traced(handler), path, { method })).arrayBuffer()
    const how = error === undefined ? 'UNSET' : 'ERROR'
    expect(endOf(await first(SpanKind.SERVER))).toEqual([name, route, status, how, error, undefined])
  })

  const thrown = new Error('thrown')
  test.each<readonly [how: string, fail: HttpHandler]>([
    ['rejects', () => Promise.reject(thrown)],
    ['rejects with a text', () => Promise.reject('thrown')],
    [
      'throws',
      () => {
        throw thrown
      },
    ],
  ])('when a handler inside %s, the span has its error and the status of the response', async (how, fail) => {
    const { first } = recorded()
    const printed = printedErrors()
    expect((await send(traced(fail), '/')).status).toBe(500)
    expect(printed.map(([, error]) => error)).toEqual([how === 'rejects with a text' ? 'thrown' : thrown])
    const span = await first(SpanKind.SERVER)
    expect(endOf(span)).toEqual(['GET', undefined, 500, 'ERROR', '500', undefined])
    expect(span.events.map(({ attributes }) => attributes?.['exception.message'])).toEqual(['thrown'])
  })

  test.each([
    ['is sound', traceparent, spanId],
    ['is absent', undefined, undefined],
    ['is malformed', `${traceparent}-more`, undefined],
    ['is given twice', `${traceparent}, ${traceparent}`, undefined],
    ['names no trace', `00-${'0'.repeat(32)}-${spanId}-01`, undefined],
  ])('when the traceparent %s, its span is the parent, or a new trace starts', async (_what, given, parent) => {
    const { first } = recorded()
    await (await send(traced(handler), '/headers', { headers: given === undefined ? {} : { Traceparent: given } })).text()
    const span = await first(SpanKind.SERVER)
    expect(span.parentSpanContext?.spanId).toBe(parent)
    expect(span.spanContext().traceId === traceId).toBe(parent !== undefined)
  })

  test('without a registered SDK the responses are the same', async () => {
    const responses = [handler, traced(handler)].map(async (one) => {
      const response = await send(one, '/headers', { headers: { traceparent } })
      return [response.status, Object.keys(Object.fromEntries(response.headers)), Object.keys(await response.json())]
    })
    const [plain, wrapped] = await Promise.all(responses)
    expect(wrapped).toEqual(plain)
  })
})

test('without a registered SDK the handler gets the same request object, and its response object is returned', async () => {
  const response = Object.freeze({ status: 204, headers: [], body: null })
  const given: unknown[] = []
  const wrapped = traced((request) => {
    given.push(request)
    return response
  })
  await toFetch((request) => {
    given.push(request, wrapped(request))
    return response
  })(new Request('http://a/'))
  const [inside, outside, returned] = given
  expect(inside).toBe(outside)
  expect(returned).toBe(response)
})

test('an SDK that is registered after the handler was created is used, and one that was removed is not', async () => {
  const wrapped = traced(handler)
  const send = async (): Promise<string> => (await toFetch(wrapped)(new Request('http://a/kernel'))).text()
  await send()
  const { spans } = recorded()
  await send()
  await spans(1)
  trace.disable()
  await send()
  await spans(1)
})

test('a span has the attributes of server, request and client, without the query, which may be secret', async () => {
  const { first } = recorded()
  const { url, port } = await listening(traced(handler))
  await (await fetch(`${url}/kernel/deep?token=aSecret`, { headers: { 'User-Agent': 'test' } })).text()
  const span = await first(SpanKind.SERVER)
  expect(span.attributes).toEqual({
    'http.request.method': 'GET',
    'url.scheme': 'http',
    'url.path': '/kernel/deep',
    'server.address': '127.0.0.1',
    'server.port': port,
    'client.address': '127.0.0.1',
    'user_agent.original': 'test',
    'http.route': '/kernel',
    'http.response.status_code': 200,
  })
  expect(JSON.stringify([span.name, span.attributes])).not.toContain('aSecret')
})

test.each([
  ['example.org', 'example.org', undefined],
  ['example.org:8081', 'example.org', 8081],
  ['[::1]:8081', '::1', 8081],
  ['[::1]', '::1', undefined],
  ['', undefined, undefined],
])('the host "%s" is the address %s', async (host, address, port) => {
  const { first } = recorded()
  await toFetch(traced(handler))(new Request('http://a/kernel', { headers: { host } }))
  const span = await first(SpanKind.SERVER)
  expect([span.attributes['server.address'], span.attributes['server.port']]).toEqual([address, port])
})

test('an unknown method is not part of a span name', async () => {
  const { first } = recorded()
  await toFetch(traced(handler))(new Request('http://a/kernel', { method: 'BREW' }))
  const span = await first(SpanKind.SERVER)
  expect(span.name).toBe('HTTP /kernel')
  expect(span.attributes).toMatchObject({ 'http.request.method': '_OTHER', 'http.request.method_original': 'BREW' })
})

test('the attributes of the options replace those of the request', async () => {
  const { first } = recorded()
  const attributes = { 'url.scheme': 'https', 'server.address': 'api.example.org', 'server.port': 443 }
  await (await toFetch(traced(handler, { attributes }))(new Request('http://a/kernel', { headers: { host: 'b:1' } }))).text()
  const span = await first(SpanKind.SERVER)
  expect(span.attributes).toMatchObject(attributes)
})

test.each([
  ['before it', [trustProxy(['127.0.0.1']), tracing()], '192.0.2.7'],
  ['behind it', [tracing(), trustProxy(['127.0.0.1'])], '192.0.2.7'],
  ['behind it, where an option names the address', [tracing({ attributes: { 'client.address': '-' } }), trustProxy(['127.0.0.1'])], '-'],
])('a span has the address of the client with trustProxy %s', async (_order, middleware, address) => {
  const { first } = recorded()
  const { url } = await listening(compose(middleware, handler))
  await (await fetch(`${url}/kernel`, { headers: { 'X-Forwarded-For': '192.0.2.7' } })).text()
  expect((await first(SpanKind.SERVER)).attributes['client.address']).toBe(address)
})

test.skipIf(!onNode)('a mounted Node listener runs within the trace, and the span has its status', async () => {
  const { ways, spans } = recorded()
  const { url } = await listening(traced(handler))
  expect(await (await fetch(`${url}/foreign`)).text()).toBe('foreign')
  expect(await ways(2)).toEqual(['SERVER GET /foreign', 'SERVER GET /foreign > INTERNAL work'])
  expect((await spans(2)).map(({ attributes }) => attributes['http.response.status_code'])).toContain(203)
})

test('the span of a client that disconnects early has a route and no status', async () => {
  const { first } = recorded()
  const { port } = await listening(
    traced((request) => {
      setImmediate(() => socket.destroy())
      return handler(request)
    }),
  )
  const socket = connect(port, '127.0.0.1', () => socket.write('GET /patient HTTP/1.1\r\nHost: a\r\n\r\n'))
  await once(socket, 'close')
  const span = await first(SpanKind.SERVER)
  expect(endOf(span)).toEqual(['GET /patient', '/patient', undefined, 'UNSET', undefined, 'aborted'])
})

test('samplers see the attributes of the request, and drop whole traces', async () => {
  const root: Sampler = {
    shouldSample: (_context, _traceId, _name, _kind, { 'url.path': path }) => ({
      decision: path === '/hello/1' ? SamplingDecision.NOT_RECORD : SamplingDecision.RECORD_AND_SAMPLED,
    }),
  }
  const { ways } = recorded(new ParentBasedSampler({ root }))
  const fetch = toFetch(traced(handler))
  await fetch(new Request('http://a/hello/1'))
  await fetch(new Request('http://a/hello/2'))
  expect(await ways(2)).toEqual(['SERVER GET /hello/:times', 'SERVER GET /hello/:times > INTERNAL work'])
})

test('a trace that the client does not record is not recorded, here or in further servers', async () => {
  const { ways } = recorded()
  const call = client(api, 'http://a', { fetch: tracedFetch(toFetch(traced(handler))) })
  const elsewhere = propagation.extract(context.active(), { traceparent: `00-${traceId}-${spanId}-00` })
  const seen = await context.with(elsewhere, () => call.headers())
  expect(seen['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
  await call.headers()
  expect(await ways(2)).toEqual(['CLIENT GET', 'CLIENT GET > SERVER GET /headers'])
})

test('a propagator may use header names in any case', () => {
  recorded()
  const key = createContextKey('the trace')
  propagation.disable()
  propagation.setGlobalPropagator({
    inject: () => {},
    extract: (around, adapter, getter) => around.setValue(key, getter.get(adapter, 'X-B3-TraceId')),
    fields: () => ['X-B3-TraceId'],
  })
  const seeing: HttpHandler = () => ({ status: 200, headers: [], body: String(context.active().getValue(key)) })
  expect(traced(seeing)(createRequest('/', { 'x-b3-traceid': 'seven' }))).toMatchObject({ body: 'seven' })
})
