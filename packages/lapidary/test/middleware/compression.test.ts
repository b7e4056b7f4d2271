/** `compression`: which responses are compressed, how, and what stays true of them: tags, conditions, lengths, streams and their ends. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import { apiKey, basic, bearer, bytes, either, endpoint, events, list, mount, ndjson, noContent, ok, optional, reply, text } from 'lapidary'
import { client } from 'lapidary/client'
import { type CompressionOptions, compression } from 'lapidary/middleware'
import { rangePagination } from 'lapidary/pagination'
import { authenticate, type HttpResponse, serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { listen } from '../support/matrix/adapters.ts'
import { type RawResponse, sendRaw } from '../support/rawRequest.ts'

const { brotliDecompressSync, constants, createBrotliDecompress, createGunzip, gunzipSync } = zlib
const User = z.object({ id: z.string(), name: z.string() })
const Item = z.object({ data: z.string() })
type User = z.output<typeof User>
const users = Array.from({ length: 100 }, (_, id): User => ({ id: `${id}`, name: `User ${id}` }))
const usersText = JSON.stringify(users)
const large = 'A text that repeats itself. '.repeat(4_000)

const session = apiKey<string>({ in: 'cookie', name: 'session' })
const people = basic<string>('people')
const token = bearer<string>('token')
const ranges = rangePagination(User, { id: { codec: text, get: ({ id }) => id } }, { key: ({ id }) => id, default: 'id' })

/** What the events of a test come from, and what ended their producers. */
let emit: (text: string) => void = () => {}
const ended: string[] = []

async function* produce(name: string): AsyncGenerator<{ data: string }> {
  try {
    for (;;) yield { data: await new Promise<string>((resolve) => (emit = resolve)) }
  } finally {
    ended.push(name)
  }
}

const api = {
  users: endpoint('GET /users', { response: ok(list(User)), etag: true }),
  change: endpoint('PUT /users', { body: list(User), etag: 'required', response: ok(list(User)) }),
  small: endpoint('GET /small', { response: ok(text) }),
  large: endpoint('GET /large', { response: ok(text) }),
  empty: endpoint('GET /empty', { response: noContent }),
  image: endpoint('GET /image', { response: ok(bytes) }),
  raw: endpoint('GET /raw', { response: ok(text), responseHeaders: { 'Cache-Control': 'public, No-Transform' } }),
  ranged: endpoint('GET /ranged', { ...ranges.declaration }),
  session: endpoint('GET /session', { auth: session, response: ok(text) }),
  people: endpoint('GET /people', { auth: people, response: ok(text) }),
  token: endpoint('GET /token', { auth: token, response: ok(text) }),
  either: endpoint('GET /either', { auth: either(session, token), response: ok(text) }),
  cookies: endpoint('GET /cookies', { cookies: { basket: optional(text) }, response: ok(text) }),
  rows: endpoint('GET /rows', { response: ok(ndjson(User)) }),
  failing: endpoint('GET /failing', { response: ok(ndjson(User)) }),
  live: endpoint('GET /live', { response: ok(ndjson(Item)) }),
  events: endpoint('GET /events', { response: ok(events(z.string())) }),
  missing: endpoint('GET /missing', { response: ok(text), errors: [reply(404)] }),
  files: mount('/files'),
  plain: mount('/plain'),
}

let current: readonly User[] = users
const handlers = {
  users: () => current,
  change: ({ body, precondition }: { body: readonly User[]; precondition?: (value: unknown) => void }) => {
    precondition?.(current)
    current = body
    return current
  },
  small: () => 'small',
  large: () => large,
  empty: () => {},
  image: () => new Uint8Array(5_000),
  raw: () => large,
}

function respond(target: string): HttpResponse {
  const headers = ['Content-Type', 'text/plain']
  if (target === '/coded') return { status: 200, headers: [...headers, 'Content-Encoding', 'gzip'], body: large }
  if (target === '/digest') return { status: 200, headers: [...headers, 'Repr-Digest', 'sha-256=:a:'], body: large }
  if (target === '/weak') return { status: 200, headers: [...headers, 'ETag', 'W/"a"', 'Content-Length', `${large.length}`], body: large }
  if (target === '/part') return { status: 206, headers: [...headers, 'Content-Range', 'bytes 0-9/10'], body: large }
  if (target === '/parts') return { status: 206, headers, body: large }
  return { status: 200, headers: [], body: large }
}

