/** `metrics`: what prom-client and OpenTelemetry's SDK expose of requests over sockets. */
import { connect } from 'node:net'
import {
  AggregationTemporality,
  DataPointType,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics'
import { endpoint, int, mount, ok, prefix, reply, text } from 'lapidary'
import { compose, type MetricsOptions, metrics, timeout } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { AggregatorRegistry, Registry } from 'prom-client'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const api = prefix('/api', {
  user: endpoint('GET /users/:id', { params: { id: int }, response: ok(text) }),
  add: endpoint('POST /users', { body: text, response: ok(text) }),
  broken: endpoint('GET /broken', { response: ok(text) }),
  busy: endpoint('GET /busy', { response: ok(text), errors: [reply(503)] }),
  slow: endpoint('GET /slow', { response: ok(text) }),
  files: mount('/files'),
})

/** A server with these options, and what it is asked by. */
async function served(...all: readonly MetricsOptions[]) {
  const release: (() => void)[] = []
  const handlers = {
    user: () => 'Ann',
    add: () => 'added',
    broken: () => {
      throw new Error('planted')
    },
    busy: ({ fail }: { fail: (status: 503) => never }) => fail(503),
    slow: () => new Promise<string>((resolve) => release.push(() => resolve('done'))),
    files: () => ({ status: 200, headers: [], body: 'file', route: '/made/up/by/the/mount' }),
  }
  const middleware = [...all.map((options) => metrics(options)), timeout(60_000)]
  const { url, port, close } = await listen(serve(api, handlers, { middleware, onError: () => {} }))
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const send = async (target: string, init?: RequestInit): Promise<number> => {
    const response = await fetch(url + target, init)
    await response.arrayBuffer()
    return response.status
  }
  return { send, port, release }
}

/** The samples of a metric as lines without the constant scheme. */
async function listSamples(registry: { metrics(): Promise<string> }, name: string): Promise<readonly string[]> {
  const lines = (await registry.metrics()).split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line))
  return lines.map((line) => line.replace(',url_scheme="http"', '').slice(name.length)).sort()
}

/** Waits for what is recorded when a response has ended, which its client may know sooner. */
const soon = (check: () => Promise<void>): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 10 })

const counted = 'http_server_request_duration_seconds_count'
const active = 'http_server_active_requests'

test('a request is recorded by its method, the path of its endpoint and its status', async () => {
  const registry = new Registry()
  const { send } = await served({ registry })
  for (const id of [1, 2, 3]) await send(`/api/users/${id}`)
  await send('/api/users/ann')
  await send('/api/users/1', { method: 'HEAD' })
  await send('/api/users', { method: 'POST', body: 'Ann' })
  await send('/api/broken')
  await send('/api/busy')
  await send('/api/files/a/b')
  for (const path of ['/nowhere', '/admin.php', '/api']) await send(path)
  await send('/api/users/1', { method: 'PROPFIND' })
  await soon(async () =>
    expect(await listSamples(registry, counted)).toEqual([
      '{http_request_method="GET",http_response_status_code="404"} 3',
      '{http_request_method="GET",http_route="/api/broken",http_response_status_code="500",error_type="500"} 1',
      '{http_request_method="GET",http_route="/api/busy",http_response_status_code="503",error_type="503"} 1',
      '{http_request_method="GET",http_route="/api/files",http_response_status_code="200"} 1',
      '{http_request_method="GET",http_route="/api/users/:id",http_response_status_code="200"} 3',
      '{http_request_method="GET",http_route="/api/users/:id",http_response_status_code="400"} 1',
      '{http_request_method="HEAD",http_route="/api/users/:id",http_response_status_code="200"} 1',
      '{http_request_method="POST",http_route="/api/users",http_response_status_code="200"} 1',
      '{http_request_method="_OTHER",http_response_status_code="405"} 1',
    ]),
  )
})

