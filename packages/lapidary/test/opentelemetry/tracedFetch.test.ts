/** Requests of `tracedFetch` carry the active trace, and have a span with the result. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { ConnectionError, client } from 'lapidary/client'
import { compose } from 'lapidary/middleware'
import { tracedFetch, tracing } from 'lapidary/opentelemetry'
import { toFetch } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { recorded } from '../support/opentelemetry/recordSpans.ts'
import { api, handler, listening } from '../support/opentelemetry/server.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
const server = toFetch(handler)

test.each<readonly [path: string, status: number, how: string, error: string | undefined]>([
  ['/kernel', 200, 'UNSET', undefined],
  ['/nowhere', 404, 'ERROR', '404'],
  ['/broken', 500, 'ERROR', '500'],
])('the span of a request to %s has the status %i', async (path, status, how, error) => {
  const { first } = recorded()
  const { url, port } = await listening(handler)
  const { host } = new URL(url)
  await (await tracedFetch()(new Request(`http://${host}${path}?token=aSecret`))).arrayBuffer()
  const span = await first(SpanKind.CLIENT)
  expect([span.name, SpanStatusCode[span.status.code]]).toEqual(['GET', how])
  expect(span.attributes).toEqual({
    'http.request.method': 'GET',
    'url.full': `${url}${path}`,
    'server.address': '127.0.0.1',
    'server.port': port,
    'http.response.status_code': status,
    ...(error === undefined ? {} : { 'error.type': error }),
  })
})

test.each([
  [304, 'UNSET', undefined],
  [399, 'UNSET', undefined],
  [400, 'ERROR', '400'],
])('the span of a response with the status %i is %s', async (status, how, error) => {
  const { first } = recorded()
  await tracedFetch(async () => new Response(null, { status }))(new Request('http://a/'))
  const span = await first(SpanKind.CLIENT)
  expect([SpanStatusCode[span.status.code], span.attributes['error.type']]).toEqual([how, error])
})

test.each([
  ['https://example.org/a?b=c#d', 'https://example.org/a', 'example.org', 443],
  ['http://example.org', 'http://example.org/', 'example.org', 80],
  ['http://[::1]:3000/', 'http://[::1]:3000/', '::1', 3000],
])('the span of a request to %s has the URL %s', async (url, full, address, port) => {
  const { first } = recorded()
  await tracedFetch(async () => new Response())(new Request(url))
  const { attributes } = await first(SpanKind.CLIENT)
  expect([attributes['url.full'], attributes['server.address'], attributes['server.port']]).toEqual([full, address, port])
})

test('the span of a request without a response has the error, which the caller gets unchanged', async () => {
  const { first } = recorded()
  // A port that was free can belong to another process when it is called.
  const silent = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const call = client(api, `http://127.0.0.1:${port}`, { fetch: tracedFetch() })
  await expect(call.taken()).rejects.toThrow(ConnectionError)
  const span = await first(SpanKind.CLIENT)
  expect([span.status.code, span.attributes['error.type'], span.events[0]?.name]).toEqual([SpanStatusCode.ERROR, 'TypeError', 'exception'])
})

test('the span of an aborted request has the name of the error', async () => {
  const { first } = recorded()
  const { url } = await listening(handler)
  await expect(client(api, url, { fetch: tracedFetch() }).patient({}, { timeout: 20 })).rejects.toThrow()
  expect((await first(SpanKind.CLIENT)).attributes['error.type']).toBe('TimeoutError')
})

test('a thrown value that is not an Error is recorded as a text', async () => {
  const { first } = recorded()
  const fetch = tracedFetch(() => Promise.reject('out of luck'))
  await expect(fetch(new Request('http://a/'))).rejects.toBe('out of luck')
  expect((await first(SpanKind.CLIENT)).status).toEqual({ code: SpanStatusCode.ERROR, message: 'out of luck' })
})

test('a body arrives unchanged, and the request of the caller keeps its headers', async () => {
  recorded()
  const { url } = await listening(handler)
  const call = client(api, url, { fetch: tracedFetch() })
  expect(await call.echo({ body: 'Grüße' })).toBe('Grüße')
  const request = new Request(`${url}/headers`, { headers: { accept: '*/*' } })
  expect(await (await tracedFetch()(request)).json()).toHaveProperty('traceparent')
  expect([...request.headers]).toEqual([['accept', '*/*']])
})

test('a trace continues with its state and its baggage', async () => {
  recorded()
  const call = client(api, 'http://a', { fetch: tracedFetch(server) })
  const given = { traceparent, tracestate: 'vendor=1', baggage: 'user=ann' }
  const seen = await context.with(propagation.extract(context.active(), given), () => call.headers())
  expect(seen).toMatchObject({
    traceparent: expect.stringContaining(traceparent.slice(0, 36)),
    tracestate: 'vendor=1',
    baggage: 'user=ann',
  })
  expect(seen['traceparent']).not.toBe(traceparent)
})

test('without a registered SDK the same request object is sent', async () => {
  const sent: Request[] = []
  const fetch = tracedFetch(async (request) => {
    sent.push(request)
    return new Response()
  })
  const request = new Request('http://a/', { headers: { traceparent: 'as it is' } })
  await fetch(request)
  expect(sent[0]).toBe(request)
})

test('with a propagator and no tracer, a trace is passed on unchanged', async () => {
  recorded()
  trace.disable()
  const { url } = await listening(handler)
  const upstream = client(api, url, { fetch: tracedFetch() })
  const pieces = compose([tracing()], async () => ({
    status: 200,
    headers: [],
    body: (async function* () {
      yield JSON.stringify(await upstream.headers())
    })(),
  }))
  const response = await toFetch(pieces)(new Request('http://a/', { headers: { traceparent } }))
  expect(await response.json()).toMatchObject({ traceparent })
})
