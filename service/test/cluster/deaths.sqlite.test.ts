/** Workers that die: lost requests, replacements, and when the service gives up. */
import { rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { findFreePort } from '../../../scripts/ports.mjs'
import { send } from '../specification/send.ts'
import { applyLoad, type RequestOutcome } from '../support/load.ts'
import { folderOfTest, serviceProcess } from '../support/service.ts'
import { type ClusterProcess, clusterProcess, gone } from './clusterProcess.ts'

/** Ten clients ask without a pause; with the 300th answer something happens to the first worker. They go on until another takes its place, and a while longer. */
async function underLoad(
  service: ClusterProcess,
  happens: (worker: number) => void,
): Promise<{ readonly victim: number; readonly outcomes: readonly RequestOutcome[] }> {
  const { pid: victim } = await service.nth(1)
  let end = Number.POSITIVE_INFINITY
  const outcomes = await applyLoad(service.base, 10, (_, count) => {
    if (count === 300) {
      happens(victim)
      Promise.all([service.death(victim), service.nth(3)]).then(() => {
        end = 0
      })
    }
    if (end === 0) end = count + 300
    return count > end
  })
  return { victim, outcomes }
}

test('SIGKILL of a worker loses only requests on its connections; no connection is refused; a replacement listens soon', async () => {
  const service = await clusterProcess()
  const { victim, outcomes } = await underLoad(service, (worker) => process.kill(worker, 'SIGKILL'))
  const failed = outcomes.filter(({ outcome }) => outcome !== 200)
  // One may be silent: its connection was on its way to the worker, and stays with the primary process.
  expect(['', 'silent']).toContain(failed.flatMap(({ outcome }) => (outcome === 'lost' ? [] : outcome)).join())
  // It had half of the connections, and a client may have come back in the very moment.
  expect(failed.length).toBeGreaterThan(0)
  expect(failed.length).toBeLessThanOrEqual(10)
  // What it answered last it may not have got to log; what is logged of these connections, it has logged.
  for (const { before } of failed) {
    const line = service.lines.find(({ target }) => before !== undefined && target === before)
    if (line !== undefined) expect(line['pid']).toBe(victim)
  }
  const death = await service.death(victim)
  expect(death).toMatchObject({ level: 'error', pid: service.pid, code: null, signal: 'SIGKILL', next: 0 })
  const took = (await service.nth(3)).at - Date.parse(String(death['time']))
  expect(took).toBeLessThan(30_000)
  expect(service.lines.filter(({ event }) => event !== undefined)).toHaveLength(1)
})

test('a worker that gets SIGTERM drains, exits and is replaced; nothing is lost', async () => {
  const service = await clusterProcess()
  const { victim, outcomes } = await underLoad(service, (worker) => process.kill(worker, 'SIGTERM'))
  expect([...new Set(outcomes.map(({ outcome }) => outcome))]).toEqual([200])
  expect(await service.death(victim)).toMatchObject({ code: 0, signal: null })
})

/** All that comes over a connection until it ends. */
const received = (socket: Socket): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    socket.setEncoding('latin1').on('data', (more: string) => {
      text += more
    })
    // It may be reset.
    socket.on('error', () => {})
    socket.once('close', () => resolve(text))
  })

test('a worker that drains is replaced while it still answers', async () => {
  const { base, nth, death } = await clusterProcess()
  const { pid } = await nth(1)
  const { hostname, port } = new URL(base)
  // Requests whose bodies are on their way, in both workers.
  const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname))
  const responses = sockets.map(received)
  for (const socket of sockets) {
    socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 10\r\n\r\nfirst')
  }
  // Answers on other connections say that those have been read by now.
  for (let index = 0; index < 4; index += 1) expect((await send(base, 'GET /hello')).status).toBe(200)
  process.kill(pid, 'SIGTERM')
  await nth(3)
  // Only the primary process forces an end.
  process.kill(pid, 'SIGTERM')
  for (const socket of sockets) socket.write('-last')
  for (const response of await Promise.all(responses)) expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nfirst-last$/)
  expect(await death(pid)).toMatchObject({ code: 0, signal: null })
})

/** Makes a process throw an uncaught error on SIGWINCH. */
function faulty(): { readonly folder: string; readonly environment: Readonly<Record<string, string>> } {
  const folder = folderOfTest()
  const fault = join(folder, 'fault.mjs')
  writeFileSync(fault, `process.on('SIGWINCH', () => { throw new Error('a late fault') })`)
  return { folder, environment: { NODE_OPTIONS: `--import=${fault}` } }
}

test('a worker with an uncaught error logs it, drains, exits with code 1 and is replaced; nothing is lost', async () => {
  const service = await clusterProcess(faulty())
  const { victim, outcomes } = await underLoad(service, (worker) => process.kill(worker, 'SIGWINCH'))
  expect([...new Set(outcomes.map(({ outcome }) => outcome))]).toEqual([200])
  expect(await service.death(victim)).toMatchObject({ code: 1, signal: null })
  expect(await service.line(({ level }) => level === 'fatal')).toMatchObject({ pid: victim, err: { message: 'a late fault' } })
})

