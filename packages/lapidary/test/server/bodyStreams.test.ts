/** Request bodies that a handler reads while they arrive: `byteStream` and `ndjson`. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { byteStream, endpoint, errors, isHttpError, json, ndjson, noContent, ok, text } from 'lapidary'
import { compose, timeout } from 'lapidary/middleware'
import type { ListenOptions, RunningServer } from 'lapidary/node'
import { type HttpHandler, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { gate } from '../support/client/deferred.ts'
import { listen, onBun } from '../support/matrix/adapters.ts'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { post, type Row, refuses, respondsWith, json as respondsWithJson } from '../support/matrix/row.ts'
import { connected } from '../support/sockets.ts'

const Order = z.object({ stone: z.string(), count: z.int().default(1) })

const upload = byteStream('application/octet-stream', 'image/png')
const api = {
  sizes: endpoint('POST /sizes', { body: upload, response: ok(json), maxBodySize: '3 MB' }),
  small: endpoint('POST /small', { body: byteStream(), response: ok(json), maxBodySize: 10 }),
  unread: endpoint('POST /unread', { body: byteStream(), response: noContent, maxBodySize: '3 MB' }),
  first: endpoint('POST /first', { body: byteStream(), response: ok(json), maxBodySize: '3 MB' }),
  echo: endpoint('POST /echo', { body: byteStream(), response: ok(byteStream('image/png')), maxBodySize: '3 MB' }),
  blob: endpoint('GET /blob', { response: ok(byteStream('image/png')) }),
  orders: endpoint('POST /orders', { body: ndjson(Order), response: ok(json) }),
  caught: endpoint('POST /caught', { body: ndjson(Order), response: ok(text) }),
  any: endpoint('POST /any', { body: ndjson(z.string()), response: ok(json), maxBodySize: '3 MB' }),
}

const server = serve(api, {
  sizes: async ({ body }) => {
    let size = 0
    for await (const chunk of body) size += chunk.length
    return size
  },
  small: async ({ body }) => {
    let size = 0
    for await (const chunk of body) size += chunk.length
    return size
  },
  unread: () => {},
  first: async ({ body }) => {
    for await (const chunk of body) return chunk.length > 0
    return 'empty'
  },
  echo: ({ body }) => body,
  blob: () => new Blob(['a', 'b']),
  orders: async ({ body }) => {
    const all = []
    for await (const order of body) all.push(order)
    return all
  },
  caught: async ({ body }) => {
    let read = 0
    try {
      for await (const _ of body) read += 1
    } catch (error) {
      if (isHttpError(error, 400)) return `after ${read}: ${error.detail}`
      throw error
    }
    throw errors.conflict()
  },
  any: async ({ body }) => {
    for await (const line of body) return line.length
    return 0
  },
})

const octets = 'application/octet-stream'
const lines = 'application/x-ndjson'
const large = new Uint8Array(2_000_000).fill(7)

const rows: readonly Row[] = [
  ['an empty body has no chunk', post('/sizes', octets, ''), respondsWithJson(0)],
  ['each byte of a large body arrives', post('/sizes', octets, large), respondsWithJson(large.length)],
  ['the body can have any of its media types', post('/sizes', 'image/png', 'abc'), respondsWithJson(3)],
  ['another media type is refused', post('/sizes', 'image/gif', 'abc'), respondsWith(415)],
  ['a body at its limit is read', post('/small', octets, '0123456789'), respondsWithJson(10)],
  ['a body above its limit is refused', post('/small', octets, '0123456789a'), respondsWith(413)],
  ['a body that no handler reads is dropped', post('/unread', octets, large), respondsWith(204)],
  ['a handler can leave after the first chunk', post('/first', octets, large), respondsWithJson(true)],
  [
    'the response can be the body',
    post('/echo', octets, 'abc'),
    respondsWith(200, { text: 'abc', headers: { 'Content-Type': 'image/png' } }),
  ],
  ['an empty body is an empty response', post('/echo', octets, ''), respondsWith(200, { text: '' })],
  [
    'lines are validated values',
    post('/orders', lines, '{"stone":"opal"}\n{"stone":"ruby","count":2}\n'),
    respondsWithJson([
      { stone: 'opal', count: 1 },
      { stone: 'ruby', count: 2 },
    ]),
  ],
  ['the last line needs no line feed', post('/orders', lines, '{"stone":"opal"}'), respondsWithJson([{ stone: 'opal', count: 1 }])],
  ['no lines are no values', post('/orders', lines, ''), respondsWithJson([])],
  [
    'an invalid line is named',
    post('/orders', lines, '{"stone":"opal"}\n{"stone":"ruby","count":"2"}\n'),
    refuses(400, { in: 'body', pointer: '/count', detail: 'expected an integer, got a string' }),
  ],
  ['an empty line is refused', post('/orders', lines, '\n'), respondsWith(400)],
  ['a line of 1 MiB is read', post('/any', lines, `"${'a'.repeat(1_048_574)}"`), respondsWithJson(1_048_574)],
  ['a line of 1 MiB with a line feed is read', post('/any', lines, `"${'a'.repeat(1_048_574)}"\n`), respondsWithJson(1_048_574)],
  ['a longer line with a line feed is refused', post('/any', lines, `"${'a'.repeat(1_048_575)}"\n`), respondsWith(400)],
  ['a line of more than 1 MiB is refused', post('/any', lines, `"${'a'.repeat(1_048_575)}"`), respondsWith(400)],
]

describeEachAdapter(server, (running) => {
  testRows(running, rows)

  test('a handler that catches an invalid line knows its number', async () => {
    const headers = { 'Content-Type': lines }
    const response = await running.fetch('/caught', { method: 'POST', headers, body: '{"stone":"opal"}\n{' })
    expect(await response.text()).toBe('after 1: Line 2 of the body is invalid; "errors" says where and why.')
  })

  test('a Blob is sent', async () => {
    expect(await (await running.fetch('/blob')).text()).toBe('ab')
  })
})

const head = (path: string, framing: string, type: string = octets): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\n${framing}\r\n\r\n`
const chunked = 'Transfer-Encoding: chunked'

async function started(handler: HttpHandler, options: ListenOptions = {}): Promise<RunningServer> {
  const running = await listen(handler, options)
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  return running
}

/** Reads what comes back until it has a text. */
async function readUntil(socket: Awaited<ReturnType<typeof connected>>, text: string): Promise<string> {
  let received = ''
  while (!received.includes(text)) {
    const chunk = socket.read() as Buffer | null
    if (chunk === null) await once(socket, 'readable')
    else received += chunk.toString('latin1')
  }
  return received
}

