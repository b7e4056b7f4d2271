/** Chunks of one byte: each would take 400 bytes of memory while it waits for the rest of its body, or for its reader. */
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { byteStream, bytes, content, endpoint, events, file, form, json, list, multipart, ndjson, ok, text } from 'lapidary'
import { client } from 'lapidary/client'
import { type HttpHandler, serve, toFetch } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { ChunkList } from '../../src/http/chunks.ts'
import { listen, onBun } from '../support/matrix/adapters.ts'
import { connected } from '../support/sockets.ts'

/** As many chunks as tell: at 190 bytes of the heap for each. */
const count = 40_000
/** In bytes. The heap alone would have 190 bytes for each chunk, or 32 for each text. */
const maxGrowth = 1_000_000

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const memory = (): number => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const taken = (): string => 'taken'
const api = {
  json: endpoint('POST /json', { body: list(z.string()), response: ok(text) }),
  text: endpoint('POST /text', { body: text, response: ok(text) }),
  bytes: endpoint('POST /bytes', { body: bytes, response: ok(text) }),
  form: endpoint('POST /form', { body: content(z.object({ a: z.string() }), form), response: ok(text) }),
  note: endpoint('POST /note', { body: multipart({ a: text }), response: ok(text) }),
  photo: endpoint('POST /photo', { body: multipart({ a: file() }), response: ok(text) }),
  lines: endpoint('POST /lines', { body: ndjson(z.string()), response: ok(text) }),
  upload: endpoint('POST /upload', { body: byteStream(), response: ok(text) }),
  late: endpoint('POST /late', { body: text, response: ok(text) }),
}

/** A server whose slow handlers go on when the test says so. */
function slowServer(): { readonly handler: HttpHandler; readonly goOn: () => void } {
  let goOn = (): void => {}
  const waiting = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const server = serve(api, {
    ...{ json: taken, text: taken, bytes: taken, form: taken, note: taken, photo: taken, late: taken },
    lines: async ({ body }) => {
      for await (const _ of body);
      return 'taken'
    },
    upload: async ({ body }) => {
      const chunks = body[Symbol.asyncIterator]()
      await chunks.next()
      await waiting
      while ((await chunks.next()).done !== true);
      return 'taken'
    },
  })
  return { goOn, handler: (request) => (request.target === '/late' ? waiting.then(() => server(request)) : server(request)) }
}

const toForm = (content: string): string => `--b\r\nContent-Disposition: form-data; name="a"${content}`
const kinds: readonly (readonly [what: string, path: string, type: string, start: string, end: string])[] = [
  ['of JSON', '/json', 'application/json', '["', '"]'],
  ['of text', '/text', 'text/plain', '', 'a'],
  ['of bytes', '/bytes', 'application/octet-stream', '', 'a'],
  ['of a form', '/form', 'application/x-www-form-urlencoded', 'a=', 'a'],
  ['of a form with a text', '/note', 'multipart/form-data;boundary=b', toForm('\r\n\r\n'), '\r\n--b--'],
  ['of a form with a file', '/photo', 'multipart/form-data;boundary=b', toForm(';filename="a"\r\n\r\n'), '\r\n--b--'],
  ['of one line', '/lines', 'application/x-ndjson', '"', '"\n'],
  ['for a slow reader', '/upload', 'application/octet-stream', '', 'a'],
  ['for which the handler does not ask yet', '/late', 'text/plain', '', 'a'],
]

const toChunk = (bytesOfChunk: string): string => `${bytesOfChunk.length.toString(16)}\r\n${bytesOfChunk}\r\n`
async function send(socket: Socket, sent: string): Promise<void> {
  await new Promise<void>((resolve) => socket.write(sent, 'latin1', () => resolve()))
  // Each turn reads 64 KB.
  for (let turns = 0; turns < 50; turns += 1) await turn()
}

test.skipIf(onBun).each(kinds)('a request body %s', async (_what, path, type, start, end) => {
  const { handler, goOn } = slowServer()
  const here = await listen(handler)
  onTestFinished(() => here.close({ drain: 0, grace: 0 }))
  const socket = await connected(here)
  await send(socket, `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`)
  if (start !== '') await send(socket, toChunk(start))
  const sent = Buffer.from(toChunk('a').repeat(count)).toString('latin1')
  const before = memory()
  await send(socket, sent)
  const growth = memory() - before
  goOn()
  socket.write(`${toChunk(end)}0\r\n\r\n`)
  const [response] = await once(socket.setEncoding('latin1'), 'data')
  expect(response).toMatch(/^HTTP\/1\.1 200 [\s\S]*taken$/)
  expect(growth).toBeLessThan(maxGrowth)
})

/** A stream of one-byte chunks, whose end waits until the memory was measured. */
function oneByteChunks(start: string, end: string): { readonly body: ReadableStream<Uint8Array>; readonly measured: Promise<number> } {
  let settle = (_growth: number): void => {}
  const measured = new Promise<number>((resolve) => {
    settle = resolve
  })
  let sent = 0
  let before = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (sent === 0) {
          if (start !== '') controller.enqueue(Buffer.from(start))
          before = memory()
        }
        sent += 1
        if (sent <= count) return controller.enqueue(new Uint8Array([0x61]))
        settle(memory() - before)
        controller.enqueue(Buffer.from(end))
        controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  return { body, measured }
}

test('a request body in memory', async () => {
  const { body, measured } = oneByteChunks('', 'a')
  const fetchHandler = toFetch(slowServer().handler)
  const init = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body, duplex: 'half' }
  const response = await fetchHandler(new Request('http://localhost/text', init))
  expect(await response.text()).toBe('taken')
  expect(await measured).toBeLessThan(maxGrowth)
})

const streams = {
  json: endpoint('GET /json', { response: ok(json) }),
  lines: endpoint('GET /lines', { response: ok(ndjson(z.string())) }),
  events: endpoint('GET /events', { response: ok(events(z.string())) }),
}

test.each([
  ['json', 'application/json', '"', '"'],
  ['lines', 'application/x-ndjson', '"', '"\n'],
  ['events', 'text/event-stream', 'data: "', '"\n\n'],
] as const)('a response that a client reads: %s', async (name, type, start, end) => {
  const { body, measured } = oneByteChunks(start, end)
  const call = client(streams, 'http://localhost', { fetch: async () => new Response(body, { headers: { 'Content-Type': type } }) })
  const found = name === 'json' ? [await call.json()] : name === 'lines' ? call.lines() : call.events()
  const values: unknown[] = []
  for await (const value of await found) values.push(value)
  expect(JSON.stringify(values)).toContain('a'.repeat(count))
  expect(await measured).toBeLessThan(maxGrowth)
})

test('the order of small and large chunks stays, and a single one is not copied', () => {
  const sizes = [3, 5_000, 1, 1, 4_095, 4_096, 2, 9_000, 1]
  const chunks = sizes.map((size, index) => new Uint8Array(size).fill(index))
  const whole = new ChunkList()
  for (const chunk of chunks) whole.push(chunk)
  expect(whole.length).toBe(Buffer.concat(chunks).length)
  const joined = whole.take()
  expect(whole.length).toBe(0)
  expect(Buffer.compare(joined, Buffer.concat(chunks))).toBe(0)
  whole.push(chunks[0] as Uint8Array)
  expect(whole.take()).toBe(chunks[0])
})
