/** Conditional requests against one version, last changed on the day that RFC 9110 uses for its examples. */
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { evaluatePreconditions, isRangeApplicable, parseHttpDate } from '../../src/http/preconditions.ts'
import { cpuTime } from '../support/cpuTime.ts'

const etag = '"1a-2b"'
const changed = 'Sun, 06 Nov 1994 08:49:37 GMT'
const before = 'Sat, 05 Nov 1994 08:49:37 GMT'
const after = 'Mon, 07 Nov 1994 08:49:37 GMT'
const version = { etag, modified: Date.parse(changed) / 1000 }
const headerOf =
  (headers: Record<string, string>) =>
  (name: string): string | undefined =>
    headers[name]

test.each<[string, Record<string, string>]>([
  ['unchanged', { 'if-none-match': etag }],
  ['unchanged', { 'if-none-match': `"a,b" ,, W/${etag}` }],
  ['unchanged', { 'if-none-match': `"\xfc", ${etag}` }],
  ['unchanged', { 'if-none-match': '*' }],
  ['unchanged', { 'if-none-match': ' *\t' }],
  ['proceed', { 'if-none-match': '\xa0*' }],
  ['unchanged', { 'if-modified-since': changed }],
  ['unchanged', { 'if-modified-since': after }],
  ['unchanged', { 'if-modified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }],
  ['unchanged', { 'if-modified-since': 'Sun Nov  6 08:49:37 1994' }],
  ['unchanged', { 'if-match': etag, 'if-none-match': etag }],
  ['proceed', {}],
  ['proceed', { 'if-none-match': '"x"', 'if-modified-since': changed }],
  ['proceed', { 'if-none-match': `x${etag}` }],
  ['proceed', { 'if-none-match': '' }],
  ['proceed', { 'if-modified-since': before }],
  ['proceed', { 'if-modified-since': '2030' }],
  ['proceed', { 'if-modified-since': 'Sun, 99 Nov 2030 08:49:37 GMT' }],
  ['proceed', { 'if-match': `"x", ${etag}` }],
  ['proceed', { 'if-match': `"\xfc", ${etag}` }],
  ['proceed', { 'if-match': '*' }],
  ['proceed', { 'if-match': etag, 'if-unmodified-since': before }],
  ['proceed', { 'if-unmodified-since': changed }],
  ['proceed', { 'if-unmodified-since': 'yesterday' }],
  ['failed', { 'if-match': `W/${etag}` }],
  ['failed', { 'if-match': '"x"', 'if-none-match': etag }],
  ['failed', { 'if-unmodified-since': before }],
])('%s with %j', (verdict, headers) => {
  expect(evaluatePreconditions(headerOf(headers), version)).toBe(verdict)
})

test('a range applies without If-Range, and with one that names exactly this version', () => {
  expect(isRangeApplicable(headerOf({}), version)).toBe(true)
  for (const same of [etag, changed]) expect(isRangeApplicable(headerOf({ 'if-range': same }), version)).toBe(true)
  for (const other of [`W/${etag}`, '"other"', `"other", ${etag}`, before, after, 'nonsense', '']) {
    expect(isRangeApplicable(headerOf({ 'if-range': other }), version)).toBe(false)
  }
})

test.each<[string, Record<string, string>]>([
  ['proceed', { 'if-modified-since': after }],
  ['proceed', { 'if-unmodified-since': before }],
  ['unchanged', { 'if-none-match': etag, 'if-modified-since': before }],
  ['failed', { 'if-match': '"x"', 'if-unmodified-since': after }],
])('where the date of the last change is not known, conditions about it are ignored: %s with %j', (verdict, headers) => {
  expect(evaluatePreconditions(headerOf(headers), { etag, modified: undefined })).toBe(verdict)
})

test('where the date of the last change is not known, no date in If-Range names this version', () => {
  const undated = { etag, modified: undefined }
  expect(isRangeApplicable(headerOf({ 'if-range': etag }), undated)).toBe(true)
  for (const other of [changed, 'nonsense', '']) expect(isRangeApplicable(headerOf({ 'if-range': other }), undated)).toBe(false)
})

test('hostile lists take linear time', () => {
  for (const list of [' '.repeat(60_000), '"'.repeat(60_000), `${'W/"a",'.repeat(9_000)}x`, `"${'!'.repeat(60_000)}`]) {
    const evaluate = () => evaluatePreconditions(headerOf({ 'if-none-match': list }), version)
    expect(evaluate()).toBe('proceed')
    expect(cpuTime(evaluate, 1)).toBeLessThan(500)
  }
})

// Dates of request headers, in the three formats of RFC 9110 §5.6.7, in several time zones.
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
  // A Date would make another day of these.
  'Thu, 31 Feb 1994 08:49:37 GMT',
  'Thursday, 31-Feb-94 08:49:37 GMT',
  'Thu Feb 31 08:49:37 1994',
  'Wed, 29 Feb 1995 08:49:37 GMT',
  'Mon, 31 Apr 1995 08:49:37 GMT',
  'Sun, 00 Nov 1994 08:49:37 GMT',
  'Sun Nov  0 08:49:37 1994',
  'Sun, 06 Nov 1994 24:00:00 GMT',
  'Sun, 06 Nov 1994 08:60:37 GMT',
  'Sun, 06 Nov 1994 08:49:61 GMT',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  // A Date takes years of one or two digits for years of this century or the last.
  'Mon, 06 Nov 0000 08:49:37 GMT',
  'Mon, 06 Nov 0094 08:49:37 GMT',
  ' Sun Nov  6 08:49:37 1994',
  '',
])('%j is not a date', (given) => {
  expect(parseHttpDate(given)).toBe(undefined)
})

test('a leap second is the second after it, as in POSIX', () => {
  expect(parseHttpDate('Sat, 31 Dec 2016 23:59:60 GMT')).toBe(Date.UTC(2017, 0, 1) / 1000)
})

/** The years that this one, those 50 and 51 years ahead, and that 49 years ago are read as, when they are written with two digits. */
function readShortYears(year: number): readonly number[] {
  const format = (fullYear: number): string => `Sunday, 06-Nov-${String(fullYear % 100).padStart(2, '0')} 08:49:37 GMT`
  const read = (fullYear: number): number => new Date((parseHttpDate(format(fullYear)) ?? Number.NaN) * 1000).getUTCFullYear()
  return [read(year), read(year + 50), read(year + 51), read(year - 49)]
}

test('a year of two digits is at most 50 years ahead (RFC 9110 §5.6.7)', () => {
  const year = new Date().getUTCFullYear()
  expect(readShortYears(year)).toEqual([year, year + 50, year - 49, year - 49])
})

test.each([2049, 2050, 2080, 2099, 2100])(
  'a year of two digits is at most 50 years ahead in %d as well, over the end of a century',
  (year) => {
    vi.useFakeTimers({ now: Date.UTC(year, 5, 1), toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    expect(readShortYears(year)).toEqual([year, year + 50, year - 49, year - 49])
  },
)
