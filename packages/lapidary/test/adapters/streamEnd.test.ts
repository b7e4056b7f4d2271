/** How streams end: all items before a failure arrive, a client that leaves is no error, and a closing server waits for producers. */
import { client, StreamInterruptedError } from 'lapidary/client'
import { compose, cors, loadShedding, timeout } from 'lapidary/middleware'
import type { RunningServer } from 'lapidary/node'
import { type HttpHandler, type HttpRequest, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../support/client/deferred.ts'
import { onBun } from '../support/matrix/adapters.ts'
import {
  after,
  api,
  chunked,
  exchangeText,
  get,
  type Item,
  line,
  listens,
  openConnection,
  streaming,
  until,
} from '../support/streamSockets.ts'

const failure = new Error('no database')
const numbered = (count: number, padding?: string): readonly Item[] =>
  Array.from({ length: count }, (_, n) => (padding === undefined ? { n } : { n, padding }))
const text = (items: readonly Item[]): string => items.map(line).join('')

/** Yields these items without a wait, and fails. */
async function* failing(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
  throw failure
}

describe.each(listens)('$name', ({ listenOn }) => {
  const listening = async (handler: HttpHandler): Promise<RunningServer> => {
    // The adapter reports what no server reports.
    const it = await listenOn(handler, { onError: () => {} })
    onTestFinished(() => it.close({ drain: 0, grace: 0 }))
    return it
  }

  describe('a producer that fails', () => {
    test.each([1, 2, 1_000, 20_000])('after %i items without a wait: all of them arrive, and no last chunk', async (count) => {
      const { server, producer, reports } = streaming()
      producer.produce = () => failing(numbered(count))
      const { head, chunks, isWhole } = chunked(await exchangeText(await listening(server), get('/feed')))
      expect(head).toMatch(/^HTTP\/1\.1 200 /)
      expect(chunks.join('')).toBe(text(numbered(count)))
      expect(isWhole).toBe(false)
      expect(reports.map(({ error }) => error)).toEqual([failure])
    })

    test('sends a client of HTTP/1.0 all its items', async () => {
      const { server, producer } = streaming()
      producer.produce = () => failing(numbered(1_000))
      const response = await exchangeText(await listening(server), 'GET /feed HTTP/1.0\r\n\r\n')
      expect(response).toMatch(/^HTTP\/1\.[01] 200 /)
      expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toBe(text(numbered(1_000)))
    })

    test('whose reader is slow: all items arrive', async () => {
      const { server, producer } = streaming()
      const items = numbered(3, 'x'.repeat(8_000_000))
      producer.produce = () => failing(items)
      const connection = openConnection(await listening(server), get('/feed'))
      connection.socket.pause()
      await after(300)
      connection.socket.resume()
      await until(() => connection.isClosed, 'the end')
      const { chunks, isWhole } = chunked(connection.text)
      expect(chunks.join('').length).toBe(text(items).length)
      expect(isWhole).toBe(false)
    })

    // Bun closes a connection with another request before the response.
    test.skipIf(onBun)('behind other responses on its connection: they arrive, and all its items', async () => {
      const { server, producer } = streaming()
      const made = [
        async function* () {
          await after(150)
          yield* numbered(500)
        },
        () => failing(numbered(800)),
      ]
      producer.produce = () => (made.shift() ?? made[0])?.() as AsyncIterable<Item>
      const response = await exchangeText(await listening(server), get('/feed') + get('/feed'))
      const first = chunked(response)
      expect([first.chunks.join(''), first.isWhole]).toEqual([text(numbered(500)), true])
      const second = chunked(first.rest)
      expect([second.chunks.join(''), second.isWhole]).toEqual([text(numbered(800)), false])
    })

    test('behind middleware: all its items', async () => {
      const { server, producer } = streaming()
      producer.produce = () => failing(numbered(1_000))
      const around = compose([loadShedding(), cors({ origins: '*' }), timeout()], server)
      const { chunks, isWhole } = chunked(await exchangeText(await listening(around), get('/feed')))
      expect([chunks.join(''), isWhole]).toEqual([text(numbered(1_000)), false])
    })

    test('of a list: every item, and no end', async () => {
      const { server, producer } = streaming()
      producer.produce = () => failing(numbered(5_000))
      const { chunks, isWhole } = chunked(await exchangeText(await listening(server), get('/list')))
      expect([chunks.join(''), isWhole]).toEqual([JSON.stringify(numbered(5_000)).slice(0, -1), false])
    })

    test('of a plain handler: all its items', async () => {
      async function* pieces(): AsyncGenerator<string | Uint8Array> {
        yield 'one'
        yield new Uint8Array([0x32])
        yield 'drei €'
        throw failure
      }
      const handler: HttpHandler = () => ({ status: 200, headers: [], body: pieces() })
      const { chunks, isWhole } = chunked(await exchangeText(await listening(handler), get('/')))
      expect([Buffer.from(chunks.join(''), 'latin1').toString(), isWhole]).toEqual(['one2drei €', false])
    })

    test.each([2, 1_000])('gives client() %i items, then StreamInterrupted', async (count) => {
      const { server, producer } = streaming()
      producer.produce = () => failing(numbered(count))
      const { url } = await listening(server)
      const got: Item[] = []
      const walk = async (): Promise<void> => {
        for await (const item of await client(api, url).feed()) got.push(item)
      }
      await expect(walk()).rejects.toThrow(StreamInterruptedError)
      expect(got).toEqual(numbered(count))
    })
  })

  describe('a client that leaves is no error:', () => {
    /** How a producer that waits may hear of it. */
    const hearing: readonly (readonly [sentence: string, wait: (request: HttpRequest) => Promise<unknown>])[] = [
      [
        'with the reason of the signal',
        ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
      ],
      ['with an error of its own', ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(failure)))],
      [
        'a little later',
        ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => setTimeout(reject, 20, failure))),
      ],
    ]

    test.each(
      hearing.flatMap(([sentence, wait]) =>
        [0, 1].flatMap((items) => [['/feed', items, sentence, wait] as const, ['/list', items, sentence, wait] as const]),
      ),
    )('%s, after %i items, whose producer fails %s', async (path, items, _sentence, wait) => {
      const { server, producer, reports } = streaming()
      const [began, ended] = [gate(), gate()]
      producer.produce = async function* (request) {
        try {
          yield* numbered(items)
          began.open()
          await wait(request)
        } finally {
          ended.open()
        }
      }
      const it = await listening(server)
      const { socket } = openConnection(it, get(path))
      await began.opened
      await after(20)
      socket.destroy()
      await ended.opened
      await after(50)
      expect(reports).toEqual([])
    })

    test('a producer that fails while it is ended', async () => {
      const { server, producer, reports } = streaming()
      const unhandled: unknown[] = []
      const hear = (error: unknown): void => void unhandled.push(error)
      process.on('unhandledRejection', hear)
      onTestFinished(() => void process.off('unhandledRejection', hear))
      const ended = gate()
      producer.produce = async function* () {
        try {
          for (let n = 0; ; n += 1) {
            yield { n }
            await after(5)
          }
        } finally {
          ended.open()
          // biome-ignore lint/correctness/noUnsafeFinally: what happens then is what is tested
          throw failure
        }
      }
      const connection = openConnection(await listening(server), get('/feed'))
      await until(() => connection.text.includes('{"n":1}'), 'an item')
      connection.socket.destroy()
      await ended.opened
      await after(50)
      expect([reports, unhandled]).toEqual([[], []])
    })
  })

  // Bun closes a connection with another request before the response.
  test.skipIf(onBun)('a client that leaves while its streams wait for one another: all started streams are ended', async () => {
    const { server, producer } = streaming()
    let [began, ended] = [0, 0]
    producer.produce = async function* ({ signal }) {
      began += 1
      try {
        // The first answers nothing that those behind it could follow.
        if (began === 1) await new Promise((resolve) => signal.addEventListener('abort', resolve))
        for (let n = 0; ; n += 1) yield { n, padding: 'x'.repeat(1_000) }
      } finally {
        ended += 1
      }
    }
    const { socket } = openConnection(await listening(server), get('/feed').repeat(12))
    await until(() => began > 0, 'a producer')
    await after(150)
    socket.resetAndDestroy()
    await until(() => ended === began, 'the end of all', 3_000)
  })

  test('HEAD of a silent stream wakes its producer and ends it', async () => {
    const { server, producer, reports } = streaming()
    const ended = gate()
    producer.produce = async function* ({ signal }) {
      try {
        await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        yield { n: 0 }
      } finally {
        ended.open()
      }
    }
    const { url } = await listening(server)
    expect((await fetch(`${url}/feed`, { method: 'HEAD' })).status).toBe(200)
    await ended.opened
    await after(20)
    expect(reports).toEqual([])
  })

  test.skipIf(onBun).each([
    ['half a request', 'GET'],
    ['what is no request', 'GARBAGE\r\n\r\n'],
    ['a request without its body', 'POST /feed HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n'],
    ['the wish for a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  ])('a client that leaves behind %s, while its stream is silent: the signal of the producer fires', async (_what, rest) => {
    const { server, producer } = streaming()
    let isAborted = false
    producer.produce = async function* ({ signal }) {
      const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      yield { n: 0 }
      await left
      isAborted = true
    }
    const connection = openConnection(await listening(server), get('/feed'), rest)
    await until(() => connection.text.includes('{"n":0}'), 'an item')
    connection.socket.end()
    await until(() => isAborted, 'the signal', 3_000)
  })

  describe('a server that closes', () => {
    /** Ends only when it is cut, and takes its time. */
    const lingering = (items: number, say: (word: string) => void): ((request: HttpRequest) => AsyncIterable<Item>) =>
      async function* ({ signal }) {
        const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
        try {
          yield* numbered(items)
          say('waits')
          await left
        } finally {
          await after(300)
          say('ended')
        }
      }

    test.each([
      ['/feed', 0],
      ['/feed', 1],
      ['/list', 0],
      ['/list', 3_000],
    ])('resolves when a stream that it cuts has run its finally: %s after %i items', async (path, items) => {
      const { server, producer } = streaming()
      const events: string[] = []
      producer.produce = lingering(items, (word) => events.push(word))
      const it = await listenOn(server)
      openConnection(it, get(path))
      await until(() => events.includes('waits'), 'the producer')
      await it.close({ drain: 0, grace: 20 })
      expect(events).toEqual(['waits', 'ended'])
    })

    test('resolves when a stream whose client had left before has run its finally', async () => {
      const { server, producer } = streaming()
      const events: string[] = []
      producer.produce = async function* ({ signal }) {
        signal.addEventListener('abort', () => events.push('left'))
        yield* lingering(1, (word) => events.push(word))({ signal } as HttpRequest)
      }
      const it = await listenOn(server)
      const connection = openConnection(it, get('/feed'))
      await until(() => connection.text.includes('{"n":0}'), 'an item')
      connection.socket.destroy()
      await until(() => events.includes('left'), 'the signal')
      await it.close({ drain: 0, grace: 1_000 })
      expect(events).toEqual(['waits', 'left', 'ended'])
    })

    test('does not wait for a stream that never ends', async () => {
      const { server, producer } = streaming()
      producer.produce = async function* () {
        yield { n: 0 }
        await new Promise(() => {})
      }
      const it = await listenOn(server)
      const connection = openConnection(it, get('/feed'))
      await until(() => connection.text.includes('{"n":0}'), 'an item')
      const began = Date.now()
      await it.close({ drain: 0, grace: 20, settle: 200 })
      expect(Date.now() - began).toBeLessThan(4_000)
      expect(connection.text).not.toContain('\r\n0\r\n\r\n')
    })

    test('aborts a stream behind which its client sends CONNECT', async () => {
      const { server, producer } = streaming()
      const events: string[] = []
      producer.produce = lingering(1, (word) => events.push(word))
      const it = await listenOn(server)
      openConnection(it, get('/feed'), 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')
      await until(() => events.includes('waits'), 'the producer')
      await it.close({ drain: 0, grace: 200 })
      expect(events).toEqual(['waits', 'ended'])
    })

    test('fires the shutdown signal, so that an endless stream can end', async () => {
      const { server, producer, reports } = streaming()
      producer.produce = async function* ({ shutdown }) {
        const closes = new Promise<void>((resolve) => shutdown.addEventListener('abort', () => resolve()))
        yield { n: 0 }
        await closes
        yield { n: 1 }
      }
      const it = await listenOn(server)
      const connection = openConnection(it, get('/feed'))
      await until(() => connection.text.includes('{"n":0}'), 'an item')
      await it.close({ drain: 0, grace: 10_000 })
      await until(() => connection.isClosed, 'the end')
      expect(chunked(connection.text)).toMatchObject({ chunks: [line({ n: 0 }), line({ n: 1 })], isWhole: true })
      expect(reports).toEqual([])
    })

    test('fires the shutdown signal of new requests at once, and not that of answered ones', async () => {
      const events: string[] = []
      const handler: HttpHandler = (request) => {
        const { shutdown, target } = request
        if (shutdown.aborted) events.push(`${target}: at once`)
        shutdown.addEventListener('abort', () => events.push(`${target}: later`))
        return { status: 204, headers: [], body: null }
      }
      const it = await listenOn(handler)
      await fetch(`${it.url}/before`)
      // A connection that says nothing keeps the drain open.
      const silent = openConnection(it)
      await after(50)
      const closed = it.close({ drain: 1_000 })
      await fetch(`${it.url}/meanwhile`)
      silent.socket.destroy()
      await closed
      expect(events).toEqual(['/meanwhile: at once'])
    })
  })
})

describe('on Request and Response', () => {
  test('a producer that fails: all its items, then the failure', async () => {
    const { server, producer } = streaming()
    producer.produce = () => failing(numbered(1_000))
    const { body } = await toFetch(server)(new Request('http://a/feed'))
    const got: string[] = []
    const read = async (): Promise<void> => {
      for await (const piece of body as ReadableStream<Uint8Array>) got.push(Buffer.from(piece).toString())
    }
    await expect(read()).rejects.toThrow(failure)
    expect(got.join('')).toBe(text(numbered(1_000)))
  })

  test.each(['/feed', '/list'])('a client that leaves %s is no error', async (path) => {
    const { server, producer, reports } = streaming()
    producer.produce = async function* ({ signal }) {
      yield* numbered(path === '/feed' ? 1 : 3_000)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }
    const response = await toFetch(server)(new Request(`http://a${path}`))
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await after(20)
    expect(reports).toEqual([])
  })

  test('the shutdown signal of server.fetch never fires', async () => {
    const shutdowns: boolean[] = []
    await toFetch(({ shutdown }) => {
      shutdowns.push(shutdown.aborted)
      return { status: 204, headers: [], body: null }
    })(new Request('http://a/'))
    expect(shutdowns).toEqual([false])
  })
})