const folder = mkdtempSync(join(tmpdir(), 'compression-'))
writeFileSync(join(folder, 'a.txt'), large)
writeFileSync(join(folder, 'small.txt'), 'small')

let failure: unknown
function createServer(options?: CompressionOptions) {
  return serve(
    api,
    {
      ...handlers,
      ranged: (input) => ranges.page(input, users),
      session: () => large,
      people: () => large,
      token: () => large,
      either: () => large,
      cookies: () => large,
      rows: () => users,
      failing: async function* () {
        yield* users
        yield* users
        await new Promise((resolve) => setTimeout(resolve, 20))
        throw new Error('broken')
      },
      live: () => produce('live'),
      events: () => produce('events'),
      missing: ({ fail }) => fail(404),
      files: serveStatic(folder),
      plain: ({ target }) => respond(target),
    },
    {
      auth: [authenticate(session, (id) => id), authenticate(token, (id) => id), authenticate(people, ({ username }) => username)],
      middleware: [compression(options)],
      onError: (error) => {
        failure = error
      },
    },
  )
}

let url = ''
const closers: (() => Promise<unknown>)[] = []
async function start(options?: CompressionOptions): Promise<string> {
  const running = await listen(createServer(options))
  closers.push(() => running.close({ drain: 0 }))
  return running.url
}
beforeAll(async () => {
  url = await start({ encodings: ['br', 'gzip'] })
})
afterAll(async () => {
  for (const close of closers) await close()
  rmSync(folder, { recursive: true })
})

