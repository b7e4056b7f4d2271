/** Cancellation of calls: by signals and time limits; and each call releases its timer and its listeners. */
import { getEventListeners, once } from 'node:events'
import v8 from 'node:v8'
import vm from 'node:vm'
import { endpoint, ndjson, noContent, ok, text } from 'lapidary'
import type { ClientOptions } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { clients } from '../support/client/clients.ts'
import { gate } from '../support/client/deferred.ts'
import { thrown } from '../support/client/thrownError.ts'
import { type Connection, transports } from '../support/client/transports.ts'

describe.each(clients)('$kind', ({ createClient: client, isLight }) => {
  const base = 'http://test.invalid'
  const api = {
    hello: endpoint('GET /hello', { response: ok(text) }),
    nothing: endpoint('DELETE /nothing', { response: noContent }),
    waiting: endpoint('GET /waiting', { response: ok(text) }),
    begun: endpoint('GET /begun', { response: ok(ndjson(z.int())) }),
  }

  /** A server whose handlers wait until the client has gone. */
  function createWaitingServer() {
    const [arrived, left] = [gate(), gate()]
    const untilLeft = async (signal: AbortSignal): Promise<void> => {
      if (!signal.aborted) await once(signal, 'abort')
      left.open()
    }
    const server = serve(api, {
      hello: () => 'Hello!',
      nothing: () => {},
      waiting: async (_input, { signal }) => {
        arrived.open()
        await untilLeft(signal)
        return 'too late'
      },
      begun: async function* (_input, { signal }) {
        yield 1
        arrived.open()
        await untilLeft(signal)
      },
    })
    return { server, arrived: arrived.opened, left: left.opened }
  }

  v8.setFlagsFromString('--expose-gc')
  const collectGarbage = vm.runInNewContext('gc') as () => void

  /** How many bytes are in use, without garbage. */
  async function measureHeap(): Promise<number> {
    for (let turn = 0; turn < 3; turn += 1) {
      collectGarbage()
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    return process.memoryUsage().heapUsed
  }

  const timers = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

  const warnings: Error[] = []
  const warn = (warning: Error): void => void warnings.push(warning)
  beforeEach(() => {
    warnings.length = 0
    process.on('warning', warn)
  })
  afterEach(async () => {
    // A warning comes a turn after what it warns of.
    await new Promise(setImmediate)
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })

  describe.each(transports)('$transport', ({ connect }) => {
    const { server } = createWaitingServer()
    let connection: Connection
    const calling = (more: ClientOptions = {}) => client(api, connection.base, { ...connection.options, ...more })
    beforeAll(async () => {
      connection = await connect(server)
    })
    afterAll(() => connection.close())

    const isLate = (limit: number, route = 'waiting') => ({
      name: 'TimeoutError',
      message: `GET ${connection.base}/${route} was not answered within ${limit} ms.`,
    })

    test('a call that exceeds its time limit throws a TimeoutError', async () => {
      const error = await thrown(calling({ timeout: 20 }).waiting)
      expect(error).toBeInstanceOf(DOMException)
      expect(error).toMatchObject(isLate(20))
    })

    test('the limit of a call replaces that of the client', async () => {
      expect(await thrown(() => calling({ timeout: 60_000 }).waiting({}, { timeout: 15 }))).toMatchObject(isLate(15))
      expect(await calling({ timeout: 1 }).hello({}, { timeout: Number.POSITIVE_INFINITY })).toBe('Hello!')
    })

    test('a signal that fires rejects the call with its reason, and aborts the request', async () => {
      const { server: own, arrived, left } = createWaitingServer()
      const there = await connect(own)
      const calls = client(api, there.base, there.options)
      const leaving = new AbortController()
      const call = thrown(() => calls.waiting({}, { signal: leaving.signal }))
      await arrived
      const reason = Symbol('gone for lunch')
      leaving.abort(reason)
      expect(await call).toBe(reason)
      await left
      await there.close()
    })

    test('the signal of the client ends all of its calls and streams', async () => {
      const leaving = new AbortController()
      const { waiting: call, begun } = calling({ signal: leaving.signal })
      const walk = async (): Promise<void> => {
        for await (const item of await begun()) {
          expect(item).toBe(1)
          leaving.abort()
        }
      }
      const ends = [thrown(call), thrown(() => call({}, { signal: new AbortController().signal })), thrown(walk)]
      expect(await Promise.all(ends)).toEqual([leaving.signal.reason, leaving.signal.reason, leaving.signal.reason])
      expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
    })

    test('a signal that fires after the call has no effect', async () => {
      const leaving = new AbortController()
      const { hello, begun } = calling()
      expect(await hello({}, { signal: leaving.signal })).toBe('Hello!')
      const items: unknown[] = []
      for await (const item of await begun({}, { signal: leaving.signal })) {
        items.push(item)
        break
      }
      expect(items).toEqual([1])
      expect(getEventListeners(leaving.signal, 'abort')).toEqual([])
      leaving.abort()
    })

    test('the time limit of a stream ends with its first bytes', async () => {
      const before = timers()
      const stream = await calling().begun({}, { timeout: 60_000 })
      // A timer of an earlier connection may end meanwhile.
      expect(timers()).toBeLessThanOrEqual(before)
      for await (const _item of stream) break
    })
  })

  describe('a signal that has already fired', () => {
    const reason = new Error('Too late for that.')

    test.each<[whose: string, options: ClientOptions, signal?: AbortSignal]>([
      ['of the call', {}, AbortSignal.abort(reason)],
      ['of the client', { signal: AbortSignal.abort(reason) }],
    ])('%s: its reason is thrown, and nothing is sent', async (_whose, options, signal) => {
      let sent = 0
      const fetch = async (): Promise<Response> => {
        sent += 1
        return new Response()
      }
      const { hello } = client(api, base, { ...options, fetch })
      expect(await thrown(() => hello({}, signal === undefined ? {} : { signal }))).toBe(reason)
      expect(sent).toBe(0)
    })
  })

  describe('a cancellation that `fetch` ignores:', () => {
    const never = new Promise<never>(() => {})
    const typed = (body: ReadableStream): Response => new Response(body, { headers: { 'Content-Type': 'text/plain' } })

    test.each<[what: string, options: ClientOptions]>([
      ['a fetch that does not answer', { fetch: () => never }],
      ['headers that do not come', { headers: () => never }],
      ['a body that does not end', { fetch: async () => typed(new ReadableStream()) }],
    ])('%s: the call ends at its time limit', async (_what, options) => {
      const { hello } = client(api, base, { fetch: async () => new Response(), ...options, timeout: 10 })
      expect(await thrown(hello)).toMatchObject({ name: 'TimeoutError' })
    })

    test.skipIf(isLight)('the body of a late response is cancelled', async () => {
      const [arrived, late, cancelled] = [gate(), gate(), gate()]
      const fetch = async (): Promise<Response> => {
        arrived.open()
        await late.opened
        return typed(new ReadableStream({ cancel: cancelled.open }))
      }
      const leaving = new AbortController()
      const call = thrown(() => client(api, base, { fetch }).hello({}, { signal: leaving.signal }))
      await arrived.opened
      leaving.abort()
      expect(await call).toBe(leaving.signal.reason)
      late.open()
      await cancelled.opened
    })

    test.skipIf(isLight)('a body that has started is cancelled, even if more of it arrives', async () => {
      const [read, cancelled] = [gate(), gate()]
      const body = new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode('Hel')),
        pull: () => {
          read.open()
          return never
        },
        cancel: cancelled.open,
      })
      const leaving = new AbortController()
      const call = thrown(() => client(api, base, { fetch: async () => typed(body) }).hello({}, { signal: leaving.signal }))
      await read.opened
      leaving.abort('enough')
      expect(await call).toBe('enough')
      await cancelled.opened
    })
  })

  describe('a call releases', () => {
    test('its timer, however it ends, so that the process can exit', async () => {
      const outcomes: readonly (() => Promise<Response>)[] = [
        async () => new Response(null, { status: 204 }),
        async () => new Response(null, { status: 404 }),
        () => Promise.reject(new TypeError('fetch failed')),
      ]
      // Once more where a timer of an earlier connection ends meanwhile.
      await vi.waitFor(async () => {
        const before = timers()
        let during = 0
        for (const respond of outcomes) {
          const fetch = (): Promise<Response> => {
            during += timers() - before
            return respond()
          }
          await client(api, base, { fetch, timeout: 60_000 })
            .nothing()
            .catch(() => {})
        }
        expect([during, timers()]).toEqual([outcomes.length, before])
      }, 10_000)
    })

    test('its listener: one signal serves ten thousand calls, many of them at once', async () => {
      const { signal } = new AbortController()
      let most = 0
      const fetch = async (): Promise<Response> => {
        most = Math.max(most, getEventListeners(signal, 'abort').length)
        return new Response(null, { status: 204 })
      }
      const { nothing } = client(api, base, { fetch, signal })
      for (let turn = 0; turn < 20; turn += 1) await Promise.all(Array.from({ length: 500 }, () => nothing({}, { signal })))
      expect([most, getEventListeners(signal, 'abort').length]).toEqual([1, 0])
    })

    test('its memory, even where its signals stay', async () => {
      const { signal } = new AbortController()
      const fetch = async (): Promise<Response> => new Response(null, { status: 204 })
      const { nothing } = client(api, base, { signal, fetch })
      const call = async (times: number): Promise<void> => {
        for (let turn = 0; turn < times; turn += 10) {
          await Promise.all(Array.from({ length: 10 }, () => nothing({}, { signal })))
          // Registries of finalizers run between two turns.
          await new Promise(setImmediate)
        }
      }
      await call(200)
      const before = await measureHeap()
      await call(500)
      expect(((await measureHeap()) - before) / 500).toBeLessThan(1_000)
    })

    test('a time limit beyond the longest timer is no limit', async () => {
      await vi.waitFor(async () => {
        let set = 0
        const before = timers()
        const fetch = async (): Promise<Response> => {
          set += timers() - before
          return new Response(null, { status: 204 })
        }
        await client(api, base, { fetch, timeout: Number.POSITIVE_INFINITY }).nothing()
        expect(set).toBe(0)
      }, 10_000)
    })
  })
})
