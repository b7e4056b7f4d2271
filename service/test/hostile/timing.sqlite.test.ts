/** An unknown user and a wrong password take the same time: 2,000 interleaved samples, in `npm run fuzz` only. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '../../src/accounts/password.ts'
import { normalizeText } from '../../src/accounts/rules.ts'
import { openStore } from '../../src/store/store.ts'

import { type Child, child } from './child.ts'
import { fuzzRun } from './fuzzRun.ts'
import { dice } from './mutants.ts'
import { chanceOf } from './ranks.ts'
import { get } from './row.ts'
import { open } from './wire.ts'

const samples = 2_000
const random = dice(Number(process.env['SEED'] ?? 1))

test('equal samples are judged equal, and others different', () => {
  const normal = (): number => Array.from({ length: 12 }, random).reduce((sum, one) => sum + one) - 6
  const some = (by: number): readonly number[] => Array.from({ length: 1_000 }, () => normal() + by)
  const [first, second] = [some(0), some(0)]
  expect(chanceOf(first, first.toReversed())).toBeGreaterThan(0.9)
  expect(chanceOf(first, second)).toBeGreaterThan(0.001)
  expect(chanceOf(first, some(0.3))).toBeLessThan(0.001)
})

describe.skipIf(process.env['HOSTILE'] !== 'whole')('login times', () => {
  let it: Child
  beforeAll(async () => {
    it = await child()
    // Ten failures of one name would be too many: each is tried once. One hash for all of them, since it is its check that takes time.
    const hashed = await hashPassword('right')
    const store = await openStore(`sqlite:${join(it.folder, 'service.db')}`)
    for (let index = 0; index < samples; index += 1)
      await store.accounts.put(normalizeText(`known-${String(index).padStart(4, '0')}`), hashed)
    await store.close()
  })
  afterAll(() => it.close())

  /** How long one attempt takes, from an address of its own, in milliseconds. */
  async function taken(name: string, index: number): Promise<number> {
    const wire = open(it.port, `127.1.${Math.floor(index / 250)}.${1 + (index % 250)}`)
    await wire.write('')
    const credentials = Buffer.from(`${name}-${String(index).padStart(4, '0')}:wrong`).toString('base64')
    const begun = performance.now()
    await wire.write(get('/users/list-all', `Authorization: Basic ${credentials}`, 'Connection: close'))
    await wire.when(() => wire.received().length > 0)
    const time = performance.now() - begun
    await wire.when(wire.isClosed)
    expect(wire.received()).toMatch(/^HTTP\/1\.1 401 /)
    return time
  }

  test(`an unknown user and a wrong password do not differ in ${samples} interleaved samples`, async () => {
    const times = { known: [] as number[], other: [] as number[] }
    const names = Array.from({ length: samples }, (_, index) => ({ index, name: random() < 0.5 ? ('known' as const) : ('other' as const) }))
    await fuzzRun(
      names,
      async ({ name, index }) => {
        times[name].push(await taken(name, index))
        return []
      },
      4,
    )
    // One chance in a thousand is the level of the test; a real difference is far beyond any such chance.
    expect(chanceOf(times.known, times.other)).toBeGreaterThan(0.001)
  }, 300_000)
})
