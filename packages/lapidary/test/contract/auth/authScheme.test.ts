/** Which credentials `basic` and `bearer` read from an Authorization header. The name of a scheme has no case (RFC 9110 §11.1). */
import { basic, bearer } from 'lapidary'
import { expect, test } from 'vitest'

const reading = (text: string | undefined) => (name: string) => (name === 'authorization' ? text : undefined)

test.each<[text: string | undefined, token: string | undefined]>([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER abc', 'abc'],
  ['Bearer  a-b._~+/c==', 'a-b._~+/c=='],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearerabc', undefined],
  ['Bearer a b', undefined],
  ['Bearer a=b', undefined],
  ['Basic abc', undefined],
  [' Bearer abc', undefined],
  [undefined, undefined],
])('the token of %j is %j', (text, token) => {
  expect(bearer('secret').credentials(reading(text), () => [])).toBe(token)
})

const credentials = (username: string, password: string): object => ({ username, password })

test.each<[text: string | undefined, expected: object | undefined]>([
  [`Basic ${btoa('ann:secret')}`, credentials('ann', 'secret')],
  [`basic ${btoa('ann:secret')}`, credentials('ann', 'secret')],
  [`BASIC  ${btoa('ann:secret')}`, credentials('ann', 'secret')],
  [`Basic ${btoa('ann:a:b')}`, credentials('ann', 'a:b')],
  [`Basic ${btoa(':')}`, credentials('', '')],
  [`Basic ${Buffer.from('Åsa:ö').toString('base64')}`, credentials('Åsa', 'ö')],
  [`Basic ${btoa('ann')}`, undefined],
  [`Basic ${btoa('\xff:a')}`, undefined],
  [`Basic ${btoa('ann:secret')}=`, undefined],
  ['Basic', undefined],
  ['Basic ****', undefined],
  [`Bearer ${btoa('ann:secret')}`, undefined],
  [undefined, undefined],
])('the user name and the password of %j are %j', (text, expected) => {
  expect(basic('people').credentials(reading(text), () => [])).toEqual(expected)
})
