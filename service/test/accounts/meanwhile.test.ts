/** Changes during the check of a password, and eviction in the attempt limiter. */
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createAttemptLimiter, type Outcome, TooManyAttempts } from '../../src/accounts/attemptLimiter.ts'
import { createVerifier } from '../../src/accounts/credentials.ts'
import { hashPassword } from '../../src/accounts/password.ts'

import { folder, opened } from '../store/scratch.ts'
import { clock } from './clock.ts'

// Hashes take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const here = '192.0.2.1'
const ann = { username: 'ann', password: 'old' }

test('an account whose password changes during the check of the old one gives no access, then and later', async () => {
  const { accounts } = await opened(join(folder(), 'service.db'))
  const changed = await hashPassword('new')
  await accounts.put('ann', await hashPassword(ann.password))
  const verify = createVerifier(accounts)
  const answer = verify(ann, here)
  // It is a promise as long as the password is being checked.
  expect(answer).toBeInstanceOf(Promise)
  await accounts.put('ann', changed)
  expect(await answer).toBeUndefined()
  expect(await verify(ann, here)).toBeUndefined()
  expect(await verify({ ...ann, password: 'new' }, here)).toEqual({ name: 'ann' })
})

test('a parallel attempt with another password or account has its own check', async () => {
  const { accounts } = await opened(join(folder(), 'service.db'))
  const [before, after] = [await hashPassword('old'), await hashPassword('new')]
  await accounts.put('ann', before)
  const verify = createVerifier(accounts)
  const first = verify(ann, here)
  await accounts.put('ann', after)
  // The account is looked up once a turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve))
  const [second, third] = [verify({ ...ann, password: 'new' }, here), verify(ann, here)]
  expect(await Promise.all([first, second, third])).toEqual([undefined, { name: 'ann' }, undefined])
})

test('a wrong password parallel to the check of the right one gives no access', async () => {
  const { accounts } = await opened(join(folder(), 'service.db'))
  await accounts.put('ann', await hashPassword('right'))
  const verify = createVerifier(accounts)
  const attempts = ['right', 'wrong', 'right'].map((password) => verify({ username: 'ann', password }, here))
  expect(await Promise.all(attempts)).toEqual([{ name: 'ann' }, undefined, { name: 'ann' }])
})

/** A limiter of two failures that remembers two keys; and what it says of an attempt that ends so. */
function limiter() {
  const time = clock()
  const { begin } = createAttemptLimiter({ failures: 2, window: 60_000, keys: 2, now: time.now })
  const tries = async (key: string, outcome: Outcome, count = 1): Promise<void> => {
    for (let index = 0; index < count; index += 1) (await begin(key))(outcome)
  }
  return { begin, tries, time }
}

test('beyond its capacity the limiter forgets the oldest key and no other', async () => {
  const { begin, tries } = limiter()
  for (const key of ['first', 'second', 'third']) await tries(key, 'wrong', 2)
  for (const key of ['third', 'second']) await expect(begin(key)).rejects.toThrow(TooManyAttempts)
  // It may fail twice again, and then the second is the oldest.
  await tries('first', 'wrong', 2)
  await expect(begin('first')).rejects.toThrow(TooManyAttempts)
  await expect(begin('third')).rejects.toThrow(TooManyAttempts)
  await tries('second', 'unknown')
})

test('a key with pending attempts is never forgotten: as many as may fail are checked, the next one waits', async () => {
  const { begin, tries } = limiter()
  const ends = [await begin('first'), await begin('first')]
  for (const key of ['second', 'third', 'fourth']) await tries(key, 'wrong', 2)
  const next = begin('first')
  const isLetIn = await Promise.race([next.then(() => true), new Promise((resolve) => setTimeout(resolve, 20, false))])
  for (const end of ends) end('wrong')
  expect(isLetIn).toBe(false)
  await expect(next).rejects.toThrow(TooManyAttempts)
})

test('a success, or an attempt without a check, evicts no key with failures', async () => {
  const { begin, tries } = limiter()
  await tries('first', 'wrong', 2)
  for (const [index, outcome] of (['right', 'unknown', 'right', 'unknown'] as const).entries()) await tries(`other ${index}`, outcome)
  await expect(begin('first')).rejects.toThrow(TooManyAttempts)
})
