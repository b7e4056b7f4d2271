/** The order of middleware: in each list that `serve` takes, each middleware does what its page says; any other list is refused with a sentence. */
import { gzipSync } from 'node:zlib'
import { context, trace } from '@opentelemetry/api'
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import fc from 'fast-check'
import { apiKey, endpoint, noContent, ok, text } from 'lapidary'
import {
  accessLog,
  cacheControl,
  compression,
  cors,
  csrf,
  decompression,
  loadShedding,
  type Middleware,
  metrics,
  rateLimit,
  requestId,
  securityHeaders,
  timeout,
  trustProxy,
} from 'lapidary/middleware'
import { tracing } from 'lapidary/opentelemetry'
import { authenticate, serve, toFetch } from 'lapidary/server'
import { Registry } from 'prom-client'
import { afterAll, describe, expect, test, vi } from 'vitest'

// One for all lists: the API of OpenTelemetry takes no second one.
const exporter = new InMemorySpanExporter()
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
provider.register()
afterAll(async () => {
  trace.disable()
  context.disable()
  await provider.shutdown()
})

const session = apiKey<string>({ in: 'cookie', name: 'session' })
const api = {
  me: endpoint('GET /me', { response: ok(text) }),
  slow: endpoint('GET /slow', { response: ok(text) }),
  change: endpoint('POST /change', { auth: session, response: noContent }),
  long: endpoint('GET /long', { response: ok(text) }),
  read: endpoint('POST /read', { body: text, response: ok(text) }),
  rare: endpoint('GET /rare', { response: ok(text), rateLimit: { name: 'rare', quota: 1, window: 60 } }),
}
const handlers = {
  me: (_input: object, { remoteAddress, id }: { remoteAddress: string; id?: string | undefined }) => `${remoteAddress} ${id}`,
  slow: () => new Promise<string>(() => {}),
  change: () => {},
  long: () => 'a'.repeat(2_000),
  read: ({ body }: { body: string }) => body,
  rare: () => 'a',
}
const page = 'https://app.example.org'
const headers = { Origin: page, 'X-Forwarded-For': '203.0.113.7', 'X-Request-Id': 'r-1' }

/** What a server has answered and recorded: a response, one by `timeout`, one by `csrf`, an unknown path, and one to a preflight. */
interface Seen {
  readonly responses: Readonly<Record<'me' | 'slow' | 'forged' | 'unknown' | 'preflight', Response>>
  readonly body: string
  /** A long response to a client that takes gzip; one to a body in gzip; and one beyond a quota, from another address than before and from the same. */
  readonly long: Response
  readonly read: Response
  readonly rare: readonly Response[]
  readonly logged: readonly string[]
  readonly counted: number
  readonly spans: number
}

const statuses = ({ responses }: Seen): readonly number[] => Object.values(responses).map(({ status }) => status)
const everyResponse = ({ responses }: Seen, header: string): readonly (string | null)[] =>
  Object.values(responses).map((response) => response.headers.get(header))

