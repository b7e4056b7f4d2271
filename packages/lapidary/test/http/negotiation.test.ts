/** Which of the offered types an Accept header chooses (RFC 9110 §12.5.1). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAccept } from '../../src/http/mediaTypes.ts'
import { createNegotiator } from '../../src/http/negotiation.ts'
import { cpuTime } from '../support/cpuTime.ts'

/** The type that is sent; undefined where none is acceptable. */
const chosen = (accept: string | undefined, ...offers: readonly string[]): string | undefined => offers[createNegotiator(offers)(accept)]

const json = 'application/json;charset=utf-8'
const html = 'text/html; charset=utf-8'
const csv = 'text/csv'

test.each<[string | undefined, string | undefined]>([
  [undefined, 'image/*'],
  ['*/*', 'image/*'],
  ['image/*', 'image/*'],
  ['image/png', 'image/*'],
  ['image/png;q=0.5, text/csv', csv],
  ['image/png;q=0', undefined],
  // A type of the range is acceptable, though the others are not.
  ['image/*;q=0, image/png', 'image/*'],
  ['image/*;q=0, */*', csv],
  ['image/*;q=0', undefined],
  ['images/png', undefined],
  ['video/mp4', undefined],
])('of a range and CSV, %j chooses %s', (accept, expected) => {
  expect(chosen(accept, 'image/*', csv)).toBe(expected)
})

test('an offer of any type is acceptable to whoever accepts one', () => {
  expect(['video/mp4', 'video/*', '*/*'].map((accept) => chosen(accept, '*/*'))).toEqual(['*/*', '*/*', '*/*'])
  expect(['video/mp4;q=0', '*/*;q=0'].map((accept) => chosen(accept, '*/*'))).toEqual([undefined, undefined])
})

describe('three offers: JSON, HTML, CSV', () => {
  test.each<[string | undefined, string | undefined]>([
    [undefined, json],
    ['', json],
    [' ', json],
    [',', json],
    ['*/*', json],
    ['*/*;q=0.1', json],
    ['*/*;q=0', undefined],
    ['*/*;q=0.000', undefined],
    ['text/html', html],
    ['TEXT/HTML', html],
    ['text/csv', csv],
    ['image/png', undefined],
    ['text/htm', undefined],
    ['text/htmlx', undefined],
    ['text/*', html],
    ['te/*', undefined],
    ['image/*', undefined],
    ['application/*', json],
    // The highest quality wins.
    ['text/html;q=0.5, text/csv;q=0.6', csv],
    ['text/csv;q=0.6,text/html;q=0.5', csv],
    ['text/html;q=0.999, text/csv', csv],
    ['text/html;q=1.000, text/csv;q=0.999', html],
    ['text/html ; q=0.5 , text/csv ; q=0.6', csv],
    ['text/html;\tq=0.5,\ttext/csv;Q=0.6', csv],
    ['text/html;q=0.5,,text/csv;q=0.6,', csv],
    ['text/html;q=0.5, ,text/csv;q=0.6, ', csv],
    ['image/png, text/csv;q=0.1', csv],
    // Equal qualities go to the order of the offers.
    ['text/csv, text/html', html],
    ['text/csv, text/html, */*', json],
    ['text/csv;q=0.5, */*;q=0.5', json],
    // The closest range decides for each type.
    ['text/*;q=0.9, text/html;q=0.1, */*;q=0.5', csv],
    ['*/*, application/json;q=0', html],
    ['*/*, text/*;q=0, application/*;q=0.1', json],
    ['text/*, text/html;q=0, text/csv;q=0', undefined],
    ['application/json;q=0, application/json;charset=utf-8', json],
    ['application/json, application/json;charset=utf-8;q=0', undefined],
    // Of two that are as close the better one counts, whichever comes first.
    ['text/html;q=0.1, text/html;q=0.8, text/csv;q=0.5', html],
    ['text/html;q=0.8, text/html;q=0.1, text/csv;q=0.5', html],
    ['text/*;q=0.8, text/*;q=0.1, application/json;q=0.5', html],
    ['*/*;q=0.8, */*;q=0, application/json;q=0.5', html],
    ['text/html, text/html;q=0', html],
    // A range with parameters matches a type that carries them.
    ['application/json;charset=utf-8', json],
    ['application/json;charset=UTF-8', json],
    ['application/json;charset="utf-8"', json],
    ['application/json;CHARSET=utf-8', json],
    ['text/html;charset=utf-8;q=0.9, text/csv;q=0.5', html],
    ['application/json;charset=latin1', undefined],
    ['application/json;level=1', undefined],
    ['application/json;charset=utf-8;level=1', undefined],
    ['text/csv;charset=utf-8', undefined],
    ['text/html;level=1, text/csv;q=0.1', csv],
    ['text/*;level=1', undefined],
    ['*/*;level=1', undefined],
    ['text/*;level=1, text/csv;q=0.1', csv],
    ['text/*;charset=utf-8', html],
    // What cannot be parsed is as if it were not there.
    ['text/html;q=2', json],
    ['text/html;q=1.001', json],
    ['text/html;q=-1', json],
    ['text/html;q=.5', json],
    ['text/html;q=0.1234', json],
    ['text/html;q=', json],
    ['text/html;q', json],
    ['text/html;q="0.5"; x', json],
    ['text/html;q=0.5;q=0.6', json],
    ['text', json],
    ['text/', json],
    ['/html', json],
    ['*', json],
    ['*/html', json],
    ['text/html text/csv', json],
    ['text/html;level="1', json],
    ['text/html, (comment)', json],
    ['text/hätml', json],
  ])('%j chooses %j', (accept, expected) => {
    expect(chosen(accept, json, html, csv)).toBe(expected)
  })
})