test('requests in progress are counted until their responses have ended', async () => {
  const registry = new Registry()
  const { send, release } = await served({ registry })
  const both = [send('/api/slow'), send('/api/slow')]
  await soon(async () => expect(await listSamples(registry, active)).toEqual(['{http_request_method="GET"} 2']))
  // They stay in progress where the values are reset.
  registry.resetMetrics()
  for (const resolve of release) resolve()
  await Promise.all(both)
  await soon(async () => expect(await listSamples(registry, active)).toEqual(['{http_request_method="GET"} 0']))
  expect(await listSamples(registry, counted)).toEqual([
    '{http_request_method="GET",http_route="/api/slow",http_response_status_code="200"} 2',
  ])
  registry.resetMetrics()
  expect(await listSamples(registry, counted)).toEqual([
    '{http_request_method="GET",http_route="/api/slow",http_response_status_code="200"} 0',
  ])
})

test('a client that leaves is recorded as aborted', async () => {
  const registry = new Registry()
  const { port } = await served({ registry })
  const client = connect(port, '127.0.0.1', () => client.write('GET /api/slow HTTP/1.1\r\nHost: a\r\n\r\n'))
  await soon(async () => expect(await listSamples(registry, active)).toEqual(['{http_request_method="GET"} 1']))
  client.destroy()
  await soon(async () => expect(await listSamples(registry, counted)).toEqual(['{http_request_method="GET",error_type="aborted"} 1']))
  expect(await listSamples(registry, active)).toEqual(['{http_request_method="GET"} 0'])
})

test('durations are in seconds, in the buckets of the convention or in others', async () => {
  const registries = [new Registry(), new Registry()] as const
  const { send } = await served({ registry: registries[0] }, { registry: registries[1], buckets: [1e-9, 60] })
  await send('/api/users/1')
  const name = 'http_server_request_duration_seconds_bucket'
  await soon(async () => expect(await listSamples(registries[0], name)).toHaveLength(15))
  const bounds = (await listSamples(registries[0], name)).map((line) => Number(/le="([^"]+)"/.exec(line)?.[1]?.replace('+Inf', 'Infinity')))
  expect(bounds.sort((a, b) => a - b)).toEqual([0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, Infinity])
  const [, labels] = /^\{le="\+Inf",(.*)\} 1$/.exec((await listSamples(registries[1], name))[0] ?? '') ?? []
  expect(await listSamples(registries[1], name)).toEqual([`{le="+Inf",${labels}} 1`, `{le="1e-9",${labels}} 0`, `{le="60",${labels}} 1`])
})

test('sizes of bodies are recorded where that is wanted', async () => {
  const registries = [new Registry(), new Registry()] as const
  const { send } = await served({ registry: registries[0] }, { registry: registries[1], bodySizes: true })
  await send('/api/users', { method: 'POST', body: 'Ann' })
  await send('/api/users/1')
  const sumsOf = async (registry: Registry, direction: string): Promise<readonly string[]> =>
    (await listSamples(registry, `http_server_${direction}_body_size_bytes_sum`)).map((line) =>
      line.replace(/.*http_route="([^"]*)".*\} /, '$1 '),
    )
  await soon(async () => expect(await sumsOf(registries[1], 'response')).toEqual(['/api/users/:id 3', '/api/users 5']))
  // A request without a body has no size.
  expect((await sumsOf(registries[1], 'request')).filter((line) => !line.endsWith(' 0'))).toEqual(['/api/users 3'])
  expect(await listSamples(registries[1], 'http_server_request_body_size_bytes_count')).toContain(
    '{http_request_method="GET",http_route="/api/users/:id",http_response_status_code="200"} 0',
  )
  expect(await sumsOf(registries[0], 'response')).toEqual([])
})

test('several servers share a registry, and attributes tell them apart', async () => {
  const registry = new Registry()
  const [shop, admin, other] = await Promise.all(
    ['shop', 'admin', 'shop'].map((server) => served({ registry, attributes: { server, 'url.scheme': 'https' } })),
  )
  for (const one of [shop, admin, other]) await one?.send('/api/users/1')
  const labels = 'http_request_method="GET",http_route="/api/users/:id",http_response_status_code="200",url_scheme="https"'
  await soon(async () =>
    expect(await listSamples(registry, counted)).toEqual([`{${labels},server="admin"} 1`, `{${labels},server="shop"} 2`]),
  )
  expect(() => metrics({ registry, buckets: [1] })).toThrow(/^metrics\(\) has the buckets 1 for a registry whose durations have 0\.005,/)
})

