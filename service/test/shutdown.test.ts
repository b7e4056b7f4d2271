/** SIGTERM: what was sent whole is answered, new work is turned away, and the end comes in time. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { folderOfTest, type Process, serviceProcess } from './service.ts'
import { ask, exchange } from './specification/ask.ts'
import { problem, told } from './specification/expected.ts'
import { databaseOfTest } from './store/scratch.ts'

// Processes take their time on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

/** A service that has answered a request already, and where it does. */
async function started(grace: number, folder = folderOfTest()): Promise<{ readonly service: Process; readonly base: string }> {
  const environment = { PORT: '0', DATABASE_URL: (await databaseOfTest()).url, SHUTDOWN_GRACE_MS: String(grace) }
  const service = serviceProcess(['main'], environment, folder)
  const base = await service.listening('main')
  await exchange(base, 'GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  return { service, base }
}

/** Resolves when the service has said that it is closing. */
const closing = ({ line }: Process): Promise<unknown> => line(({ msg }) => msg === 'closing')

/** What became of one request: its status, `refused` where no connection was made, `lost` where it was written and not answered. */
interface Fate {
  readonly fate: number | 'refused' | 'lost'
  /** Whether the answer asked the client to go. */
  readonly last: boolean
  /** When it was sent, in milliseconds. */
  readonly at: number
}

const hello = (base: string, agent: Agent): Promise<Fate> =>
  new Promise((resolve) => {
    const at = performance.now()
    const asked = request(`${base}/hello`, { agent }, (response) => {
      response.resume()
      response.once('end', () => resolve({ fate: response.statusCode ?? 0, last: response.headers.connection === 'close', at }))
      response.once('error', () => resolve({ fate: 'lost', last: true, at }))
    })
    asked.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve({ fate: code === 'ECONNREFUSED' ? 'refused' : 'lost', last: true, at }),
    )
    asked.end()
  })

