/** How soon workers that die are replaced. */
import { expect, test } from 'vitest'
import { restartBackoff } from '../../src/cluster/restartBackoff.ts'

const times = (count: number, died: () => number | undefined): readonly (number | undefined)[] => Array.from({ length: count }, died)

test('the first is replaced at once, the next ones later and later, the fifth in a row not at all', () => {
  expect(times(5, restartBackoff(2).died)).toEqual([0, 100, 200, 400, undefined])
})

test('when a worker settles, the count begins anew', () => {
  const { died, settled } = restartBackoff(2)
  expect(times(4, died)).toEqual([0, 100, 200, 400])
  settled()
  expect(times(5, died)).toEqual([0, 100, 200, 400, undefined])
})

test('in a large cluster each worker may die twice, and no restart waits for more than five seconds', () => {
  const waits = times(16, restartBackoff(8).died)
  expect(waits.slice(0, 9)).toEqual([0, 100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000])
  expect(waits.slice(-2)).toEqual([5_000, undefined])
})
