/** Changes of an account, and further attempts, during the check of a password. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createVerifier } from '../../src/accounts/credentials.ts'
import { hashPassword } from '../../src/accounts/password.ts'
import { folder, opened } from '../store/scratch.ts'

const here = '192.0.2.1'
const ann = { username: 'ann', password: 'old' }

test('an account whose password changes during the check of the old one gives no access, then and later', async () => {
  const { accounts } = await opened(join(folder(), 'service.db'))
  const changed = await hashPassword('new')
  await accounts.put('ann', await hashPassword(ann.password))
  const verify = createVerifier(accounts)
  const verification = verify(ann, here)
  // It is a promise as long as the password is being checked.
  expect(verification).toBeInstanceOf(Promise)
  await accounts.put('ann', changed)
  expect(await verification).toBeUndefined()
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
