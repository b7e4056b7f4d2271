/** Valid and hostile clients for a minute, or longer in `npm run soak`: nothing unexpected, no growth. */
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Child, child } from '../hostile/child.ts'
import { megabytes, printFigure } from './figures.ts'
import { type Sofar, soak } from './soak.ts'

/** `npm run soak` lets them ask without a pause; here they ask now and then, beside all the other tests. */
const isWhole = process.env['SOAK'] === 'whole'
const minutes = isWhole ? Number(process.env['MINUTES'] ?? 10) : 1
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
/** What is read of another process is read from there. */
const hasProc = existsSync('/proc/self/fd')
const megabyte = 1_048_576

let it: Child
beforeAll(async () => {
  // On a busy machine every client waits: no connection may close just then, and no request may count as overload.
  const environment = { KEEP_ALIVE_TIMEOUT_MS: '60000', MAX_WAIT_MS: '60000' }
  it = await child({ environment, keeps: (line) => typeof line === 'string' || line['msg'] !== 'request' })
})
afterAll(() => it.close())

const count = (unexpected: Sofar['unexpected']): number => [...unexpected.values()].reduce((sum, often) => sum + often, 0)
/** In milliseconds; health is looked at more often. */
const betweenLines = 10_000
let line = 0
const progress = ({ time, good, hostile, unexpected, health }: Sofar): void => {
  if (time < line) return
  line = time + betweenLines
  printFigure(
    `  ${Math.round(time / 1_000)} s: ${good} good and ${hostile} hostile exchanges, ${count(unexpected)} unexpected, ` +
      `heap ${megabytes(health.heap)}, resident ${megabytes(health.resident)}`,
  )
}

test.runIf(hasProc)(
  `${minutes} minutes (SEED=${seed}): every status is expected; memory, files and connections do not grow`,
  async () => {
    const plan = { time: minutes * 60_000, pace: isWhole ? 0 : 1_000, every: isWhole ? 2_000 : 4_000, seed, progress }
    const { before, health, unexpected, ...figures } = await soak(it, plan)
    const rate = (figures.good + figures.hostile) / (figures.time / 1_000)
    printFigure(`soak, ${minutes} minutes, SEED=${seed}`)
    printFigure(`  requests     ${figures.good} good ones and ${figures.hostile} hostile exchanges, ${rate.toFixed(0)} a second`)
    printFigure(`  good ones    p50 ${figures.p50.toFixed(1)} ms, p99 ${figures.p99.toFixed(1)} ms`)
    printFigure(`  unexpected   ${count(unexpected)}`)
    for (const [what, often] of [...unexpected].slice(0, 20)) printFigure(`               ${often} x ${what}`)
    printFigure(
      `  memory       heap ${megabytes(figures.heapSlope)} a minute, resident ${megabytes(figures.residentSlope)} a minute, at the end`,
    )
    printFigure(`               ${megabytes(health.heap)} and ${megabytes(health.resident)}`)
    printFigure(`  descriptors  ${health.descriptors} (${before.descriptors} at the start), sockets ${health.sockets}`)
    printFigure(`  processor    ${(((health.cpu - before.cpu) / figures.time) * 100).toFixed(0)} % of one core`)
    expect([...unexpected].slice(0, 20)).toEqual([])
    expect(it.isAlive()).toBe(true)
    expect(it.lines.filter((line) => typeof line === 'string' || line['level'] === 'error')).toEqual([])
    expect(health.sockets).toBe(0)
    expect(health.descriptors).toBeLessThanOrEqual(before.descriptors)
    expect(figures.heapSlope).toBeLessThan(minutes >= 2 ? megabyte : 6 * megabyte)
    // Within a few minutes this one tells more of the allocator, which keeps what it had to hold once, than of the service.
    if (minutes >= 10) expect(figures.residentSlope).toBeLessThan(megabyte)
  },
  minutes * 60_000 + 60_000,
)
