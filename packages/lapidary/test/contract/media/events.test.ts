/** Server-sent events of a server: each leaves by itself, a comment keeps the connection, and wrong events are not sent. */
import { endpoint, events, ok, optional, reply, text } from 'lapidary'
import { outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { type Handlers, type HttpRequest, serve } from 'lapidary/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { addHeartbeats } from '../../../src/contract/media/eventStream.ts'
import { getJsonSchema } from '../../../src/json-schema/standardSchema.ts'
import { gate } from '../../support/client/deferred.ts'
import { adapters, type RunningAdapter } from '../../support/matrix/adapters.ts'

const Stone = z.object({ carat: z.number(), note: z.string().optional() })
const Job = z.object({ progress: z.int() })

const api = {
  plain: endpoint('GET /plain', { response: ok(events(Stone)) }),
  named: endpoint('GET /named', { response: ok(events({ cut: Stone, sold: Job })) }),
  beating: endpoint('GET /beating', { response: ok(events(Stone, { heartbeat: 30 })) }),
  cached: endpoint('GET /cached', {
    response: ok(events(Stone), { headers: { 'Cache-Control': text } }),
    responseHeaders: { 'x-accel-buffering': 'yes' },
  }),
}

type Plain = { readonly data: z.infer<typeof Stone>; readonly id?: string; readonly retry?: number }

/** A server whose streams each test replaces. */
function streaming() {
  const reports: unknown[] = []
  const producer: { produce: (request: HttpRequest) => AsyncIterable<Plain> } = { produce: async function* () {} }
  const produce = (_input: unknown, request: HttpRequest): AsyncIterable<Plain> => producer.produce(request)
  const handlers: Handlers<typeof api> = {
    plain: produce,
    named: async function* () {
      yield { event: 'cut', data: { carat: 1 }, id: '7', retry: 2_000 }
      yield { event: 'sold', data: { progress: 1 } }
    },
    beating: produce,
    cached: () => ({ body: [], headers: { 'Cache-Control': 'no-store' } }),
  }
  const server = serve(api, handlers, { onError: (error) => reports.push(error) })
  return { server, producer, reports }
}

const reading = (response: Response) => {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  return {
    next: async () => {
      const { value } = await reader.read()
      return value === undefined ? undefined : decoder.decode(value)
    },
    leave: () => reader.cancel(),
  }
}

/** Everything that one event after another can be, except an event. */
const wrong: readonly (readonly [sentence: string, event: unknown, message: string])[] = [
  ['a text', 'x', 'A stream of events yielded a string, expected an object such as { data }.'],
  ['an id with a line feed', { data: { carat: 1 }, id: 'a\nb' }, 'The id of an event is "a\\nb", expected a text without line breaks'],
  ['an id with a carriage return', { data: { carat: 1 }, id: '\r' }, 'The id of an event is "\\r"'],
  ['an id with NUL', { data: { carat: 1 }, id: '\0' }, 'The id of an event is "\\u0000"'],
  ['an id with half of a character', { data: { carat: 1 }, id: '\ud800' }, 'The id of an event is "\\ud800"'],
  ['an id that is a number', { data: { carat: 1 }, id: 7 }, 'The id of an event is an integer'],
  ['a retry that is not whole', { data: { carat: 1 }, retry: 1.5 }, 'The "retry" of an event is 1.5, expected milliseconds'],
  ['a negative retry', { data: { carat: 1 }, retry: -1 }, 'The "retry" of an event is -1'],
  ['an endless retry', { data: { carat: 1 }, retry: Number.POSITIVE_INFINITY }, 'The "retry" of an event is Infinity'],
  ['a retry that is a text', { data: { carat: 1 }, retry: '5' }, 'The "retry" of an event is a string'],
  ['a name', { event: 'cut', data: { carat: 1 } }, 'A stream of events yielded the event "cut", expected without a name.'],
  ['data of another type', { data: { carat: 'one' } }, 'at "/data/carat" expected a number, got a string'],
  ['no data', {}, 'at "/data" expected an object, got nothing'],
]

describe.each(adapters)('$name', ({ startAdapter }) => {
  const { server, producer, reports } = streaming()
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  test('each event is sent as soon as it is yielded', async () => {
    const read = gate()
    producer.produce = async function* () {
      yield { data: { carat: 1 } }
      await read.opened
      yield { data: { carat: 2, note: 'a\nb' }, id: '', retry: 0 }
    }
    const { next } = reading(await adapter.fetch('/plain'))
    expect(await next()).toBe('data: {"carat":1}\n\n')
    read.open()
    expect(await next()).toBe('id: \nretry: 0\ndata: {"carat":2,"note":"a\\nb"}\n\n')
    expect(await next()).toBe(undefined)
  })

  test('named events, and headers for what is between', async () => {
    const response = await adapter.fetch('/named')
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    expect(await response.text()).toBe('event: cut\nid: 7\nretry: 2000\ndata: {"carat":1}\n\nevent: sold\ndata: {"progress":1}\n\n')
  })

  test('declared headers win', async () => {
    const { headers } = await adapter.fetch('/cached')
    expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store', 'yes'])
  })

  test('the head does not wait for the first event', async () => {
    const read = gate()
    producer.produce = async function* () {
      await read.opened
      yield { data: { carat: 1 } }
    }
    const response = await adapter.fetch('/plain')
    expect(response.status).toBe(200)
    read.open()
    expect(await response.text()).toBe('data: {"carat":1}\n\n')
  })

  test('comments while nothing is sent, and no event is lost behind them', async () => {
    const read = gate()
    producer.produce = async function* () {
      yield { data: { carat: 1 } }
      await read.opened
      yield { data: { carat: 2 } }
    }
    const { next } = reading(await adapter.fetch('/beating'))
    expect(await next()).toBe('data: {"carat":1}\n\n')
    expect(await next()).toBe(':\n')
    expect(await next()).toBe(':\n')
    read.open()
    let rest = ''
    for (let piece = await next(); piece !== undefined; piece = await next()) rest += piece
    expect(rest.replace(/^(:\n)+/, '')).toBe('data: {"carat":2}\n\n')
  })

  test.each(wrong)('%s is reported, and not sent', async (_sentence, event, message) => {
    const sent = gate()
    producer.produce = async function* () {
      yield { data: { carat: 1 } }
      await sent.opened
      yield event as Plain
    }
    const before = reports.length
    const { next } = reading(await adapter.fetch('/plain'))
    expect(await next()).toBe('data: {"carat":1}\n\n')
    sent.open()
    await expect(next()).rejects.toThrow()
    expect(String(reports.slice(before))).toContain(`TypeError: ${message}`)
  })

  test('a wrong first event is a 500', async () => {
    producer.produce = async function* () {
      yield { data: { carat: 1 }, id: '\n' }
    }
    expect((await adapter.fetch('/plain')).status).toBe(500)
  })

  test('a reader that leaves ends the generator', async () => {
    const ended = gate()
    producer.produce = async function* ({ signal }) {
      try {
        yield { data: { carat: 1 } }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      } finally {
        ended.open()
      }
    }
    const { next, leave } = reading(await adapter.fetch('/plain'))
    await next()
    await leave()
    await ended.opened
  })

  test('HEAD has no body, and ends the generator', async () => {
    const ended = gate()
    producer.produce = async function* () {
      try {
        for (;;) yield { data: { carat: 1 } }
      } finally {
        ended.open()
      }
    }
    const response = await adapter.fetch('/plain', { method: 'HEAD' })
    expect([response.headers.get('content-type'), await response.text()]).toEqual(['text/event-stream', ''])
    await ended.opened
  })

  test('a slow reader holds the generator back', async () => {
    const size = 100_000
    const note = 'x'.repeat(size)
    let made = 0
    producer.produce = async function* () {
      for (; made < 1_000; made += 1) yield { data: { carat: made, note } }
    }
    const response = await adapter.fetch('/beating')
    let read = 0
    let ahead = 0
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      read += chunk.byteLength
      ahead = Math.max(ahead, made * size - read)
    }
    expect(made).toBe(1_000)
    expect(ahead).toBeLessThan(30_000_000)
  })
})