test('a primary with an uncaught error logs it, closes its workers and exits with code 1', async () => {
  const service = await clusterProcess(faulty())
  service.child.kill('SIGWINCH')
  expect(await service.ended).toMatchObject({ status: 1, errors: '' })
  expect(service.lines.filter(({ level }) => level === 'fatal')).toMatchObject([{ pid: service.pid, err: { message: 'a late fault' } }])
  expect(service.lines.filter(({ msg, pid }) => msg === 'closing' && pid !== service.pid)).toHaveLength(2)
  await gone(service.workers())
})

test('of the connections on their way to a killed worker at most one is lost; a replacement answers those that wait', async () => {
  const { base, nth, death } = await clusterProcess()
  const [first, second] = [(await nth(1)).pid, (await nth(2)).pid]
  // Who is stopped takes nothing, and each is sent one of the connections. The third one waits.
  for (const pid of [first, second]) process.kill(pid, 'SIGSTOP')
  const { hostname, port } = new URL(base)
  const sockets = [1, 2, 3].map(() => connect(Number(port), hostname))
  const replies: string[] = []
  const ends = sockets.map(async (socket) => {
    socket.write('GET /hello HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    replies.push((await received(socket)).slice(0, 13))
  })
  process.kill(first, 'SIGKILL')
  await death(first)
  await nth(3)
  expect((await send(base, 'GET /hello')).status).toBe(200)
  process.kill(second, 'SIGCONT')
  await vi.waitFor(() => expect(replies.length).toBeGreaterThanOrEqual(2), { timeout: 20_000 })
  expect(replies.slice(0, 2)).toEqual(['HTTP/1.1 200 ', 'HTTP/1.1 200 '])
  // The primary process keeps the one that it had sent to the killed worker. Its client waits until a timeout of its own.
  for (const socket of sockets) socket.destroy()
  await Promise.all(ends)
})

test('when all workers are killed at once, replacements serve on the same port', async () => {
  // A port that is picked for 0 is one for as long as a worker lives.
  const { base, workers, nth } = await clusterProcess({ environment: { PORT: `${await findFreePort()}` } })
  for (const pid of workers()) process.kill(pid, 'SIGKILL')
  await nth(4)
  for (let index = 0; index < 6; index += 1) expect((await send(base, 'GET /albert')).status).toBe(200)
})

test('when workers have settled, the next one that dies is replaced at once', async () => {
  const { workers, nth, death, line } = await clusterProcess({ environment: { LOG_LEVEL: 'debug' } })
  await nth(2)
  const [first = 0, other = 0] = workers()
  process.kill(first, 'SIGKILL')
  const { pid: third } = await nth(3)
  await line(({ msg, worker }) => msg === 'a worker has settled' && worker === other)
  process.kill(third, 'SIGKILL')
  expect(await death(third)).toMatchObject({ next: 0 })
  await nth(4)
})

test.each([1, 2])(
  'when workers can no longer start, after %i of two died, the service logs the reason and exits with code 1',
  async (killed) => {
    const folder = folderOfTest()
    const service = await clusterProcess({ folder })
    const database = join(folder, 'service.db')
    for (const file of [database, `${database}-wal`, `${database}-shm`]) rmSync(file, { force: true })
    writeFileSync(database, 'garbage '.repeat(1_000))
    for (const pid of service.workers().slice(0, killed)) process.kill(pid, 'SIGKILL')
    expect(await service.ended).toMatchObject({ status: 1, errors: '' })
    const fatal = service.lines.filter(({ level }) => level === 'fatal')
    const message = `Cannot open the database ${database}: it is not an SQLite database; it was left as it is.`
    expect(fatal).toMatchObject([{ pid: service.pid, err: { message: `Workers end soon after they are started: ${message}` } }])
    const deaths = service.lines.filter(({ msg }) => msg === 'a worker ended')
    expect(deaths.length).toBeGreaterThanOrEqual(5)
    expect(deaths.filter(({ error }) => error === message)).toHaveLength(deaths.length - killed)
    // Those that still served were closed, not cut.
    const closed = service.lines.filter(({ msg }) => msg === 'closing').map(({ pid }) => Number(pid))
    expect(closed.filter((pid) => service.workers().includes(pid))).toEqual(service.workers().slice(killed))
    await gone(service.workers())
  },
)

test('when the first workers cannot start, there is no retry, and one line has the reason', async () => {
  const folder = folderOfTest()
  const [database, fault] = [join(folder, 'service.db'), join(folder, 'fault.mjs')]
  const garbage = `import cluster from 'node:cluster'; import { writeFileSync } from 'node:fs'; if (cluster.isWorker) writeFileSync('${database}', 'garbage')`
  writeFileSync(fault, garbage)
  const environment = { WORKERS: '2', PORT: '0', DATABASE_URL: `sqlite:${database}`, NODE_OPTIONS: `--import=${fault}` }
  const { status, output, errors } = await serviceProcess(['main'], environment, folder).ended
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(errors).toBe(`Cannot open the database ${database}: it is not an SQLite database; it was left as it is.\n`)
})

test('when workers die again and again, the others are closed, and an uncaught error ends the program', async () => {
  const service = await clusterProcess({ environment: { LOG_LEVEL: 'debug', REQUEST_TIMEOUT_MS: '60000' } })
  const { pid: stays } = await service.nth(1)
  await service.nth(2)
  // When a worker settles, the count of deaths begins anew: on a busy machine that would be between two of them.
  await service.line(({ msg, worker }) => msg === 'a worker has settled' && worker === stays)
  const { hostname, port } = new URL(service.base)
  const sockets = Array.from({ length: 4 }, () => connect(Number(port), hostname))
  const responses = sockets.map(received)
  for (const socket of sockets)
    socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nConnection: close\r\nContent-Length: 10\r\n\r\nfirst')
  // Answers on other connections say that those have been read by now.
  for (let index = 0; index < 4; index += 1) expect((await send(service.base, 'GET /hello')).status).toBe(200)
  const closing = service.line(({ msg, pid }) => msg === 'closing' && pid === stays)
  let hasClosed = false
  closing.then(() => {
    hasClosed = true
  })
  for (let count = 2; !hasClosed; count += 1) {
    const next = await Promise.race([service.nth(count), closing.then(() => undefined)])
    if (next === undefined) break
    process.kill(next.pid, 'SIGKILL')
    await service.death(next.pid)
  }
  for (const socket of sockets) socket.write('-last')
  expect(await service.ended).toMatchObject({ status: 1, errors: '' })
  expect(service.lines.filter(({ level }) => level === 'fatal')).toMatchObject([
    { pid: service.pid, err: { message: 'Workers end soon after they are started' } },
  ])
  // The one that stayed was closed, not cut.
  expect(service.lines.filter(({ msg, worker }) => msg === 'a worker ended' && worker === stays)).toEqual([])
  const complete = (await Promise.all(responses)).filter((response) => response !== '')
  expect(complete.length).toBeGreaterThan(0)
  for (const response of complete) expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nfirst-last$/)
})

