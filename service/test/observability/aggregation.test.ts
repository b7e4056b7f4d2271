/** The metrics of several processes, some of which have ended. */
import { expect, test } from 'vitest'
import { createClusterMetrics, createMetrics } from '../../src/observability/metrics.ts'

/** One process that has answered once and is about to answer again. */
function snapshotOfProcess() {
  const one = createMetrics()
  const request = { route: 'GET /hello', method: 'GET', target: '/hello', id: 'a', remoteAddress: '', meta: undefined } as const
  one.onRequestStart('main')
  one.onRequestEnd('main', { ...request, status: 200, bytes: 5, outcome: 'completed', milliseconds: 2 })
  one.onRequestStart('main')
  return one.snapshot()
}

const sampleOf = (text: string, line: string): string | undefined =>
  text
    .split('\n')
    .find((one) => one.startsWith(`${line} `))
    ?.slice(line.length + 1)

const counted = 'http_server_requests_total{deployment="main",route="GET /hello",method="GET",status="200"}'
const timed = 'http_server_request_duration_seconds_count{deployment="main",route="GET /hello"}'
const within = 'http_server_request_duration_seconds_bucket{le="0.0025",deployment="main",route="GET /hello"}'
const active = 'http_server_active_requests{deployment="main"}'

test('counters, histograms and gauges are summed', async () => {
  const text = await createClusterMetrics().text([await snapshotOfProcess(), await snapshotOfProcess()])
  expect([counted, timed, within, active].map((line) => sampleOf(text, line))).toEqual(['2', '2', '2', '2'])
})

test('the counters and histograms of ended processes remain, their gauges do not', async () => {
  const metrics = createClusterMetrics()
  for (const ended of [await snapshotOfProcess(), undefined, await snapshotOfProcess()]) metrics.keep(ended)
  const left = await metrics.text([])
  expect(new Set(left.match(/^# TYPE \S+ .*/gm)?.map((line) => line.split(' ')[3]))).toEqual(new Set(['counter', 'histogram']))
  const text = await metrics.text([await snapshotOfProcess()])
  expect([counted, timed, within, active].map((line) => sampleOf(text, line))).toEqual(['3', '3', '3', '1'])
})