describe('a heartbeat', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** Chunks that the test gives one after the other. */
  function chunks() {
    const given: ((result: Promise<IteratorResult<string>>) => void)[] = []
    let returns = 0
    const source: AsyncIterator<string> = {
      next: () => new Promise((resolve) => given.push(resolve)),
      return: async () => {
        returns += 1
        return { done: true, value: undefined }
      },
    }
    const stream = addHeartbeats({ [Symbol.asyncIterator]: () => source }, 1_000)[Symbol.asyncIterator]()
    return { stream, given, returns: () => returns }
  }
  const beat = { done: false, value: ':\n' }
  const chunk = { done: false, value: 'x' }
  const end = { done: true, value: undefined }

  test('comes once in each interval in which the reader waits', async () => {
    const { stream, given } = chunks()
    for (let times = 0; times < 3; times += 1) {
      const next = stream.next()
      await vi.advanceTimersByTimeAsync(999)
      expect(vi.getTimerCount()).toBe(1)
      await vi.advanceTimersByTimeAsync(1)
      expect(await next).toEqual(beat)
      expect(vi.getTimerCount()).toBe(0)
    }
    // The source was asked once.
    expect(given).toHaveLength(1)
  })

  test('has no timer while nothing waits: the client is behind, or it is over', async () => {
    const { stream, given } = chunks()
    expect(vi.getTimerCount()).toBe(0)
    const first = stream.next()
    given[0]?.(Promise.resolve(chunk))
    expect(await first).toEqual(chunk)
    expect(vi.getTimerCount()).toBe(0)
    const last = stream.next()
    given[1]?.(Promise.resolve(end as IteratorResult<string>))
    expect(await last).toEqual(end)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('loses nothing that comes while the client is behind, a failure neither', async () => {
    const { stream, given } = chunks()
    const first = stream.next()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await first).toEqual(beat)
    given[0]?.(Promise.resolve(chunk))
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await stream.next()).toEqual(chunk)
    const second = stream.next()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await second).toEqual(beat)
    given[1]?.(Promise.reject(new Error('no database')))
    await vi.advanceTimersByTimeAsync(0)
    await expect(stream.next()).rejects.toThrow('no database')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends with its reader', async () => {
    const { stream, returns } = chunks()
    void stream.next()
    await stream.return?.()
    expect([vi.getTimerCount(), returns()]).toEqual([0, 1])
  })

  test('can be switched off', async () => {
    const source = (async function* () {})()
    expect(addHeartbeats(source, Number.POSITIVE_INFINITY)).toBe(source)
  })
})

