/** `loadShedding`: requests that can be answered in time are run, and the others get a 503 at once. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { endpoint, int, ok, text } from 'lapidary'
import { compose, type LoadSheddingOptions, loadShedding } from 'lapidary/middleware'
import type { RunningServer } from 'lapidary/node'
import { type ApiServer, type HttpHandler, type HttpResponse, serve, toFetch } from 'lapidary/server'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createRequest } from '../support/httpRequest.ts'
import { listen, onBun } from '../support/matrix/adapters.ts'

const api = {
  task: endpoint('GET /task/:number', { params: { number: int }, response: ok(text), responseHeaders: { 'X-Shelf': 'A' } }),
  fail: endpoint('GET /fail', { response: ok(text) }),
  health: endpoint('GET /health', { response: ok(text) }),
}

/** The requests that were run, in their order. */
let ran: number[] = []
/** The clock of these tests. It goes on by what requests cost, and a little whenever it is read: how busy the machine is has no influence. */
let time = 0
// On Bun it is a property of the object itself, which no prototype would bring back.
const { now } = performance
beforeEach(() => {
  ran = []
  // No mock, which would keep all of its million calls.
  performance.now = () => {
    time += 0.001
    return time
  }
})
afterEach(() => {
  performance.now = now
})

const cost = 2
/** Keeps the event loop busy, as a query of SQLite does. */
function busy(milliseconds: number): void {
  time += milliseconds
}

const serveShedding = (options: LoadSheddingOptions): ApiServer =>
  serve(
    api,
    {
      task: ({ params: { number } }) => {
        ran.push(number)
        busy(cost)
        return `${number}`
      },
      fail: () => {
        throw new Error('out of luck')
      },
      health: () => 'up',
    },
    { onError: () => {}, middleware: [loadShedding(options)] },
  )
const except = ({ target }: { readonly target: string }): boolean => target === '/health'
const { fetch } = serveShedding({ maxWait: 100, retryAfter: 3, except })
/** A wait that is long enough for all. */
const patient = serveShedding({ maxWait: 60_000 })
/** A handler without an API. */
const shed = (handler: HttpHandler, options: LoadSheddingOptions = {}): HttpHandler => compose([loadShedding(options)], handler)

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index)
const send = (path: string, by = fetch): Promise<Response> => by(new Request(`http://shedding.test${path}`))
const burst = (count: number, by = fetch): Promise<readonly Response[]> =>
  Promise.all(numbers(count).map((number) => send(`/task/${number}`, by)))
const statuses = (responses: readonly Response[]): readonly number[] => responses.map(({ status }) => status)

test('requests that come one by one are all answered', async () => {
  for (const number of numbers(30)) expect((await send(`/task/${number}`, patient.fetch)).status).toBe(200)
})

test('a few simultaneous requests are all answered, in their order', async () => {
  expect(statuses(await burst(40, patient.fetch))).toEqual(Array(40).fill(200))
  expect(ran).toEqual(numbers(40))
})

test('of many simultaneous requests those are answered that can be in time; the others get 503 with Retry-After', async () => {
  // So that it is known how long one takes.
  await burst(16)
  ran = []
  const responses = await burst(500)
  const refused = responses.filter(({ status }) => status === 503)
  expect(new Set(statuses(responses))).toEqual(new Set([200, 503]))
  // Not one was run that was refused, and not one refused that was run.
  expect(ran).toHaveLength(responses.length - refused.length)
  expect(ran).toEqual(numbers(500).filter((number) => responses[number]?.status === 200))
  // What every answer at a path carries.
  expect(new Set(responses.map(({ headers }) => headers.get('x-shelf')))).toEqual(new Set(['A']))
  const [first] = refused
  expect(first?.headers.get('retry-after')).toBe('3')
  expect(first?.headers.get('content-type')).toBe('application/problem+json')
  expect(await first?.json()).toMatchObject({ status: 503, detail: expect.stringMatching(/The server is overloaded/) })
})

test('rejections are immediate, and about as many requests run as can start in time', async () => {
  const done: HttpResponse = { status: 204, headers: [], body: null }
  const handler = shed(
    () => {
      busy(cost)
      return done
    },
    { maxWait: 400 },
  )
  await Promise.all(numbers(16).map(() => handler(createRequest('/'))))
  const responses = numbers(1_000).map(() => handler(createRequest('/')))
  const atOnce = responses.filter((response) => !(response instanceof Promise) && response.status === 503)
  expect(atOnce.length).toBeGreaterThan(780)
  expect(atOnce.length).toBeLessThan(820)
  await Promise.all(responses)
})

test('after the load all requests are answered again', async () => {
  await burst(500)
  expect((await send('/task/0')).status).toBe(200)
})

test('an excepted request neither waits nor is rejected', async () => {
  let crowded = true
  const crowd = burst(500).finally(() => {
    crowded = false
  })
  expect(await (await send('/health')).text()).toBe('up')
  expect(crowded).toBe(true)
  await crowd
})

test('the failure of a queued request affects no other', async () => {
  const by = patient.fetch
  const crowd = burst(10, by)
  const failed = await send('/fail', by)
  expect(failed.status).toBe(500)
  expect(statuses(await crowd)).toEqual(Array(10).fill(200))
})

test('an error of a queued handler rejects its promise', async () => {
  const thrown = new Error('broken')
  const reports: unknown[] = []
  const broken = toFetch(
    shed(() => {
      busy(cost)
      throw thrown
    }),
    { onError: (error) => reports.push(error) },
  )
  const responses = await Promise.all(numbers(10).map(async () => broken(new Request('http://shedding.test/'))))
  expect(statuses(responses)).toEqual(Array(10).fill(500))
  expect(reports).toEqual(Array(10).fill(thrown))
})

