/** The log lines about requests that were rejected because of overload: one a second, with their number. */
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createMetrics } from '../../src/observability/metrics.ts'
import { observeOverload } from '../../src/observability/requests.ts'

test('a second with rejected requests has one line with their number, other seconds have none; each request is counted', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: unknown[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  const metrics = createMetrics()
  const onOverload = observeOverload('main', { log, metrics })
  const line = (count: number) => ({ level: 40, deployment: 'main', rejected: count, msg: 'overloaded: requests are rejected' })
  onOverload()
  onOverload()
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([line(2)])
  vi.advanceTimersByTime(10_000)
  onOverload()
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([line(2), line(1)])
  expect(await metrics.text()).toContain('service_rejected_requests_total{deployment="main"} 3')
})
