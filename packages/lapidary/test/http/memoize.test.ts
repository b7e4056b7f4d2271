/** `memoize`: which results of a function are cached, and how many. */
import { expect, test } from 'vitest'
import { memoize } from '../../src/http/memoize.ts'

/** A memoized function, and how often the original was called. */
function counting() {
  let calls = 0
  const memoized = memoize((text: string) => {
    calls += 1
    return { text }
  })
  /** Whether it has to be called for this text. */
  const isCalled = (text: string): boolean => {
    const before = calls
    expect(memoized(text)).toEqual({ text })
    return calls > before
  }
  return { memoized, isCalled }
}

test('a known text gives the same result without another call', () => {
  const { memoized, isCalled } = counting()
  const first = memoized('a')
  expect(isCalled('a')).toBe(false)
  expect(memoized('a')).toBe(first)
  expect(isCalled('b')).toBe(true)
})

test('the first 64 texts are cached, and no later ones', () => {
  const { isCalled } = counting()
  const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`)
  expect(texts.filter(isCalled)).toEqual(texts)
  expect(texts.filter(isCalled)).toEqual(texts.slice(64))
  expect(texts.filter(isCalled)).toEqual(texts.slice(64))
})

test('a text of more than 256 characters is never cached and takes no place', () => {
  const { isCalled } = counting()
  const long = Array.from({ length: 100 }, (_, index) => 'x'.repeat(257 + index))
  for (let time = 0; time < 2; time += 1) expect(long.filter(isCalled)).toEqual(long)
  const usual = Array.from({ length: 64 }, (_, index) => 'x'.repeat(256 - index))
  expect(usual.filter(isCalled)).toEqual(usual)
  expect(usual.filter(isCalled)).toEqual([])
})
