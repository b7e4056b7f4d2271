/**
 * Lists of users and streams of lines, compressed by one of three servers: `node server.mjs lapidary`. The codings have the same levels in all of
 * them; Hono has gzip alone.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { constants } from 'node:zlib'
import { hundred, thousand, users } from '../servers/data.mjs'
import { ready } from '../servers/ready.mjs'

const bodies = { kilobyte: users(10), hundred, thousand }
const lineCount = 40

/** Lines with the time at which they were made. @param {string} prefix */
async function* lines(prefix) {
  for (let index = 0; index < lineCount; index += 1) {
    await sleep(25)
    yield `${prefix}{"id":${index},"name":"User ${index}","at":${performance.timeOrigin + performance.now()}}\n\n`
  }
}
const streams = /** @type {const} */ ({ events: ['text/event-stream', 'data: '], lines: ['text/plain', ''] })

async function startLapidary() {
  const { endpoint, list, mount, ok } = await import('lapidary')
  const { compression } = await import('lapidary/middleware')
  const { listen } = await import('lapidary/node')
  const { serve } = await import('lapidary/server')
  const { z } = await import('zod')
  const User = z.object({ name: z.string(), age: z.int(), email: z.string(), registration_date: z.string() })
  const response = ok(list(User))
  const api = {
    ...{ kilobyte: endpoint('GET /kilobyte', { response }), hundred: endpoint('GET /hundred', { response }) },
    ...{ thousand: endpoint('GET /thousand', { response }), events: mount('/events'), lines: mount('/lines') },
  }
  const stream = (/** @type {keyof typeof streams} */ name) => () => {
    const [type, prefix] = streams[name]
    return { status: 200, headers: ['Content-Type', type], body: lines(prefix) }
  }
  const handlers = { kilobyte: () => bodies.kilobyte, hundred: () => hundred, thousand: () => thousand }
  const all = { ...handlers, events: stream('events'), lines: stream('lines') }
  const server = serve(api, all, { middleware: [compression({ threshold: 0, types: ['text/event-stream'] })] })
  return (await listen(server, { port: 0 })).port
}

async function startFastify() {
  const { Readable } = await import('node:stream')
  const { default: Fastify } = await import('fastify')
  const { default: compress } = await import('@fastify/compress')
  const app = Fastify()
  const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
  await app.register(compress, { threshold: 0, zlibOptions: { level: 6 }, brotliOptions, customTypes: /^text\/|json/ })
  const text = { type: 'string' }
  const properties = { name: text, age: { type: 'integer' }, email: text, registration_date: text }
  const schema = { response: { 200: { type: 'array', items: { type: 'object', properties, required: Object.keys(properties) } } } }
  for (const [name, body] of Object.entries(bodies)) app.get(`/${name}`, { schema }, async () => body)
  for (const [name, [type, prefix]] of Object.entries(streams))
    app.get(`/${name}`, async (_, reply) => reply.type(type).send(Readable.from(lines(prefix))))
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

async function startHono() {
  const { Hono } = await import('hono')
  const { compress } = await import('hono/compress')
  const { serve } = await import('@hono/node-server')
  const app = new Hono()
  app.use(compress({ threshold: 0 }))
  for (const [name, body] of Object.entries(bodies)) app.get(`/${name}`, (context) => context.json(body))
  for (const [name, [type, prefix]] of Object.entries(streams)) {
    app.get(`/${name}`, () => {
      const stream = ReadableStream.from(lines(prefix)).pipeThrough(new TextEncoderStream())
      return new Response(stream, { headers: { 'Content-Type': type } })
    })
  }
  return new Promise((resolve) => serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)))
}

const start = { lapidary: startLapidary, fastify: startFastify, hono: startHono }[process.argv[2]]
ready(await start())
