/** `download`: files as responses, with ranges and conditions, on every adapter. */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type AnyEndpoint,
  byteStream,
  download,
  endpoint,
  flag,
  int,
  json,
  ok,
  partialContent,
  reply,
  respond,
  text,
  withHeaders,
} from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { sendFile } from 'lapidary/static'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { formatContentDisposition } from '../../../src/http/fileResponse.ts'
import { createRequest } from '../../support/httpRequest.ts'
import { adapters, type RunningAdapter } from '../../support/matrix/adapters.ts'

const home = mkdtempSync(join(tmpdir(), 'lapidary-download-'))
const root = join(home, 'root')
const letters = 'abcdefghijklmnopqrstuvwxyz'
const changed = 'Sun, 06 Nov 1994 08:49:37 GMT'
const memo = new File([letters], 'memo "1" ☃.txt', { type: 'text/plain' })

beforeAll(() => {
  mkdirSync(join(root, 'sub', '.hidden'), { recursive: true })
  for (const path of ['letters.txt', 'sub/a b.txt', 'report.pdf', 'noExtension', '.env', 'sub/.hidden/x.txt'])
    writeFileSync(join(root, path), letters)
  writeFileSync(join(root, 'empty.txt'), '')
  writeFileSync(join(home, 'secret.txt'), 'secret')
  symlinkSync('../secret.txt', join(root, 'out.txt'))
  symlinkSync('letters.txt', join(root, 'inside.txt'))
  utimesSync(join(root, 'letters.txt'), new Date(changed), new Date(changed))
})
afterAll(() => rmSync(home, { recursive: true }))

