/** Media types: one strict grammar. */
import { expect, test } from 'vitest'
import { getByMediaType, isInMediaRange, isJsonEssence, parseAccept, parseMediaType } from '../../src/http/mediaTypes.ts'

const parsed = (text: string): unknown => {
  const found = parseMediaType(text)
  return found === undefined ? undefined : [found.essence, Object.fromEntries(found.parameters)]
}

test.each<[string, unknown]>([
  ['text/plain', ['text/plain', {}]],
  ['Text/PLAIN', ['text/plain', {}]],
  ['application/vnd.a+json', ['application/vnd.a+json', {}]],
  [' \ttext/plain \t', ['text/plain', {}]],
  ['text/plain;charset=utf-8', ['text/plain', { charset: 'utf-8' }]],
  ['text/plain ; Charset=UTF-8', ['text/plain', { charset: 'UTF-8' }]],
  ['text/plain;a="b"', ['text/plain', { a: 'b' }]],
  ['text/plain;a=""', ['text/plain', { a: '' }]],
  ['text/plain;a="b;c=\\"d\\\\,"', ['text/plain', { a: 'b;c="d\\,' }]],
  ['text/plain;', ['text/plain', {}]],
  ['text/plain; ;a=b; ', ['text/plain', { a: 'b' }]],
  ['text/plain;__proto__=b', ['text/plain', Object.fromEntries([['__proto__', 'b']])]],
])('%j is a media type', (text, expected) => {
  expect(parsed(text)).toEqual(expected)
})

test.each([
  '',
  ' ',
  'text',
  'text/',
  '/plain',
  '/',
  'text /plain',
  'text/ plain',
  'text/plain x',
  'text/plain,text/html',
  'text/plain,',
  'text//plain',
  'text/plain/x',
  'text/plain;a',
  'text/plain;a=',
  'text/plain;=b',
  'text/plain;a =b',
  'text/plain;a= b',
  'text/plain;a=b;a=c',
  'text/plain;A=b;a=b',
  'text/plain;a="b',
  'text/plain;a="b\\"',
  'text/plain;a="b"c',
  'text/plain;a=b c',
  'text/plain\n',
  'text/pl\0in',
  'text/plain;a="\0"',
  'tëxt/plain',
  '"text/plain"',
])('%j is not a media type', (text) => {
  expect(parsed(text)).toBe(undefined)
})

test('Accept is parsed to media ranges with their weights', () => {
  expect(parseAccept('text/*;q=0.5, */*;a=b;q=0, a/b')).toEqual([
    { essence: 'text/*', parameters: new Map(), quality: 0.5 },
    { essence: '*/*', parameters: new Map([['a', 'b']]), quality: 0 },
    { essence: 'a/b', parameters: new Map(), quality: 1 },
  ])
})

test.each([
  ['application/json', true],
  ['text/json', true],
  ['application/problem+json', true],
  ['image/x+json', true],
  ['image/json', false],
  ['application/x-ndjson', false],
  ['application/jsonl', false],
  ['text/plain', false],
  ['', false],
])('whether %j is JSON: %s', (essence, expected) => {
  expect(isJsonEssence(essence)).toBe(expected)
})

test.each([
  ['image/png', 'image/png', true],
  ['image/png', 'image/*', true],
  ['image/*', 'image/*', true],
  ['image/*', '*/*', true],
  ['*/*', '*/*', true],
  ['image/png', 'image/gif', false],
  ['imagery/png', 'image/*', false],
  ['image', 'image/*', false],
  ['image/*', 'image/png', false],
  ['*/*', 'image/*', false],
])('whether %s is in %s: %s', (essence, range, expected) => {
  expect(isInMediaRange(essence, range)).toBe(expected)
})

test('a media type has its own value, else that of its range, else that of any type', () => {
  const values = new Map(['*/*', 'image/*', 'image/png'].map((range) => [range, range]))
  expect(['image/png', 'image/gif', 'text/plain'].map((type) => getByMediaType(values, type))).toEqual(['image/png', 'image/*', '*/*'])
  expect(getByMediaType(new Map([['image/png', 1]]), 'image/gif')).toBe(undefined)
})
