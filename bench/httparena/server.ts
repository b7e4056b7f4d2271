/** The entry of HttpArena: one process a core, as docs/cookbook/replicas.md says. */
import cluster from 'node:cluster'
import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { withHeaders } from 'lapidary'
import { compression, type Middleware } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { serveStatic } from 'lapidary/static'
import { api, type Item } from './api.ts'
import { type Cache, connectToCache, keepCache } from './cache.ts'
import { openStore } from './store.ts'

const environment = process.env
const workers = Number(environment['WORKERS'] ?? availableParallelism())
const data = environment['DATA'] ?? '/data'
const host = environment['HOST'] ?? '0.0.0.0'
const port = Number(environment['PORT'] ?? 8080)
const tlsPort = Number(environment['TLS_PORT'] ?? 8081)
const certificates = environment['CERTS'] ?? '/certs'

/** The load generator sends bodies without a Content-Type, which the server would answer with 415. */
const assumeContentType: Middleware = (next) => (request) => {
  if (request.method === 'POST' && request.header('content-type') === undefined) {
    const type = request.target === '/upload' ? 'application/octet-stream' : 'text/plain'
    const read = request.header.bind(request)
    request.header = (name) => (name === 'content-type' ? type : read(name))
  }
  return next(request)
}

function createServer(cache: Cache) {
  const dataset = JSON.parse(readFileSync(join(data, 'dataset.json'), 'utf8')) as readonly Item[]
  // Of the connections that the database allows, each process gets its part; some are left for those who look after it.
  const connections = Math.max(1, Math.floor((Number(environment['DATABASE_MAX_CONN'] ?? 256) - 16) / workers))
  const store = openStore(environment['DATABASE_URL'] ?? 'postgres://127.0.0.1/benchmark', connections)
  const server = serve(
    api,
    {
      pipeline: () => 'ok',
      sum: ({ query: { a, b } }) => String(a + b),
      sumWithBody: ({ query: { a, b }, body }) => String(a + b + Number(body)),
      totals: ({ params: { count }, query: { m } }) => {
        const items = dataset.slice(0, count).map((item) => ({ ...item, total: item.price * item.quantity * m }))
        return { items, count: items.length }
      },
      upload: async ({ body }) => {
        let size = 0
        for await (const chunk of body) size += chunk.length
        return String(size)
      },
      search: async ({ query: { min, max, limit } }) => {
        const items = await store.search(min, max, limit)
        return { items: [...items], count: items.length }
      },
      crud: {
        list: async ({ query: { category = 'electronics', page, limit } }) => {
          const items = await store.list(category, limit, (page - 1) * limit)
          return { items: [...items], total: items.length, page, limit }
        },
        one: async ({ params: { id }, fail }) => {
          const cached = await cache.get(id)
          if (cached !== undefined) return withHeaders(cached, { 'X-Cache': 'HIT' })
          const item = (await store.one(id)) ?? fail(404)
          await cache.set(id, item)
          return withHeaders(item, { 'X-Cache': 'MISS' })
        },
        create: async ({ body }) => {
          const item = await store.create(body)
          await cache.delete(item.id)
          return withHeaders(item, { Location: `/crud/items/${item.id}` })
        },
        change: async ({ params: { id }, body, fail }) => {
          const item = (await store.change(id, body)) ?? fail(404)
          await cache.delete(id)
          return item
        },
      },
      static: serveStatic(join(data, 'static')),
    },
    // Files are read from the disk for each request, and would be compressed for each.
    { middleware: [assumeContentType, compression({ filter: (_request, endpoint) => (endpoint === undefined ? false : undefined) })] },
  )
  return { server, store }
}

if (cluster.isPrimary) {
  keepCache()
  for (let count = 0; count < workers; count += 1) cluster.fork()
  cluster.once('listening', (_worker, address) => console.log(`http://127.0.0.1:${address.port}`))
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill(signal)
    })
} else {
  const { server, store } = createServer(connectToCache())
  // Twenty megabytes over 256 connections take longer than the nine seconds that a request has by default.
  const running = [await listen(server, { host, port, requestTimeout: 60_000 })]
  // The benchmark mounts the certificate only for the profiles that need it, and wants HTTP/1.1 there.
  const [key, cert] = ['server.key', 'server.crt'].map((name) => join(certificates, name)) as [string, string]
  if (existsSync(key)) {
    const tls = { key: readFileSync(key), cert: readFileSync(cert), ALPNProtocols: ['http/1.1'] }
    running.push(await listen(server, { host, port: tlsPort, tls }))
  }
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((one) => one.close({ drain: 0 })))
    await store.close()
    cluster.worker?.disconnect()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())
}
