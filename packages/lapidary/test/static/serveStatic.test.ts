/** `serveStatic` over a real folder, with real links, a real FIFO and a real socket. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { HttpError } from '../../src/http/httpError.ts'
import type { HttpResponse } from '../../src/http/httpHandler.ts'
import { serveStatic } from '../../src/static/serveStatic.ts'
import { createRequest } from '../support/httpRequest.ts'

const home = mkdtempSync(join(tmpdir(), 'lapidary-files-'))
const root = join(home, 'root')
const place = (...names: string[]): string => join(root, ...names)
const letters = 'abcdefghijklmnopqrstuvwxyz'
const changed = 'Sun, 06 Nov 1994 08:49:37 GMT'
const serve = serveStatic(root)
const listener = createServer()

type ReceivedResponse = { status: number; header: (name: string) => string | undefined; text: string }

async function textOf(body: HttpResponse['body']): Promise<string> {
  if (body === null) return ''
  if (typeof body === 'string' || body instanceof Uint8Array) throw new Error('expected a stream')
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

/** The response that a server around the handler would send. */
async function send(target: string, headers: Record<string, string> = {}, method = 'GET', handler = serve): Promise<ReceivedResponse> {
  try {
    const response = await handler(createRequest(target, headers, method))
    const at = (name: string): number => response.headers.findIndex((word, index) => index % 2 === 0 && word === name)
    const header = (name: string): string | undefined => (at(name) < 0 ? undefined : response.headers[at(name) + 1])
    return { status: response.status, header, text: await textOf(response.body) }
  } catch (failure) {
    if (!(failure instanceof HttpError)) throw failure
    return { status: failure.status, header: () => undefined, text: failure.detail ?? '' }
  }
}

const descriptorsUnderHome = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(home) ? [path] : []
    } catch {
      return [] // the descriptor that listed the folder
    }
  })

beforeAll(async () => {
  for (const folder of ['sub', 'bare', 'odd/index.html', '.hidden', 'sub/..data']) mkdirSync(place(folder), { recursive: true })
  mkdirSync(join(home, 'outside'))
  mkdirSync(join(home, 'root-beside'))
  for (const path of ['outside/secret.txt', 'outside/index.html', 'root-beside/secret.txt', 'secret.txt'])
    writeFileSync(join(home, path), 'secret')
  writeFileSync(place('letters.txt'), letters)
  utimesSync(place('letters.txt'), new Date(changed), new Date(changed))
  writeFileSync(place('index.html'), '<p>root</p>')
  writeFileSync(place('sub', 'index.html'), '<p>sub</p>')
  writeFileSync(place('sub', '..data', 'inner.txt'), 'inner')
  for (const name of ['a b.txt', 'naïve ☃.txt', '100%.txt', '%2e%2e', 'data.json', 'app.js', 'picture.svg', 'noExtension', 'w?.txt']) {
    writeFileSync(place(name), name)
  }
  for (const name of ['.env', '.hidden/x.txt', 'back\\slash.txt', 'empty.txt']) writeFileSync(place(name), name === 'empty.txt' ? '' : name)
  symlinkSync('../outside/secret.txt', place('leading-out.txt'))
  symlinkSync(join(home, 'outside'), place('folder-out'))
  symlinkSync('../root-beside/secret.txt', place('beside.txt'))
  symlinkSync('letters.txt', place('inside.json'))
  symlinkSync('..data/inner.txt', place('sub', 'volume.txt'))
  symlinkSync('loop', place('loop'))
  symlinkSync('nowhere', place('dangling'))
  symlinkSync('/dev/zero', place('zero'))
  execFileSync('mkfifo', [place('fifo')])
  await new Promise<void>((resolve) => listener.listen(place('socket'), resolve))
})

afterAll(async () => {
  await new Promise((resolve) => listener.close(resolve))
  expect(descriptorsUnderHome()).toEqual([])
  rmSync(home, { recursive: true })
})

