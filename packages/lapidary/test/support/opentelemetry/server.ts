/** A server whose handlers do work that has spans of its own. */
import { trace } from '@opentelemetry/api'
import { endpoint, errors, int, mount, ndjson, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'
import { fromNodeListener, listen } from 'lapidary/node'
import { tracedFetch } from 'lapidary/opentelemetry'
import { type HttpHandler, serve } from 'lapidary/server'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** Each end that a request can come to. */
export const api = {
  hello: endpoint('GET /hello/:times', { params: { times: int }, query: { name: optional(text) }, response: ok(text) }),
  echo: endpoint('POST /echo', { body: text, response: ok(text) }),
  taken: endpoint('POST /taken', { response: ok(text) }),
  broken: endpoint('GET /broken', { response: ok(text) }),
  count: endpoint('GET /count', { response: ok(ndjson(z.string())) }),
  failing: endpoint('GET /failing', { response: ok(ndjson(z.string())) }),
  endless: endpoint('GET /endless', { response: ok(ndjson(z.string())) }),
  patient: endpoint('GET /patient', { response: ok(text) }),
  through: endpoint('GET /through', { query: { url: text }, response: ok(text) }),
  headers: endpoint('GET /headers', { response: ok(z.record(z.string(), z.string())) }),
  kernel: mount('/kernel'),
  foreign: mount('/foreign'),
}

/** A piece of work that is over at once. */
const work = (name: string): void => trace.getTracer('test').startSpan(name).end()

/** The server, without spans of its own. */
export const handler: HttpHandler = serve(
  api,
  {
    hello: async ({ params }) => {
      await undefined
      work('work')
      return 'o'.repeat(params.times)
    },
    echo: ({ body }) => body,
    taken: () => {
      throw errors.conflict({ body: 'taken' })
    },
    broken: () => {
      throw new Error('broken')
    },
    count: async function* () {
      for (const name of ['one', 'two']) {
        work(name)
        yield name
      }
    },
    failing: async function* () {
      yield 'one'
      throw new Error('failing')
    },
    endless: async function* () {
      try {
        for (;;) yield 'on and on'
      } finally {
        work('cleaning')
      }
    },
    patient: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('left')), { once: true })),
    through: ({ query }) => client(api, query.url, { fetch: tracedFetch() }).hello({ params: { times: 3 } }),
    headers: (_, { rawHeaders }) =>
      Object.fromEntries(rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? '']] : []))),
    kernel: () => ({ status: 200, headers: [], body: new Uint8Array(3) }),
    foreign: fromNodeListener((_, response) => {
      work('work')
      response.writeHead(203).end('foreign')
    }),
  },
  // On behalf of the request as well.
  { onError: (error) => trace.getActiveSpan()?.recordException(error as Error) },
)

/** Listens until the test is over. */
export async function listening(httpHandler: HttpHandler): Promise<{ readonly url: string; readonly port: number }> {
  const { url, port, close } = await listen(httpHandler)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return { url, port }
}
