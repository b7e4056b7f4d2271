/** Idle connections: 500, or 10,000 in `npm run soak`. Each costs little, and its cost is released. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { child } from '../hostile/child.ts'
import { megabytes, printFigure } from './figures.ts'
import { idle } from './idle.ts'

const isWhole = process.env['SOAK'] === 'whole'
const connections = isWhole ? 10_000 : 500
const hasProc = existsSync('/proc/self/fd')
const kilobyte = 1_024

/** How many files a process may open here; node takes as many as it is allowed to. */
const limit = (): number => {
  const output = spawnSync('sh', ['-c', 'ulimit -H -n'], { encoding: 'utf8' }).stdout.trim()
  return output === 'unlimited' ? Number.POSITIVE_INFINITY : Number(output)
}

test.runIf(hasProc)(
  `${connections} idle connections cost at most 20 KB each, delay no other client, and leave nothing behind`,
  async ({ skip }) => {
    if (limit() < connections + 200) return skip(`A process may open ${limit()} files here: too few for ${connections} connections.`)
    const environment = { KEEP_ALIVE_TIMEOUT_MS: '600000', MAX_CONNECTIONS: `${connections + 100}`, LOG_LEVEL: 'warn' }
    const it = await child({ environment })
    onTestFinished(it.close)
    const { resident, heap, slowest, before, among, after } = await idle(it, connections)
    printFigure(`idle connections, ${connections}`)
    printFigure(`  each         ${(resident / kilobyte).toFixed(1)} KB resident, ${(heap / kilobyte).toFixed(1)} KB of them heap`)
    printFigure(`  meanwhile    answered in ${slowest.toFixed(1)} ms at most`)
    printFigure(
      `  afterwards   heap ${megabytes(after.heap)} (${megabytes(before.heap)} before), resident ${megabytes(after.resident)} (${megabytes(before.resident)})`,
    )
    printFigure(`  descriptors  ${after.descriptors} (${before.descriptors} before)`)
    expect(heap).toBeLessThan(20 * kilobyte)
    expect(slowest).toBeLessThan(1_000)
    expect(after.descriptors).toBe(before.descriptors)
    expect(after.heap).toBeLessThan(before.heap + 4 * kilobyte ** 2)
    // A few connections cost less than the pages that the system hands out.
    if (!isWhole) return
    expect(resident).toBeLessThan(20 * kilobyte)
    // What the allocator does not give back it uses again.
    const again = await idle(it, connections)
    printFigure(`  once more    resident ${megabytes(again.among.resident)} (${megabytes(among.resident)} the first time)`)
    expect(again.among.resident).toBeLessThan(1.2 * among.resident)
  },
  120_000,
)