test('a chunked body is refused as soon as it is too large', async () => {
  const socket = await connected(await started(server))
  socket.write(`${head('/small', chunked)}6\r\nabcdef\r\n`)
  await sleep(50)
  socket.write('6\r\nghijkl\r\n')
  expect(await readUntil(socket, '413')).toContain('HTTP/1.1 413 ')
})

test.skipIf(onBun)('a stream that fails while nothing waits for it fails once, as a generator does', async () => {
  const { opened, open } = gate()
  const settled: unknown[] = []
  const socket = await connected(
    await started(async (request) => {
      const body = request.bodyStream(10)
      await body.next()
      open()
      await sleep(100)
      for (let turn = 0; turn < 3; turn += 1) settled.push(await body.next().catch((error: unknown) => isHttpError(error, 413)))
      return { status: 204, headers: [], body: null }
    }),
  )
  socket.write(`${head('/', chunked)}1\r\na\r\n`)
  await opened
  socket.write('a\r\nabcdefghij\r\n0\r\n\r\n')
  await readUntil(socket, ' 204 ')
  const over = { done: true, value: undefined }
  expect(settled).toEqual([true, over, over])
})

test.skipIf(onBun)('the wait for a body that is too large is over when that is known', async () => {
  let wait = Number.NaN
  const socket = await connected(
    await started(async (request) => {
      request.onEnd(() => {
        wait = request.bodyWait
      })
      await request.body(10).catch(() => sleep(1_500))
      return { status: 204, headers: [], body: null }
    }),
  )
  socket.write(`${head('/', chunked)}b\r\nabcdefghijk\r\n`)
  await readUntil(socket, ' 204 ')
  socket.write('0\r\n\r\n')
  await expect.poll(() => wait).toBeLessThan(1_400)
})

test('a body whose length is too large is refused before its first byte', async () => {
  const socket = await connected(await started(server))
  socket.write(head('/small', 'Content-Length: 1000000000'))
  expect(await readUntil(socket, '413')).toContain('HTTP/1.1 413 ')
})

test('the response begins while the body is read', async () => {
  const socket = await connected(await started(server))
  socket.write(`${head('/echo', chunked)}3\r\nabc\r\n`)
  expect(await readUntil(socket, 'abc')).toContain('HTTP/1.1 200 ')
  socket.write('3\r\ndef\r\n0\r\n\r\n')
  await readUntil(socket, 'def')
})

test.each([
  ['no handler reads', '/unread', ' 204 '],
  ['a handler leaves', '/first', 'true'],
])('the connection goes on behind a body that %s', async (_who, path, expected) => {
  const socket = await connected(await started(server))
  socket.write(head(path, `Content-Length: ${large.length}`))
  socket.write(large)
  socket.write(`${head('/sizes', 'Content-Length: 3')}abc`)
  await readUntil(socket, expected)
  await readUntil(socket, '\r\n\r\n3')
})