const api = {
  stored: endpoint('GET /stored/:path', { response: ok(download('text/plain', 'application/pdf')), errors: [reply(404)] }),
  named: endpoint('GET /named', { response: ok(download('text/plain'), { headers: { 'Cache-Control': text, 'X-Page': text } }) }),
  memo: endpoint('GET /memo', { response: ok(download('text/plain')), responseHeaders: { 'X-Mine': 'Kimberley' } }),
  fresh: endpoint('GET /fresh/:type', { response: ok(download('text/plain', 'text/csv;charset=utf-8')) }),
  empty: endpoint('GET /empty', { response: ok(download()) }),
  later: endpoint('GET /later', { query: { isReady: flag }, response: [ok(download('text/plain')), reply(202, json)] }),
}
const reported: unknown[] = []
const server = serve(
  api,
  {
    stored: async ({ params: { path }, fail }) => (await sendFile(path, { root })) ?? fail(404, { detail: 'No such report.' }),
    named: async () =>
      withHeaders((await sendFile(join(root, 'letters.txt'), { name: 'brief.txt' })) ?? memo, {
        'Cache-Control': 'max-age=60',
        'X-Page': '1',
      }),
    memo: () => memo,
    fresh: ({ params: { type } }) => new Blob([letters], type === 'none' ? {} : { type: type.replace('+', '/') }),
    empty: () => new Blob([]),
    later: ({ query: { isReady } }) => (isReady ? memo : respond(202, 1)),
  },
  { onError: (error) => reported.push(error) },
)

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  type Headers = Readonly<Record<string, string>>
  const send = async (target: string, headers: Headers = {}, method = 'GET') => {
    const response = await adapter.fetch(target, { method, headers })
    const header = (name: string): string | null => response.headers.get(name)
    return { status: response.status, header, text: await response.text() }
  }
  const getTag = async (target: string): Promise<string> => (await send(target)).header('ETag') ?? ''

  test('a stored file has its length, its type and its validators', async () => {
    const { status, header, text: body } = await send('/stored/letters.txt')
    expect([status, body]).toEqual([200, letters])
    expect(header('Content-Type')).toBe('text/plain')
    expect(header('X-Content-Type-Options')).toBe('nosniff')
    expect(header('Content-Length')).toBe('26')
    expect(header('Accept-Ranges')).toBe('bytes')
    expect(header('Last-Modified')).toBe(changed)
    expect(header('ETag')).toMatch(/^"1a-[0-9a-f]+"$/)
    expect(header('Content-Disposition')).toBeNull()
    expect(header('Vary')).toBeNull()
  })

  test('a Blob has a tag of its bytes and its type, and no date', async () => {
    const first = await send('/fresh/none', { Accept: '*/*' })
    expect(first.status).toBe(500)
    const [plain, again, sheet] = [await send('/fresh/text+plain'), await send('/fresh/text+plain'), await send('/fresh/text+csv')]
    expect([plain.text, plain.header('Content-Type'), plain.header('Last-Modified')]).toEqual([letters, 'text/plain', null])
    expect(sheet.header('Content-Type')).toBe('text/csv;charset=utf-8')
    expect(plain.header('ETag')).toMatch(/^"[0-9a-f]{32}"$/)
    expect(again.header('ETag')).toBe(plain.header('ETag'))
    expect(sheet.header('ETag')).not.toBe(plain.header('ETag'))
  })

  test('a name is sent in both forms', async () => {
    expect((await send('/memo')).header('Content-Disposition')).toBe(
      `attachment; filename="memo \\"1\\" _.txt"; filename*=UTF-8''memo%20%221%22%20%E2%98%83.txt`,
    )
    const named = await send('/named')
    expect(named.header('Content-Disposition')).toBe('attachment; filename="brief.txt"')
    expect([named.header('Cache-Control'), named.header('X-Page')]).toEqual(['max-age=60', '1'])
  })

  test.each<[range: string, status: number, contentRange: string | null, body: string]>([
    ['bytes=0-0', 206, 'bytes 0-0/26', 'a'],
    ['bytes=3-5', 206, 'bytes 3-5/26', 'def'],
    ['bytes=24-', 206, 'bytes 24-25/26', 'yz'],
    ['bytes=-2', 206, 'bytes 24-25/26', 'yz'],
    ['bytes=-99999999999999999999999', 206, 'bytes 0-25/26', letters],
    ['bytes=0-99999999999999999999999', 206, 'bytes 0-25/26', letters],
    ['bytes=-0', 416, 'bytes */26', ''],
    ['bytes=26-', 416, 'bytes */26', ''],
    ['bytes=99999999999999999999999-', 416, 'bytes */26', ''],
    [`bytes=${'9'.repeat(2_000)}-`, 416, 'bytes */26', ''],
    ['bytes=5-3', 200, null, letters],
    ['bytes=-', 200, null, letters],
    ['bytes=a-b', 200, null, letters],
    ['bytes=0-1,3-4', 200, null, letters],
    [`bytes=${Array.from({ length: 500 }, (_, at) => `${at}-${at}`).join(',')}`, 200, null, letters],
    ['rows=0-1', 200, null, letters],
    ['bytes=0x0-0x5', 200, null, letters],
    ['bytes=1e3-', 200, null, letters],
  ])('Range: %s gets %i', async (range, status, contentRange, body) => {
    for (const target of ['/stored/letters.txt', '/memo']) {
      const response = await send(target, { Range: range })
      expect([response.status, response.header('Content-Range')]).toEqual([status, contentRange])
      if (status === 416) expect(JSON.parse(response.text)).toMatchObject({ status: 416, detail: expect.stringContaining('26 bytes') })
      else expect([response.text, response.header('Content-Length')]).toEqual([body, `${body.length}`])
    }
  })

  test('an empty file has no ranges but those that ask for its end', async () => {
    for (const target of ['/empty', '/stored/empty.txt']) {
      const response = await send(target)
      expect([response.status, response.text, response.header('Content-Length')]).toEqual([200, '', '0'])
      expect((await send(target, { Range: 'bytes=0-' })).status).toBe(416)
      expect((await send(target, { Range: 'bytes=-1' })).status).toBe(200)
    }
  })

  test.each<[sentence: string, status: number, headers: (tag: string) => Headers]>([
    ['If-None-Match with the tag', 304, (tag) => ({ 'If-None-Match': tag })],
    ['If-None-Match with its weak form', 304, (tag) => ({ 'If-None-Match': `"x", W/${tag}` })],
    ['If-None-Match with *', 304, () => ({ 'If-None-Match': '*' })],
    ['If-None-Match with another', 200, () => ({ 'If-None-Match': '"x"' })],
    ['If-Match with the tag', 200, (tag) => ({ 'If-Match': tag })],
    ['If-Match with its weak form', 412, (tag) => ({ 'If-Match': `W/${tag}` })],
    ['If-Match with another', 412, () => ({ 'If-Match': '"x"' })],
    ['If-Match before If-None-Match', 412, (tag) => ({ 'If-Match': '"x"', 'If-None-Match': tag })],
    ['a failed condition before its range', 412, () => ({ 'If-Match': '"x"', Range: 'bytes=99-' })],
    ['an unchanged file before its range', 304, (tag) => ({ 'If-None-Match': tag, Range: 'bytes=0-1' })],
    ['a condition of 2,000 tags', 200, () => ({ 'If-None-Match': Array.from({ length: 2_000 }, (_, at) => `"${at}"`).join(',') })],
    ['the same with the tag at its end', 304, (tag) => ({ 'If-None-Match': `${'"0",'.repeat(2_000)}${tag}` })],
    ['If-Range with the tag', 206, (tag) => ({ 'If-Range': tag, Range: 'bytes=0-1' })],
    ['If-Range with its weak form', 200, (tag) => ({ 'If-Range': `W/${tag}`, Range: 'bytes=0-1' })],
    ['If-Range with another', 200, () => ({ 'If-Range': '"x"', Range: 'bytes=99-' })],
    ['If-Range that is nothing', 200, () => ({ 'If-Range': 'x', Range: 'bytes=0-1' })],
    ['an invalid date', 200, () => ({ 'If-Modified-Since': 'yesterday' })],
  ])('%s gets %i', async (_sentence, status, headers) => {
    for (const target of ['/stored/letters.txt', '/memo']) {
      const tag = await getTag(target)
      const response = await send(target, headers(tag))
      expect(response.status).toBe(status)
      if (status < 400) expect(response.header('ETag')).toBe(tag)
      if (status === 304) expect(response.text).toBe('')
      if (status === 206) expect(response.text).toBe('ab')
    }
  })

  test.each<[header: string, date: string, stored: number]>([
    ['If-Modified-Since', changed, 304],
    ['If-Modified-Since', 'Sun, 06 Nov 1994 08:49:36 GMT', 200],
    ['If-Unmodified-Since', changed, 200],
    ['If-Unmodified-Since', 'Sun, 06 Nov 1994 08:49:36 GMT', 412],
    ['If-Range', changed, 206],
    ['If-Range', 'Sun, 06 Nov 1994 08:49:38 GMT', 200],
  ])('%s: %s gets %i, and is ignored by a Blob', async (header, date, stored) => {
    const headers = { [header]: date, ...(header === 'If-Range' && { Range: 'bytes=0-1' }) }
    expect((await send('/stored/letters.txt', headers)).status).toBe(stored)
    expect((await send('/memo', headers)).status).toBe(200)
  })

  test('a 304 has the headers that a cache needs', async () => {
    const response = await send('/named', { 'If-None-Match': '*' })
    expect([response.status, response.header('Cache-Control'), response.header('X-Page')]).toEqual([304, 'max-age=60', null])
    expect((await send('/memo', { 'If-None-Match': '*' })).header('X-Mine')).toBe('Kimberley')
  })

  test('HEAD has the head of GET, without its range', async () => {
    for (const target of ['/stored/letters.txt', '/memo']) {
      const head = await send(target, { Range: 'bytes=0-1' }, 'HEAD')
      const get = await send(target)
      expect([head.status, head.text]).toEqual([200, ''])
      for (const name of ['ETag', 'Content-Length', 'Content-Type', 'Last-Modified', 'Accept-Ranges', 'Content-Disposition'])
        expect(head.header(name)).toBe(get.header(name))
    }
  })

  test.each([
    ...[
      'missing.txt',
      'sub',
      'out.txt',
      '.env',
      '../secret.txt',
      'sub/.hidden/x.txt',
      'sub/../letters.txt',
      '/letters.txt',
      'letters.txt/',
    ],
    ...['a\0b', 'a\\b', '%2e%2e/secret.txt', 'a'.repeat(5_000), 'a/'.repeat(2_000)],
  ])('a file that a client may not have is the declared 404: %.20s', async (path) => {
    const { status, text: body } = await send(`/stored/${encodeURIComponent(path)}`)
    expect(status).toBe(404)
    expect(JSON.parse(body)).toMatchObject({ detail: 'No such report.' })
    expect(body).not.toContain(home)
  })

  test('names with spaces, and links that stay inside, are files', async () => {
    for (const path of ['sub%2Fa%20b.txt', 'inside.txt', 'report.pdf']) expect((await send(`/stored/${path}`)).text).toBe(letters)
    expect((await send('/stored/report.pdf')).header('Content-Type')).toBe('application/pdf')
  })

  test('the file says which type it has; Accept only that there is one', async () => {
    expect((await send('/stored/report.pdf', { Accept: 'text/plain' })).header('Content-Type')).toBe('application/pdf')
    expect((await send('/stored/report.pdf', { Accept: 'image/png' })).status).toBe(406)
  })

  test('a type that is not declared is reported, and a 500 that tells nothing', async () => {
    reported.length = 0
    for (const target of ['/stored/noExtension', '/fresh/image+png', '/fresh/none']) {
      const { status, text: body } = await send(target)
      expect(status).toBe(500)
      expect(body).not.toMatch(/image|octet|root/)
    }
    expect(reported.map(String)).toEqual([
      expect.stringContaining('the file has the type application/octet-stream, but the endpoint declares text/plain, application/pdf'),
      expect.stringContaining('the file has the type image/png'),
      expect.stringContaining('the file has the type application/octet-stream'),
    ])
  })

  test('ten thousand conditions do not cost the server more than its limit of headers', async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `"${at}"`).join(',')
    const response = await adapter.fetch('/memo', { headers: { 'If-None-Match': many } }).catch(() => undefined)
    expect([undefined, 200, 431]).toContain(response?.status)
    await response?.body?.cancel()
    expect((await send('/memo')).status).toBe(200)
  })
})