const get = (target: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<RawResponse> =>
  sendRaw(`${url}${target}`, { method, headers: { 'Accept-Encoding': 'gzip', ...headers } })

test('a compressed response has the same text, and says how it is coded', async () => {
  const { status, headers, body } = await get('/users')
  expect([status, headers['content-encoding'], headers['content-length'], headers.vary]).toEqual([
    200,
    'gzip',
    `${body.length}`,
    'Accept-Encoding',
  ])
  expect(gunzipSync(body).toString()).toBe(usersText)
  expect(body.length).toBeLessThan(usersText.length / 4)
  const { headers: ofBr, body: coded } = await get('/users', { 'Accept-Encoding': 'gzip, br' })
  expect([ofBr['content-encoding'], brotliDecompressSync(coded).toString()]).toEqual(['br', usersText])
})

test.each<[string, string | undefined, string]>([
  ['/users', 'none', 'Accept-Encoding'],
  ['/users', 'identity', 'Accept-Encoding'],
  ['/large', 'none', 'Accept-Encoding'],
  ['/small', 'none', ''],
  ['/image', 'none', ''],
])('%s without a coding: Vary is %s', async (target, acceptEncoding, vary) => {
  const { headers, body } = await sendRaw(
    `${url}${target}`,
    acceptEncoding === 'none' ? {} : { headers: { 'Accept-Encoding': 'identity' } },
  )
  expect([headers['content-encoding'], headers.vary ?? '', headers['content-length']]).toEqual([undefined, vary, `${body.length}`])
})

test.each([
  ['/small', 'it is small'],
  ['/image', 'its type is compressed already'],
  ['/raw', 'no-transform'],
  ['/plain/coded', 'it has a coding'],
  ['/plain/digest', 'it has a digest'],
  ['/plain/typeless', 'it has no type'],
  ['/files/small.txt', 'its file is small'],
  ['/missing', 'its problem is small'],
])('%s stays as it is: %s', async (target) => {
  const { headers, body } = await get(target)
  expect([headers['content-encoding'] ?? 'none', headers.vary, headers['content-length']]).toEqual([
    target === '/plain/coded' ? 'gzip' : 'none',
    undefined,
    `${body.length}`,
  ])
})

test.each([
  ['/plain/part', 'a range of bytes'],
  ['/plain/parts', 'several ranges of bytes'],
])('%s stays as it is, with the Vary that its 200 would have: %s', async (target) => {
  const { headers, body } = await get(target)
  expect([headers['content-encoding'], headers.vary, headers['content-length']]).toEqual([undefined, 'Accept-Encoding', `${body.length}`])
})

test('a small body is compressed where the client does not accept it as it is', async () => {
  const { headers, body } = await get('/small', { 'Accept-Encoding': 'gzip, identity;q=0' })
  expect([headers['content-encoding'], gunzipSync(body).toString()]).toEqual(['gzip', 'small'])
})

test('a 204 stays as it is', async () => {
  const { status, headers } = await get('/empty')
  expect([status, headers['content-encoding'], headers.vary]).toEqual([204, undefined, undefined])
})

test('a page of items is compressed, although it is a 206: the items were selected before', async () => {
  const { status, headers, body } = await get('/ranged')
  expect([status, headers['content-range'], headers['content-encoding']]).toEqual([206, 'id 99..0', 'gzip'])
  expect(JSON.parse(gunzipSync(body).toString())).toHaveLength(100)
  expect(headers['accept-ranges']).toBe('id')
})

test.each(['/users', '/large', '/files/a.txt'])('HEAD %s has the headers of GET', async (target) => {
  const { headers: ofGet } = await get(target)
  const { headers: ofHead, body } = await get(target, {}, 'HEAD')
  expect(body.length).toBe(0)
  const { date: _one, 'transfer-encoding': _chunked, ...expected } = ofGet
  const { date: _other, 'transfer-encoding': _ofHead, ...got } = ofHead
  expect(got).toEqual(expected)
})

// Entity tags and conditions

test('a PUT with If-Match after a compressed GET succeeds, with the tag of any coding', async () => {
  for (const acceptEncoding of ['br', 'gzip', 'identity']) {
    const { headers } = await get('/users', { 'Accept-Encoding': acceptEncoding })
    const etag = headers.etag ?? ''
    expect(etag).toMatch(acceptEncoding === 'identity' ? /^"[0-9a-f]{32}"$/ : new RegExp(`^"[0-9a-f]{32}-${acceptEncoding}"$`))
    const change = { method: 'PUT', body: JSON.stringify([...users, { id: acceptEncoding, name: 'new' }]) }
    const changeHeaders = { 'Content-Type': 'application/json', 'If-Match': etag }
    expect((await sendRaw(`${url}/users`, { ...change, headers: changeHeaders })).status).toBe(200)
    // The tag is that of the former state.
    expect((await sendRaw(`${url}/users`, { ...change, headers: { ...changeHeaders, 'If-Match': `"x", ${etag}` } })).status).toBe(412)
    current = users
  }
})

test('the client of the toolkit changes what it got compressed', async () => {
  const call = client(api, url)
  const { body, headers } = await call.users()
  expect([body.length, headers.ETag]).toEqual([100, expect.stringMatching(/-(?:br|gzip)"$/)])
  const condition = { 'If-Match': headers.ETag ?? '' }
  expect(await call.change({ body: [], headers: condition })).toEqual([])
  await expect(call.change({ body: [], headers: condition })).rejects.toThrow('412')
  current = users
})

test('a GET with If-None-Match after a compressed GET is 304, with the headers that the 200 would have', async () => {
  for (const target of ['/users', '/files/a.txt']) {
    const { headers } = await get(target)
    const kept = await get(target, { 'If-None-Match': headers.etag ?? '' })
    expect([kept.status, kept.headers.etag, kept.headers.vary, kept.body.length]).toEqual([304, headers.etag, headers.vary, 0])
    // A proxy may have made the tag a weak one.
    expect((await get(target, { 'If-None-Match': `"x", W/${headers.etag}` })).headers.etag).toBe(headers.etag)
  }
})

test('what a client has in a coding that it does not accept is not current', async () => {
  const { headers } = await get('/users')
  const etag = headers.etag ?? ''
  expect((await get('/users', { 'If-None-Match': etag, 'Accept-Encoding': 'identity' })).status).toBe(200)
  const kept = await get('/users', { 'If-None-Match': etag, 'Accept-Encoding': 'br, gzip;q=0.5' })
  expect([kept.status, kept.headers.etag]).toEqual([304, etag])
  const plain = `${etag.slice(0, -6)}"`
  const identity = await get('/users', { 'If-None-Match': plain })
  expect([identity.status, identity.headers.etag]).toEqual([304, plain])
})

test('a weak tag stays: it means the same in each coding', async () => {
  expect((await get('/plain/weak')).headers.etag).toBe('W/"a"')
})

test('ranges of a file are those of its own bytes, which a client never joins with compressed ones', async () => {
  const { headers } = await get('/files/a.txt')
  expect([headers['content-encoding'], headers['accept-ranges'], headers['content-length']]).toEqual(['gzip', undefined, undefined])
  const unchanged = await get('/files/a.txt', { 'If-None-Match': headers.etag ?? '' })
  expect([unchanged.status, unchanged.headers.etag, unchanged.headers['accept-ranges']]).toEqual([304, headers.etag, undefined])
  const part = await get('/files/a.txt', { Range: 'bytes=0-9' })
  expect([part.status, part.headers['content-encoding'], part.body.toString()]).toEqual([206, undefined, large.slice(0, 10)])
  const resumed = await get('/files/a.txt', { Range: 'bytes=10-', 'If-Range': headers.etag ?? '' })
  expect([resumed.status, resumed.headers['content-encoding']]).toEqual([200, 'gzip'])
  expect(gunzipSync(resumed.body).toString()).toBe(large)
})

// Secrets

const authorization = `Basic ${Buffer.from('ann:secret').toString('base64')}`
test.each<[string, Readonly<Record<string, string>>, boolean]>([
  ['/session', { Cookie: 'session=a' }, false],
  ['/session', { Cookie: 'session=a', 'Sec-Fetch-Site': 'cross-site' }, false],
  ['/session', { Cookie: 'session=a', 'Sec-Fetch-Site': 'same-site' }, false],
  ['/session', { Cookie: 'session=a', 'Sec-Fetch-Site': 'same-origin' }, true],
  ['/session', { Cookie: 'session=a', 'Sec-Fetch-Site': 'none' }, true],
  ['/people', { Authorization: authorization }, false],
  ['/people', { Authorization: authorization, 'Sec-Fetch-Site': 'same-origin' }, true],
  ['/token', { Authorization: 'Bearer a', Cookie: 'other=a' }, true],
  ['/either', { Authorization: 'Bearer a' }, true],
  ['/either', { Cookie: 'session=a' }, false],
  ['/cookies', {}, true],
  ['/cookies', { Cookie: 'basket=a' }, false],
  ['/large', { Cookie: 'session=a' }, true],
  ['/files/a.txt', { Cookie: 'session=a' }, false],
  ['/files/a.txt', { Cookie: 'session=a', 'Sec-Fetch-Site': 'same-origin' }, true],
  ['/files/a.txt', { Authorization: 'Bearer a' }, true],
])('a page of another site learns no secret by a length: %s with %j', async (target, headers, isCompressed) => {
  const { status, headers: got } = await get(target, headers)
  expect([status, got['content-encoding'] === 'gzip', got.vary?.includes('Accept-Encoding')]).toEqual([200, isCompressed, true])
})

test('a filter decides about single responses', async () => {
  const decisions = new Map<string | undefined, boolean>([
    ['GET /session', true],
    ['GET /large', false],
  ])
  const filtered = await start({ filter: (_request, found) => decisions.get(found?.route) })
  const getCoding = async (target: string): Promise<string | undefined> =>
    (await sendRaw(`${filtered}${target}`, { headers: { Cookie: 'session=a', 'Accept-Encoding': 'gzip' } })).headers['content-encoding']
  expect([await getCoding('/session'), await getCoding('/large'), await getCoding('/users')]).toEqual(['gzip', undefined, 'gzip'])
})

// Streams

test('rows that are there at once are compressed together', async () => {
  const { headers, body } = await get('/rows')
  expect([headers['content-encoding'], headers['content-length']]).toEqual(['gzip', undefined])
  expect(gunzipSync(body).toString()).toBe(users.map((user) => `${JSON.stringify(user)}\n`).join(''))
  // Each flush of 100 would cost 5 bytes, and the text in common.
  expect(body.length).toBeLessThan(usersText.length / 4)
})

/** What decodes a stream as far as it has come. */
const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: () => createGunzip({ flush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  // Node.js 20 has no zstd, nor its types.
  ...('createZstdDecompress' in zlib && { zstd: zlib.createZstdDecompress as () => Transform }),
}

/** Opens a stream, and reads it as it comes. */
async function open(
  address: string,
  coding = 'gzip',
): Promise<{ readonly message: IncomingMessage; readonly next: () => Promise<string> }> {
  const sent = sendRequest(address, { headers: { 'Accept-Encoding': coding }, agent: false })
  sent.end()
  const [message] = (await once(sent, 'response')) as [IncomingMessage]
  const decoder = decoders[message.headers['content-encoding'] ?? '']
  const decoded = decoder === undefined ? message : message.pipe(decoder())
  message.on('error', () => {})
  return { message, next: async () => String((await once(decoded, 'data'))[0]) }
}

async function waitFor(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5))
}

test.each(Object.keys(decoders).flatMap((coding) => [['live', coding] as const, ['events', coding] as const]))(
  'each item of /%s arrives before the next one is made, within 50 ms, with %s; the producer ends when the client leaves',
  async (name, coding) => {
    const live = await start({ types: ['text/event-stream'] })
    emit = () => {}
    ended.length = 0
    const { message, next } = await open(`${live}/${name}`, coding)
    expect(message.headers['content-encoding']).toBe(coding)
    const delays: number[] = []
    for (const item of ['one', 'two', 'three', 'four', 'five']) {
      await new Promise((resolve) => setTimeout(resolve, 30))
      const arrival = next()
      const begin = performance.now()
      emit(item)
      expect(await arrival).toContain(item)
      delays.push(performance.now() - begin)
    }
    // Where much else is going on, one of them may take longer.
    expect(Math.min(...delays)).toBeLessThan(50)
    message.destroy()
    await new Promise((resolve) => setTimeout(resolve, 30))
    emit('last')
    await waitFor(() => ended.includes(name))
  },
)

test.each(Object.keys(decoders))('rows with %s are all of the rows', async (coding) => {
  const rows = await start()
  const { message } = await open(`${rows}/rows`, coding)
  expect(message.headers['content-encoding']).toBe(coding)
  const decoded = message.pipe((decoders[coding] as () => Transform)())
  let read = ''
  for await (const chunk of decoded) read += chunk
  expect(read).toBe(users.map((user) => `${JSON.stringify(user)}\n`).join(''))
})

test('a client that does not read pauses the producer', async () => {
  let produced = 0
  async function* produceNoise(): AsyncGenerator<Uint8Array> {
    for (;;) {
      produced += 1
      yield randomBytes(65_536)
    }
  }
  const noise = serve(
    { noise: mount('/noise') },
    { noise: () => ({ status: 200, headers: ['Content-Type', 'text/plain'], body: produceNoise() }) },
    { middleware: [compression()] },
  )
  const running = await listen(noise)
  const { message } = await open(`${running.url}/noise`)
  message.pause()
  let before = -1
  for (; produced > before; await new Promise((resolve) => setTimeout(resolve, 500))) before = produced
  // What the operating system and both ends buffer.
  expect(produced).toBeLessThan(400)
  message.destroy()
  await running.close({ drain: 0 })
})

test('events are left alone by default', async () => {
  emit = () => {}
  const { message, next } = await open(`${url}/events`)
  expect([message.headers['content-encoding'], message.headers.vary]).toEqual([undefined, undefined])
  const arrival = next()
  emit('one')
  expect(await arrival).toContain('one')
  message.destroy()
  await new Promise((resolve) => setTimeout(resolve, 30))
  emit('last')
})

test('a stream that fails cuts the connection, and is reported once', async () => {
  await expect(get('/failing')).rejects.toThrow('aborted')
  expect(failure).toEqual(new Error('broken'))
})

test('a worker does not encode what is encoded already', async () => {
  const made: (ResponseInit | undefined)[] = []
  vi.stubGlobal(
    'Response',
    class extends Response {
      constructor(body?: BodyInit | null, init?: ResponseInit) {
        super(body, init)
        made.push(init)
      }
    },
  )
  onTestFinished(() => void vi.unstubAllGlobals())
  for (const target of ['/users', '/rows', '/small'])
    await createServer().fetch(new Request(`http://test.invalid${target}`, { headers: { 'Accept-Encoding': 'gzip' } }))
  const ofBodies = [made[0], made.at(-2), made.at(-1)] as { readonly encodeBody?: string }[]
  expect(ofBodies.map(({ encodeBody }) => encodeBody)).toEqual(['manual', 'manual', undefined])
})

// Options

test.each<[CompressionOptions | (() => void), string]>([
  [{ encodings: ['lzma' as 'br'] }, 'compression() has the encodings ["lzma"], expected a list of zstd, br, gzip.'],
  [{ encodings: [] }, 'compression() has the encodings [], expected a list of zstd, br, gzip.'],
  [{ encodings: 'gzip' as never }, 'compression() has the encodings "gzip", expected a list'],
  [{ levels: { gzip: 10 } }, 'compression() has the level 10 of gzip, expected an integer from 1 to 9.'],
  [{ levels: { deflate: 1 } as never }, 'compression() has a level of "deflate", expected zstd, br or gzip.'],
  [{ threshold: -1 }, 'compression()'],
  [{ types: 'text/event-stream' as never }, 'compression() has the types "text/event-stream", expected a list of media types.'],
  [{ treshold: 1 } as never, 'compression()'],
  [(() => {}) as never, 'compression() takes its options, but got a function.'],
])('%j is refused', (options, message) => {
  expect(() => compression(options as CompressionOptions)).toThrow(message)
})
