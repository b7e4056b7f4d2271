/** Streams: each line is sent by itself, a failure is visible, and the producer ends when its client leaves. */
import { connect } from 'node:net'
import { type AnyReply, byteStream, content, endpoint, events, html, json, list, ndjson, ok } from 'lapidary'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapters, listen, type RunningAdapter } from '../support/matrix/adapters.ts'

const Item = z.object({ n: z.int(), padding: z.string().optional() })

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** A server with one stream; `produce` is replaced by each test. */
function streaming() {
  const reports: unknown[] = []
  const producer: { produce: (signal: AbortSignal) => AsyncIterable<z.input<typeof Item>> } = {
    produce: async function* () {},
  }
  const server = serve(
    {
      lines: endpoint('GET /lines', { response: ok(ndjson(Item)) }),
      labelled: endpoint('GET /labelled', { response: ok(ndjson(Item, { aliases: ['application/json', 'text/json'] })) }),
      list: endpoint('GET /list', { response: ok(list(Item)) }),
      page: endpoint('GET /page', {
        response: ok(
          content(
            list(Item),
            html((items) => `${items.length} items`),
            json,
          ),
        ),
      }),
    },
    {
      lines: (_input, { signal }) => producer.produce(signal),
      labelled: (_input, { signal }) => producer.produce(signal),
      list: (_input, { signal }) => producer.produce(signal),
      page: (_input, { signal }) => producer.produce(signal),
    },
    { onError: (error) => reports.push(error) },
  )
  return { server, producer, reports }
}

const reading = (response: Response) => {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  return {
    /** The next piece of text; undefined at the end. */
    next: async () => {
      const { value } = await reader.read()
      return value === undefined ? undefined : decoder.decode(value)
    },
    leave: () => reader.cancel(),
  }
}

