/** `decompression`: which bodies are decoded, within which bounds, and what becomes of the others. */
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { bearer, bytes, endpoint, file, mount, multipartStream, ndjson, ok, optional, text } from 'lapidary'
import { decompression, timeout } from 'lapidary/middleware'
import { authenticate, fromFetch, serve } from 'lapidary/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { listen } from '../support/matrix/adapters.ts'
import { type RawResponse, sendRaw } from '../support/rawRequest.ts'

const Item = z.object({ id: z.int() })
const token = bearer<string>('token')
const api = {
  echo: endpoint('POST /echo', { body: text, response: ok(text), maxBodySize: 20_000 }),
  optional: endpoint('POST /optional', { body: optional(Item), response: ok(text) }),
  rows: endpoint('POST /rows', { body: ndjson(Item), response: ok(text), maxBodySize: 20_000 }),
  secret: endpoint('POST /secret', { auth: token, body: text, response: ok(text) }),
  huge: endpoint('POST /huge', { body: bytes, response: ok(text), maxBodySize: '1 GB' }),
  web: mount('/web'),
}
const received: number[] = []
const server = serve(
  api,
  {
    echo: ({ body }) => body,
    optional: ({ body }) => `${body?.id}`,
    rows: async ({ body }) => {
      received.length = 0
      for await (const { id } of body) received.push(id)
      return received.join()
    },
    secret: ({ body }) => body,
    huge: ({ body }) => `${body.length}`,
    web: fromFetch(async (request) => new Response(`${request.headers.get('content-encoding')} ${await request.text()}`)),
  },
  { auth: [authenticate(token, (name) => name)], middleware: [decompression()] },
)

let url = ''
let close = async (): Promise<unknown> => undefined
beforeAll(async () => {
  const running = await listen(server)
  url = running.url
  close = () => running.close({ drain: 0 })
})
afterAll(() => close())

const post = (
  target: string,
  coding: string | undefined,
  body: Uint8Array,
  headers: Readonly<Record<string, string>> = {},
): Promise<RawResponse> =>
  sendRaw(`${url}${target}`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'text/plain', ...(coding !== undefined && { 'Content-Encoding': coding }), ...headers },
  })
const large = 'a text '.repeat(2_000)

test.each<[string, Uint8Array]>([
  ['gzip', gzipSync(large)],
  ['GZip', gzipSync(large)],
  ['x-gzip', gzipSync(large)],
  ['deflate', deflateSync(large)],
  ['br', brotliCompressSync(large)],
  ['br, gzip', gzipSync(brotliCompressSync(large))],
  ['identity, gzip', gzipSync(large)],
  ['identity', Buffer.from(large)],
])('a body with the coding %s is decoded', async (coding, body) => {
  const response = await post('/echo', coding, body)
  expect([response.status, response.body.toString()]).toEqual([200, large])
})

test('a body in chunks is decoded', async () => {
  const response = await post('/echo', 'gzip', gzipSync(large), { 'Transfer-Encoding': 'chunked' })
  expect([response.status, response.body.toString()]).toEqual([200, large])
})

test('a body without a coding passes as before', async () => {
  expect((await post('/echo', undefined, Buffer.from('a'))).body.toString()).toBe('a')
})

test('a body that is absent has no coding, whatever is said of it', async () => {
  const response = await post('/optional', 'gzip', new Uint8Array(), { 'Content-Type': 'application/json' })
  expect([response.status, response.body.toString()]).toEqual([200, 'undefined'])
})

// Bounds

test.each(['/echo', '/rows'])('%s: the limit holds for the decoded bytes', async (target) => {
  const type = { 'Content-Type': target === '/echo' ? 'text/plain' : 'application/x-ndjson' }
  const line = '{"id":1}\n'
  const fits = line.repeat(2_222)
  expect((await post(target, 'gzip', gzipSync(fits), type)).status).toBe(200)
  const tooLarge = await post(target, 'gzip', gzipSync(line.repeat(2_223)), type)
  expect([tooLarge.status, JSON.parse(tooLarge.body.toString()).detail]).toEqual([413, 'The body is larger than the limit of 20000 bytes.'])
})

test('a body that becomes larger by its coding fits, if it fits without', async () => {
  const noise = Buffer.from(Array.from({ length: 19_999 }, (_, index) => 33 + ((index * index * 7_919) % 93)))
  expect((await post('/echo', 'gzip', gzipSync(noise, { level: 0 }))).status).toBe(200)
})

test.each([
  ['gzip', gzipSync(Buffer.alloc(200_000_000))],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(200_000_000)))],
  ['br', brotliCompressSync(Buffer.alloc(200_000_000))],
])('a bomb costs no more than a body of the limit: %s', async (coding, bomb) => {
  const before = process.memoryUsage().rss
  const { status } = await post('/echo', coding, bomb)
  expect(status).toBe(413)
  expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
})

test('what is between two codings has the limit as well, though nothing is left of it in the end', async () => {
  const emptyBlocks = Buffer.alloc(3_000_000, Buffer.from([0, 0, 0, 0xff, 0xff]))
  const bomb = brotliCompressSync(Buffer.concat([gzipSync('').subarray(0, 10), emptyBlocks]))
  // With all of it decoded, the answer would be 400: the inner coding has no end.
  const response = await post('/echo', 'gzip, br', bomb)
  expect([response.status, JSON.parse(response.body.toString()).detail]).toEqual([413, 'The body is larger than the limit of 20000 bytes.'])
})