test.each([
  ['up to twice the longest wait is run', 1.9, 204],
  ['over twice the longest wait is rejected', 2.1, 503],
])('a request that waited longer than estimated, %s', async (_what, times, status) => {
  const longestWait = 60_000
  let ahead = 0
  /** So that the time that never passed is not remembered as that of a turn. */
  const back = (): void => {
    time -= ahead
    ahead = 0
  }
  const done: HttpResponse = { status: 204, headers: [], body: null }
  const handler = shed(
    () => {
      if (ahead === 0) busy(20)
      back()
      return done
    },
    { maxWait: longestWait, onReject: back },
  )
  // The loop is idle before it is kept busy.
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
  expect(handler(createRequest('/'))).toBe(done)
  const late = handler(createRequest('/'))
  expect(late).toBeInstanceOf(Promise)
  // Behind the end of this turn, and before the next.
  setImmediate(() => {
    ahead = times * longestWait
    time += ahead
  })
  expect((await late).status).toBe(status)
})

test('while requests wait, the event loop does its other work', async () => {
  const crowd = burst(40, patient.fetch)
  let turns = 0
  let waits = true
  const turn = (): void => {
    turns += 1
    if (waits) setImmediate(turn)
  }
  setImmediate(turn)
  await crowd
  waits = false
  expect(turns).toBeGreaterThan(5)
})

let listening: RunningServer | undefined
afterEach(() => listening?.close({ drain: 0, grace: 0 }))

test('a request whose client leaves while it waits is never run', async () => {
  listening = await listen(patient)
  const { port } = listening
  const line = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
  // Connected and with one response each, so that the loop reads all of them in one turn.
  const sockets = await Promise.all(
    numbers(40).map(async () => {
      const socket = connect(port, '127.0.0.1')
      socket.write(line('/health'))
      await once(socket, 'data')
      return socket
    }),
  )
  const firstResponse = Promise.race(sockets.map((socket) => once(socket, 'data')))
  for (const [number, socket] of sockets.entries()) socket.write(line(`/task/${number}`))
  await firstResponse
  for (const socket of sockets) socket.resetAndDestroy()
  // Behind all of them in the queue, where there still is one.
  await globalThis.fetch(`${listening.url}/task/99`)
  expect(ran.at(-1)).toBe(99)
  expect(ran.length).toBeLessThan(40)
})

// Bun has no such flag of V8.
test.skipIf(onBun)('a queue that is never empty takes no more memory for each request that it has had', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const measure = (): number => {
    collect()
    return process.memoryUsage().heapUsed
  }
  let done = 0
  const handler = shed(
    () => {
      done += 1
      return { status: 204, headers: [], body: null }
    },
    { maxWait: 600_000 },
  )
  const request = createRequest('/')
  let sent = 0
  /** Keeps more requests waiting than a turn runs, until so many have been answered. */
  const run = async (until: number): Promise<void> => {
    while (done < until) {
      while (sent - done < 20_000) {
        sent += 1
        void handler(request)
      }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await run(50_000)
  const before = measure()
  await run(1_500_000)
  const grown = measure() - before
  await vi.waitFor(() => expect(sent - done).toBe(0), { timeout: 5_000 })
  expect(grown).toBeLessThan(4_000_000)
})

test('an instance is not influenced by the requests of another', async () => {
  const done: HttpResponse = { status: 204, headers: [], body: null }
  const [crowded, quiet] = [0, 1].map(() =>
    shed(
      () => {
        busy(cost)
        return done
      },
      { maxWait: 100 },
    ),
  ) as [HttpHandler, HttpHandler]
  await Promise.all(numbers(16).map(() => crowded(createRequest('/'))))
  const crowd = numbers(500).map(() => crowded(createRequest('/')))
  expect(crowd.some((response) => !(response instanceof Promise) && response.status === 503)).toBe(true)
  expect(quiet(createRequest('/'))).toBe(done)
  await Promise.all(crowd)
})

test('servers with one instance share its queue, and onReject tells them apart', async () => {
  const other = { work: endpoint('GET /work', { response: ok(text) }) }
  const rejected: unknown[] = []
  const shedding = loadShedding({ maxWait: 100, onReject: (_request, context) => rejected.push(context.api) })
  const work = (): string => {
    busy(cost)
    return 'done'
  }
  const apis = [{ work: endpoint('GET /work', { response: ok(text) }) }, other] as const
  const [one, two] = apis.map((served) => serve(served, { work }, { middleware: [shedding] })) as [ApiServer, ApiServer]
  await Promise.all(numbers(16).map(() => one(createRequest('/work'))))
  const crowd = numbers(500).map(() => one(createRequest('/work')))
  expect(await two(createRequest('/work'))).toMatchObject({ status: 503 })
  expect(new Set(rejected)).toEqual(new Set(apis))
  expect(rejected.at(-1)).toBe(other)
  await Promise.all(crowd)
})

test('a platform without setImmediate, such as a worker at the edge, runs requests in its timers', async () => {
  // Bun runs this file too, and has no `vi.stubGlobal`.
  const { setImmediate } = globalThis
  Object.assign(globalThis, { setImmediate: undefined })
  onTestFinished(() => void Object.assign(globalThis, { setImmediate }))
  const { fetch: send } = serveShedding({ maxWait: 60_000 })
  const responses = await burst(20, send)
  expect(statuses(responses)).toEqual(numbers(20).map(() => 200))
  expect(ran).toEqual(numbers(20))
})
