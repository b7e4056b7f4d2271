/** The verification of credentials, the limit of attempts, and the cache. */

import { join } from 'node:path'
import type { HttpError } from 'lapidary'
import { describe, expect, test } from 'vitest'
import {
  type Credentials,
  clientNetwork,
  createCredentialCache,
  createVerifier,
  type VerifierOptions,
  type VerifyCredentials,
} from '../../src/accounts/credentials.ts'
import { hashPassword } from '../../src/accounts/password.ts'
import type { Accounts, Awaitable } from '../../src/store/store.ts'

import { failure, folder, opened } from '../store/scratch.ts'
import { type Clock, clock } from './clock.ts'

const here = '192.0.2.1'
const ann = { username: 'ann', password: 'correct horse' }
const wrong = { username: 'ann', password: 'wrong' }

interface Door {
  readonly accounts: Accounts
  readonly verify: VerifyCredentials
  readonly time: Clock
}

/** A database with the account of Ann, and a verifier. */
async function door(options: VerifierOptions = {}): Promise<Door> {
  const { accounts } = await opened(join(folder(), 'service.db'))
  await accounts.put('ann', await hashPassword(ann.password))
  const time = clock()
  return { accounts, verify: createVerifier(accounts, { now: time.now, ...options }), time }
}

const refused = async (attempt: () => Awaitable<unknown>): Promise<number> => {
  const error = await failure(attempt)
  expect(error).toMatchObject({ status: 429 })
  return Number((error as HttpError).headers['Retry-After'])
}

/** Whether right credentials are checked, which takes a promise, rather than remembered. */
async function checkedAgain(verify: VerifyCredentials, credentials: Credentials = ann): Promise<boolean> {
  const verification = verify(credentials, here)
  expect(await verification).toEqual({ name: credentials.username })
  return verification instanceof Promise
}

const times = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

test('valid credentials give the account; invalid ones, and unknown or invalid names, give undefined', async () => {
  const { verify } = await door({ failures: 100 })
  expect(await verify(ann, here)).toEqual({ name: 'ann' })
  expect(await verify(wrong, here)).toBeUndefined()
  for (const username of ['', 'Ann', 'ann ', 'bob', 'a:nn', 'ann\0', "ann' OR 1=1", 'x'.repeat(5000)]) {
    expect(await verify({ ...ann, username }, here)).toBeUndefined()
  }
  for (const password of ['', 'Correct horse', 'correct horse\0', 'correct horse ']) {
    expect(await verify({ ...ann, password }, here)).toBeUndefined()
  }
})

test('composed and decomposed spellings of a name are equal', async () => {
  const { accounts, verify } = await door()
  await accounts.put('ren\u00e9', await hashPassword('x'))
  expect(await verify({ username: 'rene\u0301', password: 'x' }, here)).toEqual({ name: 'ren\u00e9' })
})

describe('cached credentials', () => {
  test('are accepted at once, without a promise, for a minute', async () => {
    const { verify, time } = await door()
    await verify(ann, here)
    expect(verify(ann, here)).toEqual({ name: 'ann' })
    time.pass(59_999)
    expect(verify(ann, 'another address')).toEqual({ name: 'ann' })
    time.pass(1)
    expect(await checkedAgain(verify)).toBe(true)
  })

  test('expire when the account is removed, in every process', async () => {
    const path = join(folder(), 'service.db')
    const [mine, theirs] = [await opened(path), await opened(path)]
    await mine.accounts.put('ann', await hashPassword(ann.password))
    const verify = createVerifier(mine.accounts)
    await verify(ann, here)
    await theirs.accounts.remove('ann')
    expect(await verify(ann, here)).toBeUndefined()
  })

  test('expire when the password changes; the new password is valid', async () => {
    const { accounts, verify } = await door()
    await verify(ann, here)
    await accounts.put('ann', await hashPassword('new'))
    expect(await verify(ann, here)).toBeUndefined()
    expect(await verify({ ...ann, password: 'new' }, here)).toEqual({ name: 'ann' })
  })

  test('expire when the same password is set again, because its hash is another', async () => {
    const { accounts, verify } = await door()
    await verify(ann, here)
    await accounts.put('ann', await hashPassword(ann.password))
    expect(await checkedAgain(verify)).toBe(true)
  })

  test('are evicted beyond the capacity, oldest first', async () => {
    const { accounts, verify } = await door({ capacity: 2 })
    const people = ['ann', 'bob', 'eve'].map((username) => ({ username, password: 'x' }))
    for (const { username } of people) await accounts.put(username, await hashPassword('x'))
    for (const person of people) await verify(person, here)
    const again: boolean[] = []
    for (const person of people.toReversed()) again.push(await checkedAgain(verify, person))
    expect(again).toEqual([false, false, true])
  })
})

