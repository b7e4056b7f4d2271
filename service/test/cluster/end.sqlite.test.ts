/** The end of several processes: what was sent whole is answered, the end comes in time, and nothing is left behind. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { folderOfTest, type Process } from '../service.ts'
import { ask } from '../specification/ask.ts'
import { type ClusterProcess, clusterProcess, gone } from './clusterProcess.ts'
import { applyLoad } from './load.ts'

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const closing = ({ line }: Process, worker: number): Promise<unknown> => line(({ msg, pid }) => msg === 'closing' && pid === worker)

/** Resolves when parent and workers have said that they are closing. */
const allClosing = (service: ClusterProcess): Promise<unknown> =>
  Promise.all([service.pid, ...service.workers()].map((pid) => closing(service, pid)))

const raw = (base: string): Socket => {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

const everybody = (service: ClusterProcess, signal: NodeJS.Signals): void => {
  for (const pid of [service.pid, ...service.workers()]) process.kill(pid, signal)
}

test.each([
  ['SIGTERM to the parent', (service: ClusterProcess) => service.child.kill('SIGTERM')],
  ['SIGTERM to all of them, as service managers send it,', (service: ClusterProcess) => everybody(service, 'SIGTERM')],
  ['SIGINT to all of them, as a terminal sends it,', (service: ClusterProcess) => everybody(service, 'SIGINT')],
])('%s loses no request; each client is asked to go; exit code 0; no worker is replaced', async (_, end) => {
  const service = await clusterProcess()
  let signalled = Number.NaN
  const outcomes = await applyLoad(service.base, 10, ({ last }, count) => {
    if (count === 500) {
      signalled = performance.now()
      end(service)
    }
    return last
  })
  expect([...new Set(outcomes.map(({ outcome }) => outcome))]).toEqual([200])
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
  expect(performance.now() - signalled).toBeLessThan(10_000)
  expect(service.workers()).toHaveLength(2)
  expect(service.lines.filter(({ msg }) => msg === 'a worker ended')).toEqual([])
  await gone(service.workers())
})

test('clients that come back at once are answered as well, for as long as the service drains', async () => {
  const service = await clusterProcess()
  const draining = 1_200
  let signalled = Number.POSITIVE_INFINITY
  const outcomes = await applyLoad(service.base, 10, ({ at }, count) => {
    if (count === 500) {
      signalled = performance.now()
      service.child.kill('SIGTERM')
    }
    return at > signalled + draining
  })
  const meanwhile = outcomes.filter(({ at }) => at < signalled + draining)
  expect([...new Set(meanwhile.map(({ outcome }) => outcome))]).toEqual([200])
  expect(meanwhile.filter(({ last }) => last).length).toBeGreaterThan(20)
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
})

test('while it drains, no worker is ready any more', async () => {
  const service = await clusterProcess()
  // Clients that stay keep both workers draining.
  const guests = Array.from({ length: 4 }, () => raw(service.base))
  await Promise.all(guests.map((guest) => new Promise<void>((done) => guest.once('connect', done))))
  await ask(service.base, 'GET /hello')
  service.child.kill('SIGTERM')
  await allClosing(service)
  for (let index = 0; index < 8; index += 1) expect((await ask(service.base, `GET /health/ready?${index}`)).status).toBe(503)
  for (const guest of guests) guest.destroy()
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(new Set(service.lines.filter(({ status }) => status === 503).map(({ pid }) => pid)).size).toBe(2)
})

test('a signal right behind the start-up line is heeded', async () => {
  const { child, ended, workers } = await clusterProcess({ environment: { LOG_LEVEL: 'info' } })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, signal: null, errors: '' })
  await gone(workers())
})

/** A folder with a static file that takes a while to be read. */
const size = 50_000_000
function withLargeFile(): string {
  const folder = folderOfTest()
  mkdirSync(join(folder, 'static-files'))
  writeFileSync(join(folder, 'static-files', 'large.bin'), Buffer.alloc(size, 'x'))
  return folder
}

/** An answer that is never read to its end. */
async function unread(base: string): Promise<IncomingMessage> {
  const response = await new Promise<IncomingMessage>((resolve, reject) =>
    request(`${base}/static/large.bin`, { agent: false }, resolve).on('error', reject).end(),
  )
  response.on('error', () => {})
  return response.pause()
}

test('a stream without a reader is cut when the grace is over; exit code 0', async () => {
  const service = await clusterProcess({ folder: withLargeFile(), environment: { SHUTDOWN_GRACE_MS: '1000' } })
  await unread(service.base)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
  expect(performance.now() - begun).toBeGreaterThan(900)
})

test('a second signal ends all of it at once', async () => {
  const service = await clusterProcess({ folder: withLargeFile(), environment: { SHUTDOWN_GRACE_MS: '60000' } })
  await unread(service.base)
  service.child.kill('SIGTERM')
  await allClosing(service)
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 1 })
  await gone(service.workers())
})

test('a worker that does not end is killed a moment after the grace, and the exit code is 1', async () => {
  const service = await clusterProcess({ environment: { SHUTDOWN_GRACE_MS: '300' } })
  const { pid } = await service.nth(1)
  process.kill(pid, 'SIGSTOP')
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 1, errors: '' })
  expect(service.lines.find(({ workers }) => workers !== undefined)).toMatchObject({ level: 'error', workers: [pid] })
  await gone(service.workers())
})

/** Reads to the end: how many bytes came, and whether that was all. */
const rest = (response: IncomingMessage): Promise<{ bytes: number; complete: boolean }> =>
  new Promise((resolve) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    response.once('close', () => resolve({ bytes, complete: response.complete }))
    response.resume()
  })

test('when the parent is killed, its workers finish what they have begun and go', async () => {
  const service = await clusterProcess({ folder: withLargeFile() })
  const streams = await Promise.all([1, 2].map(() => unread(service.base)))
  service.child.kill('SIGKILL')
  await once(service.child, 'exit')
  for (const stream of streams) expect(await rest(stream)).toEqual({ bytes: size, complete: true })
  await gone(service.workers())
  expect((await service.ended).signal).toBe('SIGKILL')
})
