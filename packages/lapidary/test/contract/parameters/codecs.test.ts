/** The laws of codecs: what is printed is read again, what is read is canonical once it is printed, and nothing else is read. */

import fc from 'fast-check'
import { array, bool, type Codec, date, flag, int, isParseError, oneOf, optional, type Parameter, ParseError, text } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { hex } from '../../support/everything.ts'
import { samples } from '../../support/samples.ts'

const integers = fc.oneof(fc.maxSafeInteger(), fc.integer(), fc.constantFrom(0, 2 ** 53 - 1, 1 - 2 ** 53))
/** Every day from the year 0 to 9999. */
const days = fc
  .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10))
const texts = fc.string({ unit: 'grapheme' })

interface Law<T> {
  readonly name: string
  readonly codec: Codec<T>
  readonly values: fc.Arbitrary<T>
  /** Texts that look like its own. */
  readonly near: fc.Arbitrary<string>
}

const law = <T>(name: string, codec: Codec<T>, values: fc.Arbitrary<T>, near: fc.Arbitrary<string>): Law<unknown> =>
  // The values are those of the codec; together they are of some type that does not matter here.
  ({ name, codec, values, near }) as unknown as Law<unknown>

const laws = [
  law('int', int, integers, fc.stringMatching(/^[-+]?[0-9]{1,20}$/)),
  law('bool', bool, fc.boolean(), fc.constantFrom('true', 'false', 'True', '1', '')),
  law('date', date, days, fc.stringMatching(/^[0-9]{4}-[0-3][0-9]-[0-3][0-9]$/)),
  law('text', text, texts, texts),
  law('oneOf', oneOf('age', 'name'), fc.constantFrom('age', 'name'), fc.constantFrom('age', 'name', 'Age', ' name', '')),
  law(
    'a scalar of one’s own',
    hex,
    fc.stringMatching(/^[0-9a-f]{6}$/),
    fc.oneof(fc.stringMatching(/^[0-9a-f]{6}$/), fc.stringMatching(/^[0-9a-fA-F]{5,7}$/)),
  ),
]

describe.each(laws)('$name', ({ codec, values, near }) => {
  test('a printed value is parsed to itself', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(codec.parse(codec.print(value))).toEqual(value === 0 ? 0 : value)
      }),
    )
  })

  test('a parsed text is printed in its canonical form', () => {
    let count = 0
    fc.assert(
      fc.property(near, (given) => {
        const value = codec.parse(given)
        if (isParseError(value)) return
        count += 1
        const printed = codec.print(value)
        expect(codec.print(codec.parse(printed))).toBe(printed)
        expect(codec.parse(printed)).toEqual(value)
      }),
    )
    // What looks like its own often is.
    expect(count).toBeGreaterThan(0)
  })

  test('it can parse its examples', () => {
    expect(codec.examples.length).toBeGreaterThan(0)
    for (const example of codec.examples) expect(codec.parse(example)).not.toBeInstanceOf(ParseError)
  })
})

const given = (...values: readonly string[]) => ({ values, isPresent: values.length > 0 })

/** A law of parameters: each value that is written is read again. */
const kept =
  <T>(parameter: Parameter<T>, values: fc.Arbitrary<T>) =>
  (): void =>
    fc.assert(
      fc.property(values, (value) => {
        expect(parameter.read(given(...parameter.write(value)))).toEqual(value)
      }),
    )
const maybe = fc.option(integers, { nil: undefined })

test('optional: a written value is read again', kept(optional(int), maybe))
test('array: a written value is read again', kept(array(date), fc.array(days)))
test('array of text: a written value is read again', kept(array(text), fc.array(texts)))
test('flag: a written value is read again', kept(flag, fc.boolean()))
test('optional array: a written value is read again', kept(optional(array(int)), fc.array(integers, { minLength: 1 })))
test('described: a written value is read again', kept(optional(int, { description: 'how many', examples: [5] }), maybe))

const notIntegers = [
  ...[
    '',
    ' ',
    '+1',
    '--1',
    '-',
    '- 1',
    '1 ',
    ' 1',
    '\t1',
    '1\n',
    '\n1',
    '\u00a01',
    '1\u00a0',
    '\u20281',
    '\ufeff1',
    '1\0',
    '1_000',
    '1,000',
  ],
  ...['1.0', '1.', '.1', '-.1', '1e3', '1E3', '1e0', '0x10', '0X10', '0b1', '0o7', '1n', '#1', '1-', '1+1', '1/1', '½'],
  ...['NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'false', '[]', '[1]', '{}', '"1"', "'1'", 'one'],
  ...[
    '١',
    '１',
    '𝟏',
    '²',
    '٣',
    '−1',
    '–1',
    '9007199254740992',
    '-9007199254740992',
    '9007199254740993',
    '99999999999999999999',
    '1'.repeat(7_000),
  ],
]

test.each(notIntegers)('%j is not an integer', (spelling) => {
  expect(int.parse(spelling)).toEqual(new ParseError([{ pointer: '', detail: 'expected an integer such as 42, within ±9007199254740991' }]))
})

test('there are more than fifty of them', () => {
  expect(new Set(notIntegers).size).toBeGreaterThan(50)
})

test.each([
  ['0', 0],
  ['-0', 0],
  ['007', 7],
  ['-007', -7],
  ['9007199254740991', 2 ** 53 - 1],
  ['-9007199254740991', 1 - 2 ** 53],
])('%j is the integer %d', (spelling, value) => {
  expect(int.parse(spelling)).toBe(value)
})

test.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%d cannot be printed as an integer', (value) => {
  expect(() => int.print(value)).toThrow(TypeError)
})

test('a date is a day that the Date object accepts', () => {
  const number = (most: number, length: number) => fc.integer({ min: 0, max: most }).map((value) => `${value}`.padStart(length, '0'))
  const isDay = (spelling: string): boolean => {
    const day = new Date(`${spelling}T00:00:00Z`)
    return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(spelling)
  }
  fc.assert(
    fc.property(number(9_999, 4), number(14, 2), number(33, 2), (year, month, day) => {
      const spelling = `${year}-${month}-${day}`
      expect(isParseError(date.parse(spelling))).toBe(!isDay(spelling))
    }),
    { numRuns: samples(5_000) },
  )
  for (const leap of ['2024', '2000', '0000', '2400']) expect(date.parse(`${leap}-02-29`)).toBe(`${leap}-02-29`)
  for (const common of ['2023', '1900', '2100']) expect(date.parse(`${common}-02-29`)).toBeInstanceOf(ParseError)
})

test.each([
  '2024-2-29',
  '24-02-29',
  '2024-02-29T00:00:00Z',
  '2024-02-29 ',
  '+2024-02-29',
  '-2024-02-29',
  '20240229',
  '2024/02/29',
  '2024-02-29\n',
  '',
])('%j is no date', (spelling) => {
  expect(date.parse(spelling)).toBeInstanceOf(ParseError)
})

test('a parse error of another copy of the package is recognized, and no JSON value is one', async () => {
  const path = '../../../src/json-schema/parseError.ts?copy'
  const other = (await import(path)) as typeof import('../../../src/json-schema/parseError.ts')
  expect(other.ParseError).not.toBe(ParseError)
  expect(isParseError(other.parseError('a word'))).toBe(true)
  for (const value of [undefined, null, '', 1, {}, { issues: [] }, { 'Symbol(lapidary.ParseError)': true }])
    expect(isParseError(value)).toBe(false)
})