test('the registries of several processes are summed', async () => {
  const registries = [new Registry(), new Registry()]
  for (const registry of registries) {
    const { send } = await served({ registry })
    await send('/api/users/1')
    await soon(async () => expect(await listSamples(registry, counted)).toHaveLength(1))
  }
  const snapshots = await Promise.all(registries.map((registry) => registry.getMetricsAsJSON()))
  const sum = AggregatorRegistry.aggregate(JSON.parse(JSON.stringify(snapshots)))
  expect(await listSamples(sum, counted)).toEqual([
    '{http_request_method="GET",http_route="/api/users/:id",http_response_status_code="200"} 2',
  ])
})

test('a meter of OpenTelemetry gets the same, by the names of the convention', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE)
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 })
  const provider = new MeterProvider({ readers: [reader] })
  onTestFinished(() => provider.shutdown())
  const registry = new Registry()
  const { send } = await served({ meter: provider.getMeter('test'), registry, bodySizes: true })
  await send('/api/users/1')
  await send('/api/busy')
  await soon(async () => expect(await listSamples(registry, counted)).toHaveLength(2))
  await reader.forceFlush()
  const recorded = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
  const about = recorded.map(({ descriptor: { name, unit }, dataPointType }) => `${name} ${unit} ${DataPointType[dataPointType]}`)
  expect(about.sort()).toEqual([
    'http.server.active_requests {request} SUM',
    'http.server.request.duration s HISTOGRAM',
    'http.server.response.body.size By HISTOGRAM',
  ])
  const durations = recorded.find(({ descriptor }) => descriptor.name === 'http.server.request.duration')?.dataPoints ?? []
  expect(durations.map(({ attributes }) => attributes)).toEqual([
    { 'http.request.method': 'GET', 'http.route': '/api/users/:id', 'http.response.status_code': 200, 'url.scheme': 'http' },
    {
      'http.request.method': 'GET',
      'http.route': '/api/busy',
      'http.response.status_code': 503,
      'error.type': '503',
      'url.scheme': 'http',
    },
  ])
  expect(durations[0]?.value).toMatchObject({
    count: 1,
    buckets: { boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] },
  })
  const [inProgress] = recorded.find(({ descriptor }) => descriptor.name === 'http.server.active_requests')?.dataPoints ?? []
  expect(inProgress).toMatchObject({ value: 0, attributes: { 'http.request.method': 'GET', 'url.scheme': 'http' } })
})

test('a handler without an API has one route', async () => {
  const registry = new Registry()
  const handler = compose([metrics({ registry })], () => ({ status: 200, headers: [], body: 'a', route: '/' }))
  const { url, close } = await listen(handler)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  for (const path of ['/a', '/b']) await (await fetch(url + path)).text()
  await soon(async () =>
    expect(await listSamples(registry, counted)).toEqual(['{http_request_method="GET",http_route="/",http_response_status_code="200"} 2']),
  )
})

describe('options that cannot be used are refused with what to write', () => {
  test.each<[unknown, RegExp]>([
    [{}, /^metrics\(\) has neither a registry nor a meter, expected where to record\. Write /],
    [{ registry: {} }, /^metrics\(\) has a registry without the function registerMetric/],
    [{ registry: null }, /^metrics\(\) has a registry without the function registerMetric/],
    [{ meter: { createHistogram: () => {} } }, /^metrics\(\) has a meter without the functions createHistogram and createUpDownCounter/],
    [{ registry: new Registry(), buckets: [] }, /^metrics\(\): buckets has to be a list of numbers above 0 that ascend/],
    [{ registry: new Registry(), buckets: [1, 1] }, /^metrics\(\): buckets has to be/],
    [{ registry: new Registry(), buckets: [0, 1] }, /^metrics\(\): buckets has to be/],
    [{ registry: new Registry(), buckets: [1, Number.POSITIVE_INFINITY] }, /^metrics\(\): buckets has to be/],
    [{ registry: new Registry(), buckets: ['1', '10'] }, /^metrics\(\): buckets has to be/],
    [{ registry: new Registry(), bucket: [1] }, /bucket/],
  ])('%j', (options, message) => {
    expect(() => metrics(options as MetricsOptions)).toThrow(message)
  })
})
