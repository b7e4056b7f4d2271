/** The headers `Cookie` and `Set-Cookie`: what a server and a client read in them. */
import { expect, test } from 'vitest'
import { getCookie, parseSetCookie } from '../../src/http/cookies.ts'

test.each([
  ['a=1', '1'],
  ['b=2; a=1', '1'],
  ['b=2;a=1', '1'],
  ['  a = 1  ;b=2', '1'],
  ['a=1; a=2', '1'],
  ['A=1', undefined],
  ['aa=1', undefined],
  ['a', undefined],
  // A text without an equals sign is no cookie.
  ['ab', undefined],
  ['a; b=1', undefined],
  ['=1', undefined],
  ['', undefined],
  ['a=', ''],
  ['a=1=2', '1=2'],
  ['a="1"', '1'],
  ['a="', '"'],
  ['a="1', '"1'],
  ['a=1"', '1"'],
  ['a=%C3%A9%3B', 'é;'],
  ['a=%', '%'],
  ['a=%FF', '%FF'],
  [';;;a=1;', '1'],
])('of %j the cookie a is %j', (header, value) => {
  expect(getCookie(header, 'a')).toBe(value)
})

test('a field of Set-Cookie has a name, a value and the attributes that are not empty', () => {
  const read = (field: string): unknown => {
    const { name, value, attributes } = parseSetCookie(field)
    return [name, value, attributes]
  }
  expect(read('a=1')).toEqual(['a', '1', []])
  expect(read(' a = "1=%3B" ; Secure;; \t;Path=/;')).toEqual(['a', '1=;', ['Secure', 'Path=/']])
  expect(read('a')).toEqual(['', 'a', []])
  expect(read('')).toEqual(['', '', []])
})

test.each([
  ['Max-Age=0', true],
  ['MAX-AGE = 0', true],
  ['Max-Age=-1', true],
  ['Max-Age=-10', true],
  ['Max-Age=1', false],
  ['Max-Age=10', false],
  ['Max-Age=01', false],
  ['Max-Age=0x', false],
  ['Max-Age=', false],
  ['Max-Age', false],
  ['X-Max-Age=0', false],
  ['Max-Age-X=0', false],
  ['Max-Age=0; Expires=Fri, 01 Jan 2100 00:00:00 GMT', true],
  ['Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT', false],
  ['Max-Age-X=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT', true],
  ['X-Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT', true],
  ['Expires=Thu, 01 Jan 1970 00:00:00 GMT', true],
  ['expires=Thu, 01-Jan-1970 00:00:00 gmt', true],
  ['Expires=Thu, 01 Jan 1970 00:00:00', true],
  ['Expires=Thu Jan  1 00:00:00 1970', true],
  ['Expires=Fri, 00:00:01 02 Jan 1970 GMT', true],
  ['Expires=Fri, 01 Jan 2100 00:00:00 GMT', false],
  ['Expires=Sat, 31 Feb 1970 00:00:00 GMT', false],
  ['Expires=0', false],
  ['Expires', false],
  ['X-Expires=Thu, 01 Jan 1970 00:00:00 GMT', false],
  ['Expires-X=Thu, 01 Jan 1970 00:00:00 GMT', false],
  ['Secure', false],
])('whether a cookie with %j is deleted: %j', (attributes, expected) => {
  expect(parseSetCookie(`a=1; ${attributes}`).isDeleted).toBe(expected)
})
