/** Header fields: their names have no case. */
import { request } from 'node:http'
import fc from 'fast-check'
import { array, endpoint, int, json, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { appendHeader, getHeader, hasHeader, vary } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import {
  dedupeNames,
  escapeQuoted,
  isHeaderName,
  isHeaderNamed,
  isHeaderValue,
  isHost,
  isSetCookie,
  joinHeaderValues,
} from '../../src/http/headerFields.ts'
import { listen } from '../support/matrix/adapters.ts'

const signs = "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const name = fc.string({ unit: fc.constantFrom(...signs), minLength: 1, maxLength: 20 })

test('a letter equals its capital, and every other character equals only itself', () => {
  for (const one of signs)
    for (const other of signs)
      expect([one, other, isHeaderNamed(one, other.toLowerCase())]).toEqual([one, other, one.toLowerCase() === other.toLowerCase()])
})

test('a name is not the beginning of a longer one', () => {
  for (const [one, other] of [
    ['X-Zone-Id', 'x-zone'],
    ['X-Zone', 'x-zone-id'],
    ['', 'x'],
    ['X', ''],
  ] as const)
    expect([one, other, isHeaderNamed(one, other)]).toEqual([one, other, false])
})

test('names are compared without case', () => {
  fc.assert(
    fc.property(name, name, (one, other) => {
      expect(isHeaderNamed(one, one.toLowerCase())).toBe(true)
      expect(isHeaderNamed(one.toUpperCase(), one.toLowerCase())).toBe(true)
      expect(isHeaderNamed(one, other.toLowerCase())).toBe(one.toLowerCase() === other.toLowerCase())
    }),
  )
})

test('the values of all fields of one name are joined in their order', () => {
  expect(getHeader(['X-Zone', 'a', 'x-other', 'b', 'x-zONE', 'c', 'X-ZONE', ''], 'x-zone')).toBe('a, c, ')
  expect(getHeader(['x-other', 'x-zone'], 'x-zone')).toBeUndefined()
})

test('the fields of Cookie are joined as one list of pairs', () => {
  expect(getHeader(['cookie', 'a=1', 'Cookie', 'b=2'], 'Cookie')).toBe('a=1; b=2')
})

test.each<[readonly string[], string | undefined, string | undefined]>([
  [['a'], 'a', 'a'],
  [['a', 'b'], 'a,b', undefined],
  [['a,b'], undefined, 'a,b'],
  [['a', ''], undefined, undefined],
  [[''], undefined, ''],
  [['a '], undefined, undefined],
  [['a ', 'b'], undefined, undefined],
  [['\u00a0'], '\u00a0', '\u00a0'],
  [['a\nb'], undefined, undefined],
  [['a', 'b\nc'], undefined, undefined],
  [['\u0100'], undefined, undefined],
])('the values %j are written as the list %j, and as one value %j', (values, list, one) => {
  expect([joinHeaderValues(values, true), joinHeaderValues(values, false)]).toEqual([list, one])
})

test('names are listed once, as they stand first', () => {
  expect(dedupeNames(['Accept', 'ORIGIN', 'accept', 'Origin', 'a'])).toEqual(['Accept', 'ORIGIN', 'a'])
})

test('only Set-Cookie has a field for each value', () => {
  expect(['Set-Cookie', 'set-cookie', 'SET-COOKIE', 'Cookie', 'Set-Cookie2', ''].map(isSetCookie)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ])
})

test('a name is a token, and a value is a text of one line in Latin-1', () => {
  expect(['a', signs, '', ' a', 'a ', 'a:', 'a\n', 'é'].map(isHeaderName)).toEqual([true, true, ...Array(6).fill(false)])
  const values = ['', 'a\tb', '\u00ff', 'a\n', '\0', '\x7f', '\u0100', 5, undefined, ['a']]
  expect(values.map(isHeaderValue)).toEqual([true, true, true, ...Array(7).fill(false)])
})

test('quotes and backslashes are escaped', () => {
  expect(escapeQuoted('a"b\\c""')).toBe('a\\"b\\\\c\\"\\"')
})

test.each([
  ['', true],
  ['a', true],
  ['A.example', true],
  ['a:', true],
  ['a:80', true],
  ['a:65535', true],
  ['a%4f', true],
  ['127.0.0.1:80', true],
  ['[::1]', true],
  ['[::ffff:127.0.0.1]:8080', true],
  ['a:65536', false],
  ['a:b', false],
  [':80', false],
  ['a%4', false],
  ['a%zz', false],
  ['a,b', false],
  ['a b', false],
  ['a/b', false],
  ['a@b', false],
  ['\u00e9', false],
  ['[]', false],
  ['[::1', false],
  ['::1', false],
  ['[::1::]', false],
  ['[1.2.3.4]', false],
  ['[::g]', false],
  ['[::1]x', false],
])('whether %j is a host: %j', (host, expected) => {
  // A host is asked about twice, since the last valid one is remembered.
  expect([isHost(host), isHost(host)]).toEqual([expected, expected])
})

