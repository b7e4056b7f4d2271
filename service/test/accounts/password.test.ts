/** Passwords are stored as argon2id hashes only. */

import { parseOptions } from '@node-rs/argon2'
import { expect, test } from 'vitest'
import { hashPassword, maxHashing, maxWaiting, verifyPassword } from '../../src/accounts/password.ts'
import { normalizeText, passwordProblem } from '../../src/accounts/rules.ts'

test('a password matches only its own hash', async () => {
  const kept = await hashPassword('correct horse')
  expect(await verifyPassword('correct horse', kept)).toBe(true)
  for (const wrong of ['', 'correct', 'correct horse ', 'Correct horse']) expect(await verifyPassword(wrong, kept)).toBe(false)
})

test('each hash is argon2id with a new salt', async () => {
  const [one, other] = await Promise.all([hashPassword('same'), hashPassword('same')])
  expect(one).not.toBe(other)
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(parseOptions(one)).toMatchObject({ memoryCost: 19456, timeCost: 2, parallelism: 1, outputLen: 32, saltLen: 16 })
})

test('no password matches a missing account', async () => {
  for (const password of ['', 'A', 'password', '\0']) expect(await verifyPassword(password, undefined)).toBe(false)
})

test('composed and decomposed spellings of a password are equal', async () => {
  expect(await verifyPassword('cafe\u0301', await hashPassword('caf\u00e9'))).toBe(true)
})

test('long runs of combining marks are not normalized, because that takes quadratic time', async () => {
  const marks = (count: number): string => `a${'\u0315'.repeat(count / 2)}${'\u0316'.repeat(count / 2)}`
  for (const normal of [normalizeText, normalizeText]) {
    expect(normal(marks(30))).toBe(marks(30).normalize('NFC'))
    expect(normal(marks(5_000))).toBe(marks(5_000))
  }
  expect(await verifyPassword(marks(500), await hashPassword(marks(500)))).toBe(true)
})

test.each([
  ['', 'The password is empty.'],
  ['a\nb', 'The password holds a control character, which HTTP cannot send.'],
  ['\u007f', 'The password holds a control character, which HTTP cannot send.'],
  ['x'.repeat(1001), 'The password is longer than 1000 characters.'],
  ['a: b 😀', undefined],
])('the problem of the password %j is %j', (password, problem) => {
  expect(passwordProblem(password)).toBe(problem)
})

test('half of the libuv threads hash, and further passwords wait', async () => {
  expect(maxHashing).toBe(Math.max(1, Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) / 2))
})

test('beyond the limit of waiting passwords further ones are rejected at once, and all waiting ones are checked', async () => {
  const kept = await hashPassword('x')
  const checks = Array.from({ length: maxHashing + maxWaiting + 5 }, () => verifyPassword('x', kept))
  const outcomes = await Promise.allSettled(checks)
  const refused = outcomes.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(5)
  for (const one of refused) expect(one).toMatchObject({ reason: { status: 503, headers: { 'Retry-After': '2' } } })
  expect(outcomes.slice(0, -5)).toEqual(Array(maxHashing + maxWaiting).fill({ status: 'fulfilled', value: true }))
  expect(await verifyPassword('x', kept)).toBe(true)
})
