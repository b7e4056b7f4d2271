/** The verdicts are right: calls of one description to a server of the other fail, or do not, as each row says. */

import type { Api } from 'lapidary'
import { expect, test } from 'vitest'
import { replayed, responder } from '../support/diff/responder.ts'
import { rows } from '../support/diff/rows/index.ts'

const seed = Number(process.env['SEED'] ?? 5)
/** A bound is met by few values: there have to be some. */
const calls = 80
/** Where nothing may fail, each of them is made: that is most of the time. `SAMPLES=whole` makes all of them. */
const harmlessCalls = process.env['SAMPLES'] === 'whole' ? calls : 10

const failuresOf = (caller: Api, server: Api, count: number): AsyncGenerator<unknown, void> =>
  replayed(caller, responder(server, seed), seed, count)

async function expectNoFailure(caller: Api, server: Api): Promise<void> {
  const failures: string[] = []
  for await (const failure of failuresOf(caller, server, harmlessCalls)) failures.push(String(failure))
  expect(failures).toEqual([])
}

/** Each row in both directions. What is unknown may fail or not: there is nothing to expect of it. */
const directions = rows
  .flatMap(({ sentence, old, now, clients, servers, unseen }) => [
    { sentence: `${sentence}: old clients, new servers`, verdict: clients, reason: unseen?.clients, caller: old, server: now },
    { sentence: `${sentence}: new clients, old servers`, verdict: servers, reason: unseen?.servers, caller: now, server: old },
  ])
  .filter(({ verdict, reason }) => verdict !== 'unknown' || reason !== undefined)
const isHarmless = ({ verdict, reason }: (typeof directions)[number]): boolean => verdict === 'safe' || reason !== undefined
const withName = <T extends { readonly sentence: string }>(all: readonly T[]) => all.map((one) => [one.sentence, one] as const)

test.each(withName(directions.filter(isHarmless)))('%s: nothing fails (SEED)', (_, { caller, server }) => expectNoFailure(caller, server))

// The failure is one of the change: each of the two APIs works by itself.
test.each(withName(directions.filter((one) => !isHarmless(one))))('%s: a call fails (SEED)', async (_, { caller, server }) => {
  expect(await failuresOf(caller, server, calls).next()).toMatchObject({ done: false })
})

const changed = new Set(directions.filter((one) => !isHarmless(one)).flatMap(({ caller, server }) => [caller, server]))
test.each(withName(rows.filter(({ old, now }) => changed.has(old) || changed.has(now))))(
  '%s: both APIs work by themselves',
  async (_, { old, now }) => {
    for (const api of [old, now]) await expectNoFailure(api, api)
  },
)

test('most rows are replayed in both directions', () => {
  expect(directions.length).toBeGreaterThan(1.5 * rows.length)
})

test('few rows are not replayed', () => {
  const unseen = rows.flatMap(({ sentence, unseen: why }) => Object.values(why ?? {}).map((reason) => [sentence, reason]))
  for (const [sentence, reason] of unseen) expect(reason, sentence).toMatch(/\w.*\.$/)
  expect(unseen.length).toBeLessThanOrEqual(7)
})
