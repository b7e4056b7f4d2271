/** Times that options give: 0, Infinity and NaN mean the same in each of them. */
import { endpoint, events, noContent, ok, text } from 'lapidary'
import { listen as listenOnBun } from 'lapidary/bun'
import { client, resume } from 'lapidary/client'
import { loadShedding, timeout } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { flushSpans } from 'lapidary/opentelemetry'
import type { HttpHandler } from 'lapidary/server'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { requireTime, toTimerDelay } from '../../src/http/limits.ts'
import { onBun } from '../support/matrix/adapters.ts'

const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
const fetch = async (): Promise<Response> => new Response('Hello!', { headers: { 'Content-Type': 'text/plain' } })
const calls = client(api, 'http://limits.test', { fetch })
const handler: HttpHandler = () => ({ status: 204, headers: [], body: null })

const listenAndClose = async (options: object, closeOptions: object = {}): Promise<void> => {
  const { close } = await listen(handler, options)
  try {
    await close({ drain: 0, grace: 0, ...closeOptions })
  } finally {
    await close({ drain: 0, grace: 0 })
  }
}

/** What `Bun.serve` gets from an adapter that listens. */
const startedBunServers: { readonly idleTimeout: number }[] = []
const listenOnSimulatedBun = async (idleTimeout: number): Promise<void> => {
  vi.stubGlobal('Bun', {
    serve: (options: { readonly idleTimeout: number }) => {
      startedBunServers.push(options)
      return { hostname: '127.0.0.1', port: 1, stop: async () => {} }
    },
  })
  await listenOnBun(handler, { idleTimeout })
}
afterAll(() => void vi.unstubAllGlobals())

/** A call may really take longer than a part of a millisecond. */
const ignoreTimeout = (error: Error): void => {
  if (error.name !== 'TimeoutError') throw error
}

/** An option, and what takes it. */
type TimeRow = readonly [place: string, use: (time: number) => unknown]

const limits: readonly TimeRow[] = [
  // Node allows no more time for the head than for the request.
  ['listen(): requestTimeout', (time) => listenAndClose({ requestTimeout: time, headersTimeout: Number.POSITIVE_INFINITY })],
  ['listen(): headersTimeout', (time) => listenAndClose({ requestTimeout: Number.POSITIVE_INFINITY, headersTimeout: time })],
  ['listen(): keepAliveTimeout', (time) => listenAndClose({ keepAliveTimeout: time })],
  ['listen(): readerTimeout', (time) => listenAndClose({ readerTimeout: time })],
  ['timeout(): time', (time) => timeout(time)],
  ['loadShedding(): maxWait', (maxWait) => loadShedding({ maxWait })],
  ['GET /slow: timeout', (time) => endpoint('GET /slow', { response: noContent, timeout: time })],
  ['client(): timeout', (time) => client(api, 'http://limits.test', { timeout: time })],
  ['GET /hello: timeout', (time) => calls.hello({}, { timeout: time }).catch(ignoreTimeout)],
  ['flushSpans(): timeout', (time) => flushSpans({ timeout: time })],
]

const waits: readonly TimeRow[] = [
  ...['drain', 'grace', 'settle'].map((name): TimeRow => [`close(): ${name}`, (time) => listenAndClose({}, { [name]: time })]),
  ['resume(): delay', (delay) => resume(async () => undefined, { delay })],
  ['resume(): maxDelay', (maxDelay) => resume(async () => undefined, { maxDelay })],
]

const notTimes = [-1, 2 ** 31, Number.NaN, Number.NEGATIVE_INFINITY, '5 s', null] as readonly number[]
const describeRefusal = (place: string, time: number, range: string): TypeError =>
  new TypeError(`${place} is ${time}, expected milliseconds ${range} 2147483647, or Infinity for no limit. Write 5_000 for five seconds.`)
const run = async (use: TimeRow[1], time: number): Promise<unknown> => use(time)

describe.skipIf(onBun)('a time limit', () => {
  test.each(limits)('%s is above 0, and Infinity is no limit', async (place, use) => {
    for (const time of [0.5, 1, 2 ** 31 - 1, Number.POSITIVE_INFINITY]) await run(use, time)
    for (const time of [0, ...notTimes]) await expect(run(use, time)).rejects.toThrow(describeRefusal(place, time, 'above 0 and at most'))
  })

  test('of Bun.serve is in whole seconds, and 0 is no limit there', async () => {
    for (const time of [0.5, 1_001, 255_000, 2 ** 31 - 1, Number.POSITIVE_INFINITY]) await listenOnSimulatedBun(time)
    expect(startedBunServers.map(({ idleTimeout }) => idleTimeout)).toEqual([1, 2, 255, 255, 0])
    for (const time of [0, ...notTimes])
      await expect(listenOnSimulatedBun(time)).rejects.toThrow(describeRefusal('listen(): idleTimeout', time, 'above 0 and at most'))
  })

  test('a heartbeat comes after at least a millisecond, and Infinity is none', () => {
    for (const heartbeat of [1, 2 ** 31 - 1, Number.POSITIVE_INFINITY]) events(z.string(), { heartbeat })
    for (const heartbeat of [0, 0.5, ...notTimes])
      expect(() => events(z.string(), { heartbeat })).toThrow(
        `events() has the heartbeat ${heartbeat}, expected milliseconds from 1 to 2147483647. Write 15_000, or Infinity for none.`,
      )
  })
})

describe.skipIf(onBun)('a wait', () => {
  test.each(waits)('%s can be 0, and Infinity is no limit', async (place, use) => {
    for (const time of [0, 0.5, Number.POSITIVE_INFINITY]) await run(use, time)
    for (const time of notTimes) await expect(run(use, time)).rejects.toThrow(describeRefusal(place, time, 'from 0 to'))
  })
})

test('a time stays what it was, and a timer waits for 24.8 days at most', () => {
  expect([requireTime('a', 0, 'wait'), requireTime('a', 1.5, 'limit'), requireTime('a', Number.POSITIVE_INFINITY, 'limit')]).toEqual([
    0,
    1.5,
    Number.POSITIVE_INFINITY,
  ])
  expect([0, 5_000, 2 ** 31, Number.POSITIVE_INFINITY].map(toTimerDelay)).toEqual([0, 5_000, 2 ** 31 - 1, 2 ** 31 - 1])
})
