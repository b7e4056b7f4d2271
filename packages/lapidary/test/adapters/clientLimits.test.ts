/** Limits of clients that send too much or too slowly, read too little, or open too many connections. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, Socket } from 'node:net'
import { bearer, endpoint, ok, text } from 'lapidary'
import type { ListenOptions, RunningServer } from 'lapidary/node'
import { authenticate, type HttpHandler, type HttpResponse, type RequestEnd, serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { exchange, listen, onBun } from '../support/matrix/adapters.ts'
import { connected } from '../support/sockets.ts'
import { after, listens } from '../support/streamSockets.ts'

const secret = bearer<true>('secret')
const server = serve(
  {
    echo: endpoint('POST /echo', { body: text, response: ok(text) }),
    guarded: endpoint('POST /guarded', { auth: secret, body: text, response: ok(text) }),
    now: endpoint('GET /now', { response: ok(text) }),
  },
  { echo: ({ body }) => body, guarded: ({ body }) => body, now: () => 'now' },
  { auth: [authenticate(secret, () => undefined)] },
)

async function startServer(handler: HttpHandler, options: ListenOptions = {}): Promise<RunningServer> {
  const here = await listen(handler, options)
  onTestFinished(() => here.close({ drain: 0, grace: 0 }))
  return here
}

/** Resolves when the event has come, or the connection has closed. */
const came = (socket: Socket, event: string): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      socket.off(event, done)
      socket.off('close', done)
      resolve()
    }
    socket.on(event, done)
    socket.on('close', done)
    if (socket.closed) done()
  })

/** All bytes until the server closes the connection. */
async function all(socket: Socket): Promise<string> {
  let received = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece
  })
  socket.resume()
  await came(socket, 'close')
  return received
}

const head = (line: string, ...headers: readonly string[]): string => `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`
const piece = Buffer.alloc(1_048_576, 'a')
const chunk = Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')])

/** Sends the chunks as fast as the server reads them, before it reads a single byte. */
async function sent(socket: Socket, head: string, body: Buffer, count: number, end = ''): Promise<void> {
  socket.pause()
  socket.write(head)
  for (let index = 0; index < count && !socket.destroyed; index += 1) {
    if (!socket.write(body)) await came(socket, 'drain')
  }
  if (end !== '') socket.write(end)
}