test('the example of RFC 9110', () => {
  const accept = 'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5'
  const offers = ['text/html', 'image/jpeg', 'text/plain;format=fixed', 'text/plain', 'text/plain;format=flowed']
  // From the worst to the best: each offer wins over those before it (text/html 0.3, format=fixed 0.4, image/jpeg 0.5, text/plain 0.7, flowed 1).
  expect(chosen(accept, ...offers)).toBe('text/plain;format=flowed')
  expect(chosen(accept, ...offers.slice(0, 4))).toBe('text/plain')
  expect(chosen(accept, ...offers.slice(0, 3))).toBe('image/jpeg')
  expect(chosen(accept, 'text/html', 'text/plain;format=fixed')).toBe('text/plain;format=fixed')
})

test('a type that is sent is always acceptable: some range of quality above 0 matches it', () => {
  const type = fc.constantFrom('text', 'image', 'a')
  const range = fc.tuple(type, fc.constantFrom('b', 'c', '*'), fc.constantFrom('', ';q=0', ';q=0.5', ';q=0.9', ';q=1'))
  fc.assert(
    fc.property(fc.array(range, { minLength: 1, maxLength: 6 }), (ranges) => {
      const offers = ['text/b', 'text/c', 'image/b', 'a/c']
      const accept = ranges.map(([first, second, weight]) => `${first}/${second}${weight}`).join(',')
      const wanted = ranges.filter(([, , weight]) => weight !== ';q=0')
      const found = chosen(accept, ...offers)
      if (found === undefined) return
      expect(wanted.some(([first, second]) => found === `${first}/${second}` || (second === '*' && found.startsWith(`${first}/`)))).toBe(
        true,
      )
    }),
  )
})

describe('a long header is parsed in linear time', () => {
  const time = (accept: string): number => cpuTime(() => Array.from({ length: 10 }, () => parseAccept(accept)))

  test.each([
    ['many ranges', (length: number) => 'a/b,'.repeat(length / 4)],
    ['many parameters', (length: number) => `a/b${Array.from({ length: length / 8 }, (_, index) => `;p${index}=1`).join('')}`],
    ['commas alone', (length: number) => ','.repeat(length)],
    ['spaces', (length: number) => `a/b${' '.repeat(length)};q=1`],
    ['semicolons', (length: number) => `a/b${';'.repeat(length)}`],
    ['a quoted text', (length: number) => `a/b;c="${'x'.repeat(length)}"`],
    ['a quoted text with escapes that never ends', (length: number) => `a/b;c="${'\\"'.repeat(length / 2)}`],
  ])('%s', (_sentence, accept) => {
    // At most threefold for each of three doublings; what is quadratic takes 64 times as long.
    expect(time(accept(56_000))).toBeLessThanOrEqual(27 * time(accept(7_000)) + 5)
  })
})