describe('an existing file', () => {
  test('is sent with its type, length and validators', async () => {
    const response = await send('/letters.txt?v=1')
    expect([response.status, response.text]).toEqual([200, letters])
    expect(response.header('Content-Type')).toBe('text/plain;charset=utf-8')
    expect(response.header('Content-Length')).toBe('26')
    expect(response.header('Last-Modified')).toBe(changed)
    expect(response.header('ETag')).toMatch(/^"[0-9a-f]+-[0-9a-f]+"$/)
    expect(response.header('Accept-Ranges')).toBe('bytes')
  })

  test.each(['POST', 'DELETE', 'OPTIONS', 'BREW'])('is sent for %s as for GET', async (method) => {
    expect((await send('/letters.txt', {}, method)).text).toBe(letters)
  })

  test.each(['HEAD', 'POST'])('has ranges for %s as for GET', async (method) => {
    const { status, header } = await send('/letters.txt', { range: 'bytes=0-1' }, method)
    expect([status, header('Content-Length'), header('Content-Range')]).toEqual([206, '2', 'bytes 0-1/26'])
  })

  test('has the same head for HEAD, and is closed again', async () => {
    const head = await serve(createRequest('/letters.txt', {}, 'HEAD'))
    expect([head.status, head.body]).toEqual([200, null])
    expect(descriptorsUnderHome()).toEqual([])
    const whole = await serve(createRequest('/letters.txt'))
    expect(head.headers).toEqual(whole.headers)
    expect(await textOf(whole.body)).toBe(letters)
  })

  test.each([
    ['/data.json', 'application/json;charset=utf-8'],
    ['/app.js', 'text/javascript;charset=utf-8'],
    ['/picture.svg', 'image/svg+xml'],
    ['/noExtension', 'application/octet-stream'],
    ['/inside.json', 'application/json;charset=utf-8'],
  ])('%s is %s', async (target, type) => {
    expect((await send(target)).header('Content-Type')).toBe(type)
  })

  test.each([
    ['/a%20b.txt', 'a b.txt'],
    ['/na%C3%AFve%20%E2%98%83.txt', 'naïve ☃.txt'],
    ['/100%25.txt', '100%.txt'],
    ['/%252e%252e', '%2e%2e'],
    ['/w%3F.txt', 'w?.txt'],
    ['/sub/volume.txt', 'inner'],
    ['/empty.txt', ''],
  ])('%s is decoded once', async (target, text) => {
    expect(await send(target)).toMatchObject({ status: 200, text })
  })

  test.each([
    ['', '<p>root</p>'],
    ['/', '<p>root</p>'],
    ['?x=/', '<p>root</p>'],
    ['/sub', '<p>sub</p>'],
    ['/sub/', '<p>sub</p>'],
  ])('"%s" is a folder and is answered with its index.html', async (target, text) => {
    const response = await send(target)
    expect(response).toMatchObject({ status: 200, text })
    expect(response.header('Content-Type')).toBe('text/html;charset=utf-8')
  })
})

const nothing: readonly string[] = [
  ...String.raw`
    /absent.txt /bare /bare/ /odd /letters.txt/ /letters.txt/x /letters.txt%2f //letters.txt /sub//index.html // /sub%2findex.html
    /../secret.txt /sub/../letters.txt /./letters.txt /.. /. /sub/.. /../root/letters.txt /%2e%2e/secret.txt /%2E%2e/secret.txt /.%2e/secret.txt
    /..%2fsecret.txt /%2e%2e%2fsecret.txt /%2fetc%2fpasswd //etc/passwd /..;/secret.txt /...//secret.txt /....//secret.txt
    /..\secret.txt /..%5csecret.txt /%2e%2e%5c%2e%2e%5csecret.txt /back%5cslash.txt /back\slash.txt
    /%252e%252e/secret.txt /%252e%252e%252fsecret.txt /%25%32%65%25%32%65/secret.txt
    /C:/windows/win.ini /c:%5cwindows%5cwin.ini /file:///etc/passwd /letters.txt::$DATA /~root /letters.txt%20 /letters.txt.
    /letters.txt%00 /letters.txt%00.html /%00 /..%00/secret.txt /.env /%2eenv /.hidden/x.txt /.hidden /sub/..data/inner.txt
    /% /%2 /%zz /letters.txt% /%ff /%c0%ae%c0%ae/secret.txt /%e0%80%ae%e0%80%ae/secret.txt /%ed%a0%80 /%uff0e%uff0e/secret.txt /%EF%BC%8E%EF%BC%8E/secret.txt
    /leading-out.txt /folder-out /folder-out/ /folder-out/secret.txt /beside.txt /loop /dangling /zero /fifo /fifo/ /socket
    letters.txt x/letters.txt -beside/secret.txt http://host/letters.txt * /constructor /__proto__
  `
    .trim()
    .split(/\s+/),
  '/letters.txt\0',
  ...[
    `/${'x'.repeat(5000)}`,
    `/${'%2e'.repeat(5000)}`,
    `/${'x/'.repeat(5000)}`,
    `/${'../../'.repeat(5000)}etc/passwd`,
    `/${'%F0%9F%92%8E'.repeat(64)}`,
  ],
]

describe('anything else is one and the same 404', () => {
  test.each(nothing.map((target) => [target.slice(0, 60), target]))('%s', async (_, target) => {
    expect(await send(target)).toMatchObject({ status: 404, text: 'This file does not exist.' })
  })

  test('when the root is missing, is a file, or appears later', async () => {
    const late = join(home, 'late')
    const handler = serveStatic(late)
    expect(await send('/x.txt', {}, 'GET', handler)).toMatchObject({ status: 404 })
    expect(await send('/', {}, 'GET', serveStatic(place('letters.txt')))).toMatchObject({ status: 404 })
    mkdirSync(late)
    writeFileSync(join(late, 'x.txt'), 'x')
    expect(await send('/x.txt', {}, 'GET', handler)).toMatchObject({ status: 200, text: 'x' })
    symlinkSync(late, join(home, 'linked'))
    expect(await send('/x.txt', {}, 'GET', serveStatic(join(home, 'linked')))).toMatchObject({ status: 200, text: 'x' })
  })

  test('but an empty root is a TypeError', () => {
    expect(() => serveStatic('')).toThrow(TypeError)
  })
})

