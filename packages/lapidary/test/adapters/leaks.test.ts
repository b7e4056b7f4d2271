/** A connection, a request or a server that has ended leaves no timer, no listener and no further call. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { endpoint, ok, text } from 'lapidary'
import { compose, timeout } from 'lapidary/middleware'
import type { ListenOptions, RunningServer } from 'lapidary/node'
import { type HttpHandler, type HttpRequest, serve, toFetch } from 'lapidary/server'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { listen } from '../support/matrix/adapters.ts'
import { connected } from '../support/sockets.ts'
import { timers } from '../support/timers.ts'

async function listening(handler: HttpHandler, options: ListenOptions = {}): Promise<RunningServer> {
  const here = await listen(handler, options)
  onTestFinished(() => here.close({ drain: 0, grace: 0 }))
  return here
}

const hello: HttpHandler = () => ({ status: 200, headers: [], body: 'hello' })
const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** All bytes until the server closes the connection. */
async function all(socket: Socket): Promise<string> {
  let received = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece
  })
  await once(socket, 'close')
  return received
}

describe('a rejected connection that has closed leaves no timer', () => {
  const count = 5

  test.each([
    ['beyond the limit of connections', '', 503],
    ['since it speaks no HTTP', 'hello\r\n\r\n', 400],
    ['since its headers are too large', `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
  ])('%s', async (_why, sent, status) => {
    const here = await listening(hello, { maxConnections: sent === '' ? 1 : 100 })
    if (sent === '') {
      const guest = await connected(here)
      guest.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      await once(guest, 'data')
    }
    const { begun, left } = timers(1_000)
    for (let index = 0; index < count; index += 1) {
      const socket = await connected(here)
      if (sent !== '') socket.write(sent)
      expect(await all(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    }
    await after(20)
    expect(begun()).toBeGreaterThanOrEqual(count)
    // Node's clock for the Date header may begin one of just this time.
    expect(await left()).toBeLessThan(count - 1)
  })
})

test('a closed server leaves no timer of its grace period', async () => {
  const { url, close } = await listen(hello)
  await (await fetch(url)).text()
  const { begun, left } = timers(50_000, 54_321)
  await close({ drain: 0, grace: 54_321 })
  expect(begun()).toBe(1)
  expect(await left()).toBe(0)
})

test('a closed server no longer checks its connections', async () => {
  const { begun, left } = timers(500)
  const { close } = await listen(hello)
  expect(begun()).toBeGreaterThan(0)
  await close({ drain: 0 })
  expect(await left()).toBe(0)
})

test('a server whose port is in use checks no connections', async () => {
  const { port } = await listening(hello)
  const { left } = timers(500)
  await expect(listen(hello, { port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(await left()).toBe(0)
})

async function* streamed(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body
  // Its end comes when the timer has been looked for.
  await after(200)
}

test.each([
  ['bytes', (body: Uint8Array) => body],
  ['a stream', streamed],
])('a connection whose reader was slow for a time has no timeout afterwards: %s', async (_what, toBody) => {
  const piece = Buffer.alloc(1_048_576, 'a')
  const handler: HttpHandler = ({ target }) => ({
    status: 200,
    headers: [],
    body: target === '/' ? 'hello' : toBody(Buffer.concat(Array(8).fill(piece))),
  })
  const here = await listening(handler, { readerTimeout: 65_432, keepAliveTimeout: 60_000 })
  const socket = await connected(here)
  const { begun, left } = timers(65_432)
  let length = 0
  const whole = new Promise<void>((resolve) => {
    socket.on('data', (bytes) => {
      length += bytes.length
      if (length >= 8 * piece.length) resolve()
    })
  })
  socket.pause()
  socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
  await after(50)
  socket.resume()
  await whole
  await after(50)
  expect(begun()).toBeGreaterThan(0)
  expect(await left()).toBe(0)
})

describe('timeout', () => {
  const api = {
    now: endpoint('GET /now', { response: ok(text) }),
    fails: endpoint('GET /fails', { response: ok(text) }),
  }

  /** A handler whose handlers answer and fail after a moment, and the signals that they have got. */
  function served(time: number): { readonly handler: HttpHandler; readonly signals: AbortSignal[] } {
    const signals: AbortSignal[] = []
    const seen = async ({ signal }: HttpRequest): Promise<void> => {
      signals.push(signal)
      await after(1)
    }
    const own = serve(
      api,
      {
        now: (_input, request) => seen(request).then(() => 'now'),
        fails: (_input, request) =>
          seen(request).then(() => {
            throw new Error('ours')
          }),
      },
      { onError: () => {} },
    )
    const rejecting: HttpHandler = (request) =>
      request.target === '/rejects' ? seen(request).then(() => Promise.reject(new RangeError('a wrapper'))) : own(request)
    return { handler: compose([timeout(time)], rejecting), signals }
  }
  /** The errors that adapters report: none but those of the middleware. */
  let reported: unknown[] = []
  const onError = (error: unknown): void => void reported.push(error)
  beforeEach(() => {
    reported = []
  })
  const send = (handler: HttpHandler, target: string): Promise<unknown> =>
    toFetch(handler, { onError })(new Request(`http://test.invalid${target}`)).catch((error: unknown) => error)

  test.each(['/now', '/fails', '/rejects'])('%s leaves no timer', async (target) => {
    const { handler, signals } = served(43_210)
    const { begun, left } = timers(43_210)
    await send(handler, target)
    expect([signals.length, begun(), await left()]).toEqual([1, 1, 0])
    expect(reported).toEqual(target === '/rejects' ? [new RangeError('a wrapper')] : [])
  })

  test.each(['/now', '/fails', '/rejects'])('%s is answered in time: its signal never fires', async (target) => {
    const { handler, signals } = served(200)
    await send(handler, target)
    const here = await listening(handler, { onError })
    await fetch(`${here.url}${target}`).then(
      (response) => response.text(),
      () => '',
    )
    await after(300)
    expect(signals.length).toBeGreaterThanOrEqual(2)
    // What was cut has no reader any more: that is reported, and nothing else.
    expect(signals.map(({ reason }) => reason?.name)).not.toContain('TimeoutError')
    expect(signals[0]?.aborted).toBe(false)
    expect(reported).toEqual(target === '/rejects' ? Array(signals.length).fill(new RangeError('a wrapper')) : [])
  })
})

describe('a stream', () => {
  /** A stream without a pause, and how often it was stopped. */
  function pieces(count: number, size: number, failure?: Error) {
    let made = 0
    let returns = 0
    const iterator: AsyncIterableIterator<string> = {
      [Symbol.asyncIterator]: () => iterator,
      next: async () => {
        made += 1
        if (made <= count) return { done: false, value: 'x'.repeat(size) }
        if (failure !== undefined) throw failure
        return { done: true, value: undefined }
      },
      return: async () => {
        returns += 1
        return { done: true, value: undefined }
      },
    }
    return { iterator, returns: () => returns }
  }

  test.each([
    ['has come to its end', undefined],
    ['has failed', new Error('ours')],
  ])('that %s is not ended again when its connection closes', async (_how, failure) => {
    const { iterator, returns } = pieces(3, 100, failure)
    const reported: unknown[] = []
    const onError = (error: unknown): void => void reported.push(error)
    const here = await listening(() => ({ status: 200, headers: [], body: iterator }), { onError })
    const socket = await connected(here)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    const response = await all(socket)
    if (failure === undefined) expect(response).toContain('x'.repeat(100))
    await after(20)
    expect(returns()).toBe(0)
    expect(reported).toEqual(failure === undefined ? [] : [failure])
  })

  test('whose reader is slow many times leaves no listener for each time', async () => {
    const warnings: string[] = []
    const warned = ({ name, message }: Error): void => {
      if (name === 'MaxListenersExceededWarning') warnings.push(message)
    }
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const size = 4_000_000
    const here = await listening(() => ({ status: 200, headers: [], body: pieces(24, size).iterator }))
    const response = await fetch(here.url)
    let length = 0
    for await (const chunk of response.body as ReadableStream<Uint8Array>) length += chunk.byteLength
    expect(length).toBe(24 * size)
    await after(10)
    expect(warnings).toEqual([])
  })
})
