/** The specification's "Static files". */

import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { METHODS } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, type Expected, problem, specify } from './expected.ts'
import { exchange, send, withHeaders } from './send.ts'

const digits = '0123456789'
const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
const page = '<!doctype html><title>Index</title>'

const it = await service({
  files: {
    'static-files/hello.txt': 'Hello',
    'static-files/digits.txt': digits,
    'static-files/empty.txt': '',
    'static-files/page.html': page,
    'static-files/with space & é.txt': 'spaced',
    'static-files/bytes.bin': bytes,
    'static-files/noextension': 'x',
    'static-files/deep/er/file.txt': 'deep',
    'static-files/folder/index.html': page,
    'static-files/bare/other.txt': 'other',
    'static-files/.hidden': 'hidden',
    'static-files/.git/config': 'hidden',
    'static-files/deep/.env': 'hidden',
    'outside.txt': 'outside',
    'static-files-too/file.txt': 'outside',
  },
})
afterAll(it.close)
const root = join(it.folder, 'static-files')

beforeAll(() => {
  symlinkSync('hello.txt', join(root, 'inside.txt'))
  symlinkSync('../outside.txt', join(root, 'out.txt'))
  symlinkSync('..', join(root, 'up'))
  symlinkSync('/etc', join(root, 'etc'))
  symlinkSync('loop', join(root, 'loop'))
  symlinkSync('deep', join(root, 'alias'))
  mkdirSync(join(root, 'index-is-a-folder', 'index.html'), { recursive: true })
  execFileSync('mkfifo', [join(root, 'fifo')])
  // In the past and with a fraction, which no HTTP date has.
  utimesSync(join(root, 'digits.txt'), 1_700_000_000.75, 1_700_000_000.75)
})

const lastModified = 'Tue, 14 Nov 2023 22:13:20 GMT'
const etag: unknown = expect.stringMatching(/^"[\x21\x23-\x7e]+"$/)
const date: unknown = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
const validators = {
  etag,
  'last-modified': date,
  'accept-ranges': 'bytes',
  'cache-control': 'public, max-age=0',
  'content-security-policy':
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'self'; frame-ancestors 'self'",
}

const file = (type: string, body: string, headers: Expected['headers'] = {}, status = 200): Expected => ({
  status,
  headers: { 'content-type': type, ...validators, ...headers },
  body,
})
const text = (body: string, headers: Expected['headers'] = {}, status = 200): Expected =>
  file('text/plain;charset=utf-8', body, headers, status)

describe('the file at the corresponding relative location', () => {
  specify(it.main, [
    ['a file', 'GET /static/hello.txt', text('Hello')],
    ['a file in a folder', 'GET /static/deep/er/file.txt', text('deep')],
    ['an empty file', 'GET /static/empty.txt', text('')],
    ['a media type by extension: HTML', 'GET /static/page.html', file('text/html;charset=utf-8', page)],
    ['an extension that is not there: octets', 'GET /static/noextension', file('application/octet-stream', 'x')],
    ['a name is percent-decoded', 'GET /static/with%20space%20%26%20%C3%A9.txt', text('spaced')],
    ['a name is percent-decoded once', 'GET /static/with%2520space%20%26%20%C3%A9.txt', problem(404)],
    ['a plus is a plus in a path', 'GET /static/with+space+&+%C3%A9.txt', problem(404)],
    ['a query does not matter', 'GET /static/hello.txt?version=2', text('Hello')],
    ['a folder serves its index.html', 'GET /static/folder/', file('text/html;charset=utf-8', page)],
    ['a folder without a slash too', 'GET /static/folder', file('text/html;charset=utf-8', page)],
    ['a link that stays inside', 'GET /static/inside.txt', text('Hello')],
    ['a link to a folder that stays inside', 'GET /static/alias/er/file.txt', text('deep')],
    ['HEAD: the same headers and no body', 'HEAD /static/hello.txt', text('')],
  ])

  test('its bytes are sent unchanged, with Content-Length', async () => {
    const { status, headers, bytes: sent } = await send(it.main, 'GET /static/bytes.bin')
    expect({ status, type: headers['content-type'], length: headers['content-length'], bytes: [...sent] }).toEqual({
      status: 200,
      type: 'application/octet-stream',
      length: '256',
      bytes: [...bytes],
    })
  })

  test('a large file arrives completely', async () => {
    const { main, folder } = await serviceOfTest()
    const large = Buffer.alloc(3_000_001, 'large ')
    mkdirSync(join(folder, 'static-files'))
    writeFileSync(join(folder, 'static-files', 'large.bin'), large)
    const { headers, bytes: sent } = await send(main, 'GET /static/large.bin')
    expect(headers['content-length']).toBe('3000001')
    expect(sent.equals(large)).toBe(true)
  })

  test('the folder can be created and changed while the service runs', async () => {
    const { main, folder } = await serviceOfTest()
    expect(comparable(await send(main, 'GET /static/hello.txt'))).toEqual(problem(404))
    mkdirSync(join(folder, 'other'))
    writeFileSync(join(folder, 'other', 'hello.txt'), 'Hello')
    renameSync(join(folder, 'other'), join(folder, 'static-files'))
    expect(comparable(await send(main, 'GET /static/hello.txt'))).toEqual(text('Hello'))
  })
})

