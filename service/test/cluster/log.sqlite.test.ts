/** The log of several processes: one stream of whole lines. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { send } from '../specification/send.ts'
import { applyLoad } from '../support/load.ts'
import { folderOfTest, program } from '../support/service.ts'
import { clusterProcess, runs } from './clusterProcess.ts'

const long = 'x'.repeat(10_000)

type Line = Readonly<Record<string, unknown>>

/**
 * Two workers whose log goes through a pipe of the system, as in a shell: `node main.js | cat`. In it, unlike in what node makes for its own
 * children, long lines of several processes mix. The reader is slower than the writers: what they write does not fit into the pipe.
 */
async function piped(): Promise<{
  readonly base: string
  readonly pid: number
  readonly lines: readonly string[]
  readonly ended: Promise<unknown>
}> {
  const folder = folderOfTest()
  const environment = { WORKERS: '2', PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'service.db')}`, PATH: process.env['PATH'] }
  const shell = spawn('sh', ['-c', '"$0" "$1" main | cat', process.execPath, program], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(shell, 'close')
  const { stdout } = shell
  const lines: string[] = []
  createInterface({ input: stdout }).on('line', (line) => lines.push(line))
  stdout.on('data', () => {
    stdout.pause()
    setTimeout(() => stdout.resume(), 5)
  })
  const listens = await vi.waitFor((): Line => JSON.parse(lines.find((one) => one.includes('a worker listens')) ?? ''), 30_000)
  const pid = Number(listens['pid'])
  onTestFinished(async () => {
    if (runs(pid)) process.kill(pid, 'SIGKILL')
    await ended
  })
  return { base: JSON.parse(lines[0] ?? '')['url'], pid, lines, ended }
}

test('lines of any length stay whole, even if their writer is killed', async () => {
  const { base, pid, lines, ended } = await piped()
  const received: string[] = []
  const client = async (_: unknown, number: number): Promise<void> => {
    for (let index = 0; index < 100; index += 1) {
      const target = `/nowhere/${number}-${index}-${long}`
      const response = await Promise.race([send(base, `GET ${target}`).catch(() => undefined), sleep(10_000)])
      // It was on a connection to the one that was killed, or on one that was on its way there.
      if (response === undefined) continue
      received.push(target)
      if (received.length === 300) process.kill(JSON.parse(lines[1] ?? '')['worker'], 'SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: 10 }, client))
  process.kill(pid, 'SIGTERM')
  await ended
  const entries = lines.map((line): Line => JSON.parse(line))
  expect(received.length).toBeGreaterThan(900)
  expect(entries.filter(({ signal }) => signal === 'SIGKILL')).toHaveLength(1)
  const logged = entries.filter(({ msg }) => msg === 'request').map(({ target }) => target)
  const known = new Set(logged)
  expect(known.size).toBe(logged.length)
  // A line is written when its answer has ended: the one that was killed may have had an answer for each of its clients that it did not get to log.
  expect(received.filter((target) => !known.has(target)).length).toBeLessThanOrEqual(10)
})

test('a closed log reader ends no process', async () => {
  const { base, workers, child, ended } = await clusterProcess()
  child.stdout?.destroy()
  const outcomes = await applyLoad(base, 4, (_, count) => count > 400)
  expect([...new Set(outcomes.map(({ outcome }) => outcome))]).toEqual([200])
  expect(workers()).toHaveLength(2)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, errors: '' })
})

test('a silent service prints its URLs only', async () => {
  const { base, child, ended } = await clusterProcess({ environment: { LOG_LEVEL: 'silent' } })
  for (let index = 0; index < 4; index += 1) await send(base, 'GET /hello')
  child.kill('SIGTERM')
  const { output, errors } = await ended
  expect({ output, errors }).toEqual({ output: `${JSON.stringify({ event: 'listening', deployment: 'main', url: base })}\n`, errors: '' })
})