test.each([
  ['report.pdf', 'attachment; filename="report.pdf"'],
  ['a "b" \\ c.txt', 'attachment; filename="a \\"b\\" _ c.txt"'],
  ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
  ['100%.txt', `attachment; filename="100_.txt"; filename*=UTF-8''100%25.txt`],
  ["naïve (1)'*.txt", `attachment; filename="na_ve (1)'*.txt"; filename*=UTF-8''na%C3%AFve%20%281%29%27%2A.txt`],
  ['a\r\nSet-Cookie: x', 'attachment; filename="a__Set-Cookie: x"'],
  ['\ud800😀', `attachment; filename="__"; filename*=UTF-8''%EF%BF%BD%F0%9F%98%80`],
  ['x'.repeat(100_000), `attachment; filename="${'x'.repeat(200)}"`],
])('the name %j', (name, header) => {
  expect(formatContentDisposition(name)).toBe(header)
})

test('a file with a name is shown where the download is inline', async () => {
  const photo = new File(['x'], 'opal.png', { type: 'image/png' })
  const both = {
    shown: endpoint('GET /shown', { response: ok(download('image/png', 'image/jpeg', { disposition: 'inline' })) }),
    saved: endpoint('GET /saved', { response: ok(download('image/png', { disposition: 'attachment' })) }),
    bare: endpoint('GET /bare', { response: ok(download({ disposition: 'inline' })) }),
  }
  const handler = serve(both, { shown: () => photo, saved: () => photo, bare: () => new Blob(['x']) })
  const getHeader = async (path: string) =>
    (await handler.fetch(new Request(`http://test.invalid${path}`))).headers.get('Content-Disposition')
  expect([await getHeader('/shown'), await getHeader('/saved'), await getHeader('/bare')]).toEqual([
    'inline; filename="opal.png"',
    'attachment; filename="opal.png"',
    null,
  ])
})

