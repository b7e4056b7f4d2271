/** The hostile corpus against the service: each row gets the expected response and leaves nothing behind. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { startNginx } from '../../../scripts/nginx.mjs'
import { withoutNginx } from '../support/replicas.ts'
import { heavy } from './bodies.ts'
import { type Child, child } from './child.ts'
import { corpus } from './corpus.ts'
import { slow } from './framing.ts'
import { fuzzRun, fuzzStream, sendThrough } from './fuzzRun.ts'
import { scanned } from './linear.ts'
import { dice, mutant, seeds } from './mutants.ts'
import { get, type Row } from './row.ts'
import { open, play } from './wire.ts'

/** `npm run fuzz` has many more, and `SAMPLES=whole` has some more. */
const streams = Number(process.env['STREAMS'] ?? (process.env['SAMPLES'] === 'whole' ? 1_000 : 300))
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** What is read of another process is read from there. */
const hasProc = existsSync('/proc/self/fd')

const rows = Object.values(corpus).flat()
const played = async (row: Row): Promise<readonly string[]> => (await play(row, it.port)).flaws

let it: Child
let slowOnes: Promise<readonly (readonly [Row, readonly string[]])[]>
beforeAll(async () => {
  it = await child()
  // They only wait, so others need not wait for them.
  slowOnes = fuzzRun(slow, played)
})
afterAll(() => it.close())

const megabyte = 1_048_576
/** The service as it was: connections and files are closed, memory is given back. */
const asBefore = async (before: Awaited<ReturnType<Child['health']>>, waiting: number): Promise<void> => {
  const most = (count: number): number => count + waiting
  await vi.waitFor(
    async () => {
      const { descriptors, sockets, heap } = await it.health(true)
      expect(sockets).toBeLessThanOrEqual(most(0))
      // The database opens its files when it first needs them.
      expect(descriptors).toBeLessThanOrEqual(most(before.descriptors + 6))
      expect(heap).toBeLessThan(before.heap + 16 * megabyte)
    },
    { timeout: 30_000, interval: 100 },
  )
  expect(it.isAlive()).toBe(true)
}

describe.each(Object.entries(corpus))('%s', (_paragraph, paragraph) => {
  test.each(paragraph)('$name', async (row) => {
    expect(await played(row)).toEqual([])
  })

  test.runIf(hasProc)('leaves the service as it was', async () => {
    await asBefore({ ...(await it.health()), descriptors: 30, heap: 24 * megabyte }, slow.length)
  })
})

test('every row has a unique name', () => {
  const all = [...rows, ...slow, ...heavy].map(({ name }) => name)
  expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([])
})

describe('a request that stalls or arrives byte by byte', () => {
  test('is answered 408 and closed within ten seconds', async () => {
    expect((await slowOnes).map(([{ name }, flaws]) => [name, flaws])).toEqual([])
  })
})

describe('an expensive request', () => {
  test.each(heavy)('$name: the event loop is blocked for less than 100 ms', async (row) => {
    const delays: number[] = []
    // The shortest of several tells of the service; the others tell of the machine. Nor was it the service for longer than it worked.
    for (let round = 0; round < 8 && Math.min(...delays) >= 100; round += 1) {
      await it.health(true)
      const { cpu } = await it.health()
      expect(await played(row)).toEqual([])
      const after = await it.health()
      delays.push(Math.min(after.delay, after.cpu - cpu))
    }
    expect(Math.min(...delays)).toBeLessThan(100)
  })

  test.each(Object.entries(scanned))('twice as much of %s costs no more than 2.5 times as much', async (_what, requestOf) => {
    const cost = async (size: number): Promise<number> => {
      const request = requestOf(size)
      const wire = open(it.port)
      const { cpu } = await it.health()
      await wire.write(request.repeat(request.length > 10_000 ? 3 : 20) + get('/health/live', 'Connection: close'))
      await wire.when(wire.isClosed)
      return (await it.health()).cpu - cpu
    }
    let [least, twice] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    for (let round = 0; round < 12 && (round < 2 || twice > 2.5 * least); round += 1) {
      least = Math.min(least, await cost(3_000))
      twice = Math.min(twice, await cost(6_000))
    }
    expect(twice).toBeLessThanOrEqual(2.5 * least)
  })
})

const requests = (): readonly string[] =>
  it.lines.flatMap((line) => (typeof line === 'object' && line['msg'] === 'request' ? [JSON.stringify(line)] : []))

describe.skipIf(withoutNginx())('behind nginx', () => {
  test('the service never receives a request that nginx did not forward', async () => {
    const before = requests().length
    const front = await startNginx([{ main: it.url, pagination: it.url, docs: it.url }])
    try {
      const port = Number(new URL(front.urls.main).port)
      await fuzzRun(rows, ({ pieces, from }) => sendThrough(pieces, port, from))
      expect(requests().filter((line) => line.includes('smuggled'))).toEqual([])
      const random = dice(seed)
      const bytes = seeds(rows)
      const mutants = Array.from({ length: Math.min(1_000, streams / 4) }, () => mutant(bytes, random))
      await fuzzRun(mutants, (one) => sendThrough([one], port))
      // nginx writes its line when it is done with a request, which may be after the service is.
      await vi.waitFor(
        () => {
          const forwarded = front.log().flatMap(({ statuses }) => statuses.split(/[,:]/).filter((status) => status.trim() !== ''))
          expect(forwarded.length).toBeGreaterThan(rows.length / 2)
          expect(requests().length - before).toBeLessThanOrEqual(forwarded.length)
        },
        { timeout: 30_000, interval: 100 },
      )
    } finally {
      await front.stop()
    }
  }, 120_000)
})

describe('mutants', () => {
  test(`${streams} mutated streams (SEED=${seed}): no unexpected 5xx, one reply to each request, nothing hangs`, async () => {
    const before = await it.health(true)
    const random = dice(seed)
    const bytes = seeds(rows)
    const all = Array.from({ length: streams }, () => mutant(bytes, random))
    const wrong = await fuzzRun(all, (one) => fuzzStream(one, it.port))
    expect(wrong.map((one) => JSON.stringify(one))).toEqual([])
    if (hasProc) await asBefore(before, 0)
  }, 120_000)

  test('the service answers as before', async () => {
    for (const row of Object.values(corpus).flatMap((paragraph) => paragraph.slice(0, 10))) expect(await played(row)).toEqual([])
  })
})

test('the log is one JSON object per line, for any request, and contains no secret', () => {
  expect(it.lines.length).toBeGreaterThan(rows.length)
  expect(it.lines.filter((line) => typeof line === 'string')).toEqual([])
  expect(it.lines.filter((line) => typeof line === 'object' && line['msg'] === 'unexpected error')).toEqual([])
})
