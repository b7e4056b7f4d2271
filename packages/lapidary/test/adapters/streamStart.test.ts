/** How streams begin: the head waits for the first item for a limited time, and the first line is sent by itself. */
import { mount } from 'lapidary'
import { client } from 'lapidary/client'
import { compose, timeout } from 'lapidary/middleware'
import type { RunningServer } from 'lapidary/node'
import { fromFetch, type HttpHandler, serve, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../support/client/deferred.ts'
import { onBun } from '../support/matrix/adapters.ts'
import { after, api, chunked, get, line, listens, openConnection, streaming, until } from '../support/streamSockets.ts'
import { timers } from '../support/timers.ts'

const failure = new Error('no database')
const isHead = /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n$/

// Bun sends the end of a head with the first byte behind it.
const testHead = test.skipIf(onBun)

describe.each(listens)('$name', ({ listenOn }) => {
  const listening = async (handler: HttpHandler): Promise<RunningServer> => {
    const it = await listenOn(handler)
    onTestFinished(() => it.close({ drain: 0, grace: 0, settle: 0 }))
    return it
  }

  testHead('the head of a silent stream comes alone, and its items as soon as they are available', async () => {
    const { server, producer } = streaming()
    const [first, second] = [gate(), gate()]
    producer.produce = async function* () {
      await first.opened
      yield { n: 0 }
      await second.opened
      yield { n: 1 }
    }
    const connection = openConnection(await listening(server), get('/feed', 'Connection: close'))
    const began = performance.now()
    await until(() => connection.text !== '', 'the head')
    // Not at once: a producer that fails within that time is answered with a status of its own.
    expect(performance.now() - began).toBeGreaterThan(80)
    expect(connection.text).toMatch(isHead)
    first.open()
    await until(() => connection.text.includes('{"n":0}'), 'the first item')
    second.open()
    await until(() => connection.isClosed, 'the end')
    expect(chunked(connection.text)).toMatchObject({ chunks: [line({ n: 0 }), line({ n: 1 })], isWhole: true })
  })

  testHead('the same over HTTP/1.0', async () => {
    const { server, producer } = streaming()
    const first = gate()
    producer.produce = async function* () {
      await first.opened
      yield { n: 0 }
    }
    const connection = openConnection(await listening(server), 'GET /feed HTTP/1.0\r\n\r\n')
    await until(() => /\r\n\r\n$/.test(connection.text), 'the head')
    first.open()
    await until(() => connection.isClosed, 'the end')
    expect(connection.text.slice(connection.text.indexOf('\r\n\r\n') + 4)).toBe(line({ n: 0 }))
  })

  testHead('a call of client() resolves before the first item', async () => {
    const { server, producer } = streaming()
    const first = gate()
    producer.produce = async function* () {
      await first.opened
      yield { n: 0 }
    }
    const { url } = await listening(server)
    const feed = await client(api, url).feed()
    first.open()
    const got: unknown[] = []
    for await (const item of feed) got.push(item)
    expect(got).toEqual([{ n: 0 }])
  })

  test('a silent stream is not late for timeout()', async () => {
    const { server, producer } = streaming()
    producer.produce = async function* ({ signal }) {
      await after(700)
      yield { n: signal.aborted ? 1 : 0 }
    }
    const { url } = await listening(compose([timeout(400)], server))
    const response = await fetch(`${url}/feed`)
    expect([response.status, await response.text()]).toEqual([200, line({ n: 0 })])
  })

  test('a producer that fails soon is answered with 500, and reported once', async () => {
    const { server, producer, reports } = streaming()
    producer.produce = () => ({ [Symbol.asyncIterator]: () => ({ next: () => after(10).then(() => Promise.reject(failure)) }) })
    const { url } = await listening(server)
    const response = await fetch(`${url}/feed`)
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json'])
    expect(reports.map(({ error }) => error)).toEqual([failure])
  })

  testHead('the response of a producer that fails later is aborted after the head, and the failure is reported once', async () => {
    const { server, producer, reports } = streaming()
    const fails = gate()
    producer.produce = () => ({ [Symbol.asyncIterator]: () => ({ next: () => fails.opened.then(() => Promise.reject(failure)) }) })
    const connection = openConnection(await listening(server), get('/feed'))
    await until(() => connection.text !== '', 'the head')
    expect(connection.text).toMatch(isHead)
    fails.open()
    await until(() => connection.isClosed, 'the cut')
    expect(connection.text).toMatch(isHead)
    expect(reports.map(({ error }) => error)).toEqual([failure])
    expect(reports[0]?.incident).toMatchObject({ method: 'GET', target: '/feed', route: 'GET /feed' })
  })

  test('the first line has a chunk of its own; later lines that are ready together can share one', async () => {
    const { server, producer } = streaming()
    producer.produce = async function* () {
      for (let n = 0; n < 100; n += 1) yield { n }
    }
    const connection = openConnection(await listening(server), get('/feed', 'Connection: close'))
    await until(() => connection.isClosed, 'the end')
    const { chunks, isWhole } = chunked(connection.text)
    expect(chunks[0]).toBe(line({ n: 0 }))
    expect([chunks.join(''), isWhole]).toEqual([Array.from({ length: 100 }, (_, n) => line({ n })).join(''), true])
  })

  test('no line waits for a later one', async () => {
    const { server, producer } = streaming()
    const gates = [gate(), gate(), gate()]
    producer.produce = async function* () {
      for (let n = 0; n < 6; n += 1) {
        yield { n }
        if (n % 2 === 1) await gates[(n - 1) / 2]?.opened
      }
    }
    const connection = openConnection(await listening(server), get('/feed', 'Connection: close'))
    for (const [index, { open }] of gates.entries()) {
      await until(() => connection.text.includes(line({ n: 2 * index + 1 })), 'two items')
      expect(connection.text).not.toContain(line({ n: 2 * index + 2 }))
      open()
    }
    await until(() => connection.isClosed, 'the end')
  })

  test('the head of a list waits for its first item, so that an earlier failure has a status', async () => {
    const { server, producer } = streaming()
    const tried: string[] = []
    producer.produce = async function* () {
      tried.push('begun')
      yield { n: 0 }
      await after(250)
      throw failure
    }
    const { url } = await listening(server)
    expect((await fetch(`${url}/list`)).status).toBe(500)
    producer.produce = async function* ({ signal }) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    const late = await listening(compose([timeout(200)], server))
    expect((await fetch(`${late.url}/list`)).status).toBe(503)
    expect(tried).toEqual(['begun'])
  })

  testHead('the head of a plain handler, and of a mounted fetch handler, does not wait longer', async () => {
    const first = gate()
    const cancelled = gate()
    const web = fromFetch(
      () =>
        new Response(
          new ReadableStream({
            start: async (controller) => {
              await first.opened
              controller.enqueue(new TextEncoder().encode('data: 0\n\n'))
            },
            cancel: () => cancelled.open(),
          }),
          { headers: { 'Content-Type': 'text/event-stream' } },
        ),
    )
    const it = await listening(serve({ web: mount('/web') }, { web }))
    const connection = openConnection(it, get('/web/events'))
    await until(() => connection.text !== '', 'the head')
    expect(connection.text).toMatch(isHead)
    first.open()
    await until(() => connection.text.includes('data: 0'), 'the event')
    connection.socket.destroy()
    // It is reported although it has no effect any more.
    await cancelled.opened
  })
})

test('on Request and Response a silent stream has its head as well, and no empty chunk', async () => {
  const { server, producer } = streaming()
  const first = gate()
  producer.produce = async function* () {
    await first.opened
    yield { n: 0 }
  }
  const response = await toFetch(server)(new Request('http://a/feed'))
  expect(response.status).toBe(200)
  const reader = response.body?.getReader()
  const piece = reader?.read()
  first.open()
  expect(Buffer.from((await piece)?.value as Uint8Array).toString()).toBe(line({ n: 0 }))
})

test.skipIf(onBun)('no timer is left of a head whose stream has failed or begun before it fired', async () => {
  const { server, producer } = streaming()
  const { begun, left } = timers(100)
  producer.produce = () => ({ [Symbol.asyncIterator]: () => ({ next: () => after(5).then(() => Promise.reject(failure)) }) })
  expect((await toFetch(server)(new Request('http://a/feed'))).status).toBe(500)
  producer.produce = async function* () {
    await after(5)
    yield { n: 0 }
  }
  expect(await (await toFetch(server)(new Request('http://a/feed'))).text()).toBe(line({ n: 0 }))
  expect(begun()).toBe(2)
  expect(await left()).toBe(0)
})
