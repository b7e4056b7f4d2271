/** The end of several processes: complete requests are answered, the end is in time, nothing is left behind. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { send, withHeaders } from '../specification/send.ts'
import { download, folderWithLargeFile, largeFileSize, readToEnd } from '../support/download.ts'
import { applyLoad } from '../support/load.ts'
import type { Process } from '../support/service.ts'
import { type ClusterProcess, clusterProcess, gone } from './clusterProcess.ts'

const closing = ({ line }: Process, worker: number): Promise<unknown> => line(({ msg, pid }) => msg === 'closing' && pid === worker)

/** Resolves when parent and workers have logged that they are closing. */
const allClosing = (service: ClusterProcess): Promise<unknown> =>
  Promise.all([service.pid, ...service.workers()].map((pid) => closing(service, pid)))

const raw = (base: string): Socket => {
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  return socket
}

const signalAll = (service: ClusterProcess, signal: NodeJS.Signals): void => {
  for (const pid of [service.pid, ...service.workers()]) process.kill(pid, signal)
}

test.each([
  ['SIGTERM to the parent', (service: ClusterProcess) => service.child.kill('SIGTERM')],
  ['SIGTERM to all of them, as service managers send it,', (service: ClusterProcess) => signalAll(service, 'SIGTERM')],
  ['SIGINT to all of them, as a terminal sends it,', (service: ClusterProcess) => signalAll(service, 'SIGINT')],
])('%s loses no request; each client gets Connection: close; exit code 0; no worker is replaced', async (_, end) => {
  const service = await clusterProcess({ environment: { SHUTDOWN_GRACE_MS: '60000' } })
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
  expect(performance.now() - signalled).toBeLessThan(30_000)
  expect(service.workers()).toHaveLength(2)
  expect(service.lines.filter(({ msg }) => msg === 'a worker ended')).toEqual([])
  await gone(service.workers())
})

test('clients are answered over their connections as long as the service drains', async () => {
  const service = await clusterProcess()
  // Half of the time that it drains for: on a busy machine the last request may be late.
  const draining = 700
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
  expect(meanwhile.filter(({ last, at }) => last && at > signalled)).toEqual([])
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
})

test('while it drains, no worker is ready', async () => {
  const service = await clusterProcess()
  // Clients that stay keep both workers draining.
  const guests = Array.from({ length: 4 }, () => raw(service.base))
  await Promise.all(guests.map((guest) => new Promise<void>((done) => guest.once('connect', done))))
  await send(service.base, 'GET /hello')
  service.child.kill('SIGTERM')
  await allClosing(service)
  for (let index = 0; index < 8; index += 1) {
    // Each over a connection of its own, so that both workers get some.
    const probe = withHeaders(`GET /health/ready?${index}`, { Connection: 'close' })
    expect((await send(service.base, probe)).status).toBe(503)
  }
  for (const guest of guests) guest.destroy()
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(new Set(service.lines.filter(({ status }) => status === 503).map(({ pid }) => pid)).size).toBe(2)
})

test('a signal directly after the start-up line closes the service', async () => {
  const { child, ended, workers } = await clusterProcess({ environment: { LOG_LEVEL: 'info' } })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, signal: null, errors: '' })
  await gone(workers())
})

test('a stream without a reader is aborted at the end of the grace; exit code 0', async () => {
  const service = await clusterProcess({ folder: folderWithLargeFile(), environment: { SHUTDOWN_GRACE_MS: '1000' } })
  await download(service.base)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
  expect(performance.now() - begun).toBeGreaterThan(900)
})

test('a second signal ends all processes at once', async () => {
  const service = await clusterProcess({ folder: folderWithLargeFile(), environment: { SHUTDOWN_GRACE_MS: '60000' } })
  await download(service.base)
  service.child.kill('SIGTERM')
  await allClosing(service)
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 1 })
  await gone(service.workers())
})

test('a worker that does not end is killed after the grace, and the exit code is 1', async () => {
  const service = await clusterProcess({ environment: { SHUTDOWN_GRACE_MS: '300' } })
  const { pid } = await service.nth(1)
  process.kill(pid, 'SIGSTOP')
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 1, errors: '' })
  expect(service.lines.find(({ workers }) => workers !== undefined)).toMatchObject({ level: 'error', workers: [pid] })
  await gone(service.workers())
})

test('when the primary is killed, its workers finish their requests and exit', async () => {
  const service = await clusterProcess({ folder: folderWithLargeFile() })
  const streams = await Promise.all([1, 2].map(() => download(service.base)))
  service.child.kill('SIGKILL')
  await once(service.child, 'exit')
  for (const stream of streams) expect(await readToEnd(stream)).toEqual({ bytes: largeFileSize, complete: true })
  await gone(service.workers())
  expect((await service.ended).signal).toBe('SIGKILL')
})
