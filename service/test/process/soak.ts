/** A soak test: valid and hostile clients for minutes, with the memory, files and connections of the service. */
import { createHistogram } from 'node:perf_hooks'
import { setTimeout as passed } from 'node:timers/promises'
import type { Child, Health } from '../hostile/child.ts'
import { corpus } from '../hostile/corpus.ts'
import { slow } from '../hostile/framing.ts'
import { fuzzStream } from '../hostile/fuzzRun.ts'
import { dice, mutant, seeds } from '../hostile/mutants.ts'
import type { Row } from '../hostile/row.ts'
import { play } from '../hostile/wire.ts'
import { caller } from './caller.ts'
import { left } from './left.ts'
import { scenarios } from './scenarios.ts'
import { floors, type Point, slope } from './slope.ts'

export interface Plan {
  /** In milliseconds. */
  readonly time: number
  /** How long each client waits between the beginnings of two scenarios at least, in milliseconds: 0 is without a pause. */
  readonly pace: number
  /** How often the health of the service is looked at, in milliseconds. */
  readonly every: number
  readonly seed: number
  /** Receives what came so far, as often. */
  readonly progress?: (soFar: Sofar) => void
}

export interface Sofar {
  /** In milliseconds. */
  readonly time: number
  /** Requests that good clients made. */
  readonly good: number
  /** Exchanges of hostile ones. */
  readonly hostile: number
  /** What was not as it has to be, and how often. */
  readonly unexpected: ReadonlyMap<string, number>
  readonly health: Health
}

export interface Figures extends Sofar {
  /** Of whole answers to good requests, in milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Bytes a minute behind the warm-up, garbage collected. */
  readonly heapSlope: number
  readonly residentSlope: number
  /** How it was when everything had been asked for once. */
  readonly before: Health
}

const changes = ({ pieces }: Row): boolean => typeof pieces[0] === 'string' && /^(?:DELETE|PUT) /.test(pieces[0])

/**
 * What can be played again and again. Failed logins count: after ten of them every client of this address is rejected.
 * What is removed, or was replaced, other rows look for in vain.
 */
const hostile = Object.entries(corpus)
  .filter(([paragraph]) => paragraph !== 'authentication')
  .flatMap(([, rows]) => rows)
  .filter((row) => !(changes(row) && row.statuses.flat().includes(204)))
/** A mutant of what is refused may well be done. */
const bytes = seeds(hostile.filter((row) => !changes(row)))

/** The first part of the time, at most two minutes, in which caches fill and code is compiled. */
const warmUp = (time: number): number => Math.min(time / 3, 120_000)

/** How many clients there are that keep their connections, and that do not. */
const [keeping, coming] = [4, 2]

export async function soak(service: Child, { time, pace, every, seed, progress = () => {} }: Plan): Promise<Figures> {
  const random = dice(seed)
  const roll = (below: number): number => Math.floor(random() * below)
  const among = <Item>(items: readonly Item[]): Item => items[roll(items.length)] as Item // none is empty
  const milliseconds = createHistogram({ figures: 3 })
  const unexpected = new Map<string, number>()
  let [good, strange] = [0, 0]
  const wrong = (what: string): void => void unexpected.set(what, (unexpected.get(what) ?? 0) + 1)
  const took = (one: number): void => {
    good += 1
    // In microseconds, of which a histogram takes whole ones.
    milliseconds.record(Math.max(1, Math.round(one * 1_000)))
  }
  const done = (name: string, client: ReturnType<typeof caller>): Promise<void> | undefined =>
    scenarios[name]?.(client, roll).catch((error: Error) => wrong(`${name}: ${error.message}`))
  const suffered = (name: string, flaws: readonly string[]): void => {
    strange += 1
    for (const flaw of flaws) wrong(`${name}: ${flaw}`)
  }

  const first = caller(service.url, true, took)
  for (const name of Object.keys(scenarios)) await done(name, first)
  first.close()
  const before = await service.health(true)
  const began = performance.now()
  const soFar = async (): Promise<Sofar> => {
    const health = await service.health(true)
    return { time: performance.now() - began, good, hostile: strange, unexpected, health }
  }

  /** One after the other until the time is over; `longest` is what one may take, in milliseconds. */
  const lane = async (one: () => Promise<unknown> | undefined, apart: number, longest = 0): Promise<void> => {
    // Not all at once.
    await passed(random() * apart)
    while (performance.now() - began + longest < time) {
      const next = performance.now() + apart
      await one()
      await passed(Math.max(0, next - performance.now()))
    }
  }
  const samples: Sofar[] = []
  const look = async (): Promise<void> => {
    const now = await soFar()
    samples.push(now)
    progress(now)
  }
  const names = Object.keys(scenarios)
  const client = async (keepAlive: boolean): Promise<void> => {
    const one = caller(service.url, keepAlive, took)
    await lane(() => done(among(names), one), pace)
    one.close()
  }
  const row = async (rows: readonly Row[]): Promise<void> => {
    const one = among(rows)
    suffered(one.name, (await play(one, service.port)).flaws)
  }
  await Promise.all([
    ...Array.from({ length: keeping }, () => client(true)),
    ...Array.from({ length: coming }, () => client(false)),
    lane(() => row(hostile), pace),
    lane(() => row(slow), pace, 10_000),
    lane(async () => {
      const one = mutant(bytes, random)
      suffered(`a mutant, ${JSON.stringify(one)}`, await fuzzStream(one, service.port))
    }, pace),
    lane(look, every),
  ])

  await left(service)
  const after = samples.filter(({ time: at }) => at > warmUp(time))
  const perMinute = (size: (health: Health) => number): number =>
    slope(floors(after.map(({ time: at, health }): Point => [at / 60_000, size(health)])))
  return {
    ...(await soFar()),
    p50: milliseconds.percentile(50) / 1_000,
    p99: milliseconds.percentile(99) / 1_000,
    heapSlope: perMinute(({ heap }) => heap),
    residentSlope: perMinute(({ resident }) => resident),
    before,
  }
}
