/** Clients of HTTP/2 that attack: none ends the process, keeps memory, gets a 500, or keeps other clients from being served. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import { setTimeout as wait } from 'node:timers/promises'
import { fromNodeListener, type ListenOptions, listen, type RunningServer } from 'lapidary/node'
import type { HttpHandler, HttpRequest } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { firstCertificate } from '../../support/tls/certificates.ts'
import { createHttp2Client } from '../../support/tls/http2Fetch.ts'
import {
  acknowledged,
  connectFrames,
  endHeaders,
  endStream,
  type FrameConnection,
  formatFrame,
  formatHeaders,
  formatRequest,
  formatUint32,
  frameTypes,
  getErrorCode,
} from '../../support/tls/http2Frames.ts'

const { data, headers, priority, resetStream, settings, ping, windowUpdate, continuation } = frameTypes

/** What the handler has seen. */
interface Seen {
  readonly requests: HttpRequest[]
  readonly outcomes: string[]
  readonly errors: unknown[]
  /** How many handlers are at work. */
  running: number
}

/** A server with a handler for each case. After the test it must still serve, and must have reported no error. */
async function startServer(options: ListenOptions = {}): Promise<RunningServer & { readonly seen: Seen }> {
  const seen: Seen = { requests: [], outcomes: [], errors: [], running: 0 }
  const handler: HttpHandler = async (request) => {
    seen.requests.push(request)
    request.onEnd(({ outcome, status }) => seen.outcomes.push(`${outcome} ${status}`))
    const path = request.target.split('?')[0]
    if (path === '/wait') {
      seen.running += 1
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
      seen.running -= 1
    }
    if (path === '/stuck') {
      seen.running += 1
      await new Promise(() => {})
    }
    if (path === '/body') {
      const length = await request.body(1_000_000).then(
        (bytes) => bytes.length,
        () => 'cut off',
      )
      return { status: 200, headers: [], body: `${length}` }
    }
    if (path === '/mount') return fromNodeListener(() => {})(request)
    if (path === '/large') return { status: 200, headers: [], body: Buffer.alloc(1_000_000) }
    return { status: 200, headers: [], body: 'ok' }
  }
  const running = await listen(handler, { tls: firstCertificate, onError: (error) => seen.errors.push(error), ...options })
  const other = createHttp2Client(running.url)
  onTestFinished(async () => {
    expect(await (await other.fetch('/')).text()).toBe('ok')
    other.close()
    expect(seen.errors).toEqual([])
    await running.close({ drain: 0, grace: 0 })
  })
  return { ...running, seen }
}

const request = (stream: number, path = '/', method = 'GET'): Buffer =>
  formatFrame(headers, endHeaders | (method === 'GET' ? endStream : 0), stream, formatRequest(method, path))

/** Writes the same frames again and again until the connection closes: as fast as it can, or some every millisecond. */
async function flood({ socket }: FrameConnection, bytes: Buffer, framesAtOnce: number): Promise<void> {
  const block = Buffer.concat(Array.from({ length: framesAtOnce }, () => bytes))
  while (!socket.destroyed) {
    socket.write(block)
    await wait(socket.writableLength > 1_000_000 ? 20 : 1)
  }
}

const setting = (id: number, value: number): Buffer => Buffer.concat([Buffer.of(0, id), formatUint32(value)])
const initialWindowSize = 4

const floods: readonly (readonly [name: string, bytes: Buffer])[] = [
  ['PING', formatFrame(ping, 0, 0, Buffer.alloc(8))],
  ['answers to no PING', formatFrame(ping, acknowledged, 0, Buffer.alloc(8))],
  ['SETTINGS', formatFrame(settings, 0, 0, setting(initialWindowSize, 65_535))],
  ['PRIORITY', formatFrame(priority, 0, 1, Buffer.concat([formatUint32(3), Buffer.of(16)]))],
  ['WINDOW_UPDATE', formatFrame(windowUpdate, 0, 0, formatUint32(1))],
  ['frames of an unknown type', formatFrame(99, 0, 0, Buffer.alloc(16))],
  ['RST_STREAM for one stream', formatFrame(resetStream, 0, 1, formatUint32(8))],
]

