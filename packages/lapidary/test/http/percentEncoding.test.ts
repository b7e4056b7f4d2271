/** Percent-encoding: strict UTF-8 in both directions. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forEachPair, percentDecode, percentEncode } from '../../src/http/percentEncoding.ts'

const texts = fc.string({
  unit: fc.oneof(
    fc.constantFrom('%', '+', '&', '=', '/', ' ', '\0', '\r', 'ä', '€', '😀', ..."!'()*;:@,?#[]"),
    fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }),
  ),
})

test('an encoded text is decoded to itself', () => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(percentDecode(percentEncode(text))).toBe(text)
    }),
  )
})

/** Every ASCII character by itself: random texts of all Unicode would hardly contain the few that RFC 3986 reserves. */
const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

test('ASCII letters, digits and four more characters stay; every other one becomes two hexadecimal digits', () => {
  const standing = ascii.filter((sign) => percentEncode(sign) === sign).join('')
  expect(standing).toBe('-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~')
  for (const sign of ascii.filter((one) => !standing.includes(one))) {
    const digits = sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')
    expect([sign, percentEncode(sign), percentEncode(`a${sign}ä${sign}`)]).toEqual([sign, `%${digits}`, `a%${digits}%C3%A4%${digits}`])
    expect([percentDecode(`%${digits}`), percentDecode(`%${digits.toLowerCase()}`)]).toEqual([sign, sign])
  }
})

test('characters that encodeURIComponent leaves are encoded as well', () => {
  expect(percentEncode("!'()*")).toBe('%21%27%28%29%2A')
})

test('only unreserved characters are left unencoded', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.oneof(fc.constantFrom(...ascii), fc.string({ minLength: 1, maxLength: 1, unit: 'binary' })) }),
      (text) => {
        expect(percentEncode(text)).toMatch(/^(?:[A-Za-z0-9\-._~]|%[0-9A-F]{2})*$/)
      },
    ),
  )
})

test('a lone surrogate becomes U+FFFD', () => {
  expect(percentEncode('a\ud800')).toBe('a%EF%BF%BD')
})

test.each([
  ['', ''],
  ['a', 'a'],
  ['a%20b', 'a b'],
  ['%e2%82%ac%E2%82%AC', '€€'],
  ['%F0%9F%98%80', '😀'],
  ['%00', '\0'],
  ['a+b', 'a+b'],
  ['%2525', '%25'],
])('%j is decoded to %j', (text, spelled) => {
  expect(percentDecode(text)).toBe(spelled)
})

test.each([
  '%',
  '%4',
  '%zz',
  '%g0',
  'a%',
  '%%',
  '%u0041',
  '%80',
  '%C3',
  '%C3%28',
  '%C0%AF',
  '%E0%80%AF',
  '%ED%A0%80',
  '%F4%90%80%80',
  '%FF',
  '%FE%FF',
])('%j cannot be decoded', (text) => {
  expect(percentDecode(text)).toBe(undefined)
})

const pairsOf = (text: string): unknown => {
  const pairs: unknown[] = []
  return forEachPair(text, (name, value) => pairs.push([name, value])) === undefined ? pairs : undefined
}

test.each<[string, unknown]>([
  ['', []],
  ['&', []],
  [
    'a=1&b=2',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['a', [['a', undefined]]],
  ['a=', [['a', '']]],
  ['=a', [['', 'a']]],
  ['a=b=c', [['a', 'b=c']]],
  [
    'a&b=1',
    [
      ['a', undefined],
      ['b', '1'],
    ],
  ],
  ['a+b=c+d', [['a b', 'c d']]],
  ['a%2Bb=%26%3D', [['a+b', '&=']]],
  ['&&a=1&&', [['a', '1']]],
  ['a;b=1', [['a;b', '1']]],
  ['a=%zz', undefined],
  ['%zz', undefined],
  ['a=1&%C3=2', undefined],
])('the pairs of %j', (text, pairs) => {
  expect(pairsOf(text)).toEqual(pairs)
})

test('the pairs are those of URLSearchParams, where it loses nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, texts)), (pairs) => {
      const text = new URLSearchParams(pairs).toString()
      expect(pairsOf(text)).toEqual([...new URLSearchParams(text)])
    }),
  )
})

test('a long value with plus signs is decoded like a short one, with a byte order mark and a lone surrogate as well', () => {
  const signs = fc.constantFrom('+', 'a', 'é', '😀', '\ufeff', '\ud800', '\0')
  fc.assert(
    fc.property(fc.array(signs, { minLength: 1, maxLength: 9 }), (some) => {
      for (const times of [1, 2_000]) {
        const value = some.join('').repeat(times)
        expect(pairsOf(`a=${value}`)).toEqual([['a', value.replaceAll('+', ' ')]])
      }
    }),
  )
})

test('ten thousand pairs are read, and no more', () => {
  const visited = (text: string) => {
    let count = 0
    const flaw = forEachPair(text, () => {
      count += 1
    })
    return { count, flaw }
  }
  expect(visited('a=1&'.repeat(10_000))).toEqual({ count: 10_000, flaw: undefined })
  const flaw = { name: undefined, expected: expect.stringContaining('10000') }
  expect(visited('a=1&'.repeat(10_001))).toEqual({ count: 10_000, flaw })
})