test('the most recently added ones stay, added before or not', () => {
  const { digest, has, add } = createCredentialCache({ lifetime: 1, capacity: 2, now: () => 0 })
  const [one, two, three] = ['one', 'two', 'three'].map((name) => digest(name, 'x')) as [string, string, string]
  // Two that came at once, from two addresses, are both checked, and both learnt.
  for (const each of [one, two, one, three]) add(each, 'hash')
  expect([one, two, three].map((each) => has(each, 'hash'))).toEqual([true, false, true])
})

test('an account that is removed during the check of its password gives no access', async () => {
  const { accounts, verify } = await door()
  const verification = verify(ann, here)
  await accounts.remove('ann')
  expect(await verification).toBeUndefined()
})

describe('after ten failures in a minute', () => {
  test('an address is rejected, for all names, until the end of the minute', async () => {
    const { verify, time } = await door()
    for (const index of times(10)) expect(await verify({ username: `user ${index}`, password: 'x' }, here)).toBeUndefined()
    time.pass(20_000)
    expect(await refused(() => verify({ username: 'other', password: 'x' }, here))).toBe(40)
    await refused(() => verify(ann, here))
    expect(await verify(ann, '192.0.2.2')).toEqual({ name: 'ann' })
    time.pass(40_000)
    expect(await verify(wrong, here)).toBeUndefined()
  })

  test('for one name from many addresses, the owner can log in from another address', async () => {
    const { verify } = await door()
    for (const address of times(3)) {
      for (const _ of times(10)) expect(await verify(wrong, `192.0.2.1${address}`)).toBeUndefined()
      await refused(() => verify(wrong, `192.0.2.1${address}`))
    }
    expect(await verify(ann, here)).toEqual({ name: 'ann' })
  })

  test.each(['ann', 'unknown'])(
    'for one name (%s) from an address, a success with another account allows no further attempts',
    async (username) => {
      const { accounts, verify } = await door({ lifetime: 0 })
      await accounts.put('own', await hashPassword('x'))
      for (const index of times(10)) {
        expect(await verify({ username, password: `${index}` }, here)).toBeUndefined()
        expect(await verify({ username: 'own', password: 'x' }, here)).toEqual({ name: 'own' })
      }
      await refused(() => verify({ username, password: 'x' }, here))
    },
  )

  test('the addresses of one IPv6 network count as one', async () => {
    const { verify } = await door()
    for (const index of times(10)) await verify({ username: `user ${index}`, password: 'x' }, `2001:db8::${index}`)
    await refused(() => verify(ann, '2001:db8::ffff'))
  })

  test('cached credentials are still accepted', async () => {
    const { verify } = await door()
    await verify(ann, here)
    for (const _ of times(10)) await verify(wrong, here)
    await refused(() => verify(wrong, here))
    expect(await verify(ann, here)).toEqual({ name: 'ann' })
  })

  test('parallel attempts are limited like sequential ones', async () => {
    const { verify } = await door()
    const outcomes = await Promise.allSettled(times(50).map(async (index) => verify({ ...wrong, password: `${index}` }, here)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const same = await Promise.allSettled(times(50).map(async () => verify({ username: 'bob', password: 'x' }, '192.0.2.9')))
    expect(same.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
  })

  test('equivalent spellings of a password count as one attempt and are cached as one', async () => {
    const { accounts, verify } = await door()
    await accounts.put('ann', await hashPassword('caf\u00e9'))
    const [composed, decomposed] = ['caf\u00e9', 'cafe\u0301'].map((password) => ({ username: 'ann', password }))
    expect(await verify(composed as Credentials, here)).toEqual({ name: 'ann' })
    for (const _ of times(10)) expect(await verify(wrong, here)).toBeUndefined()
    // Remembered, so neither limited nor a success that clears the count.
    expect(verify(decomposed as Credentials, here)).toEqual({ name: 'ann' })
    await refused(() => verify(wrong, here))
  })
})

test('a success clears the count', async () => {
  const { verify, time } = await door({ lifetime: 0 })
  for (const _ of times(3)) {
    for (const __ of times(9)) expect(await verify(wrong, here)).toBeUndefined()
    expect(await verify(ann, here)).toEqual({ name: 'ann' })
    time.pass(1)
  }
})

test('many accounts can log in at once from one address', async () => {
  const { accounts, verify } = await door()
  const people = times(30).map((index) => ({ username: `user ${index}`, password: 'x' }))
  const kept = await hashPassword('x')
  for (const { username } of people) await accounts.put(username, kept)
  const results = await Promise.all(people.map(async (person) => verify(person, here)))
  expect(results).toEqual(people.map(({ username }) => ({ name: username })))
})

test('parallel attempts with the same valid credentials all succeed', async () => {
  const { verify } = await door()
  const results = await Promise.all(times(100).map(async () => verify(ann, here)))
  expect(results).toEqual(times(100).map(() => ({ name: 'ann' })))
})

test('a failure of the database counts neither as success nor as failure', async () => {
  const { accounts, verify } = await door()
  let broken = true
  const shaky = createVerifier({
    find: (name) => {
      if (broken) throw new Error('gone')
      return accounts.find(name)
    },
  })
  for (const _ of times(20)) expect(await failure(() => shaky(ann, here))).toMatchObject({ message: 'gone' })
  broken = false
  expect(await shaky(ann, here)).toEqual({ name: 'ann' })
  expect(await verify(ann, here)).toEqual({ name: 'ann' })
})

test('a store that returns promises gives the same results', async () => {
  const { accounts } = await door()
  const verify = createVerifier({ find: async (name) => accounts.find(name) })
  expect(await verify(ann, here)).toEqual({ name: 'ann' })
  expect(await verify(ann, here)).toEqual({ name: 'ann' })
  expect(await verify(wrong, here)).toBeUndefined()
})

test('an unknown name takes as long as a wrong password', async () => {
  const { verify } = await door({ failures: 1_000_000 })
  const durations = { known: 0, unknown: 0 }
  for (const index of times(20)) {
    for (const kind of ['known', 'unknown'] as const) {
      const started = process.cpuUsage()
      await verify({ username: kind === 'known' ? 'ann' : 'bob', password: `${index}` }, here)
      const { user, system } = process.cpuUsage(started)
      durations[kind] += user + system
    }
  }
  // Of processor time, in turns: a busy machine has the same influence on both. Without a hash one would be a hundredth of the other.
  const ratio = durations.unknown / durations.known
  expect(ratio).toBeGreaterThan(0.4)
  expect(ratio).toBeLessThan(2.5)
})

// The network of a client address.
test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:127.0.0.1', '127.0.0.1'],
  ['::FFFF:127.0.0.1', '127.0.0.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['fe80::1%eth-0.10', 'fe80:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['', ''],
  ['unix socket', 'unix socket'],
])('%s counts as %s', (remote, expected) => {
  expect(clientNetwork(remote)).toBe(expected)
})