describe('a range of types', () => {
  const ranges = {
    picture: endpoint('GET /pictures/:type', { response: ok(download('image/*', 'image/svg+xml', { disposition: 'inline' })) }),
    any: endpoint('GET /any/:type', {
      response: ok(download('*/*', 'text/*'), { headers: { 'X-Page': text } }),
    }),
  }
  const failures: unknown[] = []
  // The type is known when the file is.
  const create = (type: string) => new File([letters], 'opal', type === 'none' ? {} : { type })
  const handler = serve(
    ranges,
    {
      picture: ({ params: { type } }) => create(type),
      any: ({ params: { type } }) => withHeaders(create(type), { 'X-Page': 'Content-Type' }),
    },
    { onError: (error) => failures.push(error) },
  )
  const send = async (path: string, type: string, headers: Headers | Record<string, string> = {}) => {
    const response = await handler.fetch(new Request(`http://test.invalid${path}${encodeURIComponent(type)}`, { headers }))
    return { status: response.status, type: response.headers.get('Content-Type'), headers: response.headers }
  }

  test.each([
    ['/pictures/', 'image/png', 'image/png'],
    ['/pictures/', 'image/webp; a=b', 'image/webp; a=b'],
    ['/pictures/', 'image/svg+xml', 'image/svg+xml'],
    ['/any/', 'audio/ogg', 'audio/ogg'],
    ['/any/', 'video/mp4', 'video/mp4'],
    ['/any/', 'none', 'application/octet-stream'],
  ])('%s a file of the type %s is sent as %s', async (path, type, sent) => {
    const response = await send(path, type)
    expect([response.status, response.type, response.headers.get('X-Content-Type-Options')]).toEqual([200, sent, 'nosniff'])
    const disposition = path === '/any/' ? 'attachment' : 'inline'
    expect(response.headers.get('Content-Disposition')).toBe(`${disposition}; filename="opal"`)
    if (path === '/any/') expect(response.headers.get('X-Page')).toBe('Content-Type')
  })

  test.each(['text/plain', 'none', 'image/*', 'image/png;', 'imagepng', 'image/png, image/gif', 'image/', '*/*'])(
    'a file of the type %s is reported, and a 500',
    async (type) => {
      failures.length = 0
      const { status } = await send('/pictures/', type)
      // An empty parameter is none (RFC 9110 §5.6.6).
      if (type === 'image/png;') return expect(status).toBe(200)
      expect([status, failures.map(String)]).toEqual([500, [expect.stringContaining('but the endpoint declares image/*, image/svg+xml')]])
    },
  )

  test('the same bytes of another type have another tag', async () => {
    const [png, gif] = [await send('/pictures/', 'image/png'), await send('/pictures/', 'image/gif')]
    expect(png.headers.get('ETag')).not.toBe(gif.headers.get('ETag'))
    const part = await send('/pictures/', 'image/png', { Range: 'bytes=0-1', 'If-Range': png.headers.get('ETag') ?? '' })
    expect([part.status, part.type]).toEqual([206, 'image/png'])
  })

  test.each([
    ['image/png', 200],
    ['image/*', 200],
    ['*/*', 200],
    ['text/html, image/avif;q=0.1', 200],
    ['image/*;q=0, image/png', 200],
    ['text/html', 406],
    ['text/*', 406],
    ['image/png;q=0', 406],
    ['image/*;q=0, image/svg+xml;q=0, */*', 406],
  ])('a request that accepts %s gets %i', async (accept, status) => {
    expect((await send('/pictures/', 'image/png', { Accept: accept })).status).toBe(status)
  })

  test('a client gets a Blob of the type that was sent, and accepts no other', async () => {
    const call = client(ranges, 'http://test.invalid', { fetch: handler.fetch })
    expect((await call.picture({ params: { type: 'image/png' } })).type).toBe('image/png')
    expect((await call.any({ params: { type: 'audio/ogg' } })).body.type).toBe('audio/ogg')
    expect(await call.picture({ params: { type: 'image/png' } }, { accept: 'image/png' })).toBe(letters)
    expect(await call.picture({ params: { type: 'image/png' } }, { accept: 'image/*' })).toBe(letters)
    await expect(call.picture({ params: { type: 'image/png' } }, { accept: 'text/plain' })).rejects.toThrow('image/*')
    const other = client(ranges, 'http://test.invalid', {
      fetch: async () => new Response('x', { headers: { 'Content-Type': 'text/html', ETag: '"1"' } }),
    })
    await expect(other.picture({ params: { type: 'image/png' } })).rejects.toThrow('text/html')
  })

  test('documents have the range', async () => {
    const document = await openapi(ranges, { title: 'Pictures', version: '1' })
    expect(Object.keys(Object(document.paths['/pictures/{type}']?.get?.responses['200']).content)).toEqual(['image/*', 'image/svg+xml'])
    const shown = endpoint('GET /shown', { response: ok(download('image/*')), examples: { response: new Blob(['<svg/>']) } })
    const { paths } = await openapi({ shown }, { title: 'Pictures', version: '1' })
    expect(Object(paths['/shown']?.get?.responses['200']).content['image/*'].example).toBe('<svg/>')
  })

  test.each<[string, () => unknown, string]>([
    ['of no type', () => download('*/png'), 'download(): "*/png" is no media type.'],
    ['of a body', () => endpoint('PUT /', { body: byteStream('image/*'), response: ok(json) }), 'which is a range. Only a download()'],
    ['of another response', () => endpoint('GET /', { response: ok(byteStream('image/*')) }), 'which is a range. Only a download()'],
  ])('%s is refused', (_what, declare, message) => {
    expect(declare).toThrow(message)
  })
})