test('a handler learns that the connection has broken off', async () => {
  const failed = gate()
  let failure: unknown
  const single = { put: endpoint('PUT /', { body: byteStream(), response: noContent }) }
  const running = await started(
    serve(single, {
      put: async ({ body }) => {
        try {
          for await (const _ of body);
        } catch (error) {
          failure = error
          failed.open()
        }
      },
    }),
  )
  const socket = await connected(running)
  socket.write(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Type: ${octets}\r\nContent-Length: 10\r\n\r\nabc`)
  await sleep(50)
  socket.destroy()
  await failed.opened
  expect(isHttpError(failure, 400)).toBe(true)
})

// Bun reads the whole body before it calls the handler.
test.skipIf(onBun)('no more of a body is read before the handler asks for it; then it is whole', async () => {
  const size = 32_000_000
  const { opened, open } = gate()
  const running = await started(async (request) => {
    await opened
    return { status: 200, headers: [], body: `${(await request.body(size)).length}` }
  })
  const socket = await connected(running)
  socket.write(head('/', `Content-Length: ${size}`))
  socket.write(new Uint8Array(size))
  for (let before = -1; before !== socket.writableLength; await sleep(200)) before = socket.writableLength
  // What the operating systems and the server hold is far less than the body.
  expect(socket.writableLength).toBeGreaterThan(size / 4)
  open()
  expect(await readUntil(socket, `\r\n\r\n${size}`)).toContain('HTTP/1.1 200 ')
})

test('a slow handler pauses the client, and the client is not blamed for it', async () => {
  const size = 20_000_000
  const single = { put: endpoint('PUT /', { body: byteStream(), response: ok(json), maxBodySize: size }) }
  const { opened, open } = gate()
  const handler = serve(single, {
    put: async ({ body }) => {
      let read = 0
      for await (const chunk of body) {
        if (read === 0) await opened
        read += chunk.length
      }
      return read
    },
  })
  // The time of the handler counts for the middleware, and the time of the client for the server.
  const running = await started(handler, { requestTimeout: 2_000, headersTimeout: 1_900 })
  const socket = await connected(running)
  socket.write(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Type: ${octets}\r\nContent-Length: ${size}\r\n\r\n`)
  socket.write(new Uint8Array(size))
  await sleep(3_500)
  // What the operating systems and the queue hold is far less than the body.
  expect(socket.writableLength).toBeGreaterThan(size / 4)
  open()
  expect(await readUntil(socket, `\r\n\r\n${size}`)).toContain('HTTP/1.1 200 ')
})

test('behind a handler that has left a paused client, the rest is read, however long the handler still takes', async () => {
  const size = 20_000_000
  const single = { put: endpoint('POST /', { body: byteStream(), response: noContent, maxBodySize: size }) }
  const { opened, open } = gate()
  const handler = serve(single, {
    put: async ({ body }) => {
      for await (const _ of body) {
        // The queue is full by then.
        await sleep(300)
        break
      }
      await opened
    },
  })
  const socket = await connected(await started(handler))
  socket.write(head('/', `Content-Length: ${size}`))
  socket.write(new Uint8Array(size))
  await expect.poll(() => socket.writableLength, { timeout: 5_000 }).toBe(0)
  open()
  expect(await readUntil(socket, '\r\n\r\n')).toContain('HTTP/1.1 204 ')
})

test('a slow client is answered 408', async () => {
  const socket = await connected(await started(server, { requestTimeout: 600, headersTimeout: 500 }))
  socket.write(`${head('/sizes', 'Content-Length: 10')}abc`)
  expect(await readUntil(socket, 'HTTP/1.1 ')).toContain(' 408 ')
})

test('a client that stalls behind a pause is answered 408', async () => {
  const size = 20_000_000
  const single = { put: endpoint('PUT /', { body: byteStream(), response: ok(json), maxBodySize: 2 * size }) }
  const { opened, open } = gate()
  let read = 0
  const handler = serve(single, {
    put: async ({ body }) => {
      for await (const chunk of body) {
        if (read === 0) await opened
        read += chunk.length
      }
      return read
    },
  })
  const socket = await connected(await started(handler, { requestTimeout: 600, headersTimeout: 500 }))
  socket.write(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Type: ${octets}\r\nContent-Length: ${2 * size}\r\n\r\n`)
  socket.write(new Uint8Array(size))
  for (let before = -1; before !== socket.writableLength; await sleep(200)) before = socket.writableLength
  expect(socket.writableLength).toBeGreaterThan(size / 4)
  open()
  expect(await readUntil(socket, 'HTTP/1.1 ')).toContain(' 408 ')
  expect(read).toBe(size)
})

test('the time limit of a handler does not run while it waits for the body', async () => {
  const running = await started(compose([timeout(200)], server))
  const socket = await connected(running)
  socket.write(`${head('/sizes', 'Content-Length: 4')}`)
  for (const byte of 'abcd') {
    await sleep(120)
    socket.write(byte)
  }
  await readUntil(socket, '\r\n\r\n4')
})

test('a handler that is too slow is answered 503, and its body is dropped', async () => {
  const single = { put: endpoint('POST /', { body: byteStream(), response: ok(json) }) }
  const handler = serve(single, {
    put: async ({ body }) => {
      for await (const _ of body) await sleep(1_000)
      return 1
    },
  })
  const socket = await connected(await started(compose([timeout(100)], handler)))
  socket.write(`${head('/', 'Content-Length: 6')}abc`)
  await readUntil(socket, ' 503 ')
  socket.write(`def${head('/none', 'Content-Length: 0')}`)
  await readUntil(socket, ' 404 ')
})
