/** The delay of replacements of workers. */
import { expect, test } from 'vitest'
import { createRestartBackoff } from '../../src/cluster/restartBackoff.ts'

const delays = (count: number, nextDelay: () => number | undefined): readonly (number | undefined)[] =>
  Array.from({ length: count }, nextDelay)

test('the first worker that dies is replaced at once, the next ones with growing delays, the fifth in a row never', () => {
  expect(delays(5, createRestartBackoff(2).nextDelay)).toEqual([0, 100, 200, 400, undefined])
})

test('the count begins again when a worker has settled', () => {
  const { nextDelay, reset } = createRestartBackoff(2)
  expect(delays(4, nextDelay)).toEqual([0, 100, 200, 400])
  reset()
  expect(delays(5, nextDelay)).toEqual([0, 100, 200, 400, undefined])
})

test('in a large cluster each worker may die twice, and no delay is longer than five seconds', () => {
  const largeCluster = delays(16, createRestartBackoff(8).nextDelay)
  expect(largeCluster.slice(0, 9)).toEqual([0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  expect(largeCluster.slice(-2)).toEqual([5_000, undefined])
})
