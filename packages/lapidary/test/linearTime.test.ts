/** What strangers may send is read in linear time: each reader with the worst inputs that we could think of, which `npm run bench -- readers` measures. */
import { expect, test, vi } from 'vitest'
import { cases } from '../../../bench/readers/cases.mjs'

vi.setConfig({ testTimeout: 60_000 })

const length = 65_536
const factor = 4

/** Milliseconds of CPU time: the best of several, each as many readings as take some time. */
async function timed(read: (input: unknown) => unknown, input: unknown): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < 4; turn += 1) {
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

test('there are cases of every reader', () => {
  const readers = new Set(cases.map(([reader]) => reader))
  expect(readers.size).toBeGreaterThan(20)
  expect(cases.length).toBeGreaterThan(100)
})

test.each(cases)('%s: %s', async (_reader, _what, input, read) => {
  const short = input(length)
  const long = input(factor * length)
  // What is linear takes four times as long, what is quadratic sixteen times. Some milliseconds harm nothing: those of a collection of garbage are
  // more than many readers take. What was disturbed is measured again.
  const isLinear = async (): Promise<boolean> => (await timed(read, long)) <= 2 * factor * (await timed(read, short)) + 10
  expect((await isLinear()) || (await isLinear()) || (await isLinear())).toBe(true)
})