describe.each(adapters)('$name', ({ startAdapter }) => {
  const { server, producer, reports } = streaming()
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  test('each line is sent as soon as its item is available', async () => {
    const read = gate()
    producer.produce = async function* () {
      yield { n: 1 }
      await read.opened
      yield { n: 2 }
    }
    const { next } = reading(await adapter.fetch('/lines'))
    expect(await next()).toBe('{"n":1}\n')
    read.open()
    expect(await next()).toBe('{"n":2}\n')
    expect(await next()).toBe(undefined)
  })

  test.each([
    [undefined, 'application/x-ndjson'],
    ['application/jsonl', 'application/jsonl'],
    ['application/json, application/jsonl', 'application/jsonl'],
    ['application/json', 'application/problem+json'],
  ])('lines are newline-delimited JSON and not JSON: Accept %s', async (accept, type) => {
    producer.produce = async function* () {
      yield { n: 1 }
      yield { n: 2 }
    }
    const response = await adapter.fetch('/lines', { headers: accept === undefined ? {} : { Accept: accept } })
    expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual([type, 'Accept'])
    const text = await response.text()
    if (response.status === 200) return expect(text).toBe('{"n":1}\n{"n":2}\n')
    expect([response.status, JSON.parse(text).detail]).toEqual([
      406,
      expect.stringMatching(/: application\/x-ndjson, application\/jsonl\.$/),
    ])
  })

  test('an alias is sent where it is asked for, with the same bytes', async () => {
    producer.produce = async function* () {
      yield { n: 1 }
    }
    const send = async (accept: string) => {
      const response = await adapter.fetch('/labelled', { headers: { Accept: accept } })
      return [response.headers.get('content-type'), await response.text()]
    }
    const text = '{"n":1}\n'
    expect(await send('*/*')).toEqual(['application/x-ndjson', text])
    expect(await send('application/json')).toEqual(['application/json', text])
    expect(await send('text/json')).toEqual(['text/json', text])
    expect(await send('application/jsonl')).toEqual(['application/jsonl', text])
    // Among equals the aliases, in their order, are preferred to the other name of lines.
    expect(await send('application/jsonl, text/json, application/json')).toEqual(['application/json', text])
    expect(await send('application/jsonl, text/json')).toEqual(['text/json', text])
  })

  test('a stream without items is empty', async () => {
    producer.produce = async function* () {}
    const response = await adapter.fetch('/lines')
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(await (await adapter.fetch('/list')).text()).toBe('[]')
  })

  test('a list that is streamed is one JSON array of any length', async () => {
    const items = Array.from({ length: 5_000 }, (_, n) => ({ n }))
    producer.produce = async function* () {
      yield* items
    }
    const response = await adapter.fetch('/list')
    expect(response.headers.get('content-length')).toBe(null)
    expect(await response.json()).toEqual(items)
  })

  test('an HTML page gets all items of a stream', async () => {
    producer.produce = async function* () {
      yield { n: 1 }
      yield { n: 2 }
    }
    expect(await (await adapter.fetch('/page')).text()).toBe('2 items')
  })

  test.each(['/lines', '/list', '/page'])('a failure before the first item is a 500: %s', async (target) => {
    const failure = new Error('no database')
    producer.produce = () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(failure) }) })
    const before = reports.length
    const response = await adapter.fetch(target)
    expect(response.status).toBe(500)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.text()).not.toContain('database')
    expect(reports.slice(before)).toEqual([failure])
  })

  test('a failure after one item: the item is sent, then the connection is aborted', async () => {
    const failure = new Error('no database')
    const read = gate()
    producer.produce = async function* () {
      yield { n: 1 }
      await read.opened
      throw failure
    }
    const before = reports.length
    const response = await adapter.fetch('/lines')
    const { next } = reading(response)
    expect(response.status).toBe(200)
    expect(await next()).toBe('{"n":1}\n')
    read.open()
    await expect(next()).rejects.toThrow()
    expect(reports.slice(before)).toEqual([failure])
  })

  test('a later item of the wrong type aborts the stream as well', async () => {
    producer.produce = async function* () {
      yield { n: 1 }
      yield { n: 1.5 }
    }
    const before = reports.length
    await expect(adapter.fetch('/lines').then((response) => response.text())).rejects.toThrow()
    expect(String(reports.slice(before))).toBe('TypeError: at "/n" expected an integer, got a number')
  })

  test('a reader that leaves ends the producer once and fires the signal', async () => {
    const ended = gate()
    const aborted = gate()
    let returns = 0
    producer.produce = (signal) => {
      signal.addEventListener('abort', aborted.open)
      return {
        [Symbol.asyncIterator]: () => ({
          next: async () => ({ done: false, value: { n: 1, padding: 'x'.repeat(10_000) } }),
          return: async () => {
            returns += 1
            ended.open()
            return { done: true, value: undefined }
          },
        }),
      }
    }
    const { next, leave } = reading(await adapter.fetch('/lines'))
    await next()
    await leave()
    await ended.opened
    await aborted.opened
    // Another whole request later, it is still once.
    producer.produce = async function* () {}
    await (await adapter.fetch('/lines')).text()
    expect(returns).toBe(1)
  })

  test('a reader that leaves while the producer waits fires the signal that can wake it', async () => {
    const ended = gate()
    producer.produce = async function* (signal) {
      try {
        yield { n: 1 }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      } finally {
        ended.open()
      }
    }
    const { next, leave } = reading(await adapter.fetch('/lines'))
    await next()
    await leave()
    await ended.opened
  })

  test('HEAD starts the producer and ends it', async () => {
    const ended = gate()
    producer.produce = async function* () {
      try {
        yield { n: 1 }
        yield { n: 2 }
      } finally {
        ended.open()
      }
    }
    expect((await adapter.fetch('/lines', { method: 'HEAD' })).status).toBe(200)
    await ended.opened
  })

  test('a slow reader pauses the producer', async () => {
    const size = 100_000
    let made = 0
    producer.produce = async function* () {
      while (made < 1_500) {
        made += 1
        yield { n: made, padding: 'x'.repeat(size) }
      }
    }
    const response = await adapter.fetch('/lines')
    let read = 0
    let ahead = 0
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      read += chunk.byteLength
      ahead = Math.max(ahead, made * size - read)
    }
    expect(made).toBe(1_500)
    // Of 150 MB, no more than what fits between the two ends of a socket was ever made before it was wanted.
    expect(ahead).toBeLessThan(30_000_000)
  })
})

test('a client that leaves before the first item leaves no producer behind', async () => {
  const { server, producer } = streaming()
  const [arrived, left, ended] = [gate(), gate(), gate()]
  producer.produce = (signal) => {
    signal.addEventListener('abort', left.open)
    arrived.open()
    return (async function* () {
      try {
        await left.opened
        for (let n = 0; ; n += 1) yield { n, padding: 'x'.repeat(10_000) }
      } finally {
        ended.open()
      }
    })()
  }
  const listening = await listen(server)
  const socket = connect(listening.port, '127.0.0.1')
  socket.write('GET /lines HTTP/1.1\r\nHost: a\r\n\r\n')
  await arrived.opened
  socket.destroy()
  await ended.opened
  await listening.close({ drain: 0 })
})

