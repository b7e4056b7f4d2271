/** The metrics of several processes, some of which have ended. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { createClusterMetrics, createMetrics } from '../../src/observability/metrics.ts'

/** One process that has answered once and is about to answer again. */
async function snapshotOfProcess() {
  const one = createMetrics()
  const hello = endpoint('GET /hello', { response: ok(text) })
  let isFirst = true
  const handleHello = () => {
    if (!isFirst) return new Promise<string>(() => {})
    isFirst = false
    return 'Hello'
  }
  const { fetch } = serve({ hello }, { hello: handleHello }, { middleware: [one.requests('main')] })
  await fetch(new Request('http://a/hello'))
  void fetch(new Request('http://a/hello'))
  return one.snapshot()
}

const sampleOf = (exposition: string, line: string): string | undefined =>
  exposition
    .split('\n')
    .find((one) => one.startsWith(`${line} `))
    ?.slice(line.length + 1)

const labels = 'http_request_method="GET",http_route="/hello",http_response_status_code="200",url_scheme="http",deployment="main"'
const counted = `http_server_request_duration_seconds_count{${labels}}`
const within = `http_server_request_duration_seconds_bucket{le="10",${labels}}`
const sent = `http_server_response_body_size_bytes_sum{${labels}}`
const active = 'http_server_active_requests{http_request_method="GET",url_scheme="http",deployment="main"}'

test('counters, histograms and gauges are summed', async () => {
  const exposition = await createClusterMetrics().text([await snapshotOfProcess(), await snapshotOfProcess()])
  expect([counted, within, sent, active].map((line) => sampleOf(exposition, line))).toEqual(['2', '2', '10', '2'])
})

test('the counters and histograms of ended processes remain, their gauges do not', async () => {
  const metrics = createClusterMetrics()
  for (const ended of [await snapshotOfProcess(), undefined, await snapshotOfProcess()]) metrics.keep(ended)
  const left = await metrics.text([])
  expect(new Set(left.match(/^# TYPE \S+ .*/gm)?.map((line) => line.split(' ')[3]))).toEqual(new Set(['counter', 'histogram']))
  const exposition = await metrics.text([await snapshotOfProcess()])
  expect([counted, within, sent, active].map((line) => sampleOf(exposition, line))).toEqual(['3', '3', '15', '1'])
})