/** A module for the environment of a service, whose workers run this code first. */
function plant(code: string): { readonly folder: string; readonly NODE_OPTIONS: string } {
  const folder = folderOfTest()
  const fault = join(folder, 'fault.mjs')
  writeFileSync(fault, `import cluster from 'node:cluster'; import { Server } from 'node:net'; if (cluster.isWorker) ${code}`)
  return { folder, NODE_OPTIONS: `--import=${fault}` }
}

test('a worker that ends before it listens is started again, five times', async () => {
  const { folder, NODE_OPTIONS } = plant(`throw new Error('planted before')`)
  const environment = { WORKERS: '2', PORT: '0', DATABASE_URL: `sqlite:${join(folder, 'service.db')}`, NODE_OPTIONS }
  const { lines, ended } = serviceProcess(['main'], environment, folder)
  const { status, errors } = await ended
  expect(status).toBe(1)
  expect(errors.match(/planted before/g)?.length).toBeGreaterThanOrEqual(5)
  expect(errors.endsWith('\nWorkers end soon after they are started\n')).toBe(true)
  expect(lines.map(({ msg, next }) => [msg, next])).toEqual([0, 100, 200, 400, undefined].map((next) => ['a worker ended', next]))
})

test('a worker whose close throws ends with code 1', async () => {
  const { folder, NODE_OPTIONS } = plant(`Server.prototype.close = () => { throw new Error('planted in close') }`)
  const service = await clusterProcess({ folder, environment: { NODE_OPTIONS } })
  const { pid } = await service.nth(1)
  process.kill(pid, 'SIGTERM')
  expect(await service.death(pid)).toMatchObject({ code: 1, signal: null })
  expect(service.lines.find(({ msg }) => msg === 'closing failed')).toMatchObject({ pid, err: { message: 'planted in close' } })
})

test('a worker that has died never settles, and does not reset the count', async () => {
  const service = await clusterProcess({ environment: { LOG_LEVEL: 'debug' } })
  const { pid: victim } = await service.nth(1)
  process.kill(victim, 'SIGKILL')
  await service.death(victim)
  // Its successor listened later, so that by then its own time is over.
  const { pid: successor } = await service.nth(3)
  const settled = ({ msg }: Readonly<Record<string, unknown>>): boolean => msg === 'a worker has settled'
  await service.line((line) => settled(line) && line['worker'] === successor)
  expect(service.lines.filter(settled).map(({ worker }) => worker)).not.toContain(victim)
})