test.each<[string, () => unknown, string]>([
  [
    'a disposition',
    () => download({ disposition: 'open' as never }),
    `download(): the disposition is "open". Use 'attachment' or 'inline'.`,
  ],
  ['an option', () => download('image/png', { name: 'x' } as never), 'download() has the unknown option "name". Use one of disposition.'],
])('%s that does not exist is refused', (_what, declare, message) => {
  expect(declare).toThrow(new TypeError(message))
})

test('each byte of a large Blob counts for its tag', async () => {
  const size = 2_500_000
  const single = { one: endpoint('GET /:changed', { params: { changed: int }, response: ok(download('text/plain')) }) }
  const handler = serve(single, {
    one: ({ params: { changed } }) => {
      const bytes = new Uint8Array(size)
      // Behind the end, nothing is changed.
      bytes[changed] = 1
      return new Blob([bytes], { type: 'text/plain' })
    },
  })
  const getTag = async (at: number) =>
    (await handler.fetch(new Request(`http://test.invalid/${at}`, { method: 'HEAD' }))).headers.get('ETag')
  const tags = await Promise.all([0, 1_048_575, 1_048_576, 2_097_152, size - 1, size].map(getTag))
  expect(new Set(tags).size).toBe(tags.length)
  expect(await getTag(size + 1)).toBe(tags.at(-1))
})