/** How each is made, and what it promises. */
interface Subject {
  readonly create: (context: { readonly logged: string[]; readonly registry: Registry }) => Middleware
  readonly check: (seen: Seen, names: readonly string[]) => unknown
}
const subjects: Readonly<Record<string, Subject>> = {
  loadShedding: { create: () => loadShedding({ maxWait: 60_000 }), check: ({ responses }) => expect(responses.me.status).toBe(200) },
  trustProxy: {
    create: () => trustProxy(['127.0.0.0/8']),
    check: ({ body, logged }, names) => {
      expect(body).toMatch(/^203\.0\.113\.7 /)
      if (names.includes('accessLog')) expect(logged[0]).toContain('203.0.113.7')
    },
  },
  tracing: { create: () => tracing(), check: ({ spans, responses }) => expect(spans).toBe(Object.keys(responses).length) },
  requestId: {
    create: () => requestId(),
    check: (seen, names) => {
      expect(everyResponse(seen, 'x-request-id')).toEqual(['r-1', 'r-1', 'r-1', 'r-1', 'r-1'])
      expect(seen.body).toMatch(/ r-1$/)
      if (names.includes('accessLog')) expect(seen.logged.every((line) => line.endsWith(' r-1'))).toBe(true)
    },
  },
  accessLog: {
    create: ({ logged }) => accessLog(({ status, remoteAddress, id }) => logged.push(`${status} ${remoteAddress} ${id}`)),
    check: (seen) => expect(seen.logged.map((line) => Number(line.split(' ')[0]))).toEqual(statuses(seen)),
  },
  metrics: {
    create: ({ registry }) => metrics({ registry }),
    check: ({ counted, responses }) => expect(counted).toBe(Object.keys(responses).length),
  },
  cors: {
    create: () => cors({ origins: [page] }),
    check: (seen) => {
      expect(everyResponse(seen, 'access-control-allow-origin')).toEqual([page, page, page, page, page])
      expect(seen.responses.preflight.headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS')
    },
  },
  securityHeaders: {
    create: () => securityHeaders(),
    check: (seen) => expect(everyResponse(seen, 'x-frame-options').slice(0, 4)).toEqual(['DENY', 'DENY', 'DENY', 'DENY']),
  },
  csrf: { create: () => csrf(), check: ({ responses }) => expect(responses.forged.status).toBe(403) },
  cacheControl: {
    create: () => cacheControl('max-age=60'),
    check: ({ responses }) => expect(responses.me.headers.get('cache-control')).toBe('max-age=60'),
  },
  compression: {
    create: () => compression(),
    check: ({ long }) => {
      expect(long.headers.get('content-encoding')).toBe('gzip')
      expect(long.headers.get('vary')).toContain('Accept-Encoding')
    },
  },
  decompression: { create: () => decompression(), check: async ({ read }) => expect(await read.text()).toBe('opal') },
  rateLimit: {
    create: () => rateLimit(),
    check: ({ rare }, names) => {
      expect(rare.map(({ status }) => status)).toEqual(names.includes('trustProxy') ? [200, 200, 429] : [200, 429, 429])
      const refused = (header: string): string | null | undefined => rare.at(-1)?.headers.get(header)
      if (names.includes('requestId')) expect(refused('x-request-id')).toBe('r-1')
      if (names.includes('securityHeaders')) expect(refused('x-frame-options')).toBe('DENY')
      if (names.includes('cors')) {
        expect(refused('access-control-allow-origin')).toBe(page)
        expect(refused('access-control-expose-headers')?.split(', ')).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy']))
      }
    },
  },
  timeout: { create: () => timeout(150), check: ({ responses }) => expect(responses.slow.status).toBe(503) },
}
const names = Object.keys(subjects)

/** Serves with this list, and sends one request for each kind of response. @throws what `serve` throws */
async function look(list: readonly string[]): Promise<Seen> {
  const logged: string[] = []
  const registry = new Registry()
  exporter.reset()
  const middleware = list.map((name) => (subjects[name] as Subject).create({ logged, registry })) // it is one of the names
  // What hangs must end where `timeout` is not in the list.
  const withTimeout = list.includes('timeout') ? handlers : { ...handlers, slow: () => 'done' }
  const served = serve(api, withTimeout, { auth: [authenticate(session, (id) => id)], middleware })
  const fetch = toFetch((request) => {
    request.remoteAddress = '127.0.0.1'
    return served(request)
  })
  const send = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(new Request(`http://shop.example${path}`, { ...init, headers: { ...headers, ...init.headers } }))
  const me = await send('/me')
  const responses = {
    me,
    slow: await send('/slow'),
    forged: await send('/change', { method: 'POST', headers: { Cookie: 'session=ann', 'Sec-Fetch-Site': 'cross-site' } }),
    unknown: await send('/nowhere'),
    preflight: await send('/me', { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } }),
  }
  const exposition = await registry.metrics()
  const counts = [...exposition.matchAll(/^http_server_request_duration_seconds_count\{.*\} (\d+)$/gm)].map(([, count]) => Number(count))
  return {
    responses,
    body: await me.text(),
    logged: [...logged],
    counted: counts.reduce((sum, count) => sum + count, 0),
    spans: exporter.getFinishedSpans().length,
    long: await send('/long', { headers: { 'Accept-Encoding': 'gzip' } }),
    read: await send('/read', {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' },
      body: new Uint8Array(gzipSync('opal')),
    }),
    rare: [await send('/rare', { headers: { 'X-Forwarded-For': '203.0.113.8' } }), await send('/rare'), await send('/rare')],
  }
}