// One read may contain thousands of frames, or a few: Node itself limits how many answers wait for the client.
describe.each([2_000, 200])('%s frames in a millisecond', (framesAtOnce) => {
  test.each(floods)('a flood of %s ends its connection', async (_name, bytes) => {
    const server = await startServer()
    const connection = await connectFrames(server)
    await connection.send(headers, endHeaders | endStream, 1, formatRequest())
    await flood(connection, bytes, framesAtOnce)
    await connection.closed
    expect(server.seen.requests).toHaveLength(1)
  })

  test('a flood of empty DATA ends its connection', async () => {
    const server = await startServer()
    const connection = await connectFrames(server)
    await connection.send(headers, endHeaders, 1, formatRequest('POST', '/body'))
    await flood(connection, formatFrame(data, 0, 1), framesAtOnce)
    await connection.closed
    await expect.poll(() => server.seen.outcomes).toEqual(['aborted 0'])
  })

  test('a flood of CONTINUATION ends its connection (CVE-2024-27316)', async () => {
    const server = await startServer()
    const connection = await connectFrames(server)
    await connection.send(headers, endStream, 1, formatRequest())
    await flood(connection, formatFrame(continuation, 0, 1, formatHeaders([['x', 'y']])), framesAtOnce)
    await connection.closed
    expect(server.seen.requests).toEqual([])
  })
})

test.each([
  // nghttp2 allows a thousand, and 33 a second after that.
  ['whose handlers end at once', '/', 1_500],
  ['whose handlers end with their requests', '/wait', 1_500],
  // The toolkit allows twice as many handlers at work as streams.
  ['whose handlers do not end', '/stuck', 201],
])('a client that resets its streams at once is disconnected (CVE-2023-44487): requests %s', async (_case, path, most) => {
  const server = await startServer({ keepAliveTimeout: 500 })
  const connection = await connectFrames(server)
  for (let stream = 1; !connection.socket.destroyed; ) {
    const frames: Buffer[] = []
    for (; frames.length < 200; stream += 2) frames.push(request(stream, path), formatFrame(resetStream, 0, stream, formatUint32(8)))
    connection.socket.write(Buffer.concat(frames))
    await wait(1)
  }
  await connection.closed
  expect(server.seen.requests.length).toBeLessThanOrEqual(most)
  await expect.poll(() => server.seen.outcomes.length).toBe(server.seen.requests.length)
  if (path === '/wait') await expect.poll(() => server.seen.running).toBe(0)
})

test('a client that makes the server reset its streams has no more handlers at work (CVE-2025-8671)', async () => {
  const server = await startServer({ keepAliveTimeout: 500 })
  const connection = await connectFrames(server)
  for (let stream = 1; !connection.socket.destroyed; ) {
    const frames: Buffer[] = []
    // A window that grows by nothing is an error of its stream.
    for (; frames.length < 200; stream += 2) frames.push(request(stream, '/stuck'), formatFrame(windowUpdate, 0, stream, formatUint32(0)))
    connection.socket.write(Buffer.concat(frames))
    await wait(1)
  }
  await connection.closed
  expect(server.seen.running).toBeLessThanOrEqual(201)
})

/** A line of 4,000 bytes that goes into the table of its connection, where one byte names it again. */
const tableLine = Buffer.concat([Buffer.of(0x40, 1, 120, 127, 0xa1, 0x1e), Buffer.alloc(4_000, 97)])
const fromTable = 0x80 | 62

test('a few bytes that stand for megabytes of headers reset their stream, and no other', async () => {
  const server = await startServer()
  const connection = await connectFrames(server)
  const bomb = Buffer.concat([formatRequest(), tableLine, Buffer.alloc(12_000, fromTable)])
  await connection.send(headers, endHeaders | endStream, 1, bomb)
  const reset = await connection.find(({ stream }) => stream === 1)
  expect(reset?.type).toBe(resetStream)
  await connection.send(headers, endHeaders | endStream, 3, formatRequest())
  expect((await connection.find(({ stream }) => stream === 3))?.type).toBe(headers)
  expect(server.seen.requests).toHaveLength(1)
})

test.each([
  ['too large', [...Array(5)].map((): [string, string] => ['x', 'a'.repeat(4_000)])],
  ['too many', [...Array(1_001)].map((): [string, string] => ['x', 'a'])],
])('headers that are %s get 431', async (_case, lines) => {
  const server = await startServer()
  const connection = await connectFrames(server)
  const block = formatRequest('GET', '/', lines)
  const parts = [block.subarray(0, 16_000), block.subarray(16_000)]
  await connection.send(headers, endStream | (parts[1]?.length ? 0 : endHeaders), 1, parts[0])
  if (parts[1]?.length) await connection.send(continuation, endHeaders, 1, parts[1])
  const body = await connection.find(({ stream, type }) => stream === 1 && type === data)
  expect(JSON.parse(String(body?.payload))).toMatchObject({ status: 431 })
  expect(server.seen.requests).toEqual([])
})

test('of more streams than a connection may have, the further ones are refused, and can be sent again', async () => {
  const server = await startServer({ maxConcurrentStreams: 10 })
  const connection = await connectFrames(server)
  for (let stream = 1; stream <= 39; stream += 2) connection.socket.write(request(stream, '/wait'))
  const refusals = () => connection.received.filter(({ type }) => type === resetStream).map(getErrorCode)
  await expect.poll(refusals).toEqual(Array.from({ length: 10 }, () => constants.NGHTTP2_REFUSED_STREAM))
  expect(server.seen.running).toBe(10)
})

