/** How much of a response a client buffers: a whole body, or one item of a stream. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import { bytes, endpoint, ndjson, ok, text } from 'lapidary'
import { UnexpectedResponseError } from 'lapidary/client'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clients } from '../support/client/clients.ts'
import { thrown } from '../support/client/thrownError.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const api = {
    word: endpoint('GET /word', { response: ok(text) }),
    bytes: endpoint('GET /bytes', { response: ok(bytes) }),
    items: endpoint('GET /items', { response: ok(ndjson(z.string())) }),
  }
  const open: (() => Promise<unknown>)[] = []
  afterAll(() => Promise.all(open.map((close) => close())))

  async function http(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const limit = 100_000

  /** What is answered with this many signs, in these pieces. */
  const serveText = (status: number, size: number, isChunked = false): Promise<string> =>
    http((_request, response) => {
      response.writeHead(status, { 'Content-Type': 'text/plain', ...(isChunked ? {} : { 'Content-Length': size }) })
      response.end('x'.repeat(size))
    })

  test.each([
    ['of a known length', 200, false],
    ['in chunks', 200, true],
    ['of an error', 404, false],
  ])('a body %s may be as large as the limit, and not larger', async (_what, status, isChunked) => {
    const exact = client(api, await serveText(status, limit, isChunked), { maxResponseSize: limit })
    const outcome = await exact.word().catch((error) => error.body)
    expect(outcome).toHaveLength(limit)
    const url = await serveText(status, limit + 1, isChunked)
    const error = await thrown(client(api, url, { maxResponseSize: limit }).word)
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(error).toMatchObject({ status, detail: expect.stringContaining(`${limit} bytes`) })
    expect(String(error)).toContain(`GET ${url}/word answered ${status}`)
    expect(String(error)).toContain('maxResponseSize')
  })

  test('an endless body is cancelled at the limit, and the server stops', async () => {
    let sent = 0
    let left = (): void => {}
    const isLeft = new Promise<void>((resolve) => {
      left = resolve
    })
    const url = await http((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/octet-stream' })
      response.on('close', left)
      const more = (): void => {
        while (!response.destroyed && sent < 2 ** 28) {
          sent += 65_536
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', more)
        }
      }
      more()
    })
    expect(await thrown(client(api, url, { maxResponseSize: limit }).bytes)).toBeInstanceOf(UnexpectedResponseError)
    await isLeft
    expect(sent).toBeLessThan(2 ** 28)
  })

  test('the size counts after decompression', async () => {
    const bomb = gzipSync(Buffer.alloc(50 * limit, 'x'))
    expect(bomb.length).toBeLessThan(limit)
    const url = await http((_request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }).end(bomb),
    )
    expect(await thrown(client(api, url, { maxResponseSize: limit }).word)).toBeInstanceOf(UnexpectedResponseError)
  })

  test('a call can have its own limit', async () => {
    const { word } = client(api, await serveText(200, 1_000), { maxResponseSize: 10 })
    expect(await thrown(() => word())).toBeInstanceOf(UnexpectedResponseError)
    expect(await word({}, { maxResponseSize: 1_000 })).toHaveLength(1_000)
    expect(await word({}, { maxResponseSize: Number.POSITIVE_INFINITY })).toHaveLength(1_000)
  })

  test
    .skipIf(isLight)
    .each(
      ['maxResponseSize', 'timeout', 'retries'].flatMap((name) => [Number.NaN, -1, '1 MB', null].map((value) => [name, value] as const)),
    )('a %s of %s is no limit, and is refused', async (name, value) => {
    let requests = 0
    const fetch = async (): Promise<Response> => {
      requests += 1
      return new Response('text', { headers: { 'Content-Type': 'text/plain' } })
    }
    const refused =
      name === 'timeout'
        ? `timeout is ${value}, expected milliseconds above 0 and at most 2147483647, or Infinity for no limit. Write 5_000 for five seconds.`
        : `${name} is ${value}, expected a number from 0, or Infinity for no limit.`
    expect(() => client(api, 'http://limits.test', { fetch, [name]: value })).toThrow(new TypeError(`client(): ${refused}`))
    const { word } = client(api, 'http://limits.test', { fetch })
    await expect(word({}, { [name]: value })).rejects.toThrow(new TypeError(`GET /word: ${refused}`))
    expect(requests).toBe(0)
    expect(await word({}, { [name]: undefined })).toBe('text')
  })

  /** A stream of these pieces, each written by itself. */
  const streaming = (pieces: Iterable<string>): Promise<string> =>
    http(async (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' })
      // The client may disconnect before the end.
      await pipeline(pieces, response).catch(() => {})
    })

  test('a stream can have any length: each item counts for itself', async () => {
    const item = `${JSON.stringify('x'.repeat(1_000))}\n`
    const url = await streaming(Array.from({ length: 2_000 }, () => item))
    let items = 0
    for await (const one of await client(api, url, { maxResponseSize: limit }).items()) items += one.length === 1_000 ? 1 : 0
    expect(items).toBe(2_000)
  })

  test('an endless item is cancelled at the limit, after the items before it', async () => {
    let pieces = 0
    const endless = function* (): Generator<string> {
      yield '"first"\n"'
      for (; pieces < 10_000; pieces += 1) yield 'x'.repeat(10_000)
    }
    const items: string[] = []
    const walk = async (): Promise<void> => {
      for await (const item of await client(api, await streaming(endless()), { maxResponseSize: limit }).items()) items.push(item)
    }
    const error = await thrown(walk)
    expect(items).toEqual(['first'])
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(error).toMatchObject({ detail: expect.stringContaining(`${limit} bytes`) })
    expect(pieces).toBeLessThan(10_000)
  })

  test('the default limit is 64 MiB', async () => {
    const piece = new Uint8Array(2 ** 20)
    let pieces = 0
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        pieces += 1
        controller.enqueue(piece)
      },
    })
    const fetch = async (): Promise<Response> => new Response(body, { headers: { 'Content-Type': 'application/octet-stream' } })
    const error = await thrown(client(api, 'http://test.invalid', { fetch }).bytes)
    expect(error).toMatchObject({ detail: expect.stringContaining('67108864 bytes') })
    expect(pieces).toBeLessThan(70)
  })
})