async function* generate<T>(item: T): AsyncGenerator<T> {
  yield item
}
const bytes = (): Uint8Array<ArrayBuffer> => Uint8Array.of(1)
const sources: readonly (readonly [what: string, response: AnyReply, make: () => unknown])[] = [
  ['lines of a generator', ok(ndjson(z.int())), () => generate(1)],
  ['an array of a generator', ok(list(z.int())), () => generate(1)],
  ['events of a generator', ok(events(z.int())), () => generate({ data: 1 })],
  ['bytes of a generator', ok(byteStream()), () => generate(bytes())],
  ['bytes of a web stream', ok(byteStream()), () => new Blob([bytes()]).stream()],
]

/** What a server responds that returns the same source twice. */
async function respondTwice(response: AnyReply, source: unknown) {
  const reports: unknown[] = []
  const one = endpoint('GET /', { response })
  const { fetch } = serve({ one }, { one: () => source } as never, { onError: (error) => reports.push(error) })
  const statuses: number[] = []
  const lengths: number[] = []
  for (let count = 0; count < 2; count += 1) {
    const response = await fetch(new Request('http://test.invalid/'))
    statuses.push(response.status)
    lengths.push((await response.arrayBuffer()).byteLength)
  }
  return { statuses, lengths, reports: reports.map(String) }
}

test.each(sources)('%s can be sent once: the second response is a reported 500, and not an empty one', async (_what, response, make) => {
  const { statuses, reports } = await respondTwice(response, make())
  expect(statuses).toEqual([200, 500])
  expect(reports).toEqual([expect.stringContaining('This stream was already sent, and nothing of it is left.')])
})

test.each<[what: string, response: AnyReply, source: unknown]>([
  ['lines of a list', ok(ndjson(z.int())), [1]],
  ['lines of a set', ok(ndjson(z.int())), new Set([1])],
  ['an array of a set', ok(list(z.int())), new Set([1])],
  ['events of a list', ok(events(z.int())), [{ data: 1 }]],
  ['bytes of a list', ok(byteStream()), [bytes()]],
  ['bytes of a Blob', ok(byteStream()), new Blob([bytes()])],
  ['bytes', ok(byteStream()), bytes()],
])('%s, which begin again, can be sent again', async (_what, response, source) => {
  const { statuses, lengths, reports } = await respondTwice(response, source)
  expect([statuses, reports]).toEqual([[200, 200], []])
  expect(lengths[0]).toBeGreaterThan(0)
  expect(lengths[1]).toBe(lengths[0])
})

test('a list of chunks with one that is no bytes is refused before anything is sent', async () => {
  const { statuses, reports } = await respondTwice(ok(byteStream()), [bytes(), 'a'])
  expect(statuses).toEqual([500, 500])
  expect(reports[0]).toContain('A stream of bytes needs a Blob, a Uint8Array or an iterable of Uint8Arrays, got a chunk that is a string.')
})

test('a list that fails in the middle sends what was there before', async () => {
  const { server, producer } = streaming()
  producer.produce = async function* () {
    yield { n: 1, padding: 'x'.repeat(20_000) }
    yield { n: 2 }
    throw new Error('no more')
  }
  const { next } = reading(await server.fetch(new Request('http://test.invalid/list')))
  let text = ''
  try {
    for (let piece = await next(); piece !== undefined; piece = await next()) text += piece
  } catch {
    text += ' failed'
  }
  expect(text.replace(/x+/, 'x')).toBe('[{"n":1,"padding":"x"},{"n":2} failed')
})

test('a list that is made while it is sent has the definitions of its items', async () => {
  const Node = z.object({
    name: z.string(),
    get next() {
      return Node.optional()
    },
  })
  const nodes = endpoint('GET /', { response: ok(list(Node)) })
  const { fetch } = serve({ nodes }, { nodes: () => generate({ name: 'a', next: { name: 'b', secret: 2 }, secret: 1 }) })
  const response = await fetch(new Request('http://test.invalid/'))
  expect(await response.json()).toEqual([{ name: 'a', next: { name: 'b' } }])
})
