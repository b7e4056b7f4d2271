/**
 * `startCluster` and `runWorker`, as a program uses them that has nothing else. What they survive under load is in
 * service/test/cluster, since the service is such a program.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { runWorker, startCluster } from 'lapidary/cluster'
import { expect, onTestFinished, test, vi } from 'vitest'
import { closeUndelivered } from '../../src/cluster/undelivered.ts'

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

type Line = Readonly<Record<string, unknown>>

interface Program {
  readonly child: ChildProcess
  readonly lines: readonly Line[]
  /** Resolves with the first lines of a type, when there are this many. */
  readonly wait: (type: string, count?: number) => Promise<readonly Line[]>
  /** Resolves with the origin of the port `http`. */
  readonly url: () => Promise<string>
  readonly ended: Promise<{ readonly code: number | null; readonly errors: string }>
}

function start(options: object): Program {
  const file = fileURLToPath(new URL('program.mjs', import.meta.url))
  const child = spawn(process.execPath, [file, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: Line[] = []
  let errors = ''
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(JSON.parse(line)))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }))
  const wait: Program['wait'] = (type, count = 1) =>
    vi.waitFor(
      () => {
        const found = lines.filter((line) => line['type'] === type)
        if (found.length < count) throw new Error(`${count} × ${type} is missing: ${JSON.stringify(lines)} ${errors}`)
        return found
      },
      { timeout: 10_000, interval: 20 },
    )
  const url = async (): Promise<string> => {
    const [ready] = await wait('ready')
    return String((ready?.['addresses'] as Readonly<Record<string, Line>> | undefined)?.['http']?.['url'])
  }
  return { child, lines, wait, url, ended }
}

const pids = (lines: readonly Line[]): readonly number[] => lines.map(({ pid }) => Number(pid))
const picked = { ports: { http: 0 } }

/** Asks on a connection of its own. */
const ask = async (url: string, path: string): Promise<string> =>
  (await fetch(`${url}${path}`, { headers: { Connection: 'close' } })).text()

test('every worker serves the picked port; the program is ready first; it ends with code 0', async () => {
  const { child, lines, wait, url, ended } = start({ ...picked, workers: 3 })
  const base = await url()
  expect(base).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
  const listening = pids(await wait('listening', 3))
  expect(lines[0]).toMatchObject({ type: 'ready', addresses: { http: { host: '127.0.0.1', port: Number(new URL(base).port) } } })
  const answers = await Promise.all(Array.from({ length: 12 }, () => ask(base, '/pid')))
  expect([...new Set(answers.map(Number))].sort()).toEqual([...listening].sort())
  child.kill('SIGTERM')
  await wait('closed')
  expect(await ended).toEqual({ code: 0, errors: '' })
  expect(lines.filter(({ type }) => type === 'exit')).toEqual(
    Array.from({ length: 3 }, () => expect.objectContaining({ code: 0, signal: null, isExpected: true })),
  )
})

test('a port that only the workers know', async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  const { port } = other.address() as AddressInfo // it listens, and not on a path
  const taken = start({ port })
  // The first start is not repeated.
  const message = `bind EADDRINUSE 127.0.0.1:${port}`
  expect(await taken.wait('failed')).toEqual([
    { type: 'failed', name: 'WorkerError', message: 'A worker cannot start', cause: ['Error', message, 'string'] },
  ])
  expect(await taken.ended).toEqual({ code: 0, errors: '' })
  expect(taken.lines.filter(({ type }) => type === 'listening')).toEqual([])
  await new Promise((done) => other.close(done))

  const free = start({ port })
  await free.wait('listening', 2)
  expect(Number(await ask(`http://127.0.0.1:${port}`, '/pid'))).toBeGreaterThan(0)
})

test("a port in use is Node's error, before there are workers", async () => {
  const other = createServer()
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  onTestFinished(() => void other.close())
  const { port } = other.address() as AddressInfo // it listens, and not on a path
  const { lines, ended } = start({ ports: { first: 0, http: port } })
  // It keeps none of the ports: it ends.
  expect(await ended).toEqual({ code: 0, errors: '' })
  expect(lines).toEqual([{ type: 'failed', name: 'Error', message: expect.stringContaining('EADDRINUSE'), code: 'EADDRINUSE' }])
})

test('a worker that ends before it has called runWorker is started again, five times', async () => {
  const { lines, ended } = start({ ...picked, workers: 1, failing: 'before' })
  const { code, errors } = await ended
  expect(code).toBe(0)
  expect(errors.match(/planted before/g)?.length).toBeGreaterThanOrEqual(5)
  expect(lines.map(({ type, restartDelay }) => [type, restartDelay])).toEqual([
    ['exit', 0],
    ['exit', 100],
    ['exit', 200],
    ['exit', 400],
    ['exit', undefined],
    ['failed', undefined],
  ])
  expect(lines.at(-1)).toMatchObject({ name: 'WorkerError', message: 'Workers end soon after they are started' })
})

test('an error of start has its name and its stack', async () => {
  const { wait, ended } = start({ ...picked, failing: 'start' })
  expect(await wait('failed')).toMatchObject([{ message: 'A worker cannot start', cause: ['RangeError', 'planted in start', 'string'] }])
  expect(await ended).toEqual({ code: 0, errors: '' })
})

