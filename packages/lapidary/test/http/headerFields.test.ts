/** Header fields: their names have no case. */
import { request } from 'node:http'
import fc from 'fast-check'
import { array, endpoint, int, json, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { appendHeader, getHeader, hasHeader, vary } from 'lapidary/middleware'
import { serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { isHeaderNamed } from '../../src/http/headerFields.ts'
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
