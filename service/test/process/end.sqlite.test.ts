/** SIGTERM under load, round after round: `ROUNDS=10`, as `npm run soak` has it. Single rounds are in shutdown.test.ts and cluster/end.sqlite.test.ts. */
import { expect, test } from 'vitest'
import { type End, end } from './end.ts'
import { printFigure } from './figures.ts'

const rounds = Number(process.env['ROUNDS'] ?? 0)
const grace = 10_000

const sum = (ends: readonly End[], what: (one: End) => number): number => ends.reduce((total, one) => total + what(one), 0)
const longest = (ends: readonly End[], what: (one: End) => number): string => `${(Math.max(...ends.map(what)) / 1_000).toFixed(2)} s`

test.runIf(rounds > 0).each([1, 4])(
  'WORKERS=%i: complete requests are answered, downloads complete, exit code 0 within the grace; a second signal ends it at once',
  async (workers) => {
    const ends: End[] = []
    for (let round = 0; round < rounds; round += 1) ends.push(await end(workers))
    const lost = ends.flatMap((one) => one.lost)
    printFigure(
      `SIGTERM, WORKERS=${workers}, ${rounds} rounds: ${lost.length} requests lost of ${sum(ends, ({ completed }) => completed)} ` +
        `(${sum(ends, ({ late }) => late)} sent behind the signal), ${sum(ends, ({ whole }) => whole)} of ${sum(ends, ({ streams }) => streams)} downloads whole, ` +
        `ended in ${longest(ends, ({ took }) => took)} at most, forced in ${longest(ends, ({ forced }) => forced)} at most`,
    )
    expect(lost).toEqual([])
    expect(ends.map(({ whole }) => whole)).toEqual(ends.map(({ streams }) => streams))
    expect(ends.map(({ status }) => status)).toEqual(ends.map(() => 0))
    expect(Math.max(...ends.map(({ took }) => took))).toBeLessThan(grace)
    expect(Math.max(...ends.map(({ forced }) => forced))).toBeLessThan(2_000)
  },
  rounds * 30_000,
)
