/** The hash of words: the same everywhere, and different for similar words. */
import { expect, test } from 'vitest'
import { hashWords } from '../../src/mock/hash.ts'

test('the same words give the same number, and similar words different ones', () => {
  expect(hashWords(1, 'users.all')).toBe(hashWords(1, 'users.all'))
  const numbers = Array.from({ length: 1_000 }, (_, index) => hashWords(1, `users.${index}`))
  expect(new Set(numbers).size).toBe(1_000)
  // Each bit is set about as often as not.
  for (let bit = 0; bit < 32; bit += 1) {
    const count = numbers.filter((number) => ((number >>> bit) & 1) === 1).length
    expect(count).toBeGreaterThan(400)
    expect(count).toBeLessThan(600)
  }
})