/** Returns whether a list is served, and checks the promise of each. Checks the sentence where it is refused. */
async function isServed(list: readonly string[]): Promise<boolean> {
  let seen: Seen
  try {
    seen = await look(list)
  } catch (error) {
    expect((error as Error).message).toMatch(
      /^serve\(\): middleware has (\w+\(\)) after (\w+\(\)), expected before it: .* Write \[\1, \2\]\.$/,
    )
    return false
  }
  for (const name of list) await subjects[name]?.check(seen, list)
  return true
}

const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other] as const))

describe('each pair does what both promise, in both orders or in the one of the page', () => {
  test.each(pairs)('%s, %s', async (one, other) => {
    expect(await isServed([one, other])).toBe(true)
    await isServed([other, one])
  })
})

test('these orders are refused', async () => {
  const refused: string[] = []
  for (const [one, other] of pairs) if (!(await isServed([other, one]))) refused.push(`${other}, ${one}`)
  expect(refused).toEqual([
    'rateLimit, trustProxy',
    ...['tracing', 'requestId', 'accessLog', 'metrics'].flatMap((one) =>
      ['cors', 'csrf', 'rateLimit', 'timeout'].map((other) => `${other}, ${one}`),
    ),
    ...['cors', 'securityHeaders'].flatMap((one) => ['csrf', 'rateLimit', 'timeout'].map((other) => `${other}, ${one}`)),
  ])
})

test('the order of the page is served', async () => {
  expect(await isServed(names)).toBe(true)
})

test('any list that has no refused pair is served, and does what all of it promise', async () => {
  const refusedPairs = new Set<string>()
  for (const [one, other] of pairs) if (!(await isServed([other, one]))) refusedPairs.add(`${other} ${one}`)
  const hasRefusedPair = (list: readonly string[]): boolean =>
    list.some((one, index) => list.slice(index + 1).some((other) => refusedPairs.has(`${one} ${other}`)))
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(names), async (list) => {
      expect(await isServed(list)).toBe(!hasRefusedPair(list))
    }),
    { numRuns: 60 },
  )
})

test.each([
  [
    () => [tracing(), tracing()],
    /^serve\(\): middleware has tracing\(\) twice, expected once: each request would have two spans\. Remove one\.$/,
  ],
  [() => [requestId(), requestId()], /requestId\(\) twice, expected once: the handler would see another id than the response has/],
  [() => [cors({ origins: '*' }), cors({ origins: [page] })], /cors\(\) twice, expected once: each response would have its headers twice/],
  [() => [trustProxy(['10.0.0.1']), trustProxy(['10.0.0.2'])], /trustProxy\(\) twice, expected once: .* X-Forwarded-For/],
  [
    () => Array(2).fill(accessLog(() => {})),
    /^serve\(\): middleware has the same accessLog\(\) twice, expected once\. Remove one, or call accessLog\(\) for each\.$/,
  ],
])('what must not be in a list twice is refused: %#', (createList, message) => {
  const options = { auth: [authenticate(session, (id) => id)], middleware: createList() }
  expect(() => serve(api, handlers, options)).toThrow(message)
})

test('what can be in a list twice is served', async () => {
  const lines: string[] = []
  const middleware = [
    ...[accessLog(() => lines.push('one')), accessLog(() => lines.push('two'))],
    ...[metrics({ registry: new Registry() }), metrics({ registry: new Registry() })],
    ...[securityHeaders({ 'X-Frame-Options': 'SAMEORIGIN' }), securityHeaders()],
    ...[csrf(), csrf(), timeout(20), timeout(60_000)],
  ]
  const { fetch } = serve(api, handlers, { auth: [authenticate(session, (id) => id)], middleware })
  const response = await fetch(new Request('http://shop.example/slow'))
  expect([response.status, response.headers.get('x-frame-options')]).toEqual([503, 'DENY'])
  await vi.waitFor(() => expect(lines.toSorted()).toEqual(['one', 'two']), 10_000)
})
