/** The `Cookie` header of a request: what a server reads in it. */
import { expect, test } from 'vitest'
import { getCookie } from '../../src/http/cookies.ts'

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