/** Ten clients, each on a connection of its own, that send one request after the other until `enough`; SIGTERM comes with the 500th answer. */
async function applyLoad(
  service: Process,
  base: string,
  enough: (fate: Fate, signalled: number | undefined) => boolean,
): Promise<{ outcomes: Fate[]; signalled: number }> {
  const agents = Array.from({ length: 10 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const outcomes: Fate[] = []
  let signalled: number | undefined
  const send = async (agent: Agent): Promise<void> => {
    for (;;) {
      const fate = await hello(base, agent)
      outcomes.push(fate)
      if (outcomes.length === 500) {
        signalled = performance.now()
        service.child.kill('SIGTERM')
      }
      if (enough(fate, signalled)) return
    }
  }
  await Promise.all(agents.map(send))
  for (const agent of agents) agent.destroy()
  return { outcomes, signalled: signalled ?? Number.NaN }
}

test('every request of keep-alive clients that send without a pause is answered; each is asked to go; exit code 0', async () => {
  const { service, base } = await started(10_000)
  const { outcomes, signalled } = await applyLoad(service, base, ({ last }) => last)
  expect([...new Set(outcomes.map(({ fate }) => fate))]).toEqual([200])
  expect(outcomes.filter(({ last }) => last)).toHaveLength(10)
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
  expect(performance.now() - signalled).toBeLessThan(10_000)
})

test('clients that come back at once are answered as well, for as long as the service drains', async () => {
  const { service, base } = await started(10_000)
  const draining = 1_200
  const { outcomes, signalled } = await applyLoad(service, base, ({ at }, since) => since !== undefined && at > since + draining)
  const meanwhile = outcomes.filter(({ at }) => at < signalled + draining)
  expect(meanwhile.length).toBeGreaterThan(500)
  expect([...new Set(meanwhile.map(({ fate }) => fate))]).toEqual([200])
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
})

test('while it drains it answers, says Connection: close, and is up but not ready', async () => {
  const { service, base } = await started(10_000)
  // A client that stays keeps the service draining.
  const { hostname, port } = new URL(base)
  const guest = connect(Number(port), hostname)
  guest.on('error', () => {})
  await new Promise<void>((done) => guest.once('connect', done))
  service.child.kill('SIGTERM')
  await closing(service)
  expect(told(await ask(base, 'GET /health/ready'))).toEqual(problem(503, { 'retry-after': '1' }))
  const live = await ask(base, 'GET /health/live')
  expect({ status: live.status, connection: live.headers['connection'] }).toEqual({ status: 200, connection: 'close' })
  guest.destroy()
  expect(await service.ended).toMatchObject({ status: 0 })
})

test('a signal right behind the start-up line is heeded', async () => {
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

test('without clients it ends at once', async () => {
  const { service } = await started(10_000)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(performance.now() - begun).toBeLessThan(1_400)
})

test('SIGINT is the same', async () => {
  const { service } = await started(10_000)
  service.child.kill('SIGINT')
  expect(await service.ended).toMatchObject({ status: 0, errors: '' })
})

test('idle keep-alive connections do not keep it', async () => {
  const { service, base } = await started(10_000)
  const agent = new Agent({ keepAlive: true })
  expect((await hello(base, agent)).fate).toBe(200)
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(performance.now() - begun).toBeLessThan(4_000)
  agent.destroy()
})

/** A folder with a static file that takes a while to be read. */
const size = 50_000_000
function withLargeFile(): string {
  const folder = folderOfTest()
  mkdirSync(join(folder, 'static-files'))
  writeFileSync(join(folder, 'static-files', 'large.bin'), Buffer.alloc(size, 'x'))
  return folder
}

const download = (base: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => request(`${base}/static/large.bin`, { agent: false }, resolve).on('error', reject).end())

/** Reads to the end: how many bytes came, and whether that was all. */
const rest = (response: IncomingMessage): Promise<{ bytes: number; complete: boolean }> =>
  new Promise((resolve) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    response.on('error', () => {})
    response.on('close', () => resolve({ bytes, complete: response.complete }))
    response.resume()
  })

test('a stream that is under way is finished', async () => {
  const { service, base } = await started(10_000, withLargeFile())
  const response = await download(base)
  service.child.kill('SIGTERM')
  await closing(service)
  expect(await rest(response)).toEqual({ bytes: size, complete: true })
  expect(await service.ended).toMatchObject({ status: 0 })
})

test('a stream without a reader is cut when the grace is over', async () => {
  const { service, base } = await started(1_000, withLargeFile())
  const response = await download(base)
  response.pause()
  const begun = performance.now()
  service.child.kill('SIGTERM')
  const { status } = await service.ended
  const took = performance.now() - begun
  expect(status).toBe(0)
  expect(took).toBeGreaterThan(900)
  expect(took).toBeLessThan(2_500)
  const { bytes, complete } = await rest(response)
  expect(bytes).toBeLessThan(size)
  expect(complete).toBe(false)
})

test('a request whose body is still on its way when the signal comes is answered', async () => {
  const { service, base } = await started(10_000)
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text
  })
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nfirst')
  // An answer on another connection says that the first one has been read by now.
  await ask(base, 'GET /hello')
  service.child.kill('SIGTERM')
  await closing(service)
  socket.write('-last')
  await closed
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(answer.endsWith('\r\n\r\nfirst-last')).toBe(true)
  expect(await service.ended).toMatchObject({ status: 0 })
})

test('a request that is never finished does not keep it beyond the grace', async () => {
  const { service, base } = await started(500)
  const { hostname, port } = new URL(base)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nfirst')
  await ask(base, 'GET /hello')
  const begun = performance.now()
  service.child.kill('SIGTERM')
  expect(await service.ended).toMatchObject({ status: 0 })
  expect(performance.now() - begun).toBeLessThan(2_000)
  socket.destroy()
})

test('a second signal ends it at once', async () => {
  const { service, base } = await started(10_000, withLargeFile())
  const response = await download(base)
  response.pause()
  response.on('error', () => {})
  const begun = performance.now()
  service.child.kill('SIGTERM')
  await closing(service)
  service.child.kill('SIGTERM')
  await service.ended
  expect(performance.now() - begun).toBeLessThan(5_000)
})