test('a header is found and added by its name in any case', () => {
  const headers = ['content-type', 'text/plain', 'Set-Cookie', 'a=1']
  expect([hasHeader(headers, 'Content-Type'), hasHeader(headers, 'SET-COOKIE'), hasHeader(headers, 'text/plain')]).toEqual([
    true,
    true,
    false,
  ])
  expect(appendHeader(headers, 'set-cookie', 'b=2')).toEqual([...headers, 'set-cookie', 'b=2'])
  expect(getHeader(appendHeader(headers, 'set-cookie', 'b=2'), 'Set-Cookie')).toBe('a=1, b=2')
})

test('Vary names each header once', () => {
  expect(vary([], 'Origin')).toEqual(['Vary', 'Origin'])
  expect(vary(['vary', 'Accept', 'A', 'b', 'VARY', 'Cookie'], 'Origin', 'accept')).toEqual(['A', 'b', 'Vary', 'Accept, Cookie, Origin'])
  const complete = ['Vary', 'accept,origin', 'A', 'b']
  expect(vary(complete, 'Origin', 'Accept')).toBe(complete)
  const any = ['Vary', '*']
  expect(vary(any, 'Origin')).toBe(any)
})

test('a value keeps the byte 0xA0 at its ends, which is no blank of a field', async () => {
  const tagged = endpoint('GET /', {
    headers: { 'X-Tag': array(text), 'X-Name': text },
    cookies: { name: text },
    response: ok(json),
  })
  const server = serve({ tagged }, { tagged: ({ headers, cookies }) => ({ ...headers, ...cookies }) })
  const headers = { 'X-Tag': '\u00e0\u00a0 ,\tb\u00a0', 'X-Name': '\u00a0n\u00a0', Cookie: 'name=\u00a0c\u00a0 ' }
  const response = await server.fetch(new Request('http://a/', { headers }))
  expect(await response.json()).toEqual({ 'X-Tag': ['\u00e0\u00a0', 'b\u00a0'], 'X-Name': '\u00a0n\u00a0', name: '\u00a0c\u00a0' })
  const call = client({ tagged }, 'http://a', { fetch: server.fetch })
  const values = { 'X-Tag': ['\u00a0', 'b'], 'X-Name': '\u00a0' }
  expect(await call.tagged({ headers: values, cookies: { name: 'c' } })).toEqual({ ...values, name: 'c' })
})

test('a header has the bytes of its field, which may be empty, and is not read from the value of another one', async () => {
  const named = endpoint('GET /', {
    headers: { 'X-Name': text },
    cookies: { name: optional(text) },
    query: { size: array(int) },
    response: ok(json),
  })
  const server = serve({ named }, { named: ({ headers, cookies, query }) => ({ ...headers, ...cookies, ...query }) })
  const send = async (headers: readonly [name: string, value: string][], search = ''): Promise<unknown> => {
    const response = await server.fetch(new Request(`http://a/${search}`, { headers: [...headers] as [string, string][] }))
    return response.status === 200 ? response.json() : response.status
  }
  expect(await send([['X-Name', '']])).toEqual({ 'X-Name': '', size: [] })
  expect(await send([['X-Name', '\u00c3\u00a9']])).toEqual({ 'X-Name': '\u00c3\u00a9', size: [] })
  expect(
    await send([
      ['X-First', 'x-name'],
      ['X-Name', 'a,b'],
    ]),
  ).toEqual({ 'X-Name': 'a,b', size: [] })
  expect(
    await send([
      ['X-Name', 'a'],
      ['Cookie', 'name='],
    ]),
  ).toEqual({ 'X-Name': 'a', name: '', size: [] })
  expect(await send([['X-Name', 'a']], '?size=1&size&size=2')).toEqual({ 'X-Name': 'a', size: [1, 2] })
})

test('a header with one value in two fields is refused over a socket, whatever the case of its name', async () => {
  const named = endpoint('GET /', { headers: { 'X-Name': text }, response: ok(text) })
  const running = await listen(serve({ named }, { named: ({ headers }) => headers['X-Name'] }))
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  const statusOf = (...fields: readonly string[]): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = ['Host', 'a', ...fields]
      request({ port: running.port, host: '127.0.0.1', headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
  expect(await statusOf('X-Name', 'a,b')).toBe(200)
  expect(await statusOf('X-Name', 'a', 'X-Name', 'b')).toBe(400)
  expect(await statusOf('x-name', 'a', 'X-NAME', 'b')).toBe(400)
})
