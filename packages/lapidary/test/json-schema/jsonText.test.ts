/** Reading JSON text: as JSON.parse, except for nesting that is too deep and numbers that would be rounded. */

import fc from 'fast-check'
import { isParseError, ParseError } from 'lapidary'
import { expect, test } from 'vitest'
import { parseJsonText } from '../../src/json-schema/jsonText.ts'
import { cpuTime } from '../support/cpuTime.ts'
import { samples } from '../support/samples.ts'

const refusal = (detail: string) => new ParseError([{ pointer: '', detail: `expected ${detail}` }])
const inexact = refusal('a number within the range and precision of a 64-bit float')
const tooDeep = refusal('JSON nested at most 64 deep')

test('the output of JSON.stringify is read as by JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 2, '\t'), (value, space) => {
      const text = JSON.stringify(value, undefined, space)
      expect(parseJsonText(text)).toEqual(JSON.parse(text))
    }),
    { numRuns: samples(1_000) },
  )
})

test('a text that JSON.parse rejects is rejected', () => {
  const near = fc.string({
    unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '1', '-', '.', 'e', '\\', ' ', 'true', 'null', 'a'),
    maxLength: 12,
  })
  fc.assert(
    fc.property(near, (text) => {
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        value = undefined
      }
      const read = parseJsonText(text)
      if (value === undefined) expect(read).toBeInstanceOf(ParseError)
      else if (!isParseError(read)) expect(read).toEqual(value)
    }),
    { numRuns: samples(5_000) },
  )
})

test('a float that JavaScript prints is exact', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(parseJsonText(JSON.stringify(value))).toBe(value === 0 ? 0 : value)
    }),
  )
})

test('an integer in any notation is exact, or rejected', () => {
  const digits = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n })
  fc.assert(
    fc.property(digits, fc.integer({ min: 0, max: 3 }), fc.boolean(), (value, zeros, exponent) => {
      fc.pre(value !== 0n)
      const text = exponent ? `${value}${'0'.repeat(zeros)}e-${zeros}` : `${value}${zeros === 0 ? '' : '.'}${'0'.repeat(zeros)}`
      const read = parseJsonText(text)
      // Kept is what is written again as it came.
      if (!isParseError(read)) expect(BigInt(JSON.stringify(read))).toBe(value)
      if (value > -(2n ** 53n) && value < 2n ** 53n) expect(read).toBe(Number(value))
    }),
    { numRuns: samples(2_000) },
  )
})

test.each([
  '0',
  '-0',
  '1',
  '1.0',
  '1.50',
  '1e3',
  '1E+3',
  '1e-3',
  '0.1',
  '0.30000000000000004',
  '1e22',
  '9007199254740991',
  '-9007199254740991',
  '9007199254740992',
  '5e-324',
  '1.7976931348623157e308',
  '12345678901234567000',
  '90071992547409910e-1',
  '-0.0010e3',
  '1.00000000000000000',
  '-0.00000000000000001e17',
  '0e99999',
  '0.000e-400',
  '1e307',
  '1e308',
])('the number %s is exact', (text) => {
  expect(parseJsonText(text)).toBe(JSON.parse(text))
})

test.each([
  '9007199254740993',
  '-9007199254740993',
  '9007199254740990.5',
  '9007199254740990.0001',
  '1e400',
  '-1e400',
  '1e-400',
  '123456789012345678900',
  '123456789012345678901',
  '1'.repeat(400),
  `1${'0'.repeat(80_000)}`,
  `0.${'0'.repeat(400)}1`,
  '9007199254740993e0',
  '90071992547409930e-1',
  '1e309',
  '999999999999999e999',
  '0.9007199254740993e16',
])('the number %s is rejected', (text) => {
  expect(parseJsonText(text)).toEqual(inexact)
  expect(parseJsonText(`{"a":[ ${text} ]}`)).toEqual(inexact)
  expect(parseJsonText(`"${text}"`)).toBe(text)
})

test('depth counts arrays and objects, not brackets in strings', () => {
  const lists = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  for (const nested of [lists, objects]) {
    expect(parseJsonText(nested(64))).toEqual(JSON.parse(nested(64)))
    expect(parseJsonText(nested(65))).toEqual(tooDeep)
  }
  for (const item of ['[]', '{}', '[1]', '{"a":1}']) {
    const siblings = `[${`${item},`.repeat(99)}${item}]`
    expect(parseJsonText(siblings)).toEqual(JSON.parse(siblings))
  }
  expect(parseJsonText(`["\\"${'['.repeat(99)}", "\\\\", ${lists(63)}]`)).not.toBeInstanceOf(ParseError)
  expect(parseJsonText(`["\\\\", ${lists(64)}]`)).toEqual(tooDeep)
})

test('a megabyte of brackets, of quotes or of backslashes is rejected at once', () => {
  for (const text of [
    '['.repeat(1_000_000),
    '"'.repeat(1_000_000),
    `"${'\\'.repeat(1_000_000)}`,
    `"${'\\"'.repeat(500_000)}`,
    `[${'"",'.repeat(300_000)}`,
  ]) {
    expect(parseJsonText(text)).toBeInstanceOf(ParseError)
    expect(cpuTime(() => parseJsonText(text))).toBeLessThan(100)
  }
})

test('the error never quotes the text', () => {
  for (const text of ['secret', '{"a": secret}', '["secret', `${' '.repeat(50)}secret${' '.repeat(50)}`, '"secret at position 7" x']) {
    const read = parseJsonText(text)
    expect(JSON.stringify(read)).not.toContain('secret')
    expect((read as ParseError).issues[0]?.detail).toMatch(/^expected JSON( \(the first error is at character \d+\))?$/)
  }
})

test('names of inherited members are ordinary names, and of equal names the last counts', () => {
  const read = parseJsonText('{"__proto__":1,"constructor":2,"a":3,"a":4}') as object
  expect(Object.entries(read)).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
    ['a', 4],
  ])
})
