/** Streams of a client: item by item, at the pace of the loop, with an error if they are cut off. */
import { type AddressInfo, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { endpoint, ndjson, ok } from 'lapidary'
import { StreamInterruptedError, UnexpectedResponseError } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { clients } from '../support/client/clients.ts'
import { gate } from '../support/client/deferred.ts'
import { thrown } from '../support/client/thrownError.ts'
import { type Connection, transports } from '../support/client/transports.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const Item = z.object({ n: z.int(), text: z.string().optional() })
  type Item = z.infer<typeof Item>

  const api = { items: endpoint('GET /items', { response: ok(ndjson(Item)) }) }
  const ndjsonHeaders = { 'Content-Type': 'application/x-ndjson' }
  const base = 'http://test.invalid'

  /** What was walked, and what ended it. */
  interface Walked {
    readonly items: readonly unknown[]
    readonly error: unknown
  }

  async function collectItems(stream: Promise<AsyncIterable<unknown>>): Promise<Walked> {
    const items: unknown[] = []
    try {
      for await (const item of await stream) items.push(item)
      return { items, error: undefined }
    } catch (error) {
      return { items, error }
    }
  }

  /** A call that is answered with these pieces. */
  function respondWith(...pieces: readonly (string | Uint8Array)[]): () => Promise<AsyncIterable<Item>> {
    const encoder = new TextEncoder()
    const body = new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(typeof piece === 'string' ? encoder.encode(piece) : piece)
        controller.close()
      },
    })
    return client(api, base, { fetch: async () => new Response(body, { headers: ndjsonHeaders }) }).items
  }

  describe.each(transports)('$transport', ({ connect }) => {
    /** Replaced by each test. */
    const producer: { produce: (signal: AbortSignal) => AsyncIterable<Item> } = { produce: async function* () {} }
    const server = serve(api, { items: (_input, { signal }) => producer.produce(signal) }, { onError: () => {} })
    let connection: Connection
    let items: () => Promise<AsyncIterable<Item>>
    beforeAll(async () => {
      connection = await connect(server)
      items = client(api, connection.base, connection.options).items
    })
    afterAll(() => connection.close())

    test('a stream is iterated to its end', async () => {
      producer.produce = async function* () {
        for (let n = 0; n < 1_000; n += 1) yield { n }
      }
      const { items: got, error } = await collectItems(items())
      expect([got, error]).toEqual([Array.from({ length: 1_000 }, (_, n) => ({ n })), undefined])
    })

    test('a stream without items is empty', async () => {
      producer.produce = async function* () {}
      expect(await collectItems(items())).toEqual({ items: [], error: undefined })
    })

    test('an item arrives before the next one is created', async () => {
      const read = gate()
      producer.produce = async function* () {
        yield { n: 1 }
        await read.opened
        yield { n: 2 }
      }
      const got: unknown[] = []
      for await (const item of await items()) {
        got.push(item)
        read.open()
      }
      expect(got).toEqual([{ n: 1 }, { n: 2 }])
    })

    test.each([1, 2, 100])('a producer that fails after %i items: these items, then a StreamInterruptedError', async (count) => {
      const all = gate()
      producer.produce = async function* () {
        for (let n = 0; n < count; n += 1) yield { n }
        // What has not left yet when a connection is cut is lost.
        await all.opened
        throw new Error('no database')
      }
      const got: unknown[] = []
      const error = await thrown(async () => {
        for await (const item of await items()) {
          got.push(item)
          if (got.length === count) all.open()
        }
      })
      expect(got).toEqual(Array.from({ length: count }, (_, n) => ({ n })))
      expect(error).toBeInstanceOf(StreamInterruptedError)
      expect(error).toMatchObject({
        name: 'StreamInterruptedError',
        message: `GET ${connection.base}/items: the stream was cut off after ${count} ${count === 1 ? 'item' : 'items'}.`,
        items: count,
        cause: expect.any(Error),
      })
    })

    test('a loop that ends early ends the producer, and does not wait for it', async () => {
      const [pulled, ended] = [gate(), gate()]
      producer.produce = async function* (signal) {
        try {
          yield { n: 1 }
          pulled.open()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        } finally {
          ended.open()
        }
      }
      const got: unknown[] = []
      for await (const item of await items()) {
        got.push(item)
        await pulled.opened
        break
      }
      expect(got).toEqual([{ n: 1 }])
      await ended.opened
    })

    test('a signal ends a stream: not even items of the same chunk follow', async () => {
      const ended = gate()
      producer.produce = async function* () {
        try {
          for (let n = 0; n < 100_000; n += 1) yield { n }
        } finally {
          ended.open()
        }
      }
      const leaving = new AbortController()
      const { items: call } = client(api, connection.base, { ...connection.options, signal: leaving.signal })
      const got: unknown[] = []
      const error = await thrown(async () => {
        for await (const item of await call()) {
          got.push(item)
          if (got.length === 3) leaving.abort('enough')
        }
      })
      expect([got.length, error]).toEqual([3, 'enough'])
      await ended.opened
    })

    test('a signal ends a stream that is waiting', async () => {
      const pulled = gate()
      producer.produce = async function* (signal) {
        yield { n: 1 }
        pulled.open()
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      }
      const leaving = new AbortController()
      const stream = await client(api, connection.base, connection.options).items({}, { signal: leaving.signal })
      const walk = collectItems(Promise.resolve(stream))
      await pulled.opened
      leaving.abort('enough')
      expect((await walk).error).toBe('enough')
    })

    test('a slow reader slows the producer down', async () => {
      const [size, count] = [100_000, 200]
      let made = 0
      producer.produce = async function* () {
        for (; made < count; made += 1) yield { n: made, text: 'x'.repeat(size) }
      }
      let read = 0
      let ahead = 0
      for await (const _item of await items()) {
        read += 1
        ahead = Math.max(ahead, made - read)
      }
      expect([made, read]).toEqual([count, count])
      // Of 20 MB, no more than what fits between the two ends of a socket was ever made before it was wanted.
      expect(ahead * size).toBeLessThan(12_000_000)
    })
  })

  describe('a stream that is cut off over a socket', () => {
    const sockets: (() => Promise<unknown>)[] = []
    afterAll(() => Promise.all(sockets.map((close) => close())))

    /** Sends the head and these chunks, and then does the last thing. */
    async function streaming(chunks: readonly string[], last: (socket: Socket) => void): Promise<string> {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        const framed = chunks.map((chunk) => `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`).join('')
        const head = 'HTTP/1.1 200 OK\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n'
        socket.once('data', () => socket.write(head + framed, () => last(socket)))
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      sockets.push(() => new Promise((resolve) => server.close(resolve)))
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }

    const two = ['{"n":0}\n', '{"n":1}\n']
    test.each<[what: string, chunks: readonly string[], last: (socket: Socket) => void, count: number]>([
      ['the connection is closed', two, (socket) => socket.end(), 2],
      ['the connection is closed before the first item', [], (socket) => socket.end(), 0],
      ['the connection is closed within an item', [...two, '{"n"'], (socket) => socket.end(), 2],
      ['the last line has no end', [...two, '{"n":2}'], (socket) => socket.end('0\r\n\r\n'), 2],
      ['the framing is broken', two, (socket) => socket.end('no chunk\r\n'), 2],
    ])('%s', async (_what, chunks, last, count) => {
      const url = await streaming(chunks, last)
      const { items, error } = await collectItems(client(api, url).items())
      expect(items).toEqual(Array.from({ length: count }, (_, n) => ({ n })))
      expect(error).toBeInstanceOf(StreamInterruptedError)
      expect(error).toMatchObject({
        message: `GET ${url}/items: the stream was cut off after ${count} items.`,
        items: count,
      })
    })
  })

  describe('an item that its schema does not allow', () => {
    test.skipIf(isLight).each<[what: string, line: string, flaw: string]>([
      ['has another member', '{"n":"2"}', 'its body at /2/n: Invalid input: expected number, received string'],
      ['is another value', '[]', 'its body at /2: Invalid input: expected object, received array'],
      ['is not JSON', '{"n":}', 'its body at /2: expected JSON'],
      ['is an empty line', '', 'its body at /2: expected JSON'],
      [
        'has a number that a 64-bit float cannot hold',
        '{"n":1e400}',
        'its body at /2: expected a number within the range and precision of a 64-bit float',
      ],
    ])('%s: the error has its index', async (_what, line, flaw) => {
      const { items, error } = await collectItems(respondWith(`{"n":0}\n{"n":1}\n${line}\n{"n":3}\n`)())
      expect(items).toEqual([{ n: 0 }, { n: 1 }])
      expect(error).toBeInstanceOf(UnexpectedResponseError)
      expect(error).toMatchObject({
        message: `GET ${base}/items answered 200, but not as the API declares: ${flaw}.`,
        detail: flaw,
        status: 200,
      })
    })

    test.skipIf(isLight)('is not UTF-8', async () => {
      const { error } = await collectItems(respondWith(Uint8Array.of(0x22, 0xff, 0x22, 0x0a))())
      expect(error).toMatchObject({ detail: 'its body at /0: expected UTF-8 text' })
    })

    test.skipIf(isLight)('an error that a schema throws is not a StreamInterruptedError', async () => {
      const failure = new Error('The schema is broken.')
      const broken = Item.refine(() => {
        throw failure
      })
      const body = new Response('{"n":0}\n', { headers: ndjsonHeaders })
      const { items } = client({ items: endpoint('GET /items', { response: ok(ndjson(broken)) }) }, base, { fetch: async () => body })
      expect(await collectItems(items())).toEqual({ items: [], error: failure })
    })
  })

  describe('with chunks of any size,', () => {
    test('a character can be split', async () => {
      const bytes = new TextEncoder().encode('{"n":0,"text":"💎é"}\n')
      const { items } = await collectItems(respondWith(...Array.from(bytes, (byte) => Uint8Array.of(byte)))())
      expect(items).toEqual([{ n: 0, text: '💎é' }])
    })

    test('a line can be huge', async () => {
      const text = 'é'.repeat(2_000_000)
      const bytes = new TextEncoder().encode(`${JSON.stringify({ n: 0, text })}\n`)
      const pieces = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, at) => bytes.subarray(at * 65_536, (at + 1) * 65_536))
      const { items } = await collectItems(respondWith(...pieces)())
      expect(items).toEqual([{ n: 0, text }])
    })

    test('the items arrive unchanged', async () => {
      const item = fc.record({ n: fc.maxSafeInteger().map((n) => n + 0), text: fc.string({ unit: 'binary' }) }, { requiredKeys: ['n'] })
      const cuts = fc.array(fc.nat({ max: 400 }))
      await fc.assert(
        fc.asyncProperty(fc.array(item), cuts, async (items, at) => {
          const bytes = new TextEncoder().encode(items.map((one) => `${JSON.stringify(one)}\n`).join(''))
          const ends = [0, ...at.sort((one, other) => one - other), bytes.length]
          const pieces = ends.slice(1).map((end, index) => bytes.subarray(ends[index], end))
          expect(await collectItems(respondWith(...pieces)())).toEqual({ items, error: undefined })
        }),
        { numRuns: 50 },
      )
    })
  })
})