describe.each([
  ['with a length', [`Content-Length: ${32 * piece.length}`], piece, ''],
  ['in chunks', ['Transfer-Encoding: chunked'], chunk, '0\r\n\r\n'],
] as const)('32 MB %s, of a client that reads when all is sent', (_sentence, framing, body, end) => {
  test.each([
    ['too large', 'POST /echo HTTP/1.1', 'text/plain', 413],
    ['of the wrong type', 'POST /echo HTTP/1.1', 'image/png', 415],
    ['without credentials', 'POST /guarded HTTP/1.1', 'text/plain', 401],
    ['for an unknown path', 'POST /nowhere HTTP/1.1', 'text/plain', 404],
    ['by a method that is not offered', 'PUT /echo HTTP/1.1', 'text/plain', 405],
  ])('%s: the client can read the response', async (_what, line, type, status) => {
    const socket = await connected(await startServer(server))
    await sent(socket, head(line, `Content-Type: ${type}`, 'Connection: close', ...framing), body, 32, end)
    expect(await all(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"status":${status}`))
  })
})

test('after an unread body the connection serves further requests', async () => {
  const socket = await connected(await startServer(server))
  await sent(socket, head('POST /nowhere HTTP/1.1', `Content-Length: ${2 * piece.length}`), piece, 2)
  socket.write(head('GET /now HTTP/1.1', 'Connection: close'))
  expect((await all(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 200'])
})

test.skipIf(onBun)('what a client sends in front of its response does not count as unread', async () => {
  const handler: HttpHandler = async (request) => {
    if (request.method === 'GET') return { status: 200, headers: ['Connection', 'close'], body: 'now' }
    await request.body(10).catch(() => after(300))
    return { status: 413, headers: [], body: null }
  }
  const socket = await connected(await startServer(handler, { unreadLimit: 100_000 }))
  socket.write(head('POST / HTTP/1.1', 'Transfer-Encoding: chunked'))
  socket.write(chunk)
  // The response is there, and the rest of the body is not.
  await once(socket, 'data')
  socket.write(`1\r\na\r\n0\r\n\r\n${head('GET / HTTP/1.1')}`)
  expect(await all(socket)).toMatch(/^HTTP\/1\.1 200 [\s\S]*now$/)
})

// Bun has a limit of its own, and sends `100 Continue` before the handler is called.
test.skipIf(onBun)('a client that does not stop sending is answered, and disconnected at the limit', async () => {
  let ended = (_end: RequestEnd): void => {}
  const end = new Promise<RequestEnd>((resolve) => {
    ended = resolve
  })
  const handler: HttpHandler = (request) => {
    request.onEnd((how) => ended(how))
    return server(request)
  }
  const socket = await connected(await startServer(handler, { unreadLimit: 3 * piece.length }))
  const response = all(socket)
  socket.write(head('POST /nowhere HTTP/1.1', 'Transfer-Encoding: chunked'))
  let pieces = 0
  while (!socket.destroyed) {
    pieces += 1
    if (!socket.write(chunk)) await came(socket, 'drain')
  }
  expect(await response).toMatch(/^HTTP\/1\.1 404 /)
  // It is the server that has cut the connection.
  expect(await end).toMatchObject({ status: 404, outcome: 'failed' })
  // What the two systems keep between them was sent, too, but not read.
  expect(pieces).toBeLessThan(32)
})

test.skipIf(onBun)('the connection of a client that never sends its body is closed after the response', async () => {
  const socket = await connected(await startServer(server))
  socket.write(head('POST /echo HTTP/1.1', 'Content-Type: image/png', 'Content-Length: 3', 'Expect: 100-continue'))
  expect(await all(socket)).toMatch(/^HTTP\/1\.1 415 [\s\S]*Connection: close/)
})

const waits: HttpHandler = () => new Promise(() => {})
const large = 32 * piece.length

// Bun has limits of its own.
test.skipIf(onBun).each([
  ['requests behind one that waits', head('GET /now HTTP/1.1'), Buffer.from(head('GET /now HTTP/1.1', `X: ${'x'.repeat(8_000)}`))],
  ['a body that no handler reads', head('POST /echo HTTP/1.1', `Content-Length: ${large}`), piece],
])('a client that sends without end is not read without end: %s', async (_what, first, more) => {
  const socket = await connected(await startServer(waits))
  socket.write(first)
  let length = 0
  let isRead = true
  while (length < large && isRead) {
    length += more.length
    if (socket.write(more)) continue
    const stuck = new Promise<boolean>((resolve) => setTimeout(resolve, 1_000, false))
    isRead = await Promise.race([came(socket, 'drain').then(() => true), stuck])
  }
  // What the two systems keep between them is a few megabytes.
  expect(isRead).toBe(false)
  expect(socket.destroyed).toBe(false)
})

/** Handlers that wait until the test releases them: then all respond at once, or one after the other. */
const held: Readonly<Record<string, (opened: Promise<void>) => HttpHandler>> = {
  'at once':
    (opened) =>
    async ({ target }) => {
      await opened
      return { status: 200, headers: [], body: target }
    },
  'one behind the other': (opened) => {
    let previous = opened
    return async (request) => {
      const turn = previous
      previous = new Promise((resolve) => request.onEnd(() => resolve()))
      await turn
      return { status: 200, headers: [], body: request.target }
    }
  },
}

test.skipIf(onBun).each(Object.entries(held))(
  'requests behind many that wait are read in the end, and all are answered in their order: %s',
  async (_how, createHandler) => {
    let go = (): void => {}
    const opened = new Promise<void>((resolve) => {
      go = resolve
    })
    const socket = await connected(await startServer(createHandler(opened)))
    const response = all(socket)
    const targets = Array.from({ length: 400 }, (_, index) => `/${index}`)
    const padding = `X: ${'x'.repeat(8_000)}`
    for (const target of targets) socket.write(head(`GET ${target} HTTP/1.1`, padding, ...(target === '/399' ? ['Connection: close'] : [])))
    // Long enough for as many to come as are let in.
    await new Promise((resolve) => setTimeout(resolve, 300))
    go()
    expect((await response).match(/\/\d+(?=HTTP|$)/g)).toEqual(targets)
  },
)

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) yield piece
}

test.each([
  ['a stream', endless],
  ['a text', () => 'a'.repeat(32 * piece.length)],
  ['bytes', () => new Uint8Array(32 * piece.length)],
])('a client that reads nothing of %s is disconnected', async (_what, body) => {
  let ended: (end: RequestEnd) => void
  const end = new Promise<RequestEnd>((resolve) => {
    ended = resolve
  })
  const handler: HttpHandler = (request) => {
    request.onEnd((how) => ended(how))
    return { status: 200, headers: [], body: body() }
  }
  const socket = await connected(await startServer(handler, { readerTimeout: 100 }))
  socket.pause()
  socket.write(head('GET / HTTP/1.1'))
  const { outcome: how } = await end
  if (!onBun) expect(how).toBe('aborted')
  // What is whole has ended for us when Bun has it; Bun looks at its clock every four seconds.
  if (onBun) await new Promise((resolve) => setTimeout(resolve, 6_000))
  expect((await all(socket)).length).toBeLessThan(32 * piece.length)
})

/** Some bytes, a wait for the client, and an end that is none. */
async function* broken(): AsyncGenerator<Uint8Array> {
  for (let count = 0; count < 32; count += 1) yield piece
  throw new Error('in the middle')
}

const unreadBodies: readonly (readonly [sentence: string, body: () => HttpResponse['body']])[] = [
  ['a stream', endless],
  ['a stream that fails', broken],
  ['a text', () => 'a'.repeat(32 * piece.length)],
  ['bytes', () => new Uint8Array(32 * piece.length)],
]

// Bun has one clock for all that is slow.
describe.skipIf(onBun).each(listens)('a client that sends and reads nothing is disconnected, $name:', ({ listenOn }) => {
  test.each(
    unreadBodies.flatMap(([what, body]) => [[what, body, false] as const, [`${what} behind another response`, body, true] as const]),
  )('%s', async (_what, body, isSecond) => {
    let ended = (_end: RequestEnd): void => {}
    const end = new Promise<RequestEnd>((resolve) => {
      ended = resolve
    })
    const handler: HttpHandler = (request) => {
      if (request.target === '/first') return after(50).then(() => ({ status: 200, headers: [], body: 'first' }))
      request.onEnd((how) => ended(how))
      return { status: 200, headers: [], body: body() }
    }
    const options = { readerTimeout: 200, requestTimeout: 60_000, headersTimeout: 60_000, onError: () => {} }
    const here = await listenOn(handler, options)
    onTestFinished(() => here.close({ drain: 0, grace: 0 }))
    const socket = await connected(here)
    socket.pause()
    socket.write(`${isSecond ? head('GET /first HTTP/1.1') : ''}${head('GET / HTTP/1.1')}POST / HTTP/1.1\r\nX: `)
    const sending = setInterval(() => socket.write('a'), 20)
    onTestFinished(() => clearInterval(sending))
    expect(await Promise.race([end.then(({ outcome }) => outcome), after(3_000)])).toMatch(/^(?:aborted|failed)$/)
  })
})

test.skipIf(onBun)('a client that stops reading is disconnected, although it has read before', async () => {
  let accepted = new Socket()
  const onAccepted = (message: unknown): void => {
    accepted = (message as { readonly socket: Socket }).socket
  }
  subscribe('net.server.socket', onAccepted)
  onTestFinished(() => void unsubscribe('net.server.socket', onAccepted))
  let ended = (_end: RequestEnd): void => {}
  const end = new Promise<RequestEnd>((resolve) => {
    ended = resolve
  })
  let length = 0
  async function* produce(): AsyncGenerator<Uint8Array> {
    // Small pieces, until the system takes no more: one of them waits in front of the large one.
    for (; accepted.writableLength === 0; await new Promise(setImmediate)) {
      yield new Uint8Array(1_000)
      length += 1_000
    }
    yield new Uint8Array(64 * piece.length)
  }
  const here = await startServer(
    (request) => {
      request.onEnd((how) => ended(how))
      return { status: 200, headers: [], body: produce() }
    },
    { readerTimeout: 2_000 },
  )
  const socket = await connected(here)
  socket.pause()
  socket.write(head('GET / HTTP/1.1'))
  await expect.poll(() => accepted.writableLength, { interval: 1 }).toBeGreaterThan(piece.length)
  let read = 0
  socket.on('data', (bytes) => {
    read += bytes.length
    // Into the large one, and no further.
    if (read > length + piece.length) socket.pause()
  })
  socket.resume()
  expect(await Promise.race([end.then(({ outcome }) => outcome), after(30_000)])).toBe('aborted')
  expect(read).toBeGreaterThan(length)
})

test.skipIf(onBun)('a client that waits for a response is not one that reads nothing of another', async () => {
  const handler: HttpHandler = ({ target }) =>
    target === '/first'
      ? after(400).then(() => ({ status: 200, headers: [], body: 'first' }))
      : { status: 200, headers: ['Connection', 'close'], body: 'second' }
  const socket = await connected(await startServer(handler, { readerTimeout: 100 }))
  socket.write(head('GET /first HTTP/1.1') + head('GET /second HTTP/1.1'))
  expect(await all(socket)).toMatch(/first[\s\S]*second$/)
})

test.skipIf(onBun)('a client that reads slowly is not disconnected', async () => {
  const size = 12 * piece.length
  const socket = await connected(
    await startServer(() => ({ status: 200, headers: [], body: new Uint8Array(size) }), { readerTimeout: 1_500 }),
  )
  let length = 0
  socket.on('data', (bytes) => {
    length += bytes.length
    socket.pause()
    setTimeout(() => socket.resume(), 16)
  })
  socket.write(head('GET / HTTP/1.1', 'Connection: close'))
  await came(socket, 'close')
  expect(length).toBeGreaterThan(size)
})

// What is whole has ended for us when Bun has it.
test.skipIf(onBun).each([
  ['a text', 'a'.repeat(32 * piece.length)],
  ['bytes', new Uint8Array(32 * piece.length)],
])('the signal fires when the client resets its connection while %s is sent', async (_what, body) => {
  let ended: (end: RequestEnd) => void
  const end = new Promise<RequestEnd>((resolve) => {
    ended = resolve
  })
  const here = await startServer((request) => {
    request.onEnd((how) => ended(how))
    return { status: 200, headers: [], body }
  })
  const socket = await connected(here)
  socket.write(head('GET / HTTP/1.1'))
  await once(socket, 'data')
  socket.resetAndDestroy()
  expect((await end).outcome).toBe('aborted')
})

test.each([
  ['one megabyte', piece],
  // More than the system takes at once: the reader is waited for, and then it is not any more.
  ['eight megabytes', Buffer.alloc(8 * piece.length, 'a')],
])('a producer may pause behind a chunk of %s for longer than a reader may', async (_size, first) => {
  async function* slow(): AsyncGenerator<string | Uint8Array> {
    yield first
    // Bun has one clock for all that is slow.
    await new Promise((resolve) => setTimeout(resolve, onBun ? 300 : 1_500))
    yield 'the end'
  }
  const here = await startServer(() => ({ status: 200, headers: [], body: slow() }), { readerTimeout: 500 })
  expect(await (await fetch(here.url)).text()).toMatch(/the end$/)
})

// Bun has no such limit.
test.skipIf(onBun)('connections above the limit get a 503 and are closed; once there is room they are served', async () => {
  const here = await startServer(server, { maxConnections: 2 })
  const first = await connected(here)
  const second = await connected(here)
  // An answer says that both have been let in.
  for (const socket of [first, second]) {
    socket.write(head('GET /now HTTP/1.1'))
    await once(socket, 'data')
  }
  const third = await connected(here)
  third.write(head('GET /now HTTP/1.1'))
  expect(await all(third)).toMatch(/^HTTP\/1\.1 503 [\s\S]*Retry-After: 1\r\n[\s\S]*Connection: close\r\n[\s\S]*"status":503/)
  first.write(head('GET /now HTTP/1.1', 'Connection: close'))
  expect(await all(first)).toMatch(/^HTTP\/1\.1 200 /)
  const fourth = await connected(here)
  fourth.write(head('GET /now HTTP/1.1', 'Connection: close'))
  expect(await all(fourth)).toMatch(/^HTTP\/1\.1 200 /)
})

// Once more where a busy machine connects them so slowly that a hundred have left before the others come.
test.skipIf(onBun)('of two hundred clients above the limit none is served, and the one within it is', { retry: 3 }, async () => {
  const here = await startServer(server, { maxConnections: 1 })
  const guest = await connected(here)
  guest.write(head('GET /now HTTP/1.1'))
  await once(guest, 'data')
  // None of them goes before all have come: a hundred get to read why they must, and the others are cut without a word.
  const sockets = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const socket = connect({ port: here.port, host: '127.0.0.1', allowHalfOpen: true }).pause()
      onTestFinished(() => void socket.destroy())
      socket.on('error', () => {})
      socket.once('end', () => socket.end())
      await once(socket, 'connect')
      return socket
    }),
  )
  // Connected is who waits to be accepted, too.
  await new Promise((resolve) => setTimeout(resolve, 300))
  const responses = await Promise.all(sockets.map(all))
  const rejected = responses.filter((response) => /^HTTP\/1\.1 503 [\s\S]*"status":503/.test(response))
  expect(rejected.length).toBeGreaterThanOrEqual(100)
  expect(rejected.length).toBeLessThan(200)
  expect(responses.filter((response) => response === '')).toHaveLength(200 - rejected.length)
  // When they have gone, the next one gets to read it again.
  await vi.waitFor(async () => expect(await all(await connected(here))).toMatch(/^HTTP\/1\.1 503 [\s\S]*"status":503/), 10_000)
  guest.write(head('GET /now HTTP/1.1', 'Connection: close'))
  expect(await all(guest)).toMatch(/^HTTP\/1\.1 200 /)
})

test.skipIf(onBun).each<[ListenOptions, string | RegExp]>([
  [{ maxConnections: Number.NaN }, 'listen(): maxConnections is NaN, expected an integer from 1. Write one, or remove the option.'],
  [{ maxConnections: 0 }, 'listen(): maxConnections is 0, expected an integer from 1. Write one, or remove the option.'],
  [{ maxConnections: -1 }, 'listen(): maxConnections is -1, expected an integer from 1. Write one, or remove the option.'],
  [{ maxConnections: '5' as never }, 'listen(): maxConnections is "5", expected an integer from 1. Write one, or remove the option.'],
  [{ unreadLimit: Number.NaN }, /^listen\(\): unreadLimit is NaN, expected a number of bytes from 0/],
  [{ unreadLimit: -1 }, /^listen\(\): unreadLimit is -1, expected a number of bytes from 0/],
  [{ unreadLimit: '5 megs' as never }, /^listen\(\): unreadLimit is 5 megs, expected a number of bytes from 0/],
])('%j is refused: it would be no limit, or one that refuses all', async (options, message) => {
  await expect(listen(server, options)).rejects.toThrow(message)
})

describe.skipIf(onBun)('a connection behind a response', () => {
  const request = 'GET /now HTTP/1.1\r\nHost: a\r\n\r\n'
  const times = { keepAliveTimeout: 400, headersTimeout: 600, requestTimeout: 5_000 }

  test.each(['\r\n', '\n'])('is closed in time although it sends line ends: %j', async (lineEnd) => {
    const socket = await connected(await startServer(server, times))
    socket.write(request)
    await once(socket, 'data')
    const timer = setInterval(() => socket.write(lineEnd), 100)
    onTestFinished(() => clearInterval(timer))
    socket.on('error', () => {})
    await Promise.race([
      new Promise((resolve) => socket.resume().once('close', resolve)),
      after(6_000).then(() => Promise.reject(new Error('It is open after six seconds.'))),
    ])
  })

  test('is kept for a request that begins in time, and whose head arrives in time', async () => {
    const socket = await connected(await startServer(server, times))
    for (let count = 0; count < 4; count += 1) {
      socket.write(request.slice(0, 10))
      await after(250)
      socket.write(request.slice(10))
      expect(String(await once(socket, 'data'))).toContain('200 OK')
      await after(300)
    }
  })
})

// Bun closes the connection without a word.
test.skipIf(onBun).each([
  ['in its headers', 'GET /now HTTP/1.1\r\n'],
  ['in its body', 'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: tea\r\n'],
])('a request that stalls %s is answered 408', async (_sentence, start) => {
  expect(await exchange(await startServer(server, { headersTimeout: 100, requestTimeout: 200 }), start)).toMatch(/^HTTP\/1\.1 408 /)
})