describe('a declaration', () => {
  const plainJavaScript = events as (...values: readonly unknown[]) => unknown
  test.each<readonly [string, readonly unknown[], RegExp]>([
    ['no schema', [], /Standard Schema/],
    ['a text', ['cut'], /Standard Schema/],
    ['no event', [{}], /^events\(\) has no event/],
    ['a name without a schema', [{ cut: 'Stone' }], /Standard Schema/],
    ['an empty name', [{ '': Stone }], /^events\(\) has an event named ""/],
    ['a name with a line break', [{ 'a\nb': Stone }], /^events\(\) has an event named "a\\nb"/],
    ['a name with a carriage return', [{ 'a\rb': Stone }], /^events\(\) has an event named "a\\rb"/],
    ['a name with half of a character', [{ '\ud800': Stone }], /^events\(\) has an event named "\\ud800"/],
    ['a name that is wrong behind a right one', [{ cut: Stone, '': Stone }], /^events\(\) has an event named ""/],
    ['a list of schemas', [[Stone, 'x']], /Standard Schema/],
    ['a heartbeat within no millisecond', [Stone, { heartbeat: 0.5 }], /has the heartbeat 0.5/],
    ['no heartbeat', [Stone, { heartbeat: 0 }], /has the heartbeat 0/],
    ['a heartbeat that is no number', [Stone, { heartbeat: Number.NaN }], /has the heartbeat NaN/],
    ['a heartbeat beyond timers', [Stone, { heartbeat: 2 ** 31 }], /has the heartbeat 2147483648/],
  ])('with %s is refused', (_sentence, values, message) => {
    expect(() => plainJavaScript(...values)).toThrow(message)
  })

  test.each([1, 2 ** 31 - 1, Number.POSITIVE_INFINITY])('can have a heartbeat of %d', (heartbeat) => {
    expect(() => events(Stone, { heartbeat })).not.toThrow()
  })

  test.each([
    [{}, 'After 15 s without one, a comment is sent.'],
    [{ heartbeat: 2_000 }, 'After 2 s without one, a comment is sent.'],
    [{ heartbeat: Number.POSITIVE_INFINITY }, 'Each is sent as soon as it is available.'],
  ])('with the options %j says in the documentation what is sent between events', async (options, sentence) => {
    const one = endpoint('GET /', { response: ok(events(Stone, options)) })
    const { sections } = await outline({ one })
    expect(sections[0]?.responses[0]?.encodings[0]?.framing.endsWith(sentence)).toBe(true)
  })

  test('without names has a schema that allows no name, for a comparison of two versions', () => {
    const jsonSchemas = [events(Stone), events({ cut: Stone })].map(({ schema }) => schema && getJsonSchema(schema))
    expect(jsonSchemas).toMatchObject([
      { type: 'object', properties: { event: { not: {} }, data: { type: 'object' } }, required: ['data'] },
      { anyOf: [{ properties: { event: { const: 'cut' } }, required: ['event', 'data'] }] },
    ])
  })

  test('has in OpenAPI the fields of an event, and refers to each schema where it stands', async () => {
    const Node = z.object({
      get next() {
        return Node.optional()
      },
    })
    const both = endpoint('GET /both', { response: ok(events({ cut: Node, sold: Node })) })
    const { paths } = await openapi({ plain: api.plain, both }, { title: 'Events', version: '1' })
    const itemSchemaOf = (path: string) => Object(Object(paths[path]?.get?.responses['200']).content['text/event-stream'])['x-itemSchema']
    const fields = { id: { type: 'string' }, retry: { type: 'integer', minimum: 0 } }
    expect(itemSchemaOf('/plain')).toMatchObject({ properties: fields, required: ['data'] })
    expect(itemSchemaOf('/both').anyOf).toMatchObject(['cut', 'sold'].map(() => ({ properties: fields, required: ['event', 'data'] })))
    const schema = getJsonSchema(events({ cut: Node, sold: Node }).schema as never)
    const references = [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference]) => reference)
    expect(references).toEqual(['#/anyOf/0/properties/data', '#/anyOf/1/properties/data'])
  })

  test('is not for requests', () => {
    expect(() => endpoint('POST /x', { body: events(Stone), response: reply(204) })).toThrow(/can only be written/)
  })

  test('names can be those of members of every object', async () => {
    const server = serve(
      { one: endpoint('GET /', { headers: { 'Last-Event-ID': optional(text) }, response: ok(events({ constructor: Stone })) }) },
      { one: () => [{ event: 'constructor', data: { carat: 1 } }] },
    )
    expect(await (await server.fetch(new Request('http://test.invalid/'))).text()).toBe('event: constructor\ndata: {"carat":1}\n\n')
  })
})