test('a large body that is sent in full is decoded at the pace of its reader', async () => {
  const { status, body } = await post('/huge', 'gzip', gzipSync(Buffer.alloc(20_000_000)), { 'Content-Type': 'application/octet-stream' })
  expect([status, body.toString()]).toEqual([200, '20000000'])
})

// Faults

const valid = gzipSync(large)
const corrupt = Buffer.from(valid)
corrupt.fill(0xff, 20, 40)
const wrongChecksum = Buffer.from(valid)
wrongChecksum[wrongChecksum.length - 8] = (wrongChecksum.at(-8) ?? 0) ^ 1

test.each<[string, string, Uint8Array]>([
  ['truncated', 'gzip', valid.subarray(0, -10)],
  ['without an end', 'gzip', valid.subarray(0, -1)],
  ['corrupt', 'gzip', corrupt],
  ['with a wrong checksum', 'gzip', wrongChecksum],
  ['plain', 'gzip', Buffer.from(large)],
  ['one byte', 'gzip', Buffer.from('a')],
  ['gzip as deflate', 'deflate', valid],
  ['gzip as br', 'br', valid],
  ['truncated br', 'br', brotliCompressSync(large).subarray(0, -3)],
  ['gzip once, named twice', 'gzip, gzip', valid],
])('a malformed body is 400: %s', async (_what, coding, body) => {
  const response = await post('/echo', coding, body)
  expect([response.status, JSON.parse(response.body.toString()).detail]).toEqual([
    400,
    `The body ends early or is malformed. Encode it as its Content-Encoding says: ${coding}.`,
  ])
})

test.each(['lzma', 'gzip, lzma', 'gzip, gzip, gzip', 'gz ip'])('an unknown coding, or too many, is 415: %s', async (coding) => {
  const { status, headers } = await post('/echo', coding, valid)
  const zstd = 'zstdCompressSync' in (await import('node:zlib')) ? 'zstd, ' : ''
  expect([status, headers['accept-encoding']]).toEqual([415, `${zstd}br, gzip, deflate, identity`])
})

test('the order of failures stays: 404 and 401 come before 415', async () => {
  expect((await post('/nowhere', 'lzma', valid)).status).toBe(404)
  expect((await post('/secret', 'lzma', valid)).status).toBe(401)
  expect((await post('/secret', 'gzip', valid.subarray(0, 9))).status).toBe(401)
  const wrongType = await post('/echo', 'gzip', valid, { 'Content-Type': 'text/html' })
  expect([wrongType.status, wrongType.headers['accept-encoding']]).toEqual([415, undefined])
})

test('a client that leaves in the middle of a body ends its request alone', async () => {
  const client = sendRequest(`${url}/echo`, { method: 'POST', headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' } })
  client.on('error', () => {})
  client.write(valid.subarray(0, 10))
  await new Promise((resolve) => setTimeout(resolve, 30))
  client.destroy()
  expect((await post('/echo', 'gzip', valid)).status).toBe(200)
})

// Streams and what stands around

/** Waits for a row at the handler. */
async function waitForRows(count: number): Promise<void> {
  while (received.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('rows are decoded while they arrive', async () => {
  const { createGzip, constants } = await import('node:zlib')
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH })
  const client: ClientRequest = sendRequest(`${url}/rows`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'gzip' },
  })
  received.length = 0
  gzip.pipe(client)
  gzip.write('{"id":1}\n')
  await waitForRows(1)
  gzip.write('{"id":2}\n{"id":3}\n')
  await waitForRows(3)
  gzip.end()
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  expect([response.statusCode, String((await once(response, 'data'))[0])]).toEqual([200, '1,2,3'])
})

test('the parts of a form are decoded while they arrive', async () => {
  const upload = endpoint('POST /upload', { body: multipartStream({ note: text, file: file() }), response: ok(text) })
  const running = await listen(
    serve(
      { upload },
      {
        upload: async ({ body }) => {
          const found: string[] = []
          for await (const part of body) {
            if (part.name === 'note') found.push(part.value)
            else for await (const chunk of part.file) found.push(`${chunk.length}`)
          }
          return found.join()
        },
      },
      { middleware: [decompression()] },
    ),
  )
  const form = new FormData()
  form.append('note', 'hello')
  form.append('file', new File(['abc'], 'a.txt'))
  const plain = new Request(running.url, { method: 'POST', body: form })
  const { status, body } = await sendRaw(`${running.url}/upload`, {
    method: 'POST',
    body: gzipSync(Buffer.from(await plain.arrayBuffer())),
    headers: { 'Content-Type': plain.headers.get('content-type') ?? '', 'Content-Encoding': 'gzip' },
  })
  expect([status, body.toString()]).toEqual([200, 'hello,3'])
  await running.close({ drain: 0 })
})

test('an endpoint keeps its own time limit, although it sees another request', async () => {
  const slow = endpoint('POST /slow', { body: text, response: ok(text), timeout: Number.POSITIVE_INFINITY })
  const handlers = {
    slow: async ({ body }: { readonly body: string }) => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return body
    },
  }
  const limited = serve({ slow }, handlers, { middleware: [timeout(30), decompression()] })
  const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }
  const response = await limited.fetch(new Request('http://test.invalid/slow', { method: 'POST', body: gzipSync('late'), headers }))
  expect(await response.text()).toBe('late')
})

test('a mounted server of the web gets the decoded body, without the header', async () => {
  expect((await post('/web/', 'gzip', gzipSync('hello'))).body.toString()).toBe('null hello')
})

test('in memory as well', async () => {
  const headers = { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }
  const response = await server.fetch(new Request('http://test.invalid/echo', { method: 'POST', body: gzipSync('hello'), headers }))
  expect(await response.text()).toBe('hello')
})
