/** Server-sent events of a client: the whole format (WHATWG HTML §9.2.6), its limits, and streams that go on after a cut. */
import fc from 'fast-check'
import { endpoint, errors, events, int, noContent, ok, optional, respond, text } from 'lapidary'
import { type CallOptions, ConnectionError, resume, StreamInterruptedError, UnexpectedResponseError } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readEvents } from '../../src/contract/media/eventStream.ts'
import { clients } from '../support/client/clients.ts'
import { thrown } from '../support/client/thrownError.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const base = 'http://test.invalid'
  const encoder = new TextEncoder()
  const eventHeaders = { 'Content-Type': 'text/event-stream' }

  const api = {
    plain: endpoint('GET /plain', { response: ok(events(z.unknown())) }),
    named: endpoint('GET /named', {
      response: ok(events({ cut: z.int(), sold: z.object({ price: isLight ? z.string() : z.string().transform(Number) }) })),
    }),
    message: endpoint('GET /message', { response: ok(events({ message: z.int() })) }),
  }

  async function* piecesOf(...pieces: readonly (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield typeof piece === 'string' ? encoder.encode(piece) : piece
  }

  /** A body of these pieces; an Error among them cuts the connection. */
  const streamOf = (...pieces: readonly (string | Error)[]): ReadableStream<Uint8Array> => {
    const rest = [...pieces]
    return new ReadableStream({
      pull: (controller) => {
        const piece = rest.shift()
        if (piece === undefined) controller.close()
        else if (piece instanceof Error) controller.error(piece)
        else controller.enqueue(encoder.encode(piece))
      },
    })
  }
  const cut = new Error('cut')

  const respondWith = (...pieces: readonly (string | Error)[]) =>
    client(api, base, { fetch: async () => new Response(streamOf(...pieces), { headers: eventHeaders }) })

  async function gather<Item>(stream: AsyncIterable<Item> | Promise<AsyncIterable<Item>>): Promise<{ items: Item[]; error: unknown }> {
    const items: Item[] = []
    try {
      for await (const item of await stream) items.push(item)
      return { items, error: undefined }
    } catch (error) {
      return { items, error }
    }
  }

  /** The texts of a stream, and its events. */
  const format: readonly (readonly [sentence: string, text: string, events: readonly unknown[]])[] = [
    ['one event', 'data: 1\n\n', [{ data: 1 }]],
    ['a carriage return ends a line', 'data: 1\r\rdata: 2\r\r', [{ data: 1 }, { data: 2 }]],
    ['a pair ends one line', 'data: 1\r\n\r\ndata: 2\r\n\r\n', [{ data: 1 }, { data: 2 }]],
    ['ends of lines can be mixed', 'data: 1\r\n\ndata: 2\n\r\ndata: 3\r\n\r', [{ data: 1 }, { data: 2 }, { data: 3 }]],
    ['a byte order mark is dropped', '\ufeffdata: 1\n\n', [{ data: 1 }]],
    ['a second byte order mark is a part of a name', '\ufeff\ufeffdata: 1\n\ndata: 2\n\n', [{ data: 2 }]],
    ['comments are ignored', ': hello\n:\ndata: 1\n:between\n\n', [{ data: 1 }]],
    ['several lines of data are one text', 'data: [1,\ndata: 2\ndata: ]\n\n', [{ data: [1, 2] }]],
    ['a space behind the colon is dropped', 'data:1\n\n', [{ data: 1 }]],
    ['one space alone', 'id:  x \ndata: 1\n\n', [{ data: 1, id: ' x ' }]],
    ['a line without a colon is a name', 'data\ndata: 1\n\n', [{ data: 1 }]],
    ['unknown fields are ignored', 'Data: 0\nfoo: bar\n data: 0\ndata: 1\n\n', [{ data: 1 }]],
    ['an event without data is none', 'event: cut\nid: 1\n\ndata: 1\n\n', [{ data: 1 }]],
    ['empty lines alone', '\n\n\r\n\r', []],
    ['the last name of an event wins', 'event: a\nevent: b\ndata: 1\n\ndata: 2\n\n', [{ event: 'b', data: 1 }, { data: 2 }]],
    ['an empty name is none', 'event: a\nevent\ndata: 1\n\n', [{ data: 1 }]],
    ['an empty id', 'id\ndata: 1\n\n', [{ data: 1, id: '' }]],
    ['an id with NUL is ignored', 'id: a\nid: b\0c\ndata: 1\n\n', [{ data: 1, id: 'a' }]],
    ['retry', 'retry: 0050\ndata: 1\n\n', [{ data: 1, retry: 50 }]],
    [
      'retry has digits only',
      'retry: 5\nretry: 5ms\nretry: -1\nretry: +1\nretry: 1e3\nretry:\nretry: ٣\ndata: 1\n\n',
      [{ data: 1, retry: 5 }],
    ],
    ['a huge retry', `retry: ${'9'.repeat(400)}\ndata: 1\n\n`, [{ data: 1, retry: Number.MAX_SAFE_INTEGER }]],
    ['characters of several bytes', 'id: é💎\u2028\ndata: "é💎\u2028"\n\n', [{ data: 'é💎\u2028', id: 'é💎\u2028' }]],
    ['colons in a value', 'data: {"a":"b: c"}\n\n', [{ data: { a: 'b: c' } }]],
  ]

  describe('the format', () => {
    test.each(format)('%s', async (_sentence, text, expected) => {
      const bytes = encoder.encode(text)
      const read = async (...pieces: readonly Uint8Array[]) => (await gather(readEvents(piecesOf(...pieces)))).items
      expect(await read(bytes)).toEqual(expected)
      // However the text is cut.
      expect(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected)
      for (let at = 1; at < bytes.length && at < 100; at += 1)
        expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(expected)
    })

    test('bytes that are not UTF-8 are replaced, as a browser replaces them', async () => {
      const { items } = await gather(readEvents(piecesOf('id: ', Uint8Array.of(0xff), '\ndata: 1\n\n')))
      expect(items).toEqual([{ data: 1, id: '\ufffd' }])
    })

    test('an event is there as soon as its empty line is, also behind a carriage return', async () => {
      const source = piecesOf('data: 1\r\r', 'data: 2\n\n')
      const next = vi.spyOn(source, 'next')
      expect((await readEvents(source).next()).value).toEqual({ data: 1 })
      expect(next).toHaveBeenCalledTimes(1)
    })

    test.each(['data: 1\n', 'data: 1', 'id: 7\n', 'event: x\n', 'da', ': comment'])('%j is cut off', async (rest) => {
      const { items, error } = await gather(respondWith(`data: 0\n\n${rest}`).plain())
      expect(items).toEqual([{ data: 0 }])
      expect(error).toBeInstanceOf(StreamInterruptedError)
      expect(error).toMatchObject({ items: 1, cause: expect.objectContaining({ message: expect.stringMatching(/ended in the middle/) }) })
    })

    test.each(['', ': comment\n', 'retry: 5\n', '\n'])('%j at the end is complete', async (rest) => {
      expect(await gather(respondWith(`data: 0\n\n${rest}`).plain())).toEqual({ items: [{ data: 0 }], error: undefined })
    })

    const field = fc.string({ unit: 'grapheme' }).filter((text) => !/[\0\r\n]/.test(text) && text.isWellFormed())
    const oneEvent = fc.record(
      {
        event: field.filter((name) => name !== ''),
        data: fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown),
        id: field,
        retry: fc.maxSafeNat(),
      },
      { requiredKeys: ['data'] },
    )

    test('whatever is written is read, in pieces of any length', async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(oneEvent), fc.infiniteStream(fc.integer({ min: 1, max: 9 })), async (all, lengths) => {
          const fields = (one: (typeof all)[number]) =>
            Object.entries(one).map(([name, value]) => `${name}: ${name === 'data' ? JSON.stringify(value) : value}\n`)
          const bytes = encoder.encode(all.map((one) => `${fields(one).join('')}\n`).join(''))
          const pieces: Uint8Array[] = []
          for (let at = 0; at < bytes.length; ) {
            const { value } = lengths.next()
            pieces.push(bytes.subarray(at, at + value))
            at += value
          }
          expect(await gather(readEvents(piecesOf(...pieces)))).toEqual({ items: all, error: undefined })
        }),
      )
    })
  })

  describe('what is declared', () => {
    test('data is validated by the schema of its event', async () => {
      const { items, error } = await gather(respondWith('event: cut\nid: 1\ndata: 7\n\nevent: sold\ndata: {"price":"5"}\n\n').named())
      expect([items, error]).toEqual([
        [
          { event: 'cut', data: 7, id: '1' },
          { event: 'sold', data: { price: isLight ? '5' : 5 } },
        ],
        undefined,
      ])
    })

    test.each(
      (
        [
          ['data of another type', 'event: cut\ndata: 1.5\n\n', /at \/0\/data: /],
          ['data of another event', 'event: sold\ndata: 1\n\n', /at \/0\/data: /],
          ['an event that is not declared', 'event: lost\ndata: 1\n\n', /at \/0\/event: expected the event cut or sold, got "lost"/],
          ['an event without a name', 'data: 1\n\n', /expected the event cut or sold, got "message"/],
          ['data that is not JSON', 'event: cut\ndata: one\n\n', /at \/0\/data: expected JSON/],
        ] satisfies (readonly [string, string, RegExp])[]
      ).filter(
        ([what]) =>
          !(
            isLight &&
            ['data of another type', 'data of another event', 'an event that is not declared', 'an event without a name'].includes(what)
          ),
      ),
    )('%s is an unexpected response', async (_sentence, text, detail) => {
      const { error } = await gather(respondWith(text).named())
      expect(error).toBeInstanceOf(UnexpectedResponseError)
      expect(error).toMatchObject({ detail: expect.stringMatching(detail) })
    })

    test('an event without a name is one named message', async () => {
      expect((await gather(respondWith('data: 1\n\nevent: message\ndata: 2\n\n').message())).items).toEqual([
        { event: 'message', data: 1 },
        { event: 'message', data: 2 },
      ])
      expect((await gather(respondWith('event: message\ndata: 1\n\n').plain())).items).toEqual([{ data: 1 }])
    })

    test('another media type is an unexpected response', async () => {
      const { plain } = client(api, base, { fetch: async () => new Response('', { headers: { 'Content-Type': 'application/x-ndjson' } }) })
      expect(await thrown(plain)).toMatchObject({ detail: 'expected the Content-Type text/event-stream, got application/x-ndjson' })
    })

    test('the call asks for events', async () => {
      const fetch = vi.fn(async () => new Response('', { headers: eventHeaders }))
      await client(api, base, { fetch }).plain()
      expect(new Headers((fetch.mock.calls as unknown as Request[][])[0]?.[0]?.headers).get('accept')).toBe('text/event-stream')
    })
  })

  describe('limits', () => {
    const limit = 1_000

    test('comments, heartbeats and ignored fields do not count', async () => {
      const pieces = [...Array.from({ length: 2_000 }, () => ':\n'), ...Array.from({ length: 2_000 }, () => 'x: y\n'), 'data: 1\n\n']
      const call = client(api, base, {
        fetch: async () => new Response(streamOf(...pieces), { headers: eventHeaders }),
        maxResponseSize: limit,
      })
      expect(await gather(call.plain())).toEqual({ items: [{ data: 1 }], error: undefined })
    })

    test.each([
      ['line', 'data: 1\n\ndata: "', 'x'.repeat(100)],
      ['comment', 'data: 1\n\n:', 'x'.repeat(100)],
      ['event', 'data: 1\n\ndata: "', `data: ${'x'.repeat(90)}\n`],
    ])('an endless %s is cancelled at the limit', async (_what, first, piece) => {
      let pieces = 0
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(encoder.encode(first)),
        pull: (controller) => {
          pieces += 1
          controller.enqueue(encoder.encode(piece))
        },
      })
      const call = client(api, base, { fetch: async () => new Response(body, { headers: eventHeaders }), maxResponseSize: limit })
      const { items, error } = await gather(call.plain())
      expect(items).toEqual([{ data: 1 }])
      expect(error).toMatchObject({ name: 'UnexpectedResponseError', detail: expect.stringContaining(`${limit} bytes`) })
      expect(pieces).toBeLessThan(30)
    })

    test('pieces of one byte take linear time', async () => {
      const measure = async (length: number): Promise<number> => {
        async function* bytes(): AsyncGenerator<Uint8Array> {
          const byte = Uint8Array.of(0x78)
          yield encoder.encode('data: "')
          for (let at = 0; at < length; at += 1) yield byte
          yield encoder.encode('"\n\n')
        }
        const start = process.cpuUsage()
        const { items } = await gather(readEvents(bytes()))
        expect(items).toEqual([{ data: 'x'.repeat(length) }])
        const { user, system } = process.cpuUsage(start)
        return user + system
      }
      await measure(20_000)
      // A quadratic reader takes sixteen times as long. A disturbed measurement is repeated.
      const isLinear = async (): Promise<boolean> => (await measure(400_000)) < 10 * (await measure(100_000))
      expect((await isLinear()) || (await isLinear()) || (await isLinear())).toBe(true)
    })
  })

  describe('resume', () => {
    /** Answers one connection after the other, and remembers what each asked for. */
    function connections(...responses: readonly (Response | Error | ((request: Request) => Promise<Response>))[]) {
      const lastEventIds: (string | null)[] = []
      const rest = [...responses]
      const call = client(api, base, {
        fetch: async (request) => {
          const sent = request as Request
          lastEventIds.push(sent.headers.get('last-event-id'))
          const response = rest.shift() ?? new Error('no more')
          if (response instanceof Error) throw response
          return typeof response === 'function' ? response(sent) : response
        },
      })
      return { call, lastEventIds, connect: (options: CallOptions) => call.plain({}, options) }
    }
    const createResponse = (...pieces: readonly (string | Error)[]) => new Response(streamOf(...pieces), { headers: eventHeaders })
    const soon = { delay: 1 }

    test('goes on behind the last id, and ends with a stream that ends properly', async () => {
      const { connect, lastEventIds } = connections(
        createResponse('id: 1\ndata: "a"\n\n', cut),
        createResponse('data: "b"\n\n', cut),
        createResponse('id: é\ndata: "c"\n\nid: lost\ndata: "d', cut),
        createResponse('id: 4\ndata: "d"\n\n'),
      )
      const { items, error } = await gather(resume(connect, soon))
      expect([items.map(({ data }) => data), error]).toEqual([['a', 'b', 'c', 'd'], undefined])
      expect(lastEventIds).toEqual([null, '1', '1', 'Ã©'])
    })

    test('an id without data counts, and an empty id starts again', async () => {
      const { connect, lastEventIds } = connections(
        createResponse('id: 1\n\n', cut),
        createResponse('id\ndata: 1\n\n', cut),
        createResponse(),
      )
      await gather(resume(connect, soon))
      expect(lastEventIds).toEqual([null, '1', null])
    })

    test('can begin behind an id', async () => {
      const { connect, lastEventIds } = connections(createResponse())
      await gather(resume(connect, { lastEventId: '41' }))
      expect(lastEventIds).toEqual(['41'])
    })

    test('a typed Last-Event-ID on a real server', async () => {
      const log = ['a', 'b', 'c', 'd']
      let times = 0
      const typed = {
        log: endpoint('GET /log', { headers: { 'Last-Event-ID': optional(int) }, response: ok(events(z.string())) }),
      }
      const server = serve(
        typed,
        {
          log: async function* ({ headers: { 'Last-Event-ID': last = 0 } }) {
            times += 1
            for (const [index, data] of log.entries()) {
              if (index < last) continue
              yield { data, id: `${index + 1}` }
              if (times < 3) throw new Error('no database')
            }
          },
        },
        { onError: () => {} },
      )
      const call = client(typed, base, { fetch: server.fetch })
      const { items, error } = await gather(resume((options) => call.log({}, options), soon))
      expect([items.map(({ data }) => data), error, times]).toEqual([log, undefined, 3])
    })

    describe('an id on a real server', () => {
      const fieldsOf = async (id: string): Promise<{ error: unknown; received: readonly (string | undefined)[] }> => {
        const received: (string | undefined)[] = []
        const typed = { log: endpoint('GET /log', { headers: { 'Last-Event-ID': optional(text) }, response: ok(events(z.string())) }) }
        const server = serve(
          typed,
          {
            log: async function* ({ headers: { 'Last-Event-ID': last } }) {
              received.push(last)
              if (received.length > 1) return
              yield { data: 'a', id }
              throw new Error('no database')
            },
          },
          { onError: () => {} },
        )
        const running = await listen(server, { host: '127.0.0.1', port: 0 })
        const call = client(typed, `http://127.0.0.1:${running.port}`)
        const { error } = await gather(resume((options) => call.log({}, options), soon))
        await running.close()
        return { error, received }
      }

      test.each([
        ['a last byte 0xA0', 'à', 'à'],
        ['bytes 0x80 to 0xFF', 'é💎\u00a0\u0085', 'é💎\u00a0\u0085'],
        ['blanks around it, which a field does not have', ' \tx y\t ', 'x y'],
        ['blanks alone', '  ', ''],
        ['a tab within', 'a\tb', 'a\tb'],
      ])('%s', async (_what, id, expected) => {
        expect(await fieldsOf(id)).toEqual({ error: undefined, received: [undefined, expected] })
      })

      test.each(['\u0001', 'a\u007fb', '\u000b'])('%j cannot be sent: the stream ends with the error of the cut', async (id) => {
        const { error, received } = await fieldsOf(id)
        expect([error, received]).toEqual([expect.any(StreamInterruptedError), [undefined]])
      })

      test('a Last-Event-ID that is not UTF-8 is read as Latin-1', async () => {
        const one = { log: endpoint('GET /log', { headers: { 'Last-Event-ID': text }, response: ok(text) }) }
        const server = serve(one, { log: ({ headers }) => headers['Last-Event-ID'] })
        const response = await server.fetch(new Request(`${base}/log`, { headers: { 'Last-Event-ID': '\u00e9' } }))
        expect(await response.text()).toBe('é')
      })
    })

    test('the first connection is an ordinary call', async () => {
      const refused = connections(new TypeError('refused'))
      expect((await gather(resume(refused.connect, soon))).error).toBeInstanceOf(ConnectionError)
      const unavailable = connections(new Response(null, { status: 503 }))
      expect((await gather(resume(unavailable.connect, soon))).error).toMatchObject({ status: 503 })
      expect([refused.lastEventIds.length, unavailable.lastEventIds.length]).toEqual([1, 1])
    })

    test.each([429, 502, 503, 504])('a later %i is tried again', async (status) => {
      const { connect, lastEventIds } = connections(
        createResponse('data: 1\n\n', cut),
        new Response(null, { status }),
        new TypeError('refused'),
        createResponse('data: 2\n\n'),
      )
      expect((await gather(resume(connect, soon))).items).toEqual([{ data: 1 }, { data: 2 }])
      expect(lastEventIds).toHaveLength(4)
    })

    test.each([400, 401, 404, 500])('a later %i is thrown', async (status) => {
      const { connect, lastEventIds } = connections(createResponse('data: 1\n\n', cut), new Response(null, { status }))
      expect(await gather(resume(connect, soon))).toMatchObject({ items: [{ data: 1 }], error: { status } })
      expect(lastEventIds).toHaveLength(2)
    })

    test('an invalid event is thrown', async () => {
      const { connect, lastEventIds } = connections(createResponse('data: x\n\n'), createResponse())
      expect((await gather(resume(connect, soon))).error).toBeInstanceOf(UnexpectedResponseError)
      expect(lastEventIds).toHaveLength(1)
    })

    test('the last error is thrown after so many attempts without an event', async () => {
      const responses = Array.from({ length: 9 }, () => createResponse(cut))
      const { connect, lastEventIds } = connections(createResponse('data: 1\n\n', cut), ...responses)
      const { items, error } = await gather(resume(connect, { ...soon, attempts: 3 }))
      expect([items, lastEventIds.length]).toEqual([[{ data: 1 }], 4])
      expect(error).toBeInstanceOf(StreamInterruptedError)
    })

    test('a server says that there is no more by another status', async () => {
      const ending = {
        news: endpoint('GET /news', { headers: { 'Last-Event-ID': optional(int) }, response: [ok(events(z.string())), noContent] }),
      }
      const server = serve(ending, {
        news: ({ headers }) =>
          headers['Last-Event-ID'] === 1 ? respond(204) : (['a'].map((data) => ({ data, id: '1' })) as { data: string; id: string }[]),
      })
      const call = client(ending, base, { fetch: server.fetch })
      const connect = async (options: CallOptions) => {
        const response = await call.news({}, options)
        return response.status === 200 ? response.body : undefined
      }
      expect((await gather(resume(connect))).items).toEqual([{ data: 'a', id: '1' }])
      expect((await gather(resume(connect, { lastEventId: '1' }))).items).toEqual([])
    })

    describe('waits', () => {
      /** The times of the connections, in milliseconds. */
      async function timesOf(
        options: Parameters<typeof resume>[1],
        ...responses: readonly (Response | Error)[]
      ): Promise<readonly number[]> {
        vi.useFakeTimers()
        vi.spyOn(Math, 'random').mockReturnValue(0)
        try {
          const { connect } = connections(...responses)
          const start = Date.now()
          const times: number[] = []
          const done = gather(
            resume((given) => {
              times.push(Date.now() - start)
              return connect(given)
            }, options),
          )
          await vi.advanceTimersByTimeAsync(1_000_000)
          await done
          return times
        } finally {
          vi.restoreAllMocks()
          vi.useRealTimers()
        }
      }
      const dead = (): Response => createResponse(cut)

      test('twice as long each time, up to a limit', async () => {
        expect(await timesOf({ delay: 100, maxDelay: 500 }, dead(), dead(), dead(), dead(), dead(), createResponse())).toEqual([
          0, 100, 300, 700, 1_200, 1_700,
        ])
      })
      test('from the start after an event', async () => {
        expect(await timesOf({ delay: 100 }, dead(), dead(), createResponse('data: 1\n\n', cut), dead(), createResponse())).toEqual([
          0, 100, 300, 400, 600,
        ])
      })
      test('as long as the server says, in an event or between events', async () => {
        expect(
          await timesOf({}, createResponse('retry: 900\n\n', cut), createResponse('retry: 600\ndata: 1\n\n', cut), createResponse()),
        ).toEqual([0, 900, 1_500])
      })
      test('at least 500 ms where the server says less', async () => {
        expect(
          await timesOf({}, createResponse('retry: 0\ndata: 1\n\n', cut), createResponse('data: 1\n\n', cut), dead(), createResponse()),
        ).toEqual([0, 500, 1_000, 2_000])
      })
      test('not longer than the limit, whatever the server says', async () => {
        expect(await timesOf({ maxDelay: 900 }, createResponse(`retry: ${'9'.repeat(30)}\ndata: 1\n\n`, cut), createResponse())).toEqual([
          0, 900,
        ])
      })
      test.each([Number.POSITIVE_INFINITY, 2 ** 31 - 1])('24.8 days at most, where the limit is %s', async (maxDelay) => {
        const endless = createResponse(`retry: ${'9'.repeat(30)}\ndata: 1\n\n`, cut)
        const busy = new Response(null, { status: 503, headers: { 'Retry-After': '9'.repeat(30) } })
        const times: number[] = []
        vi.useFakeTimers()
        const wait = vi.spyOn(globalThis, 'setTimeout')
        try {
          const stop = new AbortController()
          const { connect } = connections(endless, busy, createResponse())
          const done = gather(
            resume(
              (given) => {
                times.push(Date.now())
                return connect(given)
              },
              { maxDelay, signal: stop.signal },
            ),
          )
          await vi.advanceTimersByTimeAsync(1_000_000)
          expect(times).toHaveLength(1)
          expect(wait.mock.calls.map(([, delay]) => delay)).toEqual([2 ** 31 - 1])
          stop.abort(new Error('enough'))
          expect(await done).toMatchObject({ items: [{ data: 1 }], error: { message: 'enough' } })
        } finally {
          vi.restoreAllMocks()
          vi.useRealTimers()
        }
      })
      test.each([
        ['delay', Number.NaN],
        ['delay', -1],
        ['delay', 2 ** 31],
        ['maxDelay', Number.NaN],
        ['maxDelay', '5 s' as never],
      ])('a %s of %s is refused', (name, time) => {
        expect(() => resume(connections(createResponse()).connect, { [name]: time })).toThrow(
          `resume(): ${name} is ${time}, expected milliseconds from 0 to 2147483647`,
        )
      })
      test('until the date that Retry-After says', async () => {
        const busy = new Response(null, { status: 503, headers: { 'Retry-After': new Date(Date.now() + 20_000).toUTCString() } })
        const [, , time] = await timesOf({ delay: 100 }, createResponse('data: 1\n\n', cut), busy, createResponse())
        // The date has no milliseconds.
        expect(time).toBeGreaterThan(15_000)
        expect(time).toBeLessThanOrEqual(20_000)
      })
      test('as long as Retry-After says', async () => {
        const busy = new Response(null, { status: 503, headers: { 'Retry-After': '3' } })
        expect(await timesOf({ delay: 100 }, createResponse('data: 1\n\n', cut), busy, createResponse())).toEqual([0, 100, 3_100])
      })
    })

    test.each([Number('ten'), -1, 1.5])('a number of attempts of %s is refused', (attempts) => {
      expect(() => resume(connections(createResponse()).connect, { attempts })).toThrow(
        new TypeError(`resume(): attempts is ${attempts}, expected an integer from 0. Write one, or remove the option.`),
      )
    })

    test('a signal ends it with its reason, while it waits', async () => {
      const controller = new AbortController()
      const { connect } = connections(createResponse('data: 1\n\n', cut))
      const stream = resume(connect, { delay: 60_000, signal: controller.signal })
      expect((await stream.next()).value).toEqual({ data: 1 })
      const next = stream.next()
      controller.abort(new Error('enough'))
      await expect(next).rejects.toThrow('enough')
    })

    test('return() ends it, while it waits and while the server is silent', async () => {
      const waiting = resume(connections(createResponse('data: 1\n\n', cut)).connect, { delay: 60_000 })
      await waiting.next()
      const silent = resume(
        connections(
          new Response(new ReadableStream({ start: (controller) => controller.enqueue(encoder.encode('data: 1\n\n')) }), {
            headers: eventHeaders,
          }),
        ).connect,
      )
      await silent.next()
      for (const stream of [waiting, silent]) {
        const next = stream.next()
        await stream.return?.()
        expect(await next).toEqual({ done: true, value: undefined })
      }
    })

    test('a loop that ends early cancels the connection', async () => {
      let isCancelled = false
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(encoder.encode('data: 1\n\n')),
        cancel: () => {
          isCancelled = true
        },
      })
      for await (const _event of resume(connections(new Response(body, { headers: eventHeaders })).connect)) break
      expect(isCancelled).toBe(true)
    })

    test('an error of the handler before the first event has its own status', async () => {
      const one = { news: endpoint('GET /news', { response: ok(events(z.string())) }) }
      const server = serve(one, {
        news: async () => {
          throw errors.conflict({ detail: 'Not now.' })
        },
      })
      const call = client(one, base, { fetch: server.fetch })
      expect((await gather(resume((options) => call.news({}, options)))).error).toMatchObject({ status: 409 })
    })
  })
})
