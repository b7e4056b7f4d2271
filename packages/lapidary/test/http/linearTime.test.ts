/** Input of any client is parsed in linear time: each parser with its worst known inputs, which `npm run bench -- readers` measures. */
import { expect, test } from 'vitest'
import { cases } from '../../../../bench/readers/cases.mjs'

const length = 65_536
const factor = 4
const allowed = 10

/** Measures a call in milliseconds of CPU time: the best of several runs, each of as many calls as take a measurable time. One that is soon enough ends them. */
async function timed(read: (input: unknown) => unknown, input: unknown, soon = 0): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 4 && best > soon; turn += 1) {
    const before = process.cpuUsage()
    let times = 0
    let spent = 0
    while (spent < 4_000 && times < 200) {
      await read(input)
      times += 1
      const { user, system } = process.cpuUsage(before)
      spent = user + system
    }
    best = Math.min(best, spent / 1_000 / times)
  }
  return best
}

test('every parser has cases', () => {
  const readers = new Set(cases.map(([reader]) => reader))
  expect(readers.size).toBeGreaterThan(20)
  expect(cases.length).toBeGreaterThan(100)
})

test.each(cases)('%s: %s', async (_reader, _what, input, read) => {
  const short = input(length)
  const long = input(factor * length)
  // A linear reader takes four times as long, a quadratic one sixteen times. Ten milliseconds are allowed, because a garbage collection takes longer
  // than many readers: what takes less is not measured again. A disturbed measurement is repeated.
  const isLinear = async (): Promise<boolean> => {
    const taken = await timed(read, long, allowed)
    return taken <= allowed || taken <= 2 * factor * (await timed(read, short)) + allowed
  }
  expect((await isLinear()) || (await isLinear()) || (await isLinear())).toBe(true)
})
