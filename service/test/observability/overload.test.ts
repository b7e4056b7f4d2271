/** How the log tells of requests that were refused since too much was asked: once a second, with their number. */
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { logOverload } from '../../src/observability/requests.ts'

test('each second has a line of its own with the number of that second, and a quiet one has none', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: unknown[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  const told: string[] = []
  const observer = {
    overloaded: (deployment: string) => void told.push(deployment),
    loginFailed: () => {},
    store: { failed: () => {}, pooled: () => {} },
  }
  const refused = logOverload(log, 'main', observer)
  const line = (count: number) => ({ level: 40, deployment: 'main', refused: count, msg: 'more is asked than can be answered in time' })
  refused()
  refused()
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([line(2)])
  vi.advanceTimersByTime(10_000)
  refused()
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([line(2), line(1)])
  expect(told).toEqual(['main', 'main', 'main'])
})
