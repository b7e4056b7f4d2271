/** Request bodies that a client makes while it sends them. */
import { execFile } from 'node:child_process'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { byteStream, endpoint, json, ndjson, noContent, ok, reply, text } from 'lapidary'
import { ConnectionError } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { clients } from '../support/client/clients.ts'
import { type Gate, gate } from '../support/client/deferred.ts'
import { thrown } from '../support/client/thrownError.ts'
import { transports } from '../support/client/transports.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const api = {
    put: endpoint('PUT /put', { body: byteStream(), response: ok(json), maxBodySize: '1 GB' }),
    small: endpoint('PUT /small', { body: byteStream(), response: ok(json), maxBodySize: '1 MB' }),
    unread: endpoint('PUT /unread', { body: byteStream(), response: noContent, maxBodySize: '1 GB' }),
    echo: endpoint('POST /echo', { body: byteStream(), response: ok(byteStream()), maxBodySize: '1 GB' }),
    lines: endpoint('POST /lines', { body: ndjson(z.object({ n: z.int() })), response: ok(json) }),
  }

  let firstChunk: Gate
  /** What the server met in place of the end of a body. */
  let cutOff: Promise<unknown>
  let reportCutOff: (error: unknown) => void
  beforeEach(() => {
    firstChunk = gate()
    cutOff = new Promise((resolve) => {
      reportCutOff = resolve
    })
  })

  async function countBytes(body: AsyncIterable<Uint8Array>): Promise<number> {
    let size = 0
    try {
      for await (const chunk of body) {
        size += chunk.length
        firstChunk.open()
      }
    } catch (error) {
      reportCutOff(error)
      throw error
    }
    return size
  }

  const server = serve(
    api,
    {
      put: ({ body }) => countBytes(body),
      small: ({ body }) => countBytes(body),
      unread: () => {},
      echo: ({ body }) => body,
      lines: async ({ body }) => {
        let sum = 0
        for await (const { n } of body) sum += n
        return sum
      },
    },
    { onError: () => {} },
  )

  /** Chunks without an end, and whether their generator has ended. */
  function endless(chunk: Uint8Array = new Uint8Array(65_536)) {
    const ended = gate()
    async function* generate(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          yield chunk
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
      } finally {
        ended.open()
      }
    }
    return { body: generate(), ended: ended.opened }
  }

  describe.each(transports)('$transport', ({ connect }) => {
    async function connected() {
      const { base, options, close } = await connect(server)
      onTestFinished(close)
      return client(api, base, options)
    }

    test('the server has the first chunk before the client makes the last one', async () => {
      const call = await connected()
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield Uint8Array.of(1)
        await firstChunk.opened
        yield Uint8Array.of(2, 3)
      }
      expect(await call.put({ body: chunks() })).toBe(3)
    })

    test('a web stream is sent, and values line by line', async () => {
      const call = await connected()
      expect(await call.put({ body: new Blob(['opal']).stream() })).toBe(4)
      const rows = async function* (): AsyncGenerator<{ n: number }> {
        for (const n of [1, 2, 3]) yield { n }
      }
      expect(await call.lines({ body: rows() })).toBe(6)
    })

    test('a stream without chunks is an empty body', async () => {
      const call = await connected()
      expect(await call.put({ body: (async function* (): AsyncGenerator<Uint8Array> {})() })).toBe(0)
    })

    test('the response arrives while the body is sent, and its end is that of the body', async () => {
      const call = await connected()
      const { body, ended } = endless(Uint8Array.of(1, 2, 3))
      let read = 0
      for await (const chunk of await call.echo({ body })) {
        read += chunk.length
        if (read > 6) break
      }
      await ended
    })

    test.each<[what: string, name: 'small' | 'unread', status: number]>([
      ['an error before its end', 'small', 413],
      ['a response before its end', 'unread', 204],
    ])('%s ends the body', async (_what, name, status) => {
      const call = await connected()
      const { body, ended } = endless()
      const got = await call[name]({ body }).then(
        () => ({ status: 204 }),
        (error: unknown) => error,
      )
      expect(got).toMatchObject({ status })
      await ended
    })

    test('an abort ends the body, and the server does not take it for complete', async () => {
      const call = await connected()
      const controller = new AbortController()
      const { body, ended } = endless()
      const result = thrown(() => call.put({ body }, { signal: controller.signal }))
      await firstChunk.opened
      controller.abort(new Error('The user has left.'))
      expect(await result).toEqual(new Error('The user has left.'))
      await ended
      expect(await cutOff).toMatchObject({ status: 400 })
    })

    test('an abort ends a web stream that has nothing to send', async () => {
      const call = await connected()
      const controller = new AbortController()
      const cancelled = gate()
      const body = new ReadableStream<Uint8Array>({
        pull: (chunks) => {
          chunks.enqueue(Uint8Array.of(1))
          // Behind the first chunk, nothing follows.
          return new Promise(() => {})
        },
        cancel: cancelled.open,
      })
      const result = thrown(() => call.put({ body }, { signal: controller.signal }))
      await firstChunk.opened
      controller.abort()
      expect(await result).toMatchObject({ name: 'AbortError' })
      await cancelled.opened
    })

    test('an error of the source is the error of the call', async () => {
      const call = await connected()
      const failure = new RangeError('The disk is gone.')
      async function* chunks(): AsyncGenerator<Uint8Array> {
        yield Uint8Array.of(1)
        throw failure
      }
      expect(await thrown(() => call.put({ body: chunks() }))).toBe(failure)
    })

    test.skipIf(isLight)('a value that cannot be sent names the endpoint', async () => {
      const call = await connected()
      async function* rows(): AsyncGenerator<{ n: number }> {
        yield { n: 1 }
        yield { n: Number.NaN }
      }
      expect(await thrown(() => call.lines({ body: rows() }))).toMatchObject({
        name: 'TypeError',
        message: expect.stringMatching(/^POST \/lines cannot be called with this input: /),
      })
    })

    test.each<[what: string, make: () => AsyncGenerator<Uint8Array> | ReadableStream<Uint8Array>]>([
      [
        'a generator',
        async function* () {
          yield Uint8Array.of(1)
        },
      ],
      ['a web stream', () => new Blob(['a']).stream()],
    ])('%s is not sent twice', async (_what, make) => {
      const call = await connected()
      const body = make()
      expect(await call.put({ body })).toBe(1)
      expect(await thrown(() => call.put({ body }))).toMatchObject({
        name: 'TypeError',
        message: expect.stringContaining('Create a new one for each call'),
      })
    })

    test('an iterable that begins again is sent again', async () => {
      const call = await connected()
      const body = {
        async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
          yield Uint8Array.of(1)
        },
      }
      expect([await call.put({ body }), await call.put({ body })]).toEqual([1, 1])
    })
  })

  test.skipIf(isLight)('the memory of a client that sends 200 MB does not grow by them', { timeout: 120_000 }, async () => {
    const running = await listen(server)
    onTestFinished(() => running.close({ drain: 0, grace: 0 }))
    const program = fileURLToPath(new URL('../support/heap/upload.mjs', import.meta.url))
    const { stdout } = await promisify(execFile)(process.execPath, [program, running.url])
    const { size, growth } = JSON.parse(stdout) as { readonly size: number; readonly growth: number }
    expect(size).toBe(200_000_000)
    process.stdout.write(`the memory grew by ${(growth / 1e6).toFixed(0)} MB\n`)
    expect(growth).toBeLessThan(100_000_000)
  })

  const open: (() => unknown)[] = []
  afterAll(() => Promise.all(open.map((close) => close())))

  async function startServer(listener: RequestListener): Promise<string> {
    const listening = createServer(listener)
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    open.push(() => {
      listening.closeAllConnections()
      listening.close()
    })
    return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  }

  test.each([302, 307, 308])('a redirect %i of a stream is thrown, since the stream is used up', async (status) => {
    const seen: (string | undefined)[] = []
    const url = await startServer((request, response) => {
      seen.push(request.url)
      request.resume()
      response.writeHead(status, { Location: '/there' }).end()
    })
    const { body, ended } = endless()
    expect(await thrown(() => client(api, url).put({ body }))).toMatchObject({ status, headers: { location: '/there' } })
    await ended
    expect(seen).toEqual(['/put'])
  })

  test.skipIf(isLight)('a redirect 303 is followed by a GET, and the stream ends', async () => {
    const seen: string[] = []
    const url = await startServer((request, response) => {
      seen.push(`${request.method} ${request.url}`)
      request.resume()
      if (request.method === 'PUT') response.writeHead(303, { Location: '/there' }).end()
      else response.setHeader('Content-Type', 'application/json').end('1')
    })
    const { body, ended } = endless()
    expect(await client(api, url).put({ body })).toBe(1)
    await ended
    expect(seen).toEqual(['PUT /put', 'GET /there'])
  })

  test('a connection that breaks off ends the body', async () => {
    const url = await startServer((request) => void request.once('data', () => request.socket.resetAndDestroy()))
    const { body, ended } = endless()
    expect(await thrown(() => client(api, url).put({ body }))).toBeInstanceOf(ConnectionError)
    await ended
  })

  test('no more is made than a server takes that has stopped reading', async () => {
    const url = await startServer((request) => void request.once('data', () => request.pause()))
    let made = 0
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (; made < 200; made += 1) yield new Uint8Array(1_000_000)
    }
    const controller = new AbortController()
    const result = thrown(() => client(api, url).put({ body: chunks() }, { signal: controller.signal }))
    await new Promise((resolve) => setTimeout(resolve, 500))
    controller.abort()
    expect(await result).toMatchObject({ name: 'AbortError' })
    // What the operating systems hold between the two.
    expect(made).toBeLessThan(100)
  })

  /** What the servers below have received. */
  async function receive(request: IncomingMessage): Promise<readonly [length: string | undefined, body: string]> {
    let body = ''
    for await (const chunk of request) body += chunk
    return [request.headers['content-length'], body]
  }

  test('an array is sent whole, with its length', async () => {
    const seen: unknown[] = []
    const url = await startServer(async (request, response) => {
      seen.push(await receive(request))
      response.setHeader('Content-Type', 'application/json').end('1')
    })
    const call = client(api, url)
    await call.put({ body: [Uint8Array.of(97), Uint8Array.of(98)] })
    await call.lines({ body: [{ n: 1 }] })
    expect(seen).toEqual([
      ['2', 'ab'],
      ['8', '{"n":1}\n'],
    ])
  })

  test.skipIf(isLight)('the body of an idempotent endpoint is made once, and sent again', async () => {
    const seen: unknown[] = []
    const url = await startServer(async (request, response) => {
      seen.push(await receive(request))
      if (seen.length === 1) response.writeHead(503).end()
      else response.setHeader('Content-Type', 'text/plain').end('counted')
    })
    const count = endpoint('POST /count', {
      body: z.array(z.int()),
      response: ok(text),
      errors: [reply(409)],
      idempotent: 'required',
    })
    let made = 0
    const numbers = function* (): Generator<number> {
      made += 1
      yield 1
      yield 2
    }
    // The type of a list in a schema is an array, and its writer takes any iterable.
    const body = numbers() as unknown as number[]
    expect(await client({ count }, url).count({ body })).toBe('counted')
    expect([made, seen]).toEqual([
      1,
      [
        ['5', '[1,2]'],
        ['5', '[1,2]'],
      ],
    ])
  })
})