test('a Blob that could not be read is read again for the next request', async () => {
  class Shaky extends Blob {
    failures = 2
    override slice(...range: Parameters<Blob['slice']>): Blob {
      this.failures -= 1
      if (this.failures >= 0) throw new Error('the disk is busy')
      return super.slice(...range)
    }
  }
  const shaky = new Shaky([letters], { type: 'text/plain' })
  const failures: unknown[] = []
  const { fetch } = serve({ memo: api.memo }, { memo: () => shaky }, { onError: (error) => failures.push(error) })
  const statusOf = async (): Promise<number> => (await fetch(new Request('http://test.invalid/memo'))).status
  expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([500, 500, 200])
  expect(failures).toEqual([
    expect.objectContaining({ message: 'the disk is busy' }),
    expect.objectContaining({ message: 'the disk is busy' }),
  ])
})

describe('a client', () => {
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })

  test('gets a Blob of the type that was sent', async () => {
    const blob = await call.stored({ params: { path: 'report.pdf' } })
    expect([blob instanceof Blob, blob.type, await blob.text()]).toEqual([true, 'application/pdf', letters])
    const { body, headers } = await call.named()
    expect([await body.text(), headers['X-Page']]).toEqual([letters, '1'])
    expect(await call.memo({}, { accept: 'text/plain' })).toBe(letters)
  })

  test('gets the part that a header asks for', async () => {
    expect(await (await call.memo({}, { headers: { Range: 'bytes=2-3' } })).text()).toBe('cd')
    const part = await call.later({ query: { isReady: true } }, { headers: { Range: 'bytes=2-3' } })
    expect(part.status === 200 && (await part.body.text())).toBe('cd')
    expect(await call.later({ query: { isReady: false } })).toEqual({ status: 202, body: 1 })
  })

  test('gets the declared 404, and the errors of a condition', async () => {
    const failure = await call.stored({ params: { path: 'nothing' } }).catch((error: unknown) => error)
    expect(isDeclaredError(api.stored, failure)).toBe(true)
    for (const [headers, status] of [
      [{ 'If-None-Match': '*' }, 304],
      [{ 'If-Match': '"x"' }, 412],
      [{ Range: 'bytes=99-' }, 416],
    ] as const)
      await expect(call.memo({}, { headers })).rejects.toMatchObject({ status })
  })

  test('of a body that is too large gets no Blob', async () => {
    await expect(call.memo({}, { maxResponseSize: 10 })).rejects.toThrow('10')
  })
})

