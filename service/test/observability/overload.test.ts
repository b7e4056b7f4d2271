/** The log lines about requests that were rejected because of overload: one a second, with their number. */
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { logOverload } from '../../src/observability/requests.ts'

test('a second with rejected requests has one line with their number, other seconds have none', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const lines: unknown[] = []
  const log = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line)) })
  const deployments: string[] = []
  const observer = {
    onOverload: (deployment: string) => void deployments.push(deployment),
    onLoginFailure: () => {},
    store: { onError: () => {}, onPool: () => {} },
  }
  const onOverload = logOverload(log, 'main', observer)
  const line = (count: number) => ({ level: 40, deployment: 'main', refused: count, msg: 'more is asked than can be answered in time' })
  onOverload()
  onOverload()
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([line(2)])
  vi.advanceTimersByTime(10_000)
  onOverload()
  vi.advanceTimersByTime(1_000)
  expect(lines).toEqual([line(2), line(1)])
  expect(deployments).toEqual(['main', 'main', 'main'])
})