describe('one byte range', () => {
  test.each([
    ['bytes=0-4', 'abcde', '0-4'],
    ['bytes=-3', 'xyz', '23-25'],
  ])('%s is answered with those bytes', async (range, text, sent) => {
    const response = await send('/letters.txt', { range })
    expect([response.status, response.text]).toEqual([206, text])
    expect([response.header('Content-Range'), response.header('Content-Length')]).toEqual([`bytes ${sent}/26`, `${text.length}`])
  })

  test('that is not satisfiable is answered with 416 and the size', async () => {
    const response = await send('/letters.txt', { range: 'bytes=26-' })
    expect([response.status, response.text, response.header('Content-Range')]).toEqual([416, '', 'bytes */26'])
    expect(response.header('Content-Length')).toBe('0')
    expect((await send('/empty.txt', { range: 'bytes=0-' })).status).toBe(416)
  })

  test('applies only to the version that If-Range names', async () => {
    const etag = (await send('/letters.txt')).header('ETag') ?? ''
    expect(await send('/letters.txt', { range: 'bytes=0-4', 'if-range': etag })).toMatchObject({ status: 206, text: 'abcde' })
    expect(await send('/letters.txt', { range: 'bytes=0-4', 'if-range': '"other"' })).toMatchObject({ status: 200, text: letters })
  })
})

describe('a conditional request', () => {
  test('is answered with 304 while the file is unchanged, without headers of a body', async () => {
    const etag = (await send('/letters.txt')).header('ETag') ?? ''
    for (const headers of [{ 'if-none-match': etag, range: 'bytes=0-1' }, { 'if-modified-since': changed }]) {
      const { status, text, header } = await send('/letters.txt', headers)
      expect([status, text, header('ETag'), header('Content-Type'), header('Content-Length')]).toEqual([
        304,
        '',
        etag,
        undefined,
        undefined,
      ])
    }
    expect(descriptorsUnderHome()).toEqual([])
  })

  test('is answered with 200 once the file has changed, and with 412 where it must be unchanged', async () => {
    const file = place('changing.txt')
    writeFileSync(file, 'one')
    const etag = (await send('/changing.txt')).header('ETag') ?? ''
    writeFileSync(file, 'two')
    utimesSync(file, new Date(), new Date(Date.now() + 60_000))
    expect(await send('/changing.txt', { 'if-none-match': etag })).toMatchObject({ status: 200, text: 'two' })
    expect(await send('/changing.txt', { 'if-match': etag })).toMatchObject({ status: 412, text: '' })
    expect((await send('/changing.txt', { 'if-match': etag })).header('Content-Length')).toBe('0')
    expect(Date.parse((await send('/changing.txt')).header('Last-Modified') ?? '')).toBeLessThanOrEqual(Date.now())
  })
})

/** Makes a folder a link that leads out, and a folder again, as fast as it can, until the first number is not 0; counts in the second. */
const swapping = `
const { renameSync, symlinkSync, unlinkSync } = require('node:fs')
const { folder, aside, outside, shared } = require('node:worker_threads').workerData
while (Atomics.load(shared, 0) === 0) {
  renameSync(folder, aside)
  symlinkSync(outside, folder)
  Atomics.add(shared, 1, 1)
  unlinkSync(folder)
  renameSync(aside, folder)
}
`

test('a folder that becomes a link while its file is opened does not lead out of the root', async () => {
  const [folder, aside, outside] = [place('swapped'), place('aside'), join(home, 'outside')]
  mkdirSync(folder)
  writeFileSync(join(folder, 'secret.txt'), 'public')
  const shared = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(swapping, { eval: true, workerData: { folder, aside, outside, shared } })
  const texts = new Map<string, number>()
  try {
    const end = Date.now() + 2_000
    while (Date.now() < end && !texts.has('secret')) {
      const responses = await Promise.all(Array.from({ length: 16 }, () => send('/swapped/secret.txt')))
      for (const { status, text } of responses) texts.set(status === 200 ? text : 'absent', (texts.get(text) ?? 0) + 1)
    }
  } finally {
    Atomics.store(shared, 0, 1)
    await new Promise((resolve) => worker.once('exit', resolve))
  }
  expect(shared[1]).toBeGreaterThan(100)
  expect([...texts.keys()].sort()).toEqual(['absent', 'public'])
  expect(descriptorsUnderHome()).toEqual([])
})