test.each<[string, () => AnyEndpoint, string]>([
  ['a POST', () => endpoint('POST /', { response: ok(download()) }), 'usual response of a GET'],
  ['another status', () => endpoint('GET /', { response: reply(203, download()) }), 'usual response of a GET'],
  ['the second response', () => endpoint('GET /', { response: [ok(json), reply(203, download())] }), 'usual response of a GET'],
  ['an error', () => endpoint('GET /', { response: ok(json), errors: [reply(409, download())] }), 'usual response of a GET'],
  ['an etag', () => endpoint('GET /', { response: ok(download()), etag: true }), 'has an "etag"'],
  ['a 206', () => endpoint('GET /', { response: [ok(download()), partialContent(json, { headers: { A: text } })] }), 'the status 206'],
  ...[206, 304, 412].map((status): [string, () => AnyEndpoint, string] => [
    `the error ${status}`,
    () => endpoint('GET /', { response: ok(download()), errors: [reply(status)] }),
    `the status ${status}`,
  ]),
  ['a 416', () => endpoint('GET /', { response: ok(download()), errors: [reply(416)] }), 'the status 416'],
  ['another download', () => endpoint('GET /', { response: [ok(download()), reply(203, download())] }), 'usual response of a GET'],
  [
    'a download as an error',
    () => endpoint('GET /', { response: ok(download()), errors: [reply(409, download())] }),
    'usual response of a GET',
  ],
  ...['Content-Range', 'accept-ranges', 'Last-Modified', 'Content-Disposition'].map((name): [string, () => AnyEndpoint, string] => [
    `the header ${name}`,
    () => endpoint('GET /', { response: ok(download(), { headers: { [name]: text } }) }),
    `the header ${name}`,
  ]),
  ['a header of its own', () => endpoint('GET /', { response: ok(download(), { headers: { ETag: text } }) }), 'the header ETag'],
  [
    'a constant one',
    () => endpoint('GET /', { response: ok(download()), responseHeaders: { 'accept-ranges': 'a' } }),
    'the header accept-ranges',
  ],
  [
    'another one that the server reads',
    () => endpoint('GET /', { headers: { 'If-Range': text }, response: ok(download()) }),
    'the header If-Range',
  ],
  ['one that the server reads', () => endpoint('GET /', { headers: { range: text }, response: ok(download()) }), 'the header range'],
])('%s cannot be declared with a download', (_what, declare, message) => {
  expect(() => serve({ it: declare() } as never, { it: () => memo } as never)).toThrow(message)
})

test('documents have its further responses, beside those of a part', async () => {
  const later = { later: api.later }
  const document = await openapi(later, { title: 'Files', version: '1' })
  const { sections } = await outline(later)
  const statuses = ['200', '202', '206', '304', '400', '412', '416']
  expect(Object.keys(document.paths['/later']?.get?.responses ?? {})).toEqual(expect.arrayContaining(statuses))
  expect(sections[0]?.responses.map(({ status }) => status)).toEqual([200, 206, 202])
  const ranges = ['200', '206', '416'].map((status) => {
    const response = document.paths['/later']?.get?.responses[status]
    return Object(response).headers?.['Content-Range']?.example
  })
  expect(ranges).toEqual([undefined, 'bytes 0-99/1000', 'bytes */1000'])
})

test('a download is no body of a request', () => {
  expect(() => endpoint('POST /', { body: download(), response: ok(json) })).toThrow(TypeError)
})

test.each([
  ['a text', 'letters'],
  ['nothing', undefined],
  ['null', null],
  ['bytes', new Uint8Array(3)],
  ['an object', { type: 'text/plain' }],
])('%s is no file', async (_what, value) => {
  const errors: unknown[] = []
  const handler = serve({ memo: api.memo }, { memo: () => value as never }, { onError: (error) => errors.push(error) })
  expect((await handler(createRequest('/memo'))).status).toBe(500)
  expect(String(errors[0])).toContain('expected a file')
})
