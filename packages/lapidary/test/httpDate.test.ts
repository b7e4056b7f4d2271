/** Dates of request headers, in the three formats of RFC 9110 §5.6.7, in several time zones. */
import { afterEach, describe, expect, test } from 'vitest'
import { parseHttpDate } from '../src/http/httpDate.ts'

const zone = process.env['TZ']
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

/** The example of the RFC, and days on which clocks are put forward or back somewhere, in the middle of the night. */
const moments: readonly (readonly [asctime: string, usual: string])[] = [
  ['Sun Nov  6 08:49:37 1994', 'Sun, 06 Nov 1994 08:49:37 GMT'],
  ['Fri Dec 31 23:59:59 1999', 'Fri, 31 Dec 1999 23:59:59 GMT'],
  ['Thu Feb 29 00:00:00 2024', 'Thu, 29 Feb 2024 00:00:00 GMT'],
  ['Sun Mar 10 02:30:00 2024', 'Sun, 10 Mar 2024 02:30:00 GMT'],
  ['Sun Nov  3 01:30:00 2024', 'Sun, 03 Nov 2024 01:30:00 GMT'],
]

// Offset in minutes on the RFC's day, as Date tells it: proof that the zone is another.
describe.each([
  ['UTC', 0],
  ['America/Los_Angeles', 480],
  // It moved across the date line two months later.
  ['Pacific/Kiritimati', 600],
  ['Pacific/Auckland', -780],
  ['Asia/Kathmandu', -345],
])('in %s', (name, offset) => {
  test.each(moments)('%s is %s', (asctime, usual) => {
    process.env['TZ'] = name
    expect(new Date('1994-11-06T08:49:37Z').getTimezoneOffset()).toBe(offset)
    const seconds = Date.parse(usual) / 1000
    expect([parseHttpDate(asctime), parseHttpDate(usual)]).toEqual([seconds, seconds])
  })

  test('the format with the whole name of the day gives the same date', () => {
    process.env['TZ'] = name
    expect(parseHttpDate('Sunday, 06-Nov-94 08:49:37 GMT')).toBe(784_111_777)
  })
})

test.each([
  'Sun Nov  6 08:49:37 1994 GMT',
  'Sun Nov 06 08:49:37 1994 +0100',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 PST',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  '1994-11-06T08:49:37Z',
  '784111777',
  'Sun Nov  6 25:49:37 1994',
  ' Sun Nov  6 08:49:37 1994',
  '',
])('%j is not a date', (given) => {
  expect(parseHttpDate(given)).toBe(undefined)
})