test('a client that never grows its window is no longer waited for, and its other streams are served', async () => {
  const server = await startServer({ readerTimeout: 400 })
  const connection = await connectFrames(server, setting(initialWindowSize, 100))
  connection.socket.write(request(1, '/large'))
  connection.socket.write(request(3))
  const reset = await connection.find(({ type }) => type === resetStream)
  expect([reset?.stream, reset && getErrorCode(reset)]).toEqual([1, constants.NGHTTP2_INTERNAL_ERROR])
  expect(server.seen.outcomes).toEqual(['completed 200', 'aborted 200'])
  connection.socket.write(request(5))
  expect((await connection.find(({ stream }) => stream === 5))?.type).toBe(headers)
})

test('a client that reads slowly is waited for', async () => {
  const server = await startServer({ readerTimeout: 2_000 })
  const connection = await connectFrames(server, setting(initialWindowSize, 40_000))
  connection.socket.write(request(1, '/large'))
  for (let steps = 0; steps < 6; steps += 1) {
    await wait(500)
    connection.socket.write(formatFrame(windowUpdate, 0, 1, formatUint32(40_000)))
    connection.socket.write(formatFrame(windowUpdate, 0, 0, formatUint32(40_000)))
  }
  expect(connection.received.some(({ type }) => type === resetStream)).toBe(false)
})

test('a client that neither ends its request nor takes the response costs no more with time', async () => {
  const server = await startServer({ requestTimeout: 400, headersTimeout: 400 })
  const connection = await connectFrames(server, setting(initialWindowSize, 0))
  connection.socket.write(request(1, '/large', 'POST'))
  await connection.find(({ type }) => type === headers)
  const { stream } = server.seen.requests[0] as unknown as { readonly stream: ServerHttp2Stream }
  await expect.poll(() => stream.listenerCount('finish')).toBeGreaterThan(0)
  const count = stream.listenerCount('finish')
  // Four times as long as the time limits: a listener for each of them would be seen.
  await wait(1_600)
  expect(stream.listenerCount('finish')).toBeLessThan(count + 3)
})

const slowOptions = { requestTimeout: 900, headersTimeout: 800, keepAliveTimeout: 400 }

test('a HEAD for a mounted Node listener, on a connection that fails, does not end the process', async () => {
  const server = await startServer(slowOptions)
  const connection = await connectFrames(server)
  const head = formatFrame(headers, endHeaders, 1, formatRequest('HEAD', '/mount'))
  connection.socket.write(Buffer.concat([head, formatFrame(data, 0, 0, Buffer.of(1))]))
  await connection.closed
  await expect.poll(() => server.seen.outcomes).toHaveLength(1)
})

test.each([
  ['DATA for no stream', 0],
  ['DATA for a stream that has ended', 1],
])('a connection that fails by %s is closed, also with a HEAD', async (_case, stream) => {
  const server = await startServer({ ...slowOptions, readerTimeout: 500 })
  const connection = await connectFrames(server)
  connection.socket.write(
    Buffer.concat([formatFrame(headers, endHeaders | endStream, 1, formatRequest('HEAD')), formatFrame(data, 0, stream, Buffer.of(1))]),
  )
  await connection.closed
  await expect.poll(() => server.seen.outcomes).toHaveLength(1)
})

test('a body that takes too long gets 408', async () => {
  const server = await startServer(slowOptions)
  const connection = await connectFrames(server)
  connection.socket.write(request(1, '/body', 'POST'))
  const timer = setInterval(() => connection.socket.write(formatFrame(data, 0, 1, Buffer.of(1))), 50)
  onTestFinished(() => clearInterval(timer))
  const body = await connection.find(({ stream, type }) => stream === 1 && type === data)
  expect(JSON.parse(String(body?.payload))).toMatchObject({ status: 408 })
  expect((await connection.find(({ type }) => type === resetStream))?.stream).toBe(1)
  await expect.poll(() => server.seen.outcomes).toEqual(['completed 408'])
})

test.each([
  ['says nothing', Buffer.alloc(0)],
  ['sends a part of a head', formatFrame(headers, endStream, 1, formatRequest())],
  ['has sent a request', request(1)],
  ['sends PING after a request', Buffer.concat([request(1), formatFrame(ping, 0, 0, Buffer.alloc(8))])],
])('a connection that %s, and no more, is closed', async (_case, bytes) => {
  const server = await startServer(slowOptions)
  const connection = await connectFrames(server)
  const start = performance.now()
  connection.socket.write(bytes)
  const timer = setInterval(() => bytes.length > 100 && connection.socket.write(formatFrame(ping, 0, 0, Buffer.alloc(8))), 50)
  onTestFinished(() => clearInterval(timer))
  await connection.closed
  expect(performance.now() - start).toBeLessThan(4_000)
})