test('reports come from every worker, and the last one of a worker from its end', async () => {
  const { child, wait, url } = start({ ...picked, grace: 4_000 })
  await url()
  const workers = pids(await wait('listening', 2))
  child.kill('SIGUSR2')
  const [{ reports = undefined } = {}] = await wait('reports')
  expect(reports).toHaveLength(2)
  expect(reports).toEqual(expect.arrayContaining(workers.map((pid) => ({ pid, grace: 4_000 }))))
  const [victim = 0] = workers
  process.kill(victim, 'SIGTERM')
  const exits = await wait('exit')
  expect(exits).toMatchObject([{ pid: victim, code: 0, isExpected: false, report: { pid: victim, grace: 4_000 } }])
})

test('a report that fails is an error of reports', async () => {
  const { child, wait, url } = start({ ...picked, failing: 'report' })
  await url()
  child.kill('SIGUSR2')
  expect(await wait('reports')).toEqual([{ type: 'reports', name: 'TypeError', message: 'planted in report' }])
})

test('messages of the application pass by', async () => {
  const { lines, wait, url } = start(picked)
  await url()
  const workers = pids(await wait('listening', 2))
  await vi.waitFor(() => expect(lines.filter(({ own }) => own !== undefined)).toHaveLength(2), { timeout: 10_000 })
  expect(lines.flatMap(({ own }) => own ?? []).sort()).toEqual([...workers].sort())
})

test('an uncaught error is printed, the worker serves its requests in progress, and is replaced meanwhile', async () => {
  const { wait, url, child, ended } = start({ ...picked, workers: 1 })
  const base = await url()
  const [victim] = pids(await wait('listening'))
  const slow = ask(base, '/slow')
  expect(await ask(base, '/throw')).toBe('soon')
  await wait('listening', 2)
  expect(await slow).toBe('slow')
  expect(await wait('exit')).toMatchObject([{ pid: victim, code: 1, isExpected: false }])
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, errors: expect.stringMatching(/^Error: a late fault\n/) })
})

test('when workers die again and again, the others are closed, and an uncaught error ends the program', async () => {
  const { lines, wait, url, ended } = start(picked)
  const base = await url()
  const [stays, ...others] = pids(await wait('listening', 2))
  const slow: Promise<string | undefined>[] = []
  for (let death = 0; death < 5; death += 1) {
    const listening = pids(await wait('listening', 2 + death))
    const victim = death === 0 ? others[0] : listening.at(-1)
    if (death === 4) slow.push(...Array.from({ length: 4 }, () => ask(base, '/slow').catch(() => undefined)))
    // The last one may have half of the connections.
    if (death === 4) await new Promise((resolve) => setTimeout(resolve, 200))
    process.kill(Number(victim), 'SIGKILL')
    await wait('exit', death + 1)
  }
  const { code, errors } = await ended
  expect(code).toBe(1)
  expect(errors).toContain('WorkerError: Workers end soon after they are started')
  expect(lines.filter(({ type, isExpected }) => type === 'exit' && isExpected).map(({ pid, code: end }) => [pid, end])).toEqual([
    [stays, 0],
  ])
  const answers = (await Promise.all(slow)).filter((answer) => answer !== undefined)
  expect(answers.length).toBeGreaterThan(0)
  expect(new Set(answers)).toEqual(new Set(['slow']))
})

test.each([
  [
    'that does not end is killed after its grace, and close rejects',
    'never',
    { signal: 'SIGKILL', isExpected: true },
    'Workers did not end within 1200 ms, and were killed.',
  ],
  ['whose close throws ends with code 1', 'throws', { code: 1, isExpected: false }, undefined],
])('a worker %s', async (_what, closing, end, message) => {
  const { child, wait, url, ended } = start({ ...picked, workers: 1, grace: 200, closing })
  await url()
  child.kill('SIGTERM')
  expect(await wait('exit')).toMatchObject([end])
  expect(await wait('closed')).toEqual([{ type: 'closed', ...(message === undefined ? {} : { message }) }])
  expect((await ended).errors).toEqual(closing === 'throws' ? expect.stringContaining('planted in close') : '')
})

test.each([
  [200, 200],
  [4_000, 1_500],
])('a worker with a grace of %d ms drains for %d of them', async (grace, drain) => {
  const { child, wait, url } = start({ ...picked, workers: 1, grace, closing: 'sends' })
  await url()
  child.kill('SIGTERM')
  expect(await wait('close')).toMatchObject([{ options: { drain, grace } }])
})

test('mistakes of the programmer', async () => {
  await expect(startCluster({ workers: 0 })).rejects.toThrow(
    new TypeError('startCluster() has the number of workers 0, expected an integer from 1. Leave it out for one a core.'),
  )
  await expect(runWorker(async () => ({ close: async () => {} }))).rejects.toThrow(
    /^runWorker\(\) was called in a process that startCluster/,
  )
})

test('a connection that a worker has not confirmed is closed when the worker has ended', () => {
  const sent: unknown[] = []
  const child = Object.assign(new EventEmitter(), { send: (...values: readonly unknown[]) => sent.push(values) > 0 })
  closeUndelivered(child as unknown as ChildProcess)
  const closed: number[] = []
  const deliver = (key: string, seq: number): boolean => child.send({ act: 'newconn', key, seq }, { close: () => closed.push(seq) })
  deliver('a', 1)
  child.emit('internalMessage', { ack: 1 })
  deliver('a', 2)
  deliver('b', 3)
  child.emit('internalMessage', { ack: 2 })
  // Neither are connections, whatever another version of Node means by them.
  child.send({ act: 'newconn', key: 'c', seq: 4 }, {})
  child.send(null)
  child.send('a text')
  expect(sent).toHaveLength(6)
  child.emit('close')
  expect(closed).toEqual([3])
})
