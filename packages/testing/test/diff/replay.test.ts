/** The verdicts are right: calls of one description to a server of the other fail, or do not, as each row says. */

import type { Compatibility } from '@lapidary/testing'
import type { Api } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { replayed, responder } from './responder.ts'
import { rows } from './rows/index.ts'

const seed = Number(process.env['SEED'] ?? 5)
/** A bound is met by few values: there have to be some. */
const calls = 80

const failuresOf = (caller: Api, server: Api): Promise<readonly unknown[]> => replayed(caller, responder(server, seed), seed, calls)

async function expectVerdict(verdict: Compatibility, unseen: string | undefined, caller: Api, server: Api): Promise<void> {
  const failures = await failuresOf(caller, server)
  if (verdict === 'safe' || unseen !== undefined) expect(failures.map(String)).toEqual([])
  else if (verdict === 'breaking') expect(failures.length).toBeGreaterThan(0)
}

test.each(rows)('both APIs of "$sentence" work by themselves', async ({ old, now }) => {
  for (const api of [old, now]) expect((await failuresOf(api, api)).map(String)).toEqual([])
})

describe.each(rows)('$sentence', ({ old, now, clients, servers, unseen }) => {
  test(`${clients} for old clients with new servers (SEED)`, () => expectVerdict(clients, unseen?.clients, old, now))
  test(`${servers} for new clients with old servers (SEED)`, () => expectVerdict(servers, unseen?.servers, now, old))
})

test('few rows are not replayed', () => {
  const unseen = rows.flatMap(({ sentence, unseen: why }) => Object.values(why ?? {}).map((reason) => [sentence, reason]))
  for (const [sentence, reason] of unseen) expect(reason, sentence).toMatch(/\w.*\.$/)
  expect(unseen.length).toBeLessThanOrEqual(7)
})
