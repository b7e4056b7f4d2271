/** SIGTERM: complete requests are answered, new connections are rejected, and the end is in time. */

import { Agent } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { comparable, problem } from './specification/expected.ts'
import { exchange, send } from './specification/send.ts'
import { databaseOfTest } from './store/scratch.ts'
import { download, folderWithLargeFile, largeFileSize, readToEnd } from './support/download.ts'
import { applyLoad, attempt, type RequestOutcome } from './support/load.ts'
import { folderOfTest, type Process, serviceProcess } from './support/service.ts'

/** A service that has answered a request already, and where it does. */
async function started(grace: number, folder = folderOfTest()): Promise<{ readonly service: Process; readonly base: string }> {
  const environment = { PORT: '0', DATABASE_URL: (await databaseOfTest()).url, SHUTDOWN_GRACE_MS: String(grace) }
  const service = serviceProcess(['main'], environment, folder)
  const base = await service.listening('main')
  await exchange(base, 'GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return { service, base }
}

/** Resolves when the service has logged that it is closing. */
const closing = ({ line }: Process): Promise<unknown> => line(({ msg }) => msg === 'closing')

/** Ten clients that send requests until `enough`. SIGTERM comes with the 500th response. */
async function loadUntilSignal(
  service: Process,
  base: string,
  enough: (outcome: RequestOutcome, signaled: number | undefined) => boolean,
): Promise<{ readonly outcomes: readonly RequestOutcome[]; readonly signaled: number }> {
  let signaled: number | undefined
  const outcomes = await applyLoad(base, 10, (outcome, count) => {
    if (count === 500) {
      signaled = performance.now()
      service.child.kill('SIGTERM')
    }
    return enough(outcome, signaled)
  })
  return { outcomes, signaled: signaled ?? Number.NaN }
}

test('every request of busy keep-alive clients is answered; each client gets Connection: close; exit code 0', async () => {
  const { service, base } = await started(60_000)
  const { outcomes, signaled } = await loadUntilSignal(service, base, ({ last }) => last)
  expect([...new Set(outcomes.map(({ outcome }) => outcome))]).toEqual([200])
  expect(outcomes.filter(({ last }) => last)).toHaveLength(10)
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
  expect(performance.now() - signaled).toBeLessThan(30_000)
})

test('clients that reconnect at once are answered as long as the service drains', async () => {
  const { service, base } = await started(10_000)
  // Half of the time that it drains for: on a busy machine the last request may be late.
  const draining = 700
  const { outcomes, signaled } = await loadUntilSignal(service, base, ({ at }, since) => since !== undefined && at > since + draining)
  const meanwhile = outcomes.filter(({ at }) => at < signaled + draining)
  expect(meanwhile.length).toBeGreaterThan(500)
  expect([...new Set(meanwhile.map(({ outcome }) => outcome))]).toEqual([200])
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
})

test('while it drains it keeps connections open, and is live but not ready', async () => {
  const { service, base } = await started(10_000)
  // A client that stays keeps the service draining.
  const { hostname, port } = new URL(base)
  const guest = connect(Number(port), hostname)
  guest.on('error', () => {})
  await new Promise<void>((done) => guest.once('connect', done))
  service.child.kill('SIGTERM')
  await closing(service)
  expect(comparable(await send(base, 'GET /health/ready'))).toEqual(problem(503, { 'retry-after': '1' }))
  const live = await send(base, 'GET /health/live')
  expect({ status: live.status, connection: live.headers['connection'] }).toEqual({ status: 200, connection: 'keep-alive' })
  guest.destroy()
  expect(await service.ended).toMatchObject({ status: 0 })
})

test('a signal directly after the start-up line closes the service', async () => {
  const ends = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const { listening, child, ended } = serviceProcess(['main'], { PORT: '0', DATABASE_URL: 'sqlite::memory:' }, folderOfTest())
      await listening('main')
      child.kill('SIGTERM')
      const { status, signal } = await ended
      return { status, signal }
    }),
  )
  expect(ends).toEqual(ends.map(() => ({ status: 0, signal: null })))
})

test('without clients it closes at once', async () => {
  const { service } = await started(10_000)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(performance.now() - begun).toBeLessThan(1_400)
})

test('SIGINT has the same effect', async () => {
  const { service } = await started(10_000)
  service.child.kill('SIGINT')
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
})

test('idle keep-alive connections do not delay the end', async () => {
  const { service, base } = await started(60_000)
  const agent = new Agent({ keepAlive: true })
  expect((await attempt(base, '/hello', agent)).outcome).toBe(200)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(performance.now() - begun).toBeLessThan(30_000)
  agent.destroy()
})

test('a running stream is finished', async () => {
  const { service, base } = await started(10_000, folderWithLargeFile())
  const response = await download(base)
  service.child.kill('SIGTERM')
  await closing(service)
  expect(await readToEnd(response)).toEqual({ bytes: largeFileSize, complete: true })
  expect(await service.ended).toMatchObject({ status: 0 })
})

test('a stream without a reader is aborted at the end of the grace', async () => {
  const { service, base } = await started(1_000, folderWithLargeFile())
  const response = await download(base)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  const { status } = await service.ended
  const took = performance.now() - begun
  expect(status).toBe(0)
  expect(took).toBeGreaterThan(900)
  expect(took).toBeLessThan(10_000)
  const { bytes, complete } = await readToEnd(response)
  expect(bytes).toBeLessThan(largeFileSize)
  expect(complete).toBe(false)
})

test('a request whose body arrives during the signal is answered', async () => {
  const { service, base } = await started(10_000)
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nfirst')
  // An answer on another connection says that the first one has been read by now.
  await send(base, 'GET /hello')
  service.child.kill('SIGTERM')
  await closing(service)
  socket.write('-last')
  await closed
  expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(received.endsWith('\r\n\r\nfirst-last')).toBe(true)
  expect(await service.ended).toMatchObject({ status: 0 })
})

test('an unfinished request does not delay the end beyond the grace, be it shorter than draining', async () => {
  const { service, base } = await started(200)
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nfirst')
  await send(base, 'GET /hello')
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(performance.now() - begun).toBeLessThan(1_400)
  socket.destroy()
})

test('a second signal ends it at once', async () => {
  const { service, base } = await started(60_000, folderWithLargeFile())
  await download(base)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  await closing(service)
  service.child.kill('SIGTERM')
  await service.ended
  expect(performance.now() - begun).toBeLessThan(30_000)
})