// CONNECT has no path; node gives it to proxies alone.
test.each(METHODS.filter((method) => !['CONNECT', 'HEAD'].includes(method)))('any method is like GET: %s', async (method) => {
  expect(comparable(await send(it.main, `${method} /static/hello.txt`))).toEqual(text('Hello'))
  expect(comparable(await send(it.main, `${method} /static/nothing.txt`))).toEqual(problem(404))
})

test('a request body has no effect', async () => {
  expect(
    comparable(
      await send(it.main, { line: 'POST /static/hello.txt', headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(10_000) }),
    ),
  ).toEqual(text('Hello'))
})

describe('404 when it does not exist, and for everything that is not a regular file inside the root', () => {
  test.each([
    ['a file that is not there', '/nothing.txt'],
    ['a file in a folder that is not there', '/nothing/hello.txt'],
    ['the root, which has no index.html', ''],
    ['the root with a slash', '/'],
    ['a folder without index.html', '/bare'],
    ['a folder without index.html, with a slash', '/bare/'],
    ['a folder whose index.html is a folder', '/index-is-a-folder/'],
    ['a file name with a slash behind it', '/hello.txt/'],
    ['a file used as a folder', '/hello.txt/hello.txt'],
    ['a dot-file', '/.hidden'],
    ['a file in a dot-folder', '/.git/config'],
    ['a dot-file in a folder', '/deep/.env'],
    ['an encoded dot-file', '/%2ehidden'],
    ['a climbing path', '/../outside.txt'],
    ['a climbing path behind a folder', '/deep/../../outside.txt'],
    ['a path that climbs and comes back', '/deep/../hello.txt'],
    ['an encoded climbing path', '/%2e%2e/outside.txt'],
    ['a climbing path with an encoded slash', '/..%2foutside.txt'],
    ['an encoded slash within the root', '/deep%2Fer%2Ffile.txt'],
    ['a climbing path with a backslash', '/..%5coutside.txt'],
    ['a sibling whose name begins like the root', '/../static-files-too/file.txt'],
    ['an absolute path', '//etc/passwd'],
    ['an encoded absolute path', '/%2Fetc%2Fpasswd'],
    ['a link that leads out', '/out.txt'],
    ['a link to a folder that leads out', '/up/outside.txt'],
    ['a link to a folder of the system', '/etc/passwd'],
    ['a link to itself', '/loop'],
    ['a FIFO', '/fifo'],
    ['a name with NUL', '/hello.txt%00'],
    ['a name with NUL in the middle', '/hello%00.txt'],
    ['an empty segment', '//hello.txt'],
    ['a name in another case', '/HELLO.txt'],
    ['a name that is too long', `/${'x'.repeat(300)}`],
    ['another name that begins like static', '-files/hello.txt'],
  ])('%s', async (_what, path) => {
    expect(comparable(await send(it.main, `GET /static${path}`))).toEqual(problem(404))
  })

  test('invalid percent-encoding is 400, as everywhere', async () => {
    expect(comparable(await send(it.main, 'GET /static/%zz'))).toEqual(problem(400))
    expect(comparable(await send(it.main, 'GET /static/%ff'))).toEqual(problem(400))
  })

  test('path traversal on a raw socket', async () => {
    expect(await exchange(it.main, 'GET /static/../../../../etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 404 /,
    )
  })
})

describe('ETag, Last-Modified and conditional requests', () => {
  const tagOf = async (name = 'digits.txt'): Promise<string> => (await send(it.main, `HEAD /static/${name}`)).headers['etag'] ?? ''
  const conditional = async (headers: Record<string, string>, method = 'GET') =>
    comparable(await send(it.main, withHeaders(`${method} /static/digits.txt`, headers)))
  const known = { ...validators, 'last-modified': lastModified }
  const unchanged: Expected = { status: 304, headers: known, body: '' }
  const failed: Expected = { status: 412, headers: known, body: '' }
  const whole = text(digits, known)

  test('Last-Modified is the modification time of the file in whole seconds', async () => {
    expect((await send(it.main, 'GET /static/digits.txt')).headers['last-modified']).toBe(lastModified)
  })

  test('the ETag changes exactly when the file changes', async () => {
    const { main, folder } = await serviceOfTest({ files: { 'static-files/a.txt': 'one' } })
    const tag = async () => (await send(main, 'GET /static/a.txt')).headers['etag']
    const first = await tag()
    expect(await tag()).toBe(first)
    writeFileSync(join(folder, 'static-files', 'a.txt'), 'other')
    const second = await tag()
    expect(second).not.toBe(first)
    utimesSync(join(folder, 'static-files', 'a.txt'), 1, 1)
    expect([first, second]).not.toContain(await tag())
  })

  test('If-None-Match', async () => {
    const tag = await tagOf()
    for (const list of [tag, `W/${tag}`, `"other", ${tag}`, '*']) expect(await conditional({ 'If-None-Match': list })).toEqual(unchanged)
    for (const list of ['"other"', tag.slice(1), '']) expect(await conditional({ 'If-None-Match': list })).toEqual(whole)
    expect(await conditional({ 'If-None-Match': tag }, 'HEAD')).toEqual(unchanged)
  })

  test('If-Modified-Since', async () => {
    expect(await conditional({ 'If-Modified-Since': lastModified })).toEqual(unchanged)
    expect(await conditional({ 'If-Modified-Since': 'Tue, 14 Nov 2023 22:13:21 GMT' })).toEqual(unchanged)
    expect(await conditional({ 'If-Modified-Since': 'Tue, 14 Nov 2023 22:13:19 GMT' })).toEqual(whole)
    expect(await conditional({ 'If-Modified-Since': 'yesterday' })).toEqual(whole)
    // If-None-Match, where there is one, decides alone (RFC 9110 section 13.2.2).
    expect(await conditional({ 'If-Modified-Since': lastModified, 'If-None-Match': '"other"' })).toEqual(whole)
  })

  test('If-Match and If-Unmodified-Since', async () => {
    const tag = await tagOf()
    expect(await conditional({ 'If-Match': tag })).toEqual(whole)
    expect(await conditional({ 'If-Match': '*' })).toEqual(whole)
    expect(await conditional({ 'If-Match': '"other"' })).toEqual(failed)
    expect(await conditional({ 'If-Match': `W/${tag}` })).toEqual(failed)
    expect(await conditional({ 'If-Unmodified-Since': lastModified })).toEqual(whole)
    expect(await conditional({ 'If-Unmodified-Since': 'Tue, 14 Nov 2023 22:13:19 GMT' })).toEqual(failed)
  })

  test('If-Range: the range of exactly this version, or the whole file', async () => {
    const tag = await tagOf()
    const range = text('23', { ...known, 'content-range': 'bytes 2-3/10' }, 206)
    expect(await conditional({ Range: 'bytes=2-3', 'If-Range': tag })).toEqual(range)
    expect(await conditional({ Range: 'bytes=2-3', 'If-Range': lastModified })).toEqual(range)
    expect(await conditional({ Range: 'bytes=2-3', 'If-Range': '"other"' })).toEqual(whole)
    expect(await conditional({ Range: 'bytes=2-3', 'If-Range': `W/${tag}` })).toEqual(whole)
  })
})

describe('one byte range', () => {
  test.each([
    ['bytes=0-0', '0', '0-0'],
    ['bytes=2-4', '234', '2-4'],
    ['bytes=7-', '789', '7-9'],
    ['bytes=-3', '789', '7-9'],
    ['bytes=-99', digits, '0-9'],
    ['bytes=0-99', digits, '0-9'],
    ['bytes=9-9', '9', '9-9'],
    ['Bytes=1-2', '12', '1-2'],
  ])('%s: 206 %s', async (range, body, sent) => {
    expect(comparable(await send(it.main, withHeaders('GET /static/digits.txt', { Range: range })))).toEqual(
      text(body, { 'content-range': `bytes ${sent}/10` }, 206),
    )
  })

  test.each(['bytes=10-', 'bytes=10-20', 'bytes=99-', 'bytes=-0'])('%s: 416', async (range) => {
    expect(comparable(await send(it.main, withHeaders('GET /static/digits.txt', { Range: range })))).toEqual({
      status: 416,
      headers: { ...validators, 'content-range': 'bytes */10' },
      body: '',
    })
  })

  test.each(['bytes=0-1,4-5', 'bytes=', 'bytes=-', 'bytes=4-2', 'bytes=a-b', 'bytes', 'items=0-1', 'name; limit 2', ''])(
    '%j is ignored',
    async (range) => {
      expect(comparable(await send(it.main, withHeaders('GET /static/digits.txt', { Range: range })))).toEqual(text(digits))
    },
  )
})
