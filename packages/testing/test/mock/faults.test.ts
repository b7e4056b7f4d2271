/** Faults of a mock: 503, responses that are cut off, and delays. */

import { type MockOptions, mock } from '@lapidary/testing'
import { bytes, endpoint, type HttpError, isHttpError, ndjson, noContent, ok, reply, text } from 'lapidary'
import { client, StreamInterruptedError } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { main } from '../../../../service/src/api.ts'
import { printedErrors } from '../../../lapidary/test/support/printedErrors.ts'

const base = 'http://mock.test'
const api = {
  word: endpoint('GET /word', { response: ok(text), examples: { response: 'a word of some length' } }),
  bytes: endpoint('GET /bytes', { response: ok(bytes) }),
  stream: endpoint('GET /stream', { response: ok(ndjson(z.object({ name: z.string() }))) }),
  nothing: endpoint('DELETE /word', { response: noContent }),
  busy: endpoint('GET /busy', { response: ok(text), errors: [reply(503, z.object({ until: z.iso.date() }))] }),
}

const many = Array.from({ length: 40 }, (_, index) => index)

/** The statuses of so many requests, one after the other. */
async function statuses(options: MockOptions<typeof api>, path = '/word'): Promise<readonly number[]> {
  const { fetch } = mock(api, options)
  const found: number[] = []
  for (const _ of many) found.push((await fetch(new Request(base + path))).status)
  return found
}

describe('503 responses', () => {
  test('go to none, some or all of the requests', async () => {
    expect(new Set(await statuses({}))).toEqual(new Set([200]))
    expect(new Set(await statuses({ faults: { unavailable: 1 } }))).toEqual(new Set([503]))
    expect(new Set(await statuses({ faults: { unavailable: 0.5 } }))).toEqual(new Set([200, 503]))
  })

  test('go to the same requests each time, and to others with another seed', async () => {
    const faults = { unavailable: 0.5 }
    expect(await statuses({ faults })).toEqual(await statuses({ faults }))
    expect(await statuses({ faults })).not.toEqual(await statuses({ faults, seed: 2 }))
  })

  test('have Retry-After, and the form that the endpoint declares', async () => {
    const call = client(api, base, { fetch: mock(api, { faults: { unavailable: 1 } }).fetch })
    const [plain, declared] = await Promise.all([call.word({}), call.busy({})].map((promise) => promise.catch((error: unknown) => error)))
    for (const error of [plain, declared]) {
      expect(error).toSatisfy((error) => isHttpError(error, 503))
      expect((error as HttpError).headers['retry-after']).toBe('1')
    }
    expect((declared as HttpError).body).toEqual({ until: expect.any(String) })
  })

  test('can be limited to one endpoint', async () => {
    const faults = { unavailable: 1, at: { word: {}, nothing: { unavailable: 0.5 } } }
    expect(new Set(await statuses({ faults }))).toEqual(new Set([200]))
    expect(new Set(await statuses({ faults }, '/bytes'))).toEqual(new Set([503]))
  })

  test('are as declared, at every endpoint of a real API', async () => {
    const { fetch } = mock(main, { faults: { unavailable: 1 } })
    const error = await client(main, base, { fetch })
      .persons({})
      .catch((caught: unknown) => caught)
    expect(error).toMatchObject({ status: 503, body: undefined, headers: { 'retry-after': '1' } })
  })
})

const simulated = expect.objectContaining({ message: 'The mock simulates a failure here. Try again in a moment.' })

describe.each(['in memory', 'over a socket'])('a response that is cut off, %s', (where) => {
  async function calling(faults: MockOptions<typeof api>['faults']) {
    const server = mock(api, { faults: faults ?? {} })
    if (where === 'in memory') return client(api, base, { fetch: server.fetch })
    const { url, close } = await listen(server, { port: 0 })
    onTestFinished(() => close({ drain: 0, grace: 0 }))
    return client(api, url)
  }

  test('begins, and is incomplete', async () => {
    const printed = printedErrors()
    const call = await calling({ cut: 1 })
    await expect(call.word({})).rejects.toThrow(/cut off/)
    await expect(call.bytes({})).rejects.toThrow(/cut off/)
    await expect(
      (async () => {
        for await (const _ of await call.stream({}));
      })(),
    ).rejects.toBeInstanceOf(StreamInterruptedError)
    expect(printed).toEqual(Array(3).fill([expect.anything(), simulated]))
  })

  test('is complete without a body', async () => {
    const call = await calling({ cut: 1 })
    await expect(call.nothing({})).resolves.toBe(undefined)
  })

  test('happens to a share of the responses', async () => {
    const printed = printedErrors()
    const call = await calling({ cut: 0.5 })
    const ends = await Promise.allSettled(many.map(() => call.word({})))
    expect(new Set(ends.map(({ status }) => status))).toEqual(new Set(['fulfilled', 'rejected']))
    const cut = ends.filter(({ status }) => status === 'rejected').length
    expect(printed).toEqual(Array(cut).fill([expect.anything(), simulated]))
  })
})

describe('a delay', () => {
  afterEach(() => void vi.useRealTimers())

  test('applies to every response, even errors', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const { fetch } = mock(api, { delay: { min: 1_000, max: 1_000 } })
    const ended: number[] = []
    const requests = ['/word', '/nowhere'].map(async (path) => ended.push((await fetch(new Request(base + path))).status))
    await vi.advanceTimersByTimeAsync(999)
    expect(ended).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all(requests)
    expect(ended.toSorted()).toEqual([200, 404])
  })

  test('is between its bounds, and the same each time', async () => {
    const waits = async (seed: number): Promise<readonly number[]> => {
      const times: number[] = []
      const { fetch } = mock(api, { seed, delay: { min: 5, max: 20 } })
      const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((go: () => void, time: number) => {
        times.push(time)
        go()
      }) as never)
      for (const _ of many) await fetch(new Request(`${base}/word`))
      spy.mockRestore()
      return times
    }
    const times = await waits(1)
    expect(times).toHaveLength(many.length)
    expect(times.every((time) => time >= 5 && time < 20)).toBe(true)
    expect(new Set(times).size).toBeGreaterThan(10)
    expect(await waits(1)).toEqual(times)
    expect(await waits(2)).not.toEqual(times)
  })
})
